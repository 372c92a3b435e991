//! Talking to the server functions.
//!
//! One way for every form and every list: the fields go out exactly as the browser would send them by itself, to
//! the same address. A typed client per server function would cost each of them several kilobytes of wasm.

use super::{
    json::read_json,
    page::{form_fields, sign_in_again},
};
use crate::{
    api::ApiError,
    components::say_in_corner,
    form::{Answer, Done, Fields, Post},
};
use domain::{ErrorCode, ServiceError};
use js_sys::futures::JsFuture;
use leptos::{__reexports::send_wrapper::SendWrapper, ev::SubmitEvent, prelude::window, task::spawn_local};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Headers, HtmlDialogElement, HtmlFormElement, RequestInit, Response};

pub fn send_form(event: SubmitEvent, post: Post, fields: Fields, on_done: Done) {
    event.prevent_default();
    let form = event.target().and_then(|target| target.dyn_into::<HtmlFormElement>().ok());
    let Some(form) = form else { return };
    if post.is_pending_untracked() {
        return;
    }
    let Some(values) = form_fields(&form) else { return };
    let body = String::from(values.to_string());
    post.start();
    spawn_local(async move {
        let outcome = fetch(post.url, body).await;
        finish(&form, fields, outcome.is_ok());
        // Where nothing was typed, nothing is lost by leaving.
        match &outcome {
            Err(error) if error.code() == ErrorCode::Unauthenticated && !has_fields(&form) => sign_in_again(),
            _ => settle(post, outcome, on_done),
        }
    });
}

fn has_fields(form: &HtmlFormElement) -> bool {
    let field = "input:not([type=hidden]), textarea, select";
    form.query_selector(field).is_ok_and(|field| field.is_some())
}

async fn fetch(url: &'static str, body: String) -> Result<String, ApiError> {
    match SendWrapper::new(exchange(url, body)).await {
        Ok((status, text)) if status < 400 => Ok(text),
        Ok((status, text)) => Err(read_json(&text).unwrap_or_else(|| failed(code_of(status)))),
        Err(_) => Err(failed(ErrorCode::Unavailable)),
    }
}

/// The answer of a server function or its error, marked as [`crate::load`] reads it.
pub async fn fetch_text(url: &'static str, body: String) -> String {
    match SendWrapper::new(exchange(url, body)).await {
        Ok((status, text)) => (if status < 400 { "+" } else { "-" }).to_owned() + &text,
        Err(_) => r#"-{"code":"unavailable","detail":"","errors":[]}"#.to_owned(),
    }
}

/// The same, outside of any page's data.
pub fn fetch_then(url: &'static str, body: String, then: Box<dyn FnOnce(String)>) {
    spawn_local(async move { then(fetch_text(url, body).await) });
}

async fn exchange(url: &str, body: String) -> Result<(u16, String), JsValue> {
    let headers = Headers::new()?;
    headers.append("content-type", "application/x-www-form-urlencoded")?;
    headers.append("accept", "application/json")?;
    let request = RequestInit::new();
    request.set_method("POST");
    request.set_headers(&headers);
    request.set_body(&JsValue::from_str(&body));
    let answer = JsFuture::from(window().fetch_with_str_and_init(url, &request)).await?;
    let answer: Response = answer.unchecked_into();
    let text = JsFuture::from(answer.text()?).await?;
    Ok((answer.status(), text.as_string().unwrap_or_default()))
}

/// Between here and the server something answered in its place.
fn code_of(status: u16) -> ErrorCode {
    match status {
        401 => ErrorCode::Unauthenticated,
        502..=504 => ErrorCode::Unavailable,
        _ => ErrorCode::Internal,
    }
}

/// A failure that no answer describes; pages translate the code.
fn failed(code: ErrorCode) -> ApiError {
    ApiError(ServiceError::new(code, ""))
}

/// What was folded out for the form folds away again, and its fields become what the caller wants.
fn finish(form: &HtmlFormElement, fields: Fields, is_done: bool) {
    if fields == (if is_done { Fields::Empty } else { Fields::Undo }) {
        form.reset();
    }
    // A dialog has done its work, whatever came of it; the page shows the outcome.
    if let Ok(Some(dialog)) = form.closest("dialog") {
        dialog.unchecked_into::<HtmlDialogElement>().close();
    }
    if is_done {
        let around = form.closest("details").ok().flatten();
        let inside = form.query_selector("details").ok().flatten();
        for details in around.into_iter().chain(inside) {
            let _ = details.remove_attribute("open");
        }
    }
}

/// The form may be gone meanwhile: news can bring its list anew before the answer is here. What was done is said all the
/// same.
fn settle(post: Post, outcome: Result<String, ApiError>, on_done: Done) {
    match outcome {
        Err(error) => {
            if let Some(unseen) = post.settle(Some(error)) {
                say_in_corner(&unseen);
            }
        }
        Ok(text) => {
            post.settle(None);
            on_done(Answer(text));
        }
    }
}
