//! `/api/v1/decisions`: the gate's own "why?" (B7).

use super::WriteProblems;
use crate::{
    http::{Problem, body::JsonBody, in_tenant, no_query::refuse_what_nobody_reads},
    wiring::Services,
};
use ability::{Caller, ExecuteTools, ReadExecutions, TenantPermit};
use axum::{
    Json,
    extract::{FromRequestParts, State},
};
use domain::{ExecutionId, FieldCode, ServiceError, decision::DecisionThen};
use engine::{AskedCall, CalledTool, gate::Decision};
use http::request::Parts;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa_axum::{router::OpenApiRouter, routes};

pub fn documented() -> OpenApiRouter<Services> {
    OpenApiRouter::new().routes(routes!(explain_call))
}

/// Either a call that might be, by `tool_name`, or one that was, by `execution_id` alone.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ExplainIn {
    tool_name: Option<String>,
    /// Id or slug; absent: as the caller.
    agent_id: Option<String>,
    /// Absent: whether the tool may be called at all, whatever with.
    #[schema(value_type = Option<Object>)]
    params: Option<Value>,
    /// The same tool, agent and arguments as that call.
    execution_id: Option<ExecutionId>,
}

/// What the gate says now, and what it said then.
#[derive(Serialize, utoipa::ToSchema)]
pub struct ExplainOut {
    #[serde(flatten)]
    now: Decision,
    /// Of a call that was: the decision at its time. Absent for calls from before it was kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    then: Option<DecisionThen>,
}

/// Who may run tools asks about any call; who may read the history, about a call in it.
pub struct Asking {
    calls: Result<TenantPermit<ExecuteTools>, ServiceError>,
    history: Result<TenantPermit<ReadExecutions>, ServiceError>,
}

impl<S: Send + Sync> FromRequestParts<S> for Asking {
    type Rejection = Problem;

    /// Refuses whoever has neither right, before a body is read.
    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let caller = parts.extensions.get::<Caller>();
        match (in_tenant(caller), in_tenant(caller)) {
            (Err(error), Err(_)) => Err(error.into()),
            (calls, history) => {
                refuse_what_nobody_reads(parts)?;
                Ok(Self { calls, history })
            }
        }
    }
}

/// B7: what the gate would say to this call, and why. Nothing runs, nothing is counted. A call of the history takes the right
/// to read it, any other the right to run tools.
#[utoipa::path(
    post, path = "/api/v1/decisions/explain", tag = "executions", request_body = ExplainIn,
    responses((status = 200, body = ExplainOut), WriteProblems)
)]
pub async fn explain_call(
    Asking { calls, history }: Asking,
    State(services): State<Services>,
    JsonBody(input): JsonBody<ExplainIn>,
) -> Result<Json<ExplainOut>, Problem> {
    let engine = &services.engine;
    let (call, then) = match input {
        ExplainIn { execution_id: Some(id), tool_name: None, agent_id: None, params: None } => {
            engine.question_of(&history?, id).await?
        }
        ExplainIn { execution_id: None, tool_name: Some(tool), agent_id, params } => {
            (AskedCall::new(calls?, CalledTool::Name(tool), agent_id, params), None)
        }
        ExplainIn { execution_id: None, .. } => {
            return Err(ServiceError::field("tool_name", FieldCode::Required).into());
        }
        ExplainIn { .. } => return Err(ServiceError::field("execution_id", FieldCode::Invalid).into()),
    };
    Ok(Json(ExplainOut { now: engine.explain_call(&call).await?, then }))
}
