//! A form that posts to a server function and stays on its page.

use super::refusal::refusal_of_last_load;
use crate::{api::ApiError, browser};
use leptos::{prelude::*, server_fn::ServerFn};
use serde::de::DeserializeOwned;
use std::sync::Arc;

/// Where a form goes to, whether it is under way, and what came of it.
#[derive(Clone, Copy)]
pub struct Post {
    pub url: &'static str,
    state: RwSignal<State>,
}

#[derive(Clone, Default)]
struct State {
    is_pending: bool,
    error: Option<ApiError>,
}

/// What follows when the server has accepted a form.
pub type Done = Arc<dyn Fn(Answer) + Send + Sync>;

/// Brings a list anew.
pub type Again = Arc<dyn Fn() + Send + Sync>;

impl Post {
    /// Starts with the error that the last load of the page brought, if it was this form's.
    pub fn to<F: ServerFn>() -> Self {
        Self::new(F::PATH, refusal_of_last_load(F::PATH))
    }

    /// For one form of many to the same address: an error of the last load belongs to none of them.
    pub fn one_of<F: ServerFn>() -> Self {
        Self::new(F::PATH, None)
    }

    /// For a form whose address is known only as it appears.
    pub fn at(url: &'static str) -> Self {
        Self::new(url, None)
    }

    fn new(url: &'static str, error: Option<ApiError>) -> Self {
        Self { url, state: RwSignal::new(State { is_pending: false, error }) }
    }

    /// The start of the ids in this form: the name of its server function.
    pub fn scope(self) -> &'static str {
        self.url.rsplit('/').next().unwrap_or_default()
    }

    /// Not any more when the form is gone: what waits for it may look once more before it ends.
    pub fn is_pending(self) -> bool {
        self.state.try_with(|state| state.is_pending).unwrap_or_default()
    }

    pub fn is_pending_untracked(self) -> bool {
        self.state.try_with_untracked(|state| state.is_pending).unwrap_or_default()
    }

    /// For an attribute that is there only while the form is under way.
    pub fn pending_mark(self) -> Option<&'static str> {
        self.is_pending().then_some("true")
    }

    pub fn error(self) -> Option<ApiError> {
        self.state.try_with(|state| state.error.clone()).flatten()
    }

    pub fn start(self) {
        self.state.update(|state| state.is_pending = true);
    }

    /// The outcome. When the form is gone nobody sees it there: then its error comes back.
    #[cfg(not(feature = "ssr"))]
    pub fn settle(self, error: Option<ApiError>) -> Option<ApiError> {
        self.state.try_set(State { is_pending: false, error })?.error
    }
}

/// What the server answered to a form that it accepted.
pub struct Answer(pub String);

impl Answer {
    pub fn read<T: DeserializeOwned>(&self) -> Option<T> {
        browser::read_json(&self.0)
    }
}

/// What becomes of the fields after the answer.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub enum Fields {
    /// They stay as typed.
    #[default]
    Keep,
    /// Accepted, they are emptied for the next.
    Empty,
    /// Refused, they go back to what holds.
    Undo,
}

/// The form itself. Without JavaScript the browser sends it and comes back here.
#[component]
pub fn PostForm(
    post: Post,
    #[prop(optional)] id: Option<&'static str>,
    #[prop(optional)] class: &'static str,
    #[prop(optional)] fields: Fields,
    /// What it says outlives the session that it was begun in.
    #[prop(optional)]
    is_long: bool,
    on_done: Done,
    children: Children,
) -> impl IntoView {
    view! {
        <form
            id=id
            method="post"
            action=address(post, is_long)
            class=class
            aria-busy=move || post.pending_mark()
            on:submit=move |event| browser::send_form(event, post, fields, on_done.clone())
        >
            {children()}
        </form>
    }
    .into_any()
}

/// Without scripts a long form names whom it is from.
#[cfg(feature = "ssr")]
fn address(post: Post, is_long: bool) -> String {
    if is_long { crate::request::made_for(post.url) } else { post.url.to_owned() }
}

/// With them it is [`browser::send_form`] that sends it.
#[cfg(not(feature = "ssr"))]
fn address(post: Post, _: bool) -> &'static str {
    post.url
}

/// The button that sends a form and shows that it is under way.
pub fn submit_button(post: Post, class: &'static str, label: &'static str) -> AnyView {
    view! {
        <button type="submit" class=class aria-disabled=move || post.pending_mark()>
            {label}
        </button>
    }
    .into_any()
}
