//! The document, its address, its dialogs and its clock.

use super::current_address;
use crate::api::ApiError;
use js_sys::{Date, Object, Reflect};
use leptos::{
    ev::SubmitEvent,
    prelude::{document, window},
};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{
    Element, Event, FormData, HtmlDialogElement, HtmlFormElement, HtmlInputElement, UrlSearchParams,
};

/// An attribute that the server wrote on `<html>`.
pub fn root_attribute(name: &str) -> Option<String> {
    document().document_element()?.get_attribute(name)
}

/// Loads the sign-in page, which leads back here.
pub fn sign_in_again() {
    let here = encoded(&current_address());
    let _ = window().location().assign(&format!("/login?next={here}"));
}

/// The browser knows every alphabet; its tables need not be sent again.
pub fn lower_case(text: &str) -> String {
    String::from(js_sys::JsString::from(text).to_lower_case())
}

/// A value as it stands in a form's body.
pub fn encoded(text: &str) -> String {
    String::from(js_sys::encode_uri_component(text))
}

pub fn reload() {
    let _ = window().location().reload();
}

/// A failed form leaves its error in the address; once shown, a reload should not show it again.
pub fn forget_error_in_address() {
    let location = window().location();
    let Ok(search) = location.search() else { return };
    if !search.contains("__err=") {
        return;
    }
    if let (Ok(query), Ok(path), Ok(history)) =
        (UrlSearchParams::new_with_str(&search), location.pathname(), window().history())
    {
        query.delete("__path");
        query.delete("__err");
        let rest = String::from(query.to_string());
        let address = if rest.is_empty() { path } else { path + "?" + &rest };
        let state = history.state().unwrap_or(JsValue::NULL);
        let _ = history.replace_state_with_url(&state, "", Some(&address));
    }
}

/// The error that a plain form left in the address: base64 for addresses around JSON.
pub fn read_refusal(text: &str) -> Option<ApiError> {
    let plain = text.replace('-', "+").replace('_', "/");
    let bytes: Vec<u8> = window().atob(&plain).ok()?.chars().map(|c| c as u8).collect();
    super::read_json(std::str::from_utf8(&bytes).ok()?)
}

pub(super) fn element(id: &str) -> Option<Element> {
    document().get_element_by_id(id)
}

/// What is in a field, whatever kind of field it is.
pub(super) fn text_of(field: &Element) -> String {
    Reflect::get(field, &"value".into()).ok().and_then(|value| value.as_string()).unwrap_or_default()
}

/// What is in the field with that id.
pub fn field_text(id: &str) -> Option<String> {
    element(id).map(|field| text_of(&field))
}

pub fn set_field_text(id: &str, text: &str) {
    if let Some(field) = element(id) {
        let _ = Reflect::set(&field, &"value".into(), &text.into());
    }
}

pub fn set_title(title: &str) {
    document().set_title(title);
}

/// Browsers with invoker commands open and close dialogs themselves; this is for the others.
pub fn open_dialog(id: &str) {
    if let Some(dialog) = dialog_without_commands(id)
        && !dialog.open()
    {
        let _ = dialog.show_modal();
    }
}

pub fn close_dialog(id: &str) {
    if let Some(dialog) = dialog_without_commands(id) {
        dialog.close();
    }
}

fn dialog_without_commands(id: &str) -> Option<HtmlDialogElement> {
    let button = document().create_element("button").ok()?;
    let has_commands = Reflect::has(&button, &JsValue::from_str("commandForElement")).unwrap_or(false);
    if has_commands {
        return None;
    }
    document().get_element_by_id(id)?.dyn_into().ok()
}

pub fn copy(text: &str) {
    let _ = window().navigator().clipboard().write_text(text);
}

/// The moment in the person's own zone and manner.
pub fn local_time(moment: &str, language: &str) -> Option<String> {
    localised(moment, language, &[("dateStyle", "medium"), ("timeStyle", "short")])
}

/// To the second, with the day of the week and the zone.
pub fn local_exact(moment: &str, language: &str) -> Option<String> {
    localised(moment, language, &[("dateStyle", "full"), ("timeStyle", "long")])
}

/// The time of day of a moment, in the person's own zone. By 24 hours in every language: "12:00 AM" would be too wide for
/// the marks of a chart.
pub fn local_hour(moment: &str, language: &str) -> Option<String> {
    localised(moment, language, &[("hour", "2-digit"), ("minute", "2-digit"), ("hourCycle", "h23")])
}

/// Day and month of a moment, in the person's own zone.
pub fn local_day(moment: &str, language: &str) -> Option<String> {
    localised(moment, language, &[("day", "2-digit"), ("month", "2-digit")])
}

fn localised(moment: &str, language: &str, parts: &[(&str, &str)]) -> Option<String> {
    let date = Date::new(&JsValue::from_str(moment));
    let options = Object::new();
    for (name, value) in parts {
        let _ = Reflect::set(&options, &JsValue::from_str(name), &JsValue::from_str(value));
    }
    (!date.get_time().is_nan()).then(|| String::from(date.to_locale_string(language, &options)))
}

/// Puts a moment into a field for date and time, in the person's own zone.
pub fn show_local(id: &str, moment: &str) {
    let date = Date::new(&JsValue::from_str(moment));
    let field = document().get_element_by_id(id);
    if let (Some(field), false) = (field, date.get_time().is_nan()) {
        // The field wants local time without a zone: what ISO writes for the moment, were it UTC.
        let shift = date.get_timezone_offset() * 60_000.0;
        let local = Date::new(&JsValue::from_f64(date.get_time() - shift));
        let text = String::from(local.to_iso_string());
        field.unchecked_into::<HtmlInputElement>().set_value(text.get(..16).unwrap_or_default());
    }
}

/// What stands in a field for date and time, in UTC; nothing when it is empty.
pub fn utc_of(id: &str) -> String {
    let field = document().get_element_by_id(id);
    let local = field.map(|field| field.unchecked_into::<HtmlInputElement>().value()).unwrap_or_default();
    let date = Date::new(&JsValue::from_str(&local));
    if local.is_empty() || date.get_time().is_nan() {
        return String::new();
    }
    String::from(date.to_iso_string())
}

/// Seconds from now until a moment; negative when it is over.
pub fn seconds_until(moment: &str) -> Option<i64> {
    let left = Date::new(&JsValue::from_str(moment)).get_time() - Date::now();
    (!left.is_nan()).then_some((left / 1000.0) as i64)
}

/// What stands in the field that an event is on.
pub fn field_value(event: &Event) -> String {
    let field = event.target().map(JsValue::from).unwrap_or(JsValue::NULL);
    Reflect::get(&field, &"value".into()).ok().and_then(|value| value.as_string()).unwrap_or_default()
}

/// The form of an event, as a query without empty fields.
pub fn query_of_form(event: &Event) -> Option<String> {
    let target: Element = event.target()?.dyn_into().ok()?;
    let form: HtmlFormElement = target.closest("form").ok()??.dyn_into().ok()?;
    let given = String::from(form_fields(&form)?.to_string());
    let filled: Vec<&str> = given.split('&').filter(|pair| !pair.ends_with('=')).collect();
    Some(filled.join("&"))
}

pub(super) fn form_fields(form: &HtmlFormElement) -> Option<UrlSearchParams> {
    let data = FormData::new_with_form(form).ok()?;
    UrlSearchParams::new_with_str_sequence_sequence(&data).ok()
}

/// Keeps what was typed over the full load that answers a plain form. Never called for secrets.
pub fn keep_fields(event: &SubmitEvent, fields: &[&str]) {
    let form = event.target().and_then(|target| target.dyn_into::<HtmlFormElement>().ok());
    if let (Some(form), Ok(Some(storage))) = (form, window().session_storage())
        && let Some(values) = form_fields(&form)
    {
        for field in fields {
            let _ = storage.set_item(field, &values.get(field).unwrap_or_default());
        }
    }
}

/// Puts back what [`keep_fields`] kept.
pub fn restore_fields(form_id: &str, fields: &[&str]) {
    let Ok(Some(storage)) = window().session_storage() else {
        return;
    };
    for field in fields {
        let kept = storage.get_item(field).ok().flatten();
        let input = document().query_selector(&format!("#{form_id} [name={field}]")).ok().flatten();
        if let (Some(kept), Some(input)) = (kept, input) {
            input.unchecked_into::<HtmlInputElement>().set_value(&kept);
        }
        let _ = storage.remove_item(field);
    }
}
