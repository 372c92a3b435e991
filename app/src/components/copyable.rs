//! A button that takes a text elsewhere.

use crate::{browser, texts::texts};
use leptos::prelude::*;

/// Without scripts there is no clipboard: the text itself can be marked.
pub fn copy_button(text: String) -> AnyView {
    let t = texts();
    let copied = RwSignal::new(false);
    let copy = move |_| {
        browser::copy(&text);
        copied.set(true);
    };
    view! {
        <button type="button" class="button only-with-scripts" on:click=copy>
            {move || if copied.get() { t.copied() } else { t.copy() }}
        </button>
    }
    .into_any()
}
