//! JSON to be read, as the server wrote it: indented, and reachable by keyboard where it scrolls.

use leptos::prelude::*;

pub fn json_view(label: &'static str, text: String) -> AnyView {
    view! { <pre class="json" tabindex="0" role="group" aria-label=label>{text}</pre> }.into_any()
}
