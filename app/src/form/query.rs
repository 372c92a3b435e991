//! A form whose state is the address: what it asks can be shared, and works without JavaScript.

use crate::{browser, location::use_location};
use leptos::{ev, prelude::*};

#[component]
pub fn QueryForm(
    path: &'static str,
    class: &'static str,
    /// Every change counts at once, not only the button.
    #[prop(optional)]
    live: bool,
    children: Children,
) -> impl IntoView {
    let location = use_location();
    let go = move |event: &ev::Event, in_place: bool| {
        if let Some(query) = browser::query_of_form(event) {
            location.go(&format!("{path}?{query}"), in_place);
        }
    };
    let submit = move |event: ev::SubmitEvent| {
        event.prevent_default();
        go(&event, false);
    };
    let change = move |event: ev::Event| {
        if live {
            go(&event, true);
        }
    };
    view! {
        <form method="get" action=path class=class role="search" on:submit=submit on:input=change>
            {children()}
        </form>
    }
    .into_any()
}
