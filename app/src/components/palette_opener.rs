//! The way to the palette: a button that names the shortcut, and the shortcut. The palette itself is brought when it is
//! asked for the first time; where scripts do not run there is none.

use super::{effect, icon, notices::Notices, use_notices};
use crate::{
    browser,
    chunk::{self, PALETTE},
    location::use_location,
    route::Page,
    texts::texts,
};
use domain::ErrorCode;
use leptos::prelude::*;

#[derive(Clone, Copy)]
pub struct PaletteState {
    /// Its code is here.
    is_here: RwSignal<bool>,
    /// Counts how often somebody asked for it.
    pub asked: RwSignal<u32>,
    notices: Notices,
}

pub fn use_palette() -> PaletteState {
    expect_context()
}

impl PaletteState {
    fn open(self) {
        self.asked.update(|count| *count += 1);
        if self.is_here.get_untracked() {
            return;
        }
        let arrived = move |is_here: bool| match is_here {
            true => self.is_here.set(true),
            false => self.notices.failed(texts().error_code(ErrorCode::Unavailable).to_owned()),
        };
        browser::bring(PALETTE, Box::new(arrived));
    }
}

/// Where the palette will be; listens for the shortcut.
pub fn palette_place() -> AnyView {
    let (is_here, asked, notices) = (RwSignal::new(false), RwSignal::new(0), use_notices());
    let state = PaletteState { is_here, asked, notices };
    provide_context(state);
    let location = use_location();
    // A memo: another page inside must not begin the palette anew.
    let is_inside = Memo::new(move |_| location.page().is_some_and(Page::is_inside));
    effect(move || {
        browser::on_shortcut(Box::new(move || {
            let is_wanted = is_inside.get_untracked();
            if is_wanted {
                state.open();
            }
            is_wanted
        }));
    });
    view! { {move || (state.is_here.get() && is_inside.get()).then(chunk::palette)} }.into_any()
}

/// Says the keys as the person's keyboard has them, once the browser knows.
pub fn palette_button(class: &'static str) -> AnyView {
    let t = texts();
    let state = use_palette();
    let keys = RwSignal::new("Ctrl K");
    effect(move || {
        if browser::has_command_key() {
            keys.set("⌘ K");
        }
    });
    view! {
        <button
            type="button"
            class=format!("{class} only-with-scripts")
            aria-haspopup="dialog"
            aria-keyshortcuts="Control+K Meta+K"
            on:click=move |_| state.open()
        >
            {icon("search")}
            <span class="palette-word">{t.palette_open()}</span>
            <kbd aria-hidden="true">{keys}</kbd>
        </button>
    }
    .into_any()
}
