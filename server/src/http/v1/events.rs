//! `/events`: the news of a tenant, for pages and for backends.

use super::ReadProblems;
use crate::{web::events, wiring::Services};
use app::request::Visitor;
use axum::{Extension, extract::State, response::Response};
use http::HeaderMap;
use utoipa_axum::{router::OpenApiRouter, routes};

pub fn documented() -> OpenApiRouter<Services> {
    OpenApiRouter::new().routes(routes!(listen))
}

/// Server-sent events that say what changed, and no more: `confirmations` (a question was put, decided or is over),
/// `executions` (a call began or ended), `tools` (a global switch), and for people `rights`. The data is always `changed`: ask
/// the route that has it. A key needs the right to read confirmations, hears its own tenant only, and is asked to come
/// again after fifteen minutes.
#[utoipa::path(
    get, path = "/events", tag = "events",
    responses((status = 200, body = String, content_type = "text/event-stream"), ReadProblems)
)]
pub async fn listen(
    State(services): State<Services>,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
) -> Response {
    events::stream(&services, visitor, &headers)
}
