//! What the server refused: the summary above a form, and the error that a plain form leaves in the address.

use super::Post;
use crate::{api::ApiError, browser, texts::texts};
use domain::ErrorCode;
use leptos::{prelude::*, server::ServerActionError, server_fn::error::ServerFnUrlError};

/// True until the person moves to another page inside the browser: errors and messages in the load belong to
/// the first page only.
#[derive(Clone, Copy)]
pub struct FirstPage(pub RwSignal<bool>);

/// The refusal that the address of this load carries, when it is about this server function.
pub(super) fn refusal_of_last_load(path: &str) -> Option<ApiError> {
    let is_first = use_context::<FirstPage>().is_none_or(|first| first.0.get_untracked());
    let error = use_context::<ServerActionError>().filter(|error| is_first && error.path() == path)?;
    Effect::new(|| browser::forget_error_in_address());
    Some(ServerFnUrlError::<ApiError>::decode_err(error.err()))
}

/// Says what went wrong with a form, and names the fields.
pub fn error_summary(post: Post) -> AnyView {
    let t = texts();
    let shown = move || {
        post.error.get().map(|ApiError(error)| {
            let fields = (error.code == ErrorCode::ValidationFailed).then(|| {
                let line = |e: &domain::FieldError| {
                    view! {
                        <li>
                            <a href=format!("#{}-{}", post.scope(), e.field) rel="external">{t.field_label(&e.field)}</a>
                            ": "
                            {t.field_code(e.code)}
                        </li>
                    }
                };
                view! { <ul class="alert-list">{error.errors.iter().map(line).collect_view()}</ul> }
            });
            view! {
                <div class="alert alert-danger" role="alert">
                    <p>{t.error(&error)}</p>
                    {fields}
                </div>
            }
        })
    };
    shown.into_any()
}
