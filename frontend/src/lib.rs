//! The hydrate entry point, nothing else.

#![recursion_limit = "256"]

use js_sys::futures::spawn_local;
use leptos::mount::hydrate_body;
use wasm_bindgen::prelude::wasm_bindgen;

/// Makes the rendered page alive, once its code is here. Where that cannot be brought the page stays as the server
/// made it: its links and forms work.
#[wasm_bindgen]
pub fn hydrate() {
    #[cfg(debug_assertions)]
    console_error_panic_hook::set_once();
    spawn_local(async {
        if app::is_ready().await {
            hydrate_body(app::App);
        }
    });
}
