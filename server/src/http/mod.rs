//! The REST door, and the routes that operators use.

mod admin_tools;
mod body;
mod caller;
mod code_metrics;
mod docs;
mod health;
mod if_match;
mod metrics;
mod no_query;
pub mod openapi;
pub mod problem;
mod query;
mod v1;

pub use caller::{InTenant, Permitted, in_tenant};
pub use health::healthz;
pub use if_match::IfMatch;
pub use metrics::{measured, name_route};
pub use problem::Problem;
pub use query::{IdOf, PartQuery, QueryOf, ToolOf};
pub use v1::executions::EXECUTE_FOR_AGENT;

use crate::wiring::Services;
use axum::{Router, routing::get};
use domain::{ErrorCode, ServiceError};
use utoipa_axum::{router::OpenApiRouter, routes};

/// Everything under `/api`: an unknown path is a problem, not a page.
pub fn api() -> Router<Services> {
    let (router, document) = documented().split_for_parts();
    let json = openapi::finish(document);
    let for_people = json.clone();
    Router::new()
        .merge(router)
        .route("/api/openapi.json", get(move || openapi::serve(json.clone())))
        .route("/api/docs", get(move || docs::serve(for_people.clone())))
        .route("/api", axum::routing::any(not_found))
        .route("/api/", axum::routing::any(not_found))
        .route("/api/{*path}", axum::routing::any(not_found))
        .method_not_allowed_fallback(method_not_allowed)
}

/// Routes have their whole paths: each nested router would cost a copy of the request's address and another search.
fn documented() -> OpenApiRouter<Services> {
    OpenApiRouter::with_openapi(openapi::info())
        .routes(routes!(admin_tools::list_global_tools))
        .routes(routes!(admin_tools::switch_global_tool))
        .merge(v1::documented())
}

/// The document as it is served; kept as a snapshot in `docs/openapi.json`.
pub fn openapi_document() -> String {
    openapi::finish(documented().split_for_parts().1)
}

/// What needs no session: probes and figures.
pub fn operations() -> Router<Services> {
    Router::new()
        .route("/healthz", get(health::healthz))
        .route("/readyz", get(health::readyz))
        .route("/metrics", get(metrics::render))
}

async fn not_found() -> Problem {
    ServiceError::new(ErrorCode::NotFound, "There is no such route.").into()
}

async fn method_not_allowed() -> Problem {
    ServiceError::new(ErrorCode::MethodNotAllowed, "This route does not answer to that method.").into()
}
