//! A form that always loads the page anew: signing in and out, and whatever else changes who is here.

use super::Post;
use crate::browser;
use leptos::prelude::*;

#[component]
pub fn NativeForm(
    post: Post,
    #[prop(optional)] class: &'static str,
    /// Fields that survive a refusal; never a secret.
    #[prop(optional)]
    keep: &'static [&'static str],
    children: Children,
) -> impl IntoView {
    let was_refused = post.error.get_untracked().is_some();
    Effect::new(move || {
        if was_refused {
            browser::restore_fields(post.scope(), keep);
        }
    });
    let submit = move |event| {
        browser::keep_fields(&event, keep);
        post.pending.set(true);
    };
    view! {
        <form
            id=post.scope()
            method="post"
            action=post.url
            class=class
            aria-busy=move || post.pending.get().to_string()
            on:submit=submit
        >
            {children()}
        </form>
    }
    .into_any()
}
