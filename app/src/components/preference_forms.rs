//! Language and colours: plain forms, because a change loads the page anew.

use crate::{
    api::preferences::{SetLanguage, SetTheme},
    preferences::Preferences,
    texts::{own_name, texts},
};
use domain::{Language, Theme};
use leptos::{prelude::*, server_fn::ServerFn};

pub fn language_form() -> AnyView {
    let current = Preferences::current().language;
    let choices = [Language::PtBr, Language::En].map(|language| {
        let is_current = language == current;
        segment("language", language.tag(), own_name(language), is_current, Some(language.tag()))
    });
    segmented(SetLanguage::PATH, texts().language_label(), choices.into())
}

pub fn theme_form() -> AnyView {
    let t = texts();
    let current = Preferences::current().theme;
    let choices =
        Theme::ALL.map(|theme| segment("theme", theme.as_str(), t.theme(theme), theme == current, None));
    segmented(SetTheme::PATH, t.theme_label(), choices.into())
}

fn segmented(url: &'static str, label: &'static str, choices: Vec<AnyView>) -> AnyView {
    view! {
        <form method="post" action=url>
            <div class="segmented" role="group" aria-label=label>
                {choices}
            </div>
        </form>
    }
    .into_any()
}

fn segment(
    name: &'static str,
    value: &'static str,
    label: &'static str,
    is_current: bool,
    lang: Option<&'static str>,
) -> AnyView {
    view! {
        <button type="submit" name=name value=value lang=lang aria-pressed=is_current.to_string()>{label}</button>
    }
    .into_any()
}
