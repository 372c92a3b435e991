//! The first start: one administrator, with the code from the server's log.

use crate::{
    api::setup::{CompleteSetup, Said},
    components::entry_page,
    form::{NativeForm, Post, TextField, error_summary, submit_button},
    texts::texts,
};
use leptos::prelude::*;

pub fn setup() -> AnyView {
    let t = texts();
    let post = Post::to::<CompleteSetup>();
    let said = said();
    let body = view! {
        {error_summary(post)}
        <NativeForm post=post class="form">
            <TextField
                post=post
                name="code"
                label=t.setup_code()
                autocomplete="one-time-code"
                value=said.code
                hint=t.setup_code_hint()
            />
            <TextField post=post name="name" label=t.your_name() autocomplete="name" value=said.name/>
            <TextField post=post name="email" label=t.email() kind="email" autocomplete="username" value=said.email/>
            <TextField
                post=post
                name="password"
                label=t.password()
                kind="password"
                autocomplete="new-password"
                hint=t.password_hint()
            />
            <TextField
                post=post
                name="organisation"
                label=t.organisation_name()
                autocomplete="organization"
                value=said.organisation
                hint=t.organisation_hint()
            />
            <div class="checkbox">
                <input
                    type="checkbox"
                    id="demo-data"
                    name="demo_data"
                    value="true"
                    checked=said.demo_data
                    aria-describedby="demo-data-hint"
                />
                <div>
                    <label r#for="demo-data">{t.demo_data()}</label>
                    <p class="field-hint" id="demo-data-hint">{t.demo_data_hint()}</p>
                </div>
            </div>
            {submit_button(post, "button button-primary button-wide", t.setup_submit())}
        </NativeForm>
    };
    entry_page(t.setup_title(), t.setup_lead(), body.into_any())
}

/// What was typed before it was refused: with and without scripts, the answer to this form is a page of the server.
#[cfg(feature = "ssr")]
fn said() -> Said {
    crate::request::take_setup().unwrap_or_default()
}

/// A browser leaves the fields as the server has written them.
#[cfg(not(feature = "ssr"))]
fn said() -> Said {
    Said::default()
}
