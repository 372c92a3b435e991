//! `/api/v1/decisions`: the gate's own "why?" (B7).

use super::WriteProblems;
use crate::{
    http::{InTenant, Problem, body::JsonBody},
    wiring::Services,
};
use ability::{ExecuteTools, ReadExecutions};
use axum::{Json, extract::State};
use domain::{ExecutionId, FieldCode, ServiceError, decision::DecisionThen};
use engine::{Call, CalledTool, gate::Decision};
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

/// B7: what the gate would say to this call, and why. Nothing runs, nothing is counted.
#[utoipa::path(
    post, path = "/api/v1/decisions/explain", tag = "executions", request_body = ExplainIn,
    responses((status = 200, body = ExplainOut), WriteProblems)
)]
pub async fn explain_call(
    InTenant(permit): InTenant<ExecuteTools>,
    history: Result<InTenant<ReadExecutions>, Problem>,
    State(services): State<Services>,
    JsonBody(input): JsonBody<ExplainIn>,
) -> Result<Json<ExplainOut>, Problem> {
    let engine = &services.engine;
    let (call, then) = match input {
        ExplainIn { execution_id: Some(id), tool_name: None, agent_id: None, params: None } => {
            let InTenant(history) = history?;
            engine.question_of(permit, &history, id).await?
        }
        ExplainIn { execution_id: None, tool_name: Some(tool), agent_id, params } => {
            let params = params.unwrap_or_else(|| Value::Object(Default::default()));
            (Call::question(permit, CalledTool::Name(tool), agent_id, params), None)
        }
        ExplainIn { execution_id: None, .. } => {
            return Err(ServiceError::field("tool_name", FieldCode::Required).into());
        }
        ExplainIn { .. } => return Err(ServiceError::field("execution_id", FieldCode::Invalid).into()),
    };
    Ok(Json(ExplainOut { now: engine.explain_call(&call).await?, then }))
}
