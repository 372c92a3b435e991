//! A form whose state is the address: what it asks can be shared, and works without JavaScript.

use crate::browser;
use leptos::{ev, prelude::*};
use leptos_router::{NavigateOptions, hooks::use_navigate};
use std::sync::Arc;

#[component]
pub fn QueryForm(
    path: &'static str,
    class: &'static str,
    /// Every change counts at once, not only the button.
    #[prop(optional)]
    live: bool,
    children: Children,
) -> impl IntoView {
    let navigate = use_navigate();
    let go = Arc::new(move |event: &ev::Event, replace: bool| {
        if let Some(query) = browser::query_of_form(event) {
            let options = NavigateOptions {
                replace,
                scroll: false,
                resolve: false,
                ..Default::default()
            };
            navigate(&format!("{path}?{query}"), options);
        }
    });
    let go_now = go.clone();
    let submit = move |event: ev::SubmitEvent| {
        event.prevent_default();
        go(&event, false);
    };
    let change = move |event: ev::Event| {
        if live {
            go_now(&event, true);
        }
    };
    view! {
        <form method="get" action=path class=class role="search" on:submit=submit on:input=change>
            {children()}
        </form>
    }
    .into_any()
}
