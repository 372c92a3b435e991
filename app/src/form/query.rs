//! A form whose state is the address: what it asks can be shared, and works without JavaScript.

use super::Choice;
use crate::{
    browser,
    location::{Address, use_location},
    texts::Texts,
};
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

/// Words that the address holds, under their own name.
pub fn search_input(name: &'static str, label: &'static str, placeholder: &'static str) -> AnyView {
    let location = use_location();
    let words = move |address: &Address| address.value(name).unwrap_or_default();
    view! {
        <input
            class="input toolbar-search"
            type="search"
            name=name
            value=location.with_untracked(words)
            prop:value=move || location.with(words)
            placeholder=placeholder
            aria-label=label
            autocomplete="off"
        />
    }
    .into_any()
}

/// A choice that the address holds, under its own name.
pub fn filter_select(
    name: &'static str,
    label: &'static str,
    any: &'static str,
    rest: Vec<(String, String)>,
) -> AnyView {
    let location = use_location();
    let now = move |address: &Address| address.value(name).unwrap_or_default();
    let chosen = location.with_untracked(now);
    let mut all = vec![Choice::new("", any, chosen.is_empty())];
    all.extend(rest.into_iter().map(|(value, label)| {
        let is_chosen = value == chosen;
        Choice::new(value, label, is_chosen)
    }));
    view! {
        <select class="select" name=name aria-label=label prop:value=move || location.with(now)>
            {Choice::options(all)}
        </select>
    }
    .into_any()
}

/// For the attribute `aria-describedby` of a field for a day.
pub const DAYS_NOTE: &str = "days-note";

/// Below a filter by days: they are not the reader's own where the browser told no zone. It comes with the list, because
/// the browser may have told one since the page was made.
pub fn days_note(t: Texts, in_utc: bool) -> AnyView {
    view! { <p class="filter-note" id=DAYS_NOTE>{in_utc.then(|| t.days_in_utc())}</p> }.into_any()
}
