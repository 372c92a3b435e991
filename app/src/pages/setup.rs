//! The first start: one administrator, with the code from the server's log.

use crate::{
    api::setup::CompleteSetup,
    components::entry_page,
    form::{NativeForm, Post, TextField, error_summary, submit_button},
    texts::texts,
};
use leptos::prelude::*;

pub fn setup() -> AnyView {
    let t = texts();
    let post = Post::to::<CompleteSetup>();
    let body = view! {
        {error_summary(post)}
        <NativeForm post=post class="form" keep=&["name", "email", "organisation"]>
            <TextField post=post name="code" label=t.setup_code() hint=t.setup_code_hint() autocomplete="one-time-code"/>
            <TextField post=post name="name" label=t.your_name() autocomplete="name"/>
            <TextField post=post name="email" label=t.email() kind="email" autocomplete="username"/>
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
                hint=t.organisation_hint()
            />
            <div class="checkbox">
                <input type="checkbox" id="demo-data" name="demo_data" value="true" aria-describedby="demo-data-hint"/>
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
