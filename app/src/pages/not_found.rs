//! Nothing is at this address.

use crate::{components::page_title, texts::texts};
use leptos::prelude::*;

pub fn not_found() -> AnyView {
    #[cfg(feature = "ssr")]
    if let Some(response) = use_context::<leptos_axum::ResponseOptions>() {
        response.set_status(http::StatusCode::NOT_FOUND);
    }
    let t = texts();
    page_title(t.not_found_title());
    view! {
        <div class="entry">
            <div class="empty-state">
                <p class="not-found-number" aria-hidden="true">"404"</p>
                <h1>{t.not_found_title()}</h1>
                <p class="empty-state-lead">{t.not_found_lead()}</p>
                <a class="button button-primary" href="/">{t.back_home()}</a>
            </div>
        </div>
    }
    .into_any()
}
