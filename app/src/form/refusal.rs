//! What the server refused: the summary above a form, and the error that a plain form leaves in the address.

use super::Post;
use crate::{
    api::ApiError,
    browser,
    components::effect,
    texts::{Texts, texts},
};
use domain::{ErrorCode, ServiceError};
use leptos::{prelude::*, server::ServerActionError, server_fn::error::ServerFnUrlError};

/// True until the person moves to another page inside the browser: errors and messages in the load belong to
/// the first page only.
#[derive(Clone, Copy)]
pub struct FirstPage(pub RwSignal<bool>);

/// The refusal that the address of this load carries, when it is about this server function.
pub(super) fn refusal_of_last_load(path: &str) -> Option<ApiError> {
    let is_first = use_context::<FirstPage>().is_none_or(|first| first.0.get_untracked());
    let error = use_context::<ServerActionError>().filter(|error| is_first && error.path() == path)?;
    effect(browser::forget_error_in_address);
    Some(ServerFnUrlError::<ApiError>::decode_err(error.err()))
}

/// Says what went wrong with a form, and names the fields.
pub fn error_summary(post: Post) -> AnyView {
    let t = texts();
    view! { {move || post.error().map(|ApiError(error)| summary(t, post, &error))} }.into_any()
}

fn summary(t: Texts, post: Post, error: &ServiceError) -> AnyView {
    let line = |e: &domain::FieldError| {
        view! {
            <li>
                <a href=format!("#{}-{}", post.scope(), e.field) rel="external">{t.field_label(&e.field)}</a>
                ": "
                {t.field_code(e.code)}
            </li>
        }
        .into_any()
    };
    let fields = (error.code == ErrorCode::ValidationFailed).then(|| {
        let lines: Vec<AnyView> = error.errors.iter().map(line).collect();
        view! { <ul class="alert-list">{lines}</ul> }.into_any()
    });
    view! {
        <div class="alert alert-danger" role="alert">
            <p>{t.error(error)}</p>
            {fields}
        </div>
    }
    .into_any()
}
