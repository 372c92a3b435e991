//! A form that always loads the page anew: signing in and out, and whatever else changes who is here.

use super::Post;
use crate::{browser, components::effect};
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
    effect(move || {
        if !post.is_pending_untracked() && post.error().is_some() {
            browser::restore_fields(post.scope(), keep);
        }
    });
    view! {
        <form
            id=post.scope()
            method="post"
            action=post.url
            class=class
            aria-busy=move || post.pending_mark()
            on:submit=move |event| {
                browser::keep_fields(&event, keep);
                post.start();
            }
        >
            {children()}
        </form>
    }
    .into_any()
}
