//! A switch that sends its form: it shows the wished state at once, and goes back when the server refuses.

use super::{effect, row_errors};
use crate::form::{Again, Post};
use leptos::prelude::*;

/// Where a switch stands, and the version of what it switches. Both follow the server's answer at once, before the list is
/// brought anew: whoever switches twice in a row would otherwise meet their own change as somebody else's.
#[derive(Clone)]
pub struct Lever(ArcRwSignal<(bool, i64)>);

impl Lever {
    pub fn new(is_on: bool, version: i64) -> Self {
        Self(ArcRwSignal::new((is_on, version)))
    }

    pub fn is_on(&self) -> bool {
        self.0.get().0
    }

    pub fn set(&self, is_on: bool, version: i64) {
        self.0.set((is_on, version));
    }

    /// To the other side, which is the answer; the version stays.
    pub fn flip(&self) -> bool {
        let (was_on, version) = self.0.get_untracked();
        self.set(!was_on, version);
        !was_on
    }

    /// What the form sends: the wish, under this name, and the version that was seen.
    pub fn fields(&self, wish: &'static str) -> AnyView {
        let (state, seen) = (self.clone(), self.0.clone());
        view! {
            <input type="hidden" name="seen_version" value=move || seen.get().1.to_string()/>
            <input type="hidden" name=wish value=move || (!state.is_on()).to_string()/>
        }
        .into_any()
    }
}

/// The button of the form; `named` says what it switches, `words` are those for on and off.
pub fn switch_button(
    post: Post,
    lever: &Lever,
    named: String,
    words: (&'static str, &'static str),
) -> AnyView {
    let (lever, other) = (lever.clone(), lever.clone());
    let is_on = move || lever.is_on() != post.is_pending();
    let says_on = move || other.is_on() != post.is_pending();
    view! {
        <button
            type="submit"
            class="switch"
            role="switch"
            aria-checked=move || Some(if is_on() { "true" } else { "false" })
            aria-label=named
            aria-disabled=move || post.pending_mark()
        >
            <span class="switch-track" aria-hidden="true"></span>
            <span class="switch-word">{move || if says_on() { words.0 } else { words.1 }}</span>
        </button>
    }
    .into_any()
}

/// A refusal is said, and brings the state of now.
pub fn switch_errors(post: Post, again: Again) {
    row_errors(post);
    effect(move || {
        if post.error().is_some() {
            again();
        }
    });
}
