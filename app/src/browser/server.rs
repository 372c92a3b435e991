//! The browser's door as the server sees it: nothing behind it.

use crate::{
    form::{Done, Post},
    live::Live,
};
use leptos::{ev::SubmitEvent, web_sys};

pub fn listen(_live: Live) {}
pub fn send_form(_event: SubmitEvent, _post: Post, _reset: bool, _on_done: Done) {}
pub fn query_of_form(_event: &web_sys::Event) -> Option<String> {
    None
}
pub fn encoded(text: &str) -> String {
    text.to_owned()
}
pub fn keep_fields(_event: &SubmitEvent, _fields: &[&str]) {}
pub fn restore_fields(_form_id: &str, _fields: &[&str]) {}
pub fn forget_error_in_address() {}
pub fn sign_in_again() {}
pub fn reload() {}
pub fn arrive_at_page() {}
pub fn open_dialog(_id: &str) {}
pub fn close_dialog(_id: &str) {}
pub fn copy(_text: &str) {}
pub fn local_time(_moment: &str, _language: &str) -> Option<String> {
    None
}
