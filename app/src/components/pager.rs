//! Which part of a long list is shown, and the way to the others. The page is in the address.

use crate::{
    location::{Address, use_location},
    texts::texts,
};
use leptos::prelude::*;

/// The page that an address asks for; from 0, although people count from 1.
pub fn page_of(address: &Address) -> i64 {
    address.value("page").and_then(|text| text.parse::<i64>().ok()).map_or(0, |page| (page - 1).max(0))
}

pub fn pager(page: i64, per_page: i64, shown: i64, total: i64) -> AnyView {
    let t = texts();
    let here = use_location().with_untracked(Address::clone);
    let first = page.saturating_mul(per_page);
    let range = match shown {
        0 => t.range_none(&t.count(total)),
        _ => t.range_of(&t.count(first + 1), &t.count(first + shown), &t.count(total)),
    };
    let link = move |to: i64, label: &'static str| {
        let address = here.with_value("page", Some(&(to + 1).to_string()));
        view! { <a class="button" href=address>{label}</a> }.into_any()
    };
    let next = (first + shown < total).then(|| link(page + 1, t.page_next()));
    let previous = (page > 0).then(|| link(page - 1, t.page_previous()));
    view! {
        <nav class="pager" aria-label=t.pages()>
            <p class="result-count" role="status">{range}</p>
            {previous}
            {next}
        </nav>
    }
    .into_any()
}

/// Links that keep the rest of the address; nothing when the list is all on one page.
pub fn cursor_pager(next_cursor: Option<String>) -> AnyView {
    let t = texts();
    let (newest, older) = use_location().with_untracked(|address| {
        let is_first = address.value("cursor").is_none_or(|cursor| cursor.is_empty());
        let newest = (!is_first).then(|| address.with_value("cursor", None));
        (newest, next_cursor.map(|cursor| address.with_value("cursor", Some(&cursor))))
    });
    if newest.is_none() && older.is_none() {
        return ().into_any();
    }
    let link =
        |href: String, label: &'static str| view! { <a class="button" href=href>{label}</a> }.into_any();
    view! {
        <nav class="pager" aria-label=t.pages()>
            {newest.map(|href| link(href, t.page_newest()))}
            {older.map(|href| link(href, t.page_older()))}
        </nav>
    }
    .into_any()
}
