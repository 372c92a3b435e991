//! What the palette offers: pages and actions that the person may open, and what was found by name.

use super::Found;
use crate::{
    api::{
        find::{ThingKind, ThingOut},
        session::SessionState,
    },
    browser,
    components::destinations::{BEGINNINGS, CUSTOMERS, Destination, FURTHER, PLATFORM, WORKSPACE},
    preferences::Preferences,
    route::Admission,
    texts::{Texts, own_name},
};
use domain::{Language, Theme};

#[derive(Clone, PartialEq)]
pub struct Entry {
    pub icon: &'static str,
    pub label: String,
    pub detail: String,
    /// What it is, in a word.
    pub kind: &'static str,
    pub act: Act,
}

#[derive(Clone, PartialEq)]
pub enum Act {
    Go(String),
    Theme(Theme),
    Language(Language),
    SignOut,
}

/// Everything that fits what was typed: what is known here first, then what the server found.
pub fn fitting(t: Texts, session: Option<&SessionState>, typed: &str, found: &Found) -> Vec<Entry> {
    let Some(session) = session else { return Vec::new() };
    let words = browser::folded(typed);
    let fits = |text: &str| {
        let text = browser::folded(text);
        words.split_whitespace().all(|word| text.contains(word))
    };
    let mut entries = pages(t, session);
    entries.extend(actions(t, session));
    entries.retain(|entry| fits(&entry.label));
    // Until the answer to this text is here, what fits of the last one stays: nothing jumps.
    let is_answer = found.text == typed;
    let is_shown = |thing: &&ThingOut| !words.is_empty() && (is_answer || fits(&thing.name));
    entries.extend(found.things.iter().filter(is_shown).map(|thing| of_thing(t, thing)));
    entries
}

fn pages(t: Texts, session: &SessionState) -> Vec<Entry> {
    let all = [WORKSPACE, CUSTOMERS, FURTHER, PLATFORM].into_iter().flatten();
    all.filter(|to| may_open(session, to)).map(|to| of_page(t, to, t.palette_page())).collect()
}

fn may_open(session: &SessionState, to: &Destination) -> bool {
    to.page().is_some_and(|page| session.admission_to(page) == Admission::Enter)
}

fn of_page(t: Texts, to: &Destination, kind: &'static str) -> Entry {
    Entry {
        icon: to.icon,
        label: (to.label)(t).to_owned(),
        detail: String::new(),
        kind,
        act: Act::Go(to.path.to_owned()),
    }
}

fn actions(t: Texts, session: &SessionState) -> Vec<Entry> {
    let kind = t.palette_action();
    let now = Preferences::current();
    let action = |icon, label: String, act| Entry { icon, label, detail: String::new(), kind, act };
    let begin = BEGINNINGS.iter().filter(|to| may_open(session, to)).map(|to| of_page(t, to, kind));
    let themes = Theme::ALL.into_iter().filter(|theme| *theme != now.theme);
    let themes = themes.map(|theme| action("settings", t.palette_theme(t.theme(theme)), Act::Theme(theme)));
    let languages = [Language::PtBr, Language::En].into_iter().filter(|one| *one != now.language);
    let languages =
        languages.map(|one| action("settings", t.palette_language(own_name(one)), Act::Language(one)));
    let out = action("sign-out", t.sign_out().to_owned(), Act::SignOut);
    begin.chain(themes).chain(languages).chain([out]).collect()
}

fn of_thing(t: Texts, thing: &ThingOut) -> Entry {
    let icon = match thing.kind {
        ThingKind::Tool => "tools",
        ThingKind::Agent => "agents",
        ThingKind::Contact => "contacts",
        ThingKind::Execution => "executions",
    };
    Entry {
        icon,
        label: thing.name.clone(),
        detail: thing.detail.clone(),
        kind: t.palette_thing(thing.kind),
        act: Act::Go(thing.href.clone()),
    }
}
