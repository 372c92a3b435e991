//! Small views that every page uses. Plain functions: each would cost a builder as a component.

use super::{language_form, theme_form};
use crate::browser;
use leptos::prelude::*;

/// The title of the browser's tab. Only texts of ours: the server renders it unescaped, so what a person wrote
/// would be markup there.
pub fn page_title(text: &'static str) {
    browser::set_title(&format!("{text} · Alçada"));
}

/// The heading of a page and a sentence on what it is for.
pub fn page_header(title: &'static str, lead: impl Into<String>) -> AnyView {
    page_title(title);
    heading(title, lead)
}

/// A heading alone; what a person wrote may stand in it.
pub fn heading(title: impl Into<String>, lead: impl Into<String>) -> AnyView {
    let (title, lead): (String, String) = (title.into(), lead.into());
    view! {
        <header class="page-header">
            <h1>{title}</h1>
            <p class="lead">{lead}</p>
        </header>
    }
    .into_any()
}

/// A page before somebody is in: the mark, a card, and the choice of language and colours.
pub fn entry_page(title: &'static str, lead: impl Into<String>, body: AnyView) -> AnyView {
    let lead: String = lead.into();
    page_title(title);
    view! {
        <div class="entry">
            <div class="entry-brand brand"><span class="brand-mark" aria-hidden="true"></span>"Alçada"</div>
            <div class="card entry-card">
                <h1>{title}</h1>
                <p class="lead">{lead}</p>
                {body}
            </div>
            <footer class="entry-footer">
                {language_form()}
                {theme_form()}
            </footer>
        </div>
    }
    .into_any()
}

/// Nothing to show: says why, and what to do next.
pub fn empty_state(
    icon_name: &'static str,
    title: &'static str,
    lead: &'static str,
    next: Option<AnyView>,
) -> AnyView {
    view! {
        <div class="empty-state">
            {icon(icon_name)}
            <p class="empty-state-title">{title}</p>
            <p class="empty-state-lead">{lead}</p>
            {next}
        </div>
    }
    .into_any()
}

/// A drawing from the style sheet; the text beside it says what it means.
pub fn icon(name: &'static str) -> AnyView {
    view! { <span class=format!("icon icon-{name}") aria-hidden="true"></span> }.into_any()
}

/// A word on the state of something; the tone is one of the style sheet's.
pub fn badge(tone: &'static str, text: impl Into<String>) -> AnyView {
    let text: String = text.into();
    view! { <span class=format!("badge badge-{tone}")>{text}</span> }.into_any()
}

/// The way to another page, with a sentence on what is there; one of a list with the class `shortcuts`.
pub fn shortcut(
    href: &'static str,
    icon_name: &'static str,
    label: &'static str,
    lead: &'static str,
) -> AnyView {
    view! {
        <li>
            <a class="shortcut" href=href>
                {icon(icon_name)}
                <span>
                    <span class="shortcut-label">{label}</span>
                    <span class="shortcut-lead">{lead}</span>
                </span>
            </a>
        </li>
    }
    .into_any()
}
