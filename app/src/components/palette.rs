//! The palette: pages, actions and things by their name, by keyboard alone. A combobox in a native dialog.
//!
//! Offers only what the person may open; the server decides again behind every page.

mod entries;

use super::{effect, icon, palette_opener::use_palette};
use crate::{
    api::{
        find::{FindThings, SHORTEST, ThingOut},
        preferences::{SetLanguage, SetTheme},
        session::SignOut,
    },
    browser,
    load::{Question, ask},
    location::{Location, use_location},
    session::use_session,
    texts::{Texts, texts},
};
use entries::{Act, Entry};
use leptos::{ev, prelude::*, server_fn::ServerFn};
use std::time::Duration;

const ID: &str = "palette";
const LIST: &str = "palette-list";
/// Nobody types a name in one go: the server is asked when the fingers rest.
const REST: Duration = Duration::from_millis(150);

impl Question for FindThings {
    fn fields(&self) -> Option<Vec<(&'static str, String)>> {
        Some(vec![("q", self.q.clone())])
    }
}

/// What was found, and for which text.
#[derive(Clone, Default, PartialEq)]
pub struct Found {
    text: String,
    things: Vec<ThingOut>,
}

#[derive(Clone, Copy)]
struct Palette {
    t: Texts,
    typed: RwSignal<String>,
    found: RwSignal<Found>,
    is_asking: RwSignal<bool>,
    has_failed: RwSignal<bool>,
    /// The entry that Enter would take.
    active: RwSignal<usize>,
    entries: Memo<Vec<Entry>>,
    location: Location,
}

pub fn palette() -> AnyView {
    let (t, session) = (texts(), use_session());
    let (typed, found) = (RwSignal::new(String::new()), RwSignal::new(Found::default()));
    let entries =
        Memo::new(move |_| entries::fitting(t, session.known().as_ref(), &typed.get(), &found.get()));
    let palette = Palette {
        t,
        typed,
        found,
        entries,
        is_asking: RwSignal::new(false),
        has_failed: RwSignal::new(false),
        active: RwSignal::new(0),
        location: use_location(),
    };
    let asked = use_palette().asked;
    effect(move || {
        asked.get();
        palette.type_in(String::new());
        browser::toggle_dialog(ID);
    });
    palette.view()
}

impl Palette {
    fn type_in(self, text: String) {
        self.typed.set(text.clone());
        self.active.set(0);
        self.has_failed.set(false);
        let is_enough = text.trim().chars().count() >= SHORTEST;
        self.is_asking.set(is_enough);
        if is_enough {
            set_timeout(move || self.look_for(text), REST);
        }
    }

    fn look_for(self, text: String) {
        if !self.is_still(&text) {
            return;
        }
        ask(FindThings { q: text.clone() }, move |answer| {
            if self.is_still(&text) {
                self.is_asking.set(false);
                match answer {
                    Ok(things) => self.found.set(Found { text, things }),
                    Err(_) => self.has_failed.set(true),
                }
            }
        });
    }

    /// Nothing else was typed since.
    fn is_still(self, text: &str) -> bool {
        self.typed.with_untracked(|typed| typed == text)
    }

    fn press(self, event: &ev::KeyboardEvent) {
        let count = self.entries.with_untracked(Vec::len);
        let step = match event.key().as_str() {
            "ArrowDown" => 1,
            "ArrowUp" => count.saturating_sub(1),
            "Enter" => {
                event.prevent_default();
                return self.take(self.active.get_untracked());
            }
            _ => return,
        };
        event.prevent_default();
        if count > 0 {
            let at = (self.active.get_untracked() + step) % count;
            self.active.set(at);
            browser::scroll_to(&option_id(at));
        }
    }

    fn take(self, at: usize) {
        let Some(entry) = self.entries.with_untracked(|entries| entries.get(at).cloned()) else { return };
        browser::toggle_dialog(ID);
        match entry.act {
            Act::Go(address) => self.location.visit(&address),
            Act::Theme(theme) => browser::post_plain(SetTheme::PATH, "theme", theme.as_str()),
            Act::Language(language) => browser::post_plain(SetLanguage::PATH, "language", language.tag()),
            Act::SignOut => {
                browser::forget_drafts();
                browser::post_plain(SignOut::PATH, "", "");
            }
        }
    }

    fn view(self) -> AnyView {
        let t = self.t;
        view! {
            <dialog class="dialog palette" id=ID aria-label=t.palette_title() closedby="any">
                <div class="palette-head">
                    {icon("search")}
                    {self.input()}
                    <button
                        type="button"
                        class="toast-close"
                        aria-label=t.close()
                        on:click=move |_| browser::toggle_dialog(ID)
                    >
                        {icon("close")}
                    </button>
                </div>
                <ul class="palette-list" id=LIST role="listbox" aria-label=t.palette_results()>
                    {move || self.options()}
                </ul>
                <p class="palette-status" role="status">{move || self.status()}</p>
            </dialog>
        }
        .into_any()
    }

    fn input(self) -> AnyView {
        let t = self.t;
        let active_id = move || {
            let at = self.active.get();
            (at < self.entries.with(Vec::len)).then(|| option_id(at))
        };
        view! {
            <input
                class="palette-input"
                type="text"
                role="combobox"
                autofocus=true
                autocomplete="off"
                spellcheck="false"
                aria-label=t.palette_title()
                placeholder=t.palette_placeholder()
                aria-autocomplete="list"
                aria-controls=LIST
                aria-expanded=move || if self.entries.with(Vec::is_empty) { "false" } else { "true" }
                aria-activedescendant=active_id
                prop:value=self.typed
                on:input=move |event| self.type_in(browser::field_value(&event))
                on:keydown=move |event| self.press(&event)
            />
        }
        .into_any()
    }

    fn options(self) -> Vec<AnyView> {
        self.entries.get().into_iter().enumerate().map(|(at, entry)| self.option(at, entry)).collect()
    }

    fn option(self, at: usize, entry: Entry) -> AnyView {
        let is_active = move || self.active.get() == at;
        view! {
            <li
                class="palette-option"
                role="option"
                id=option_id(at)
                aria-selected=move || if is_active() { "true" } else { "false" }
                on:pointermove=move |_| {
                    if !untrack(is_active) {
                        self.active.set(at);
                    }
                }
                on:click=move |_| self.take(at)
            >
                {icon(entry.icon)}
                <span class="palette-label">
                    {entry.label}
                    {(!entry.detail.is_empty()).then(|| view! { <span class="palette-detail">{entry.detail}</span> })}
                </span>
                <span class="palette-kind">{entry.kind}</span>
            </li>
        }
        .into_any()
    }

    fn status(self) -> String {
        let (t, count) = (self.t, self.entries.with(Vec::len));
        if self.has_failed.get() {
            return t.palette_failed().to_owned();
        }
        match count {
            _ if self.is_asking.get() => t.palette_looking().to_owned(),
            0 => t.palette_nothing().to_owned(),
            1 => t.palette_one().to_owned(),
            _ => t.palette_many(&count.to_string()),
        }
    }
}

fn option_id(at: usize) -> String {
    format!("palette-{at}")
}
