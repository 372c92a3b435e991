//! The keyboard, and what the palette needs of the document.

use super::page::element;
use crate::chunk;
use js_sys::{JsString, Reflect};
use leptos::{
    prelude::{document, window},
    task::spawn_local,
};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{
    HtmlDialogElement, HtmlFormElement, HtmlInputElement, KeyboardEvent, ScrollIntoViewOptions,
    ScrollLogicalPosition,
};

/// Ctrl-K, or ⌘-K; `act` says whether it took the keys. Listens for as long as the page lives.
pub fn on_shortcut(act: Box<dyn Fn() -> bool>) {
    let press = Closure::<dyn FnMut(KeyboardEvent)>::new(move |event: KeyboardEvent| {
        let is_ours = (event.ctrl_key() || event.meta_key()) && !event.shift_key() && !event.alt_key();
        if is_ours && event.key().eq_ignore_ascii_case("k") && act() {
            event.prevent_default();
        }
    });
    let _ = document().add_event_listener_with_callback("keydown", press.as_ref().unchecked_ref());
    press.forget();
}

pub fn has_command_key() -> bool {
    let platform = Reflect::get(&window().navigator(), &"platform".into()).ok();
    platform.and_then(|name| name.as_string()).is_some_and(|name| name.starts_with("Mac"))
}

/// Whoever asked the system for less motion.
pub fn wants_calm() -> bool {
    let query = window().match_media("(prefers-reduced-motion: reduce)");
    query.ok().flatten().is_some_and(|query| query.matches())
}

/// Pointed at, or with the focus in it.
pub fn is_in_use(id: &str) -> bool {
    let found = document().query_selector(&format!("#{id}:is(:hover, :focus-within)"));
    found.is_ok_and(|element| element.is_some())
}

/// Brings the code of what stands beside the pages, and says whether it came.
pub fn bring(part: &'static str, then: Box<dyn FnOnce(bool)>) {
    spawn_local(async move { then(chunk::fetch(part).await) });
}

pub fn toggle_dialog(id: &str) {
    let Some(dialog) = element(id).and_then(|element| element.dyn_into::<HtmlDialogElement>().ok()) else {
        return;
    };
    if dialog.open() {
        dialog.close();
    } else {
        let _ = dialog.show_modal();
    }
}

/// Into sight, and no further.
pub fn scroll_to(id: &str) {
    if let Some(element) = element(id) {
        let options = ScrollIntoViewOptions::new();
        options.set_block(ScrollLogicalPosition::Nearest);
        element.scroll_into_view_with_scroll_into_view_options(&options);
    }
}

/// Sends a form of at most one field as the browser would: the answer loads the page anew.
pub fn post_plain(url: &str, name: &str, value: &str) {
    let make = |tag: &str| document().create_element(tag).ok();
    let (Some(form), Some(field), Some(body)) = (make("form"), make("input"), document().body()) else {
        return;
    };
    let form: HtmlFormElement = form.unchecked_into();
    let field: HtmlInputElement = field.unchecked_into();
    form.set_method("post");
    form.set_action(url);
    field.set_type("hidden");
    field.set_name(name);
    field.set_value(value);
    if !name.is_empty() {
        let _ = form.append_child(&field);
    }
    let _ = body.append_child(&form);
    let _ = form.submit();
}

/// Small letters without their marks: "execucoes" finds "Execuções".
pub fn folded(text: &str) -> String {
    let apart = JsString::from(JsValue::from_str(text)).normalize("NFD").to_lower_case();
    String::from(apart).chars().filter(|letter| !('\u{300}'..='\u{36f}').contains(letter)).collect()
}
