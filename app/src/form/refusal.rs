//! What the server refused: the summary above a form, and the error that a plain form leaves in the address.

use super::Post;
use crate::{
    api::ApiError,
    browser,
    components::effect,
    location::use_location,
    texts::{Texts, texts},
};
use domain::{ErrorCode, ServiceError};
use leptos::prelude::*;

/// True until the person moves to another page inside the browser: errors and messages in the load belong to
/// the first page only.
#[derive(Clone, Copy)]
pub struct FirstPage(pub RwSignal<bool>);

/// The refusal that the address of this load carries, when it is about this server function.
pub(super) fn refusal_of_last_load(path: &str) -> Option<ApiError> {
    let is_first = expect_context::<FirstPage>().0.get_untracked();
    let refusal = use_location().with_untracked(|address| {
        let is_ours = is_first && address.value("__path").as_deref() == Some(path);
        address.value("__err").filter(|_| is_ours)
    })?;
    effect(browser::forget_error_in_address);
    browser::read_refusal(&refusal)
}

/// Says what went wrong with a form, and names the fields.
pub fn error_summary(post: Post) -> AnyView {
    error_summary_with(post, Vec::new())
}

/// The same, with the labels of a form that the server described: by the names of its fields.
pub fn error_summary_with(post: Post, labels: Vec<(String, String)>) -> AnyView {
    let t = texts();
    view! { {move || post.error().map(|ApiError(error)| summary(t, post, &error, &labels))} }.into_any()
}

fn is_conflict(post: Post) -> bool {
    post.error().is_some_and(|error| error.code() == ErrorCode::Conflict)
}

/// Above a form that knows the version it was made from: whatever else was refused.
pub fn not_a_conflict(post: Post, labels: Vec<(String, String)>) -> AnyView {
    let told = move || (!is_conflict(post)).then(|| error_summary_with(post, labels.clone()));
    view! { {told} }.into_any()
}

/// In that form: somebody else was faster. What was typed stays, and the person decides whose it will be; how it is now is
/// at `look`.
pub fn conflict(post: Post, look: String) -> AnyView {
    let t = texts();
    let told = move || {
        is_conflict(post).then(|| {
            view! {
                <div class="alert alert-warning" role="alert">
                    <p><strong>{t.conflict_title()}</strong></p>
                    <p>{t.conflict_lead()}</p>
                    <p><a href=look.clone() target="_blank">{t.conflict_look()}</a></p>
                    <div class="checkbox">
                        <input type="checkbox" id="overwrite" name="overwrite" value="true"/>
                        <label r#for="overwrite">{t.conflict_overwrite()}</label>
                    </div>
                </div>
            }
            .into_any()
        })
    };
    view! { {told} }.into_any()
}

/// What the schema of a tool refuses, field by field.
pub fn unfit_arguments(errors: &[domain::FieldError]) -> AnyView {
    let line = |e: &domain::FieldError| {
        view! { <li><code>{e.field.clone()}</code> " " {e.message.clone()}</li> }.into_any()
    };
    let lines: Vec<AnyView> = errors.iter().map(line).collect();
    view! { <ul class="alert-list">{lines}</ul> }.into_any()
}

fn summary(t: Texts, post: Post, error: &ServiceError, labels: &[(String, String)]) -> AnyView {
    let label = |field: &str| {
        let known = labels.iter().find(|(name, _)| name == field);
        known.map_or_else(|| t.field_label(post.scope(), field).to_owned(), |(_, label)| label.clone())
    };
    let line = |e: &domain::FieldError| {
        // What is inside a field is shown with it.
        let field = e.field.split('.').next().unwrap_or_default();
        view! {
            <li>
                <a href=format!("#{}-{field}", post.scope()) rel="external">{label(field)}</a>
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
    let arguments = (error.code == ErrorCode::InvalidParams).then(|| unfit_arguments(&error.errors));
    let id = format!("{}-refusal", post.scope());
    let seen = id.clone();
    // It may be far above the button that was pressed.
    effect(move || browser::scroll_to(&seen));
    view! {
        <div class="alert alert-danger" role="alert" id=id>
            <p>{t.error(error)}</p>
            {fields}
            {arguments}
            {how_to_go_on(t, error.code)}
        </div>
    }
    .into_any()
}

/// Nothing that was typed is lost while the server is away or the session is over.
fn how_to_go_on(t: Texts, code: ErrorCode) -> Option<AnyView> {
    let sign_in = match code {
        ErrorCode::Unauthenticated => Some(view! {
            <p><a class="button" href="/login" target="_blank" rel="external">{t.sign_in_elsewhere()}</a></p>
        }),
        ErrorCode::Unavailable | ErrorCode::Busy => None,
        _ => return None,
    };
    Some(view! { <p class="only-with-scripts">{t.typed_is_kept()}</p> {sign_in} }.into_any())
}
