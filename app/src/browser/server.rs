//! The browser's door as the server sees it: the request instead of the window, and otherwise nothing.

use crate::{
    api::{ApiError, tools::fields::Param},
    form::{Done, Fields, Post},
    live::Live,
    location::Location,
    route::Page,
};
use base64::{
    Engine, alphabet,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use leptos::{ev::SubmitEvent, prelude::use_context, serde_json, web_sys};
use serde::de::DeserializeOwned;

/// Path and query of the request.
pub fn current_address() -> String {
    let parts = use_context::<http::request::Parts>();
    let address = parts.as_ref().and_then(|parts| parts.uri.path_and_query());
    address.map_or("/", |address| address.as_str()).to_owned()
}

pub fn read_json<T: DeserializeOwned>(text: &str) -> Option<T> {
    serde_json::from_str(text).ok()
}

pub fn read_refusal(text: &str) -> Option<ApiError> {
    let same_letters = text.replace('+', "-").replace('/', "_");
    serde_json::from_slice(&BASE64.decode(same_letters).ok()?).ok()
}

/// As lenient about padding as the browser: what one side reads, the other must read too.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::URL_SAFE,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Goes into the head of the document.
pub fn set_title(title: &str) {
    let _ =
        leptos_meta::Title(leptos_meta::TitleProps { formatter: None, text: Some(title.to_owned().into()) });
}

pub fn lower_case(text: &str) -> String {
    text.to_lowercase()
}

pub fn encoded(text: &str) -> String {
    text.to_owned()
}

pub fn listen(_live: Live) {}
pub fn follow_links(_location: Location) {}
pub fn when_ready(_page: Option<&'static Page>, _address: &str, go_on: Box<dyn FnOnce()>) {
    go_on();
}
pub fn arrive() {}
pub fn on_shortcut(_act: Box<dyn Fn() -> bool>) {}
pub fn has_command_key() -> bool {
    false
}
pub fn wants_calm() -> bool {
    false
}
pub fn is_in_use(_id: &str) -> bool {
    false
}
pub fn bring(_part: &'static str, _then: Box<dyn FnOnce(bool)>) {}
pub fn toggle_dialog(_id: &str) {}
pub fn scroll_to(_id: &str) {}
pub fn post_plain(_url: &str, _name: &str, _value: &str) {}
pub fn fetch_then(_url: &'static str, _body: String, _then: Box<dyn FnOnce(String)>) {}
pub fn folded(text: &str) -> String {
    text.to_lowercase()
}
pub fn write_history(_address: &str, _in_place: bool) {}
pub fn send_form(_event: SubmitEvent, _post: Post, _fields: Fields, _on_done: Done) {}
pub fn query_of_form(_event: &web_sys::Event) -> Option<String> {
    None
}
pub fn seconds_until(_moment: &str) -> Option<i64> {
    None
}
pub fn field_value(_event: &web_sys::Event) -> String {
    String::new()
}
pub fn keep_fields(_event: &SubmitEvent, _fields: &[&str]) {}
pub fn restore_fields(_form_id: &str, _fields: &[&str]) {}
pub fn forget_error_in_address() {}
pub fn sign_in_again() {}
pub fn reload() {}
pub fn open_dialog(_id: &str) {}
pub fn close_dialog(_id: &str) {}
pub fn copy(_text: &str) {}
pub fn show_local(_id: &str, _moment: &str) {}
pub fn utc_of(_id: &str) -> String {
    String::new()
}
pub fn local_hour(_moment: &str, _language: &str) -> Option<String> {
    None
}
pub fn local_day(_moment: &str, _language: &str) -> Option<String> {
    None
}
pub fn local_exact(_moment: &str, _language: &str) -> Option<String> {
    None
}
pub fn local_time(_moment: &str, _language: &str) -> Option<String> {
    None
}
pub fn field_text(_id: &str) -> Option<String> {
    None
}
pub fn set_field_text(_id: &str, _text: &str) {}
pub fn type_in(_id: &str, _text: &str) {}
pub fn keep_draft(_form_id: &str, _key: &str) {}
pub fn restore_draft(_form_id: &str, _key: &str) -> bool {
    false
}
pub fn after_rendering(_act: impl FnOnce() + 'static) {}
pub fn forget_draft(_key: &str) {}
pub fn forget_drafts() {}
pub fn is_cancel(_event: &web_sys::Event) -> bool {
    false
}
pub fn read_params(_text: &str) -> Option<Vec<Param>> {
    None
}
pub fn write_params(_list: &str, _text: &str, _without: Option<u32>) -> Option<String> {
    None
}
pub fn add_param(_text: &str, _word: &str) -> Option<String> {
    None
}
pub fn show_params(_list: &str, _params: &[Param]) {}
