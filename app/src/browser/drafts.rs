//! What somebody is typing into a long form, kept by this tab: over a reload, a session that ended, a page that was left.
//! Never a secret: neither passwords nor what stands inside `data-secret`.

use super::page::{element, text_of};
use js_sys::{Array, JSON, Object, Reflect};
use leptos::{leptos_dom::helpers::queue_microtask, prelude::window};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, Event, EventInit, HtmlFormElement, Storage};

/// Every draft begins so: signing out forgets them all.
const MARK: &str = "draft ";
/// Hidden, and part of the draft: what was typed belongs to the version that the person saw.
const SEEN: &str = "seen_version";

fn storage() -> Option<Storage> {
    window().session_storage().ok().flatten()
}

fn form_of(id: &str) -> Option<HtmlFormElement> {
    element(id)?.dyn_into().ok()
}

/// The controls whose values are kept.
fn controls(form: &HtmlFormElement) -> Vec<Element> {
    let all = Array::from(form);
    all.iter().filter_map(|control| control.dyn_into::<Element>().ok()).filter(is_kept).collect()
}

fn is_kept(control: &Element) -> bool {
    let name = name_of(control);
    let is_kind_kept = match control.get_attribute("type").as_deref() {
        Some("hidden") => name == SEEN,
        Some("password" | "file" | "submit" | "button") => false,
        _ => true,
    };
    let is_secret = control.closest("[data-secret]").is_ok_and(|found| found.is_some());
    is_kind_kept && !name.is_empty() && !is_secret
}

fn name_of(control: &Element) -> String {
    control.get_attribute("name").unwrap_or_default()
}

fn is_checkbox(control: &Element) -> bool {
    control.get_attribute("type").as_deref() == Some("checkbox")
}

fn state_of(control: &Element) -> JsValue {
    if is_checkbox(control) {
        Reflect::get(control, &"checked".into()).unwrap_or(JsValue::FALSE)
    } else {
        text_of(control).into()
    }
}

/// What the page came with, whatever was typed since: a form that is rendered anew still shows what was typed.
fn saved_of(control: &Element) -> JsValue {
    let property = if is_checkbox(control) { "defaultChecked" } else { "defaultValue" };
    match Reflect::get(control, &property.into()) {
        Ok(saved) if !saved.is_undefined() => saved,
        // A choice does not tell.
        _ => state_of(control),
    }
}

pub fn keep_draft(form_id: &str, key: &str) {
    let (Some(form), Some(storage)) = (form_of(form_id), storage()) else { return };
    let draft = Object::new();
    for control in controls(&form) {
        let _ = Reflect::set(&draft, &name_of(&control).into(), &state_of(&control));
    }
    if let Ok(text) = JSON::stringify(&draft) {
        let _ = storage.set_item(&format!("{MARK}{key}"), &String::from(text));
    }
}

/// Puts a draft back; false when there is none, or when it says nothing new.
pub fn restore_draft(form_id: &str, key: &str) -> bool {
    let kept = storage().and_then(|storage| storage.get_item(&format!("{MARK}{key}")).ok().flatten());
    let draft = kept.and_then(|text| JSON::parse(&text).ok());
    let (Some(form), Some(draft)) = (form_of(form_id), draft) else { return false };
    let wanted = |control: &Element| {
        let kept = Reflect::get(&draft, &name_of(control).into()).ok();
        kept.filter(|kept| !kept.is_undefined())
    };
    let says_more = |control: &Element| {
        name_of(control) != SEEN && wanted(control).is_some_and(|kept| kept != saved_of(control))
    };
    let controls = controls(&form);
    if !controls.iter().any(says_more) {
        forget_draft(key);
        return false;
    }
    for control in controls {
        // Looked at one by one: what is put into a field may change the next.
        if let Some(kept) = wanted(&control).filter(|kept| *kept != state_of(&control)) {
            put(&control, &kept);
        }
    }
    true
}

fn put(control: &Element, kept: &JsValue) {
    let property = if is_checkbox(control) { "checked" } else { "value" };
    let _ = Reflect::set(control, &property.into(), kept);
    if name_of(control) != SEEN {
        tell_input(control);
    }
}

/// Once the fields have the values that they were rendered with: the framework writes those a little later.
pub fn after_rendering(act: impl FnOnce() + 'static) {
    queue_microtask(act);
}

/// As if somebody had typed: what follows the field follows.
fn tell_input(control: &Element) {
    let options = EventInit::new();
    options.set_bubbles(true);
    if let Ok(event) = Event::new_with_event_init_dict("input", &options) {
        let _ = control.dispatch_event(&event);
    }
}

/// Puts a text into a field as if somebody had typed it.
pub fn type_in(id: &str, text: &str) {
    super::page::set_field_text(id, text);
    if let Some(control) = element(id) {
        tell_input(&control);
    }
}

pub fn forget_draft(key: &str) {
    if let Some(storage) = storage() {
        let _ = storage.remove_item(&format!("{MARK}{key}"));
    }
}

/// Whoever signs out leaves nothing behind.
pub fn forget_drafts() {
    let Some(storage) = storage() else { return };
    let keys = Object::keys(storage.as_ref());
    for key in keys.iter().filter_map(|key| key.as_string()).filter(|key| key.starts_with(MARK)) {
        let _ = storage.remove_item(&key);
    }
}

/// A click on a link that gives the form up.
pub fn is_cancel(event: &Event) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    target.is_some_and(|target| target.closest("a[data-cancel]").is_ok_and(|link| link.is_some()))
}
