//! Talking to the server functions.
//!
//! One way for every form and every list: the fields go out exactly as the browser would send them by itself, to
//! the same address. A typed client per server function would cost each of them several kilobytes of wasm.

use super::page::{form_fields, sign_in_again};
use crate::{
    api::ApiError,
    form::{Answer, Done, Post},
};
use domain::ErrorCode;
use leptos::server_fn::{
    client::{Client, browser::BrowserClient},
    error::FromServerFnError,
    request::{ClientReq, browser::BrowserRequest},
    response::{ClientRes, browser::BrowserResponse},
};
use leptos::{__reexports::send_wrapper::SendWrapper, ev::SubmitEvent, task::spawn_local};
use wasm_bindgen::JsCast;
use web_sys::{HtmlDialogElement, HtmlFormElement};

pub fn send_form(event: SubmitEvent, post: Post, reset: bool, on_done: Done) {
    event.prevent_default();
    let form = event
        .target()
        .and_then(|target| target.dyn_into::<HtmlFormElement>().ok());
    let Some(form) = form else { return };
    if post.is_pending_untracked() {
        return;
    }
    let Some(fields) = form_fields(&form) else { return };
    let body = String::from(fields.to_string());
    post.start();
    spawn_local(async move {
        let outcome = fetch(post.url, body).await;
        finish(&form, reset && outcome.is_ok());
        settle(post, outcome, on_done);
    });
}

/// The answer of a server function, as text.
pub async fn fetch(url: &'static str, body: String) -> Result<String, ApiError> {
    SendWrapper::new(exchange(url, body)).await
}

async fn exchange(url: &str, body: String) -> Result<String, ApiError> {
    let kind = "application/x-www-form-urlencoded";
    let request = <BrowserRequest as ClientReq<ApiError>>::try_new_post(url, kind, "application/json", body)?;
    let response = <BrowserClient as Client<ApiError>>::send(request).await?;
    let status = <BrowserResponse as ClientRes<ApiError>>::status(&response);
    let text = <BrowserResponse as ClientRes<ApiError>>::try_into_string(response).await?;
    if status >= 400 {
        Err(ApiError::de(text.into()))
    } else {
        Ok(text)
    }
}

/// A dialog has done its work, whatever came of it; the page shows the outcome.
fn finish(form: &HtmlFormElement, reset: bool) {
    if reset {
        form.reset();
    }
    if let Ok(Some(dialog)) = form.closest("dialog") {
        dialog.unchecked_into::<HtmlDialogElement>().close();
    }
}

/// The page may have been left meanwhile: its signals are gone then, and nobody waits for the outcome.
fn settle(post: Post, outcome: Result<String, ApiError>, on_done: Done) {
    match outcome {
        Err(error) if error.code() == ErrorCode::Unauthenticated => sign_in_again(),
        Err(error) => {
            post.settle(Some(error));
        }
        Ok(text) => {
            if post.settle(None) {
                on_done(Answer(text));
            }
        }
    }
}
