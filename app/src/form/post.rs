//! A form that posts to a server function and stays on its page.

use super::refusal::refusal_of_last_load;
use crate::{api::ApiError, browser};
use leptos::{
    prelude::*,
    server_fn::{Decodes, ServerFn, codec::JsonEncoding},
};

/// Where a form goes to, whether it is under way, and what came of it.
#[derive(Clone, Copy)]
pub struct Post {
    pub url: &'static str,
    pub pending: RwSignal<bool>,
    pub error: RwSignal<Option<ApiError>>,
}

impl Post {
    /// Starts with the error that the last load of the page brought, if it was this form's.
    pub fn to<F: ServerFn>() -> Self {
        Self::new(F::PATH, refusal_of_last_load(F::PATH))
    }

    /// For one form of many to the same address: an error of the last load belongs to none of them.
    pub fn one_of<F: ServerFn>() -> Self {
        Self::new(F::PATH, None)
    }

    fn new(url: &'static str, error: Option<ApiError>) -> Self {
        Self {
            url,
            pending: RwSignal::new(false),
            error: RwSignal::new(error),
        }
    }

    /// The start of the ids in this form: the name of its server function.
    pub fn scope(self) -> &'static str {
        self.url.rsplit('/').next().unwrap_or_default()
    }
}

/// What the server answered to a form that it accepted.
pub struct Answer(pub Vec<u8>);

impl Answer {
    pub fn read<T>(self) -> Option<T>
    where
        JsonEncoding: Decodes<T>,
    {
        JsonEncoding::decode(self.0.into()).ok()
    }
}

/// The form itself. Without JavaScript the browser sends it and comes back here.
#[component]
pub fn PostForm(
    post: Post,
    #[prop(optional)] class: &'static str,
    /// Empties the fields once the server has accepted them.
    #[prop(optional)]
    reset: bool,
    #[prop(into)] on_done: Callback<Answer>,
    children: Children,
) -> impl IntoView {
    view! {
        <form
            method="post"
            action=post.url
            class=class
            aria-busy=move || post.pending.get().to_string()
            on:submit=move |event| browser::send_form(event, post, reset, on_done)
        >
            {children()}
        </form>
    }
    .into_any()
}

/// The button that sends a form and shows that it is under way.
pub fn submit_button(post: Post, class: &'static str, label: impl Into<String>) -> AnyView {
    let label: String = label.into();
    view! {
        <button type="submit" class=class aria-disabled=move || post.pending.get().then_some("true")>
            {label}
        </button>
    }
    .into_any()
}
