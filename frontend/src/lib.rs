//! The hydrate entry point, nothing else.

#![recursion_limit = "256"]

use wasm_bindgen::prelude::wasm_bindgen;

/// Makes the rendered page alive.
#[wasm_bindgen]
pub fn hydrate() {
    #[cfg(debug_assertions)]
    console_error_panic_hook::set_once();
    leptos::mount::hydrate_body(app::App);
}
