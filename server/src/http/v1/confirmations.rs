//! `/api/v1/confirmations`: questions to people before a call runs (B1, B2), and the gate's own "why?" (B7).

use super::{ReadProblems, WriteProblems, problems::ApproveProblems};
use crate::{
    http::{IdOf, InTenant, Problem, QueryOf, body::JsonBody},
    wiring::Services,
};
use ability::{DecideConfirmations, ExecuteTools, ReadConfirmations};
use axum::{Json, extract::State};
use domain::{
    ConfirmationId, ListOut, Page, ServiceError,
    execution::{ApproveIn, ConfirmationOut, ConfirmationStatus, ExecutionAnswer, RefuseIn},
};
use engine::{Call, CalledTool, Decided, gate::Decision};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa_axum::{router::OpenApiRouter, routes};

pub fn documented() -> OpenApiRouter<Services> {
    OpenApiRouter::new()
        .routes(routes!(list_confirmations))
        .routes(routes!(get_confirmation))
        .routes(routes!(approve_confirmation))
        .routes(routes!(refuse_confirmation))
        .routes(routes!(explain_call))
}

#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
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

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ExplainIn {
    tool_name: String,
    /// Id or slug; absent: as the caller.
    agent_id: Option<String>,
    #[schema(value_type = Option<Object>)]
    params: Option<Value>,
}

/// B7: what the gate would say to this call, and why. Nothing runs, nothing is counted.
#[utoipa::path(
    post, path = "/api/v1/decisions/explain", tag = "executions", request_body = ExplainIn,
    responses((status = 200, body = Decision), WriteProblems)
)]
pub async fn explain_call(
    InTenant(permit): InTenant<ExecuteTools>,
    State(services): State<Services>,
    JsonBody(input): JsonBody<ExplainIn>,
) -> Result<Json<Decision>, Problem> {
    let call = Call {
        permit: permit.into(),
        tool: CalledTool::Name(input.tool_name),
        agent: input.agent_id,
        conversation: None,
        params: input.params.unwrap_or_else(|| Value::Object(Default::default())),
        test_mode: false,
        idempotency_key: None,
    };
    Ok(Json(services.engine.explain_call(&call).await?))
}
