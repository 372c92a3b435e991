//! Sending a form without leaving the page.
//!
//! One function for every form: the fields go out exactly as the browser would send them by itself, to the same
//! address. A typed action per server function would cost each of them several kilobytes of wasm.

use super::page::{form_fields, sign_in_again};
use crate::{
    api::ApiError,
    form::{Answer, Post},
};
use domain::ErrorCode;
use leptos::server_fn::{
    client::{Client, browser::BrowserClient},
    error::FromServerFnError,
    request::{ClientReq, browser::BrowserRequest},
    response::{ClientRes, browser::BrowserResponse},
};
use leptos::{ev::SubmitEvent, prelude::*, task::spawn_local};
use wasm_bindgen::JsCast;
use web_sys::{HtmlDialogElement, HtmlFormElement};

pub fn send_form(event: SubmitEvent, post: Post, reset: bool, on_done: Callback<Answer>) {
    event.prevent_default();
    let form = event
        .target()
        .and_then(|target| target.dyn_into::<HtmlFormElement>().ok());
    let Some(form) = form else { return };
    if post.pending.get_untracked() {
        return;
    }
    let Some(fields) = form_fields(&form) else { return };
    let body = String::from(fields.to_string());
    post.pending.set(true);
    spawn_local(async move {
        let outcome = send(post.url, body).await;
        finish(&form, reset && outcome.is_ok());
        settle(post, outcome, on_done);
    });
}

async fn send(url: &str, body: String) -> Result<Answer, ApiError> {
    let kind = "application/x-www-form-urlencoded";
    let request = <BrowserRequest as ClientReq<ApiError>>::try_new_post(url, kind, "application/json", body)?;
    let response = <BrowserClient as Client<ApiError>>::send(request).await?;
    let status = <BrowserResponse as ClientRes<ApiError>>::status(&response);
    let bytes = <BrowserResponse as ClientRes<ApiError>>::try_into_bytes(response).await?;
    if status >= 400 {
        return Err(ApiError::de(bytes));
    }
    Ok(Answer(bytes.to_vec()))
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
fn settle(post: Post, outcome: Result<Answer, ApiError>, on_done: Callback<Answer>) {
    if post.pending.try_set(false).is_some() {
        return;
    }
    match outcome {
        Ok(answer) => {
            post.error.set(None);
            on_done.run(answer);
        }
        Err(error) if error.code() == ErrorCode::Unauthenticated => sign_in_again(),
        Err(error) => post.error.set(Some(error)),
    }
}
