//! What travels to the next page with the browser, and stands nowhere in the database.

use super::backend;
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use http::{HeaderValue, header, request::Parts};
use leptos::prelude::use_context;
use leptos_axum::ResponseOptions;
use serde::{Serialize, de::DeserializeOwned};

/// Browsers keep cookies of four kilobytes; base64 makes four letters of three.
const LONGEST: usize = 2_800;
const ONE_MINUTE: u32 = 60;

/// Leaves it for the next page; not when no cookie can carry it.
pub(super) fn leave<T: Serialize>(name: &str, said: &T) -> bool {
    let text = serde_json::to_vec(said).ok().filter(|text| text.len() <= LONGEST);
    if let Some(text) = &text {
        set(name, &BASE64_URL_SAFE_NO_PAD.encode(text), ONE_MINUTE);
    }
    text.is_some()
}

/// What was left, once.
pub(super) fn take<T: DeserializeOwned>(name: &str) -> Option<T> {
    let said = read(name)?;
    set(name, "", 0);
    said
}

/// What the cookie says, if there is one.
pub(super) fn read<T: DeserializeOwned>(name: &str) -> Option<Option<T>> {
    let parts = use_context::<Parts>()?;
    let cookies = parts.headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
    let (_, value) = pairs.find(|(given, value)| *given == name && !value.is_empty())?;
    let text = BASE64_URL_SAFE_NO_PAD.decode(value).ok();
    Some(text.and_then(|text| serde_json::from_slice(&text).ok()))
}

pub(super) fn set(name: &str, value: &str, seconds: u32) {
    let cookie = cookie(name, value, seconds, backend().is_https);
    if let (Some(response), Some(cookie)) = (use_context::<ResponseOptions>(), cookie) {
        response.append_header(header::SET_COOKIE, cookie);
    }
}

/// The same for an answer that is no page's and no function's.
pub(super) fn holding<T: Serialize>(name: &str, said: &T, is_https: bool) -> Option<HeaderValue> {
    let text = serde_json::to_vec(said).ok()?;
    cookie(name, &BASE64_URL_SAFE_NO_PAD.encode(text), ONE_MINUTE, is_https)
}

fn cookie(name: &str, value: &str, seconds: u32, is_https: bool) -> Option<HeaderValue> {
    let secure = if is_https { "; Secure" } else { "" };
    let text = format!("{name}={value}; Path=/; Max-Age={seconds}; SameSite=Lax; HttpOnly{secure}");
    HeaderValue::from_str(&text).ok()
}
