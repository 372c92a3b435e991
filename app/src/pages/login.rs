//! Signing in. A plain form: whoever comes in gets a fresh page.

use crate::{
    api::session::SignIn,
    components::entry_page,
    form::{NativeForm, Post, TextField, error_summary, submit_button},
    location::use_location,
    texts::texts,
};
use leptos::prelude::*;

pub fn login() -> AnyView {
    let t = texts();
    let post = Post::to::<SignIn>();
    let next = use_location().with_untracked(|address| address.value("next"));
    let body = view! {
        {error_summary(post)}
        <NativeForm post=post class="form" keep=&["email"]>
            <TextField post=post name="email" label=t.email() kind="email" autocomplete="username"/>
            <TextField post=post name="password" label=t.password() kind="password" autocomplete="current-password"/>
            {next.map(|next| view! { <input type="hidden" name="next" value=next/> }.into_any())}
            {submit_button(post, "button button-primary button-wide", t.sign_in())}
        </NativeForm>
        <p class="entry-help">{t.sign_in_help()}</p>
    };
    entry_page(t.sign_in(), t.sign_in_lead(), body.into_any())
}
