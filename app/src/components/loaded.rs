//! What stands where data will be, and where it could not be brought.

use crate::{api::ApiError, browser, session::use_session, texts::texts};
use domain::ErrorCode;
use leptos::prelude::*;

pub fn loading() -> AnyView {
    view! { <p class="loading" role="status">{texts().loading()}</p> }.into_any()
}

/// Says what happened and how to go on. Whoever is signed out goes to sign in; whoever lost a right is
/// led away by the route guard once the session says so.
pub fn load_error(error: &ApiError) -> AnyView {
    let t = texts();
    let session = use_session();
    let code = error.code();
    Effect::new(move || match code {
        ErrorCode::Unauthenticated => browser::sign_in_again(),
        ErrorCode::Forbidden => session.refetch(),
        _ => {}
    });
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
