//! `/api/v1/confirmations`: questions to people before a call runs (B1, B2).

use super::{ReadProblems, WriteProblems, problems::ApproveProblems};
use crate::{
    http::{IdOf, InTenant, Problem, QueryOf, body::JsonBody},
    wiring::Services,
};
use ability::{DecideConfirmations, ReadConfirmations};
use axum::{Json, extract::State};
use domain::{
    ConfirmationId, ListOut, Page, ServiceError,
    execution::{ApproveIn, ConfirmationOut, ConfirmationStatus, ExecutionAnswer, RefuseIn},
};
use engine::Decided;
use serde::{Deserialize, Serialize};
use utoipa_axum::{router::OpenApiRouter, routes};

pub fn documented() -> OpenApiRouter<Services> {
    OpenApiRouter::new()
        .routes(routes!(list_confirmations))
        .routes(routes!(get_confirmation))
        .routes(routes!(approve_confirmation))
        .routes(routes!(refuse_confirmation))
}

#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct ConfirmationQuery {
    status: Option<ConfirmationStatus>,
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u64>,
    #[param(format = Uuid)]
    cursor: Option<String>,
}

/// Newest first.
#[utoipa::path(
    get, path = "/api/v1/confirmations", tag = "confirmations", params(ConfirmationQuery),
    responses((status = 200, body = ListOut<ConfirmationOut>), ReadProblems)
)]
pub async fn list_confirmations(
    InTenant(permit): InTenant<ReadConfirmations>,
    State(services): State<Services>,
    QueryOf(query): QueryOf<ConfirmationQuery>,
) -> Result<Json<ListOut<ConfirmationOut>>, Problem> {
    let page = Page::parse(query.limit, query.cursor.as_deref()).map_err(ServiceError::from)?;
    Ok(Json(services.engine.list_confirmations(&permit, query.status, page).await?))
}

/// One question, with what would be done and what became of it.
#[utoipa::path(
    get, path = "/api/v1/confirmations/{id}", tag = "confirmations", params(("id" = ConfirmationId, Path)),
    responses((status = 200, body = ConfirmationOut), ReadProblems)
)]
pub async fn get_confirmation(
    InTenant(permit): InTenant<ReadConfirmations>,
    State(services): State<Services>,
    IdOf(id): IdOf<ConfirmationId>,
) -> Result<Json<ConfirmationOut>, Problem> {
    Ok(Json(services.engine.get_confirmation(&permit, id).await?))
}

/// A decision, and what became of the call.
#[derive(Serialize, utoipa::ToSchema)]
pub struct DecidedOut {
    #[serde(flatten)]
    confirmation: ConfirmationOut,
    execution: ExecutionAnswer,
}

impl From<Decided> for DecidedOut {
    fn from(decided: Decided) -> Self {
        Self { confirmation: decided.confirmation, execution: decided.execution }
    }
}

/// Runs the call, once; with corrected arguments when given.
#[utoipa::path(
    post, path = "/api/v1/confirmations/{id}/approve", tag = "confirmations", params(("id" = ConfirmationId, Path)),
    request_body = ApproveIn, responses((status = 200, body = DecidedOut), ApproveProblems)
)]
pub async fn approve_confirmation(
    InTenant(permit): InTenant<DecideConfirmations>,
    State(services): State<Services>,
    IdOf(id): IdOf<ConfirmationId>,
    JsonBody(input): JsonBody<ApproveIn>,
) -> Result<Json<DecidedOut>, Problem> {
    Ok(Json(services.engine.approve(&permit, id, input).await?.into()))
}

/// Says no, with a reason: the call ends as `refused`.
#[utoipa::path(
    post, path = "/api/v1/confirmations/{id}/refuse", tag = "confirmations", params(("id" = ConfirmationId, Path)),
    request_body = RefuseIn, responses((status = 200, body = DecidedOut), WriteProblems)
)]
pub async fn refuse_confirmation(
    InTenant(permit): InTenant<DecideConfirmations>,
    State(services): State<Services>,
    IdOf(id): IdOf<ConfirmationId>,
    JsonBody(input): JsonBody<RefuseIn>,
) -> Result<Json<DecidedOut>, Problem> {
    Ok(Json(services.engine.refuse(&permit, id, input).await?.into()))
}
