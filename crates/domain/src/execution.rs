//! Calls of tools, and the questions to people before some of them.

pub use crate::status::{ConfirmationStatus, ExecutionStatus};

use crate::{
    AgentId, ConfirmationId, ExecutionId, Timestamp, ToolId,
    decision::{AttemptOut, DecisionThen},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// T7: a call by hand.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ExecuteIn {
    #[serde(default = "empty_object")]
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub params: Value,
    /// Without lasting effect where the kind of tool can: marked in the history.
    #[serde(default)]
    pub test_mode: bool,
}

/// T8: a call by an agent.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ExecuteForAgentIn {
    pub tool_name: String,
    /// Id or slug.
    pub agent_id: String,
    pub conversation_id: Option<String>,
    /// X1: why the agent wants this call, in its own words. One line; whoever is asked to confirm reads it.
    #[cfg_attr(feature = "openapi", schema(max_length = 1000))]
    pub message: Option<String>,
    #[serde(default = "empty_object")]
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub params: Value,
    #[serde(default)]
    pub test_mode: bool,
}

/// Characters of an agent's message.
pub const LONGEST_MESSAGE: usize = 1000;

fn empty_object() -> Value {
    Value::Object(serde_json::Map::new())
}

/// What a caller gets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ExecutionAnswer {
    pub execution_id: ExecutionId,
    pub status: ExecutionStatus,
    pub success: bool,
    pub result: Option<Value>,
    pub error_message: Option<String>,
    pub truncated: bool,
    pub execution_time_ms: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_code: Option<String>,
    /// In test mode, of a code tool: what its script said by `ctx.log`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirmation_id: Option<ConfirmationId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
}

/// A row of the history.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ExecutionOut {
    pub id: ExecutionId,
    pub tool_id: ToolId,
    pub tool_name: String,
    pub tool_version: i64,
    pub agent_id: Option<AgentId>,
    pub conversation_id: Option<String>,
    /// Secrets are masked.
    pub input_params: Value,
    pub output_result: Option<Value>,
    pub status: ExecutionStatus,
    pub error_code: Option<String>,
    pub error_message: Option<String>,
    pub truncated: bool,
    pub test_mode: bool,
    /// What a code tool said by `ctx.log`, or how often a webhook was tried when that was more than once; of a single
    /// execution only, not in lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log: Option<Vec<String>>,
    /// What the agent said about this call; of a single execution only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// What the gate said when the call was made; of a single execution only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<DecisionThen>,
    /// How the address of a webhook tool was tried; of a single execution only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attempts: Vec<AttemptOut>,
    pub execution_time_ms: Option<i64>,
    pub confirmation_id: Option<ConfirmationId>,
    /// Who called, for people to read.
    pub called_by: String,
    pub executed_at: Timestamp,
    pub started_at: Option<Timestamp>,
    pub finished_at: Option<Timestamp>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ConfirmationOut {
    pub id: ConfirmationId,
    pub execution_id: ExecutionId,
    pub tool_id: ToolId,
    pub tool_name: String,
    pub agent_id: Option<AgentId>,
    pub status: ConfirmationStatus,
    /// Secrets are masked.
    pub params: Value,
    /// What the approver made of them.
    pub edited_params: Option<Value>,
    /// The call leaves nothing behind, or tells its webhook that it is a test.
    pub test_mode: bool,
    /// What would happen: a dry run. `fails` says why it would come to nothing as things are now.
    pub plan: Option<Value>,
    /// Why somebody is asked.
    pub reason: String,
    /// What the agent said about the call, as untrusted as its arguments.
    pub message: Option<String>,
    pub requested_by: String,
    pub requires_second_person: bool,
    pub decided_by: Option<String>,
    pub decided_at: Option<Timestamp>,
    pub note: Option<String>,
    pub expires_at: Timestamp,
    pub created_at: Timestamp,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ApproveIn {
    /// Corrected arguments; checked again.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub params: Option<Value>,
    pub note: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct RefuseIn {
    pub reason: Option<String>,
}
