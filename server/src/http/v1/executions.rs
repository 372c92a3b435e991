//! Calling tools, and what was called (T7–T10).

use super::{ReadProblems, WriteProblems, problems::CallProblems};
use crate::{
    http::{IdOf, InTenant, Problem, QueryOf, ToolOf, body::JsonBody, in_tenant},
    web::{KnownAt, caller_now},
    wiring::Services,
};
use ability::{ExecuteTools, ReadExecutions, UpdateExecutions};
use axum::{
    Extension, Json,
    extract::State,
    response::{IntoResponse, Response},
};
use domain::{
    ExecutionId, FieldCode, ListOut, Page, ServiceError, Timestamp, ToolId,
    execution::{ExecuteForAgentIn, ExecuteIn, ExecutionAnswer, ExecutionOut, ExecutionStatus},
};
use engine::{Call, Called, CalledTool, HistoryFilter};
use http::{HeaderMap, HeaderValue, StatusCode};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::time::Duration;
use utoipa_axum::{router::OpenApiRouter, routes};

pub fn documented() -> OpenApiRouter<Services> {
    OpenApiRouter::new()
        .routes(routes!(execute_tool))
        .routes(routes!(execute_for_agent))
        .routes(routes!(list_tool_executions))
        .routes(routes!(list_executions))
        .routes(routes!(get_execution))
        .routes(routes!(cancel_execution))
}

/// By far the most of all requests: `web::visitor` knows it.
pub const EXECUTE_FOR_AGENT: &str = "/api/v1/tools/execute-for-agent";
const IDEMPOTENCY_KEY: &str = "idempotency-key";

/// T7: a call by hand, or by a backend.
#[utoipa::path(
    post, path = "/api/v1/tools/{id}/execute", tag = "executions",
    params(("id" = ToolId, Path), ("Idempotency-Key" = Option<String>, Header, pattern = "^[!-~]{1,255}$", description = "1–255 visible characters")),
    request_body = ExecuteIn,
    responses(
        (status = 200, body = ExecutionAnswer, description = "It ran: `success` tells how it ended", headers(("Idempotent-Replayed" = bool, description = "The same request was made before: this is its answer"))),
        (status = 202, body = ExecutionAnswer, description = "A second person decides first", headers(("Idempotent-Replayed" = bool, description = "The same request was made before: this is its answer"))),
        CallProblems
    )
)]
pub async fn execute_tool(
    InTenant(permit): InTenant<ExecuteTools>,
    State(services): State<Services>,
    ToolOf(id): ToolOf,
    headers: HeaderMap,
    JsonBody(input): JsonBody<ExecuteIn>,
) -> Result<Response, Problem> {
    let call = Call {
        permit: permit.into(),
        tool: CalledTool::Id(id),
        agent: None,
        conversation: None,
        message: None,
        params: input.params,
        test_mode: input.test_mode,
        idempotency_key: idempotency_key(&headers)?,
    };
    Ok(answer(services.engine.call(call).await?))
}

/// T8: a call by an agent, during a conversation.
#[utoipa::path(
    post, path = EXECUTE_FOR_AGENT, tag = "executions",
    params(("Idempotency-Key" = Option<String>, Header, pattern = "^[!-~]{1,255}$", description = "1–255 visible characters")),
    request_body = ExecuteForAgentIn,
    responses(
        (status = 200, body = ExecutionAnswer, description = "It ran: `success` tells how it ended", headers(("Idempotent-Replayed" = bool, description = "The same request was made before: this is its answer"))),
        (status = 202, body = ExecutionAnswer, description = "A person decides first", headers(("Idempotent-Replayed" = bool, description = "The same request was made before: this is its answer"))),
        CallProblems
    )
)]
pub async fn execute_for_agent(
    InTenant(permit): InTenant<ExecuteTools>,
    State(services): State<Services>,
    known: Option<Extension<KnownAt>>,
    headers: HeaderMap,
    input: Result<JsonBody<ExecuteForAgentIn>, Problem>,
) -> Result<Response, Problem> {
    // What is waited for is in boxes: axum moves the future of a handler several times.
    let JsonBody(input) = match (input, &known) {
        (Ok(input), _) => input,
        // Who may not call at all is told that, and not what is wrong with the body.
        (Err(problem), Some(_)) => {
            in_tenant::<ExecuteTools>(Some(&Box::pin(caller_now(&services, &headers)).await?))?;
            return Err(problem);
        }
        (Err(problem), None) => return Err(problem),
    };
    let call = Call {
        permit: permit.into(),
        tool: CalledTool::Name(input.tool_name),
        agent: Some(input.agent_id),
        conversation: input.conversation_id,
        message: input.message,
        params: input.params,
        test_mode: input.test_mode,
        idempotency_key: idempotency_key(&headers)?,
    };
    let Some(Extension(KnownAt(rights))) = known else {
        return Ok(answer(Box::pin(services.engine.call(call)).await?));
    };
    if let Some(called) = Box::pin(services.engine.call_as_known(&call, rights)).await? {
        return Ok(answer(called));
    }
    let permit = in_tenant::<ExecuteTools>(Some(&Box::pin(caller_now(&services, &headers)).await?))?;
    Ok(answer(Box::pin(services.engine.call(Call { permit: permit.into(), ..call })).await?))
}

fn idempotency_key(headers: &HeaderMap) -> Result<Option<String>, ServiceError> {
    let Some(value) = headers.get(IDEMPOTENCY_KEY) else { return Ok(None) };
    let text = value.to_str().map_err(|_| ServiceError::field("Idempotency-Key", FieldCode::Invalid))?;
    Ok(Some(text.to_owned()))
}

fn answer(called: Called) -> Response {
    let waits = called.answer.status == ExecutionStatus::Pending;
    let status = if waits { StatusCode::ACCEPTED } else { StatusCode::OK };
    let mut response = (status, Json(called.answer)).into_response();
    if called.is_replay {
        response.headers_mut().insert("idempotent-replayed", HeaderValue::from_static("true"));
    }
    response
}

#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct HistoryQuery {
    status: Option<ExecutionStatus>,
    /// Id or slug.
    agent_id: Option<String>,
    /// Among the calls of one tool: that tool, or nothing.
    tool_id: Option<ToolId>,
    /// Not before.
    #[param(value_type = Option<String>, format = DateTime)]
    from: Option<Timestamp>,
    /// Before.
    #[param(value_type = Option<String>, format = DateTime)]
    to: Option<Timestamp>,
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u64>,
    /// Rows to pass over; `cursor` stays fast on page 10,000, this does not.
    #[param(maximum = 100_000)]
    offset: Option<u64>,
    #[param(format = Uuid)]
    cursor: Option<String>,
}

const FARTHEST_OFFSET: u64 = 100_000;
const LONGEST_WAIT: u64 = 30;

impl HistoryQuery {
    pub(super) fn parse(self, tool: Option<ToolId>) -> Result<(HistoryFilter, Page), ServiceError> {
        let page = Page::parse(self.limit, self.cursor.as_deref())?;
        let offset = self.offset.unwrap_or(0);
        if offset > FARTHEST_OFFSET {
            return Err(ServiceError::field("offset", FieldCode::Invalid));
        }
        if tool.is_some() && self.tool_id.is_some_and(|other| Some(other) != tool) {
            return Err(ServiceError::field("tool_id", FieldCode::Invalid));
        }
        let filter = HistoryFilter {
            status: self.status,
            tool: tool.or(self.tool_id),
            agent: self.agent_id,
            from: super::moment("from", self.from)?,
            to: super::moment("to", self.to)?,
            offset,
        };
        Ok((filter, page))
    }
}

/// The calls of one tool, newest first.
#[utoipa::path(
    get, path = "/api/v1/tools/{id}/executions", tag = "executions", params(("id" = ToolId, Path), HistoryQuery),
    responses((status = 200, body = ListOut<ExecutionOut>), ReadProblems)
)]
pub async fn list_tool_executions(
    InTenant(permit): InTenant<ReadExecutions>,
    State(services): State<Services>,
    ToolOf(id): ToolOf,
    QueryOf(query): QueryOf<HistoryQuery>,
) -> Result<Json<ListOut<ExecutionOut>>, Problem> {
    let (filter, page) = query.parse(Some(id))?;
    Ok(Json(services.engine.list_executions(&permit, filter, page).await?))
}

/// All calls, newest first.
#[utoipa::path(
    get, path = "/api/v1/executions", tag = "executions", params(HistoryQuery),
    responses((status = 200, body = ListOut<ExecutionOut>), ReadProblems)
)]
pub async fn list_executions(
    InTenant(permit): InTenant<ReadExecutions>,
    State(services): State<Services>,
    QueryOf(query): QueryOf<HistoryQuery>,
) -> Result<Json<ListOut<ExecutionOut>>, Problem> {
    let (filter, page) = query.parse(None)?;
    Ok(Json(services.engine.list_executions(&permit, filter, page).await?))
}

#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct WaitQuery {
    /// Seconds to wait for its end.
    #[param(maximum = 30)]
    wait: Option<u64>,
}

/// A row of the history that is an answer, too: whoever called and waited reads the same names in both.
#[derive(Serialize, utoipa::ToSchema)]
pub struct OneExecutionOut {
    #[serde(flatten)]
    row: ExecutionOut,
    /// As `id`.
    execution_id: ExecutionId,
    success: bool,
    /// As `output_result`.
    result: Option<Value>,
}

impl From<ExecutionOut> for OneExecutionOut {
    fn from(row: ExecutionOut) -> Self {
        Self {
            execution_id: row.id,
            success: row.status == ExecutionStatus::Success,
            result: row.output_result.clone(),
            row,
        }
    }
}

/// One call: who called, what was decided, what came of it. `wait` answers when it has ended.
#[utoipa::path(
    get, path = "/api/v1/executions/{id}", tag = "executions", params(("id" = ExecutionId, Path), WaitQuery),
    responses((status = 200, body = OneExecutionOut), ReadProblems)
)]
pub async fn get_execution(
    InTenant(permit): InTenant<ReadExecutions>,
    State(services): State<Services>,
    IdOf(id): IdOf<ExecutionId>,
    QueryOf(query): QueryOf<WaitQuery>,
) -> Result<Json<OneExecutionOut>, Problem> {
    let wait = query.wait.unwrap_or(0);
    if wait > LONGEST_WAIT {
        return Err(ServiceError::field("wait", FieldCode::Invalid).into());
    }
    Ok(Json(services.engine.get_execution(&permit, id, Duration::from_secs(wait)).await?.into()))
}

/// Stops a call that runs or waits.
#[utoipa::path(
    post, path = "/api/v1/executions/{id}/cancel", tag = "executions", params(("id" = ExecutionId, Path)),
    responses((status = 200, body = OneExecutionOut), WriteProblems)
)]
pub async fn cancel_execution(
    InTenant(permit): InTenant<UpdateExecutions>,
    State(services): State<Services>,
    IdOf(id): IdOf<ExecutionId>,
) -> Result<Json<OneExecutionOut>, Problem> {
    Ok(Json(services.engine.cancel_execution(&permit, id).await?.into()))
}
