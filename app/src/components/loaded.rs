//! What stands where data will be, and where it could not be brought.

use super::empty_state;
use crate::{
    api::ApiError,
    browser,
    load::Loaded,
    session::use_session,
    texts::{Texts, texts},
};
use domain::ErrorCode;
use leptos::prelude::*;
use serde::de::DeserializeOwned;
use std::sync::Arc;

/// Shows what was loaded, and keeps it while it loads anew; an error takes its place.
pub fn loaded<T: DeserializeOwned + 'static>(
    data: Loaded<T>,
    show: impl Fn(T) -> AnyView + Send + Sync + 'static,
) -> AnyView {
    awaited(loading, move || {
        data.get().map(|answer| match answer {
            Ok(value) => show(value),
            Err(error) => load_error(&error),
        })
    })
}

/// A view that reads resources. Erased before it gets its boundary: one copy in wasm, not one per use.
pub fn awaited(
    meanwhile: fn() -> AnyView,
    show: impl Fn() -> Option<AnyView> + Send + Sync + 'static,
) -> AnyView {
    boundary(meanwhile, Arc::new(show))
}

fn boundary(meanwhile: fn() -> AnyView, show: Arc<dyn Fn() -> Option<AnyView> + Send + Sync>) -> AnyView {
    view! { <Transition fallback=meanwhile>{move || show()}</Transition> }.into_any()
}

pub fn loading() -> AnyView {
    view! { <p class="loading" role="status">{texts().loading()}</p> }.into_any()
}

pub fn nothing() -> AnyView {
    ().into_any()
}

/// Runs in the browser, now and whenever what it reads changes. Erased for the same reason as [`awaited`].
pub fn effect(act: impl FnMut() + 'static) {
    let act: Box<dyn FnMut()> = Box::new(act);
    Effect::new(act);
}

/// Says what happened and how to go on. Whoever is signed out goes to sign in; whoever lost a right is
/// led away by the route guard once the session says so.
pub fn load_error(error: &ApiError) -> AnyView {
    let session = use_session();
    let code = error.code();
    effect(move || match code {
        ErrorCode::Unauthenticated => browser::sign_in_again(),
        ErrorCode::Forbidden => session.refetch(),
        _ => {}
    });
    failure(texts(), error)
}

fn failure(t: Texts, error: &ApiError) -> AnyView {
    if error.code() == ErrorCode::TenantRequired {
        return empty_state("tenants", t.no_organisation(), t.error_code(ErrorCode::TenantRequired), None);
    }
    view! {
        <div class="alert alert-danger" role="alert">
            <p><strong>{t.load_failed()}</strong></p>
            <p>{t.error(&error.0)}</p>
            <p class="only-with-scripts">
                <button type="button" class="button" on:click=|_| browser::reload()>{t.try_again()}</button>
            </p>
        </div>
    }
    .into_any()
}
