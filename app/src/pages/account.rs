//! A person's own account: name, password, language, colours, open sessions.

mod sessions;

use self::sessions::sessions;
use crate::{
    api::account::{ChangePassword, RenameMe},
    components::{awaited, language_form, loading, page_header, settings_tabs, theme_form, use_notices},
    form::{Fields, Post, PostForm, TextField, error_summary, submit_button},
    session::use_session,
    texts::{Texts, texts},
};
use domain::account::Me;
use leptos::prelude::*;
use std::sync::Arc;

pub fn account() -> AnyView {
    let t = texts();
    let session = use_session();
    let rename = Post::to::<RenameMe>();
    view! {
        {page_header(t.account_title(), t.account_lead())}
        {settings_tabs()}
        <div class="settings">
            <section class="settings-section" aria-labelledby="profile">
                <header><h2 id="profile">{t.profile()}</h2></header>
                <div class="card">
                    {awaited(loading, move || session.me().map(|me| profile(t, rename, &me)))}
                </div>
            </section>
            {password_section(t)}
            <section class="settings-section" aria-labelledby="preferences">
                <header>
                    <h2 id="preferences">{t.preferences()}</h2>
                    <p class="section-lead">{t.preferences_lead()}</p>
                </header>
                <div class="card">
                    <div class="form">
                    <div class="field"><p class="field-label">{t.language_label()}</p>{language_form()}</div>
                    <div class="field"><p class="field-label">{t.theme_label()}</p>{theme_form()}</div>
                    </div>
                </div>
            </section>
            {sessions()}
        </div>
    }
    .into_any()
}

fn profile(t: Texts, post: Post, me: &Me) -> AnyView {
    let session = use_session();
    let notices = use_notices();
    let done = move |_| {
        notices.done(t.saved());
        session.refetch();
    };
    let (name, email) = (me.name.clone(), me.email.as_str().to_owned());
    view! {
        {error_summary(post)}
        <PostForm post=post class="form" on_done=Arc::new(done)>
            <TextField post=post name="name" label=t.name() autocomplete="name" value=name/>
            <div class="field">
                <p class="field-label">{t.email()}</p>
                <p class="field-fixed">{email}</p>
                <p class="field-hint">{t.email_fixed()}</p>
            </div>
            <div class="form-actions">{submit_button(post, "button button-primary", t.save())}</div>
        </PostForm>
    }
    .into_any()
}

fn password_section(t: Texts) -> AnyView {
    let post = Post::to::<ChangePassword>();
    let notices = use_notices();
    let done = move |_| notices.done(t.password_changed());
    view! {
        <section class="settings-section" aria-labelledby="password">
            <header>
                <h2 id="password">{t.change_password()}</h2>
                <p class="section-lead">{t.change_password_lead()}</p>
            </header>
            <div class="card">
                {error_summary(post)}
                <PostForm post=post class="form" fields=Fields::Empty on_done=Arc::new(done)>
                    <TextField
                        post=post
                        name="current_password"
                        label=t.current_password()
                        kind="password"
                        autocomplete="current-password"
                    />
                    <TextField
                        post=post
                        name="new_password"
                        label=t.new_password()
                        kind="password"
                        autocomplete="new-password"
                        hint=t.password_hint()
                    />
                    <div class="form-actions">{submit_button(post, "button button-primary", t.change_password())}</div>
                </PostForm>
            </div>
        </section>
    }
    .into_any()
}
