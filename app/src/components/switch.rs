//! A switch that sends its form: it shows the wished state at once, and goes back when the server refuses.

use super::{effect, row_errors};
use crate::form::{Again, Post};
use leptos::prelude::*;

/// The button of the form; `named` says what it switches, `words` are those for on and off.
pub fn switch_button(
    post: Post,
    was_on: bool,
    named: String,
    words: (&'static str, &'static str),
) -> AnyView {
    let is_on = move || was_on != post.is_pending();
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
            <span class="switch-word">{move || if is_on() { words.0 } else { words.1 }}</span>
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
