//! The tools of a tenant: what they are made of, and how they are shown.

mod breaking;
mod name;

pub use crate::tool_words::{ConfirmationMode, ExecutionType, ToolType, WebhookMethod};
pub use breaking::{BreakingChange, Narrowed, Narrowing};
pub use name::ToolName;

use crate::{FieldError, Timestamp, ToolEffect, ToolId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// Up to `limit` calls at once; what was used up comes back evenly, `limit` of them in each `window_seconds`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct RateLimit {
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 1_000_000))]
    pub limit: u32,
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 86_400))]
    pub window_seconds: u32,
}

impl RateLimit {
    /// The limit, if it is within what can be counted.
    pub fn checked(self) -> Result<Self, FieldError> {
        FieldError::within("rate_limit.limit", self.limit, 1..=1_000_000)?;
        FieldError::within("rate_limit.window_seconds", self.window_seconds, 1..=86_400)?;
        Ok(self)
    }
}

/// Everything about a tool that is kept in versions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ToolDefinition {
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub name: ToolName,
    pub display_name: String,
    /// For the model: when to use it.
    pub description: String,
    pub r#type: ToolType,
    /// A JSON Schema (2020-12) of an object.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub parameters: Value,
    pub execution_type: ExecutionType,
    /// A value in its query whose name means a secret reads `***`. Sent back as it is shown, the address stays.
    pub webhook_url: Option<String>,
    pub webhook_method: WebhookMethod,
    /// Names are shown, values are not: each reads `***`.
    pub webhook_headers: BTreeMap<String, String>,
    pub code: Option<String>,
    pub requires_confirmation: bool,
    /// Whoever asked for a call cannot approve it.
    pub requires_second_person: bool,
    pub effect: ToolEffect,
    pub timeout_ms: u32,
    /// A call may be repeated without harm: then failures are retried.
    pub idempotent: bool,
    pub rate_limit: Option<RateLimit>,
    pub max_output_bytes: u32,
    /// Of a code tool; 64 when nobody says.
    pub memory_mb: Option<u32>,
    /// How often a code tool may call `ctx.fetch`; 10 when nobody says.
    #[serde(default)]
    pub max_fetches: Option<u32>,
    /// Where `ctx.fetch` may go: `host`, `host:port`, `*.host` or `*.host:port`.
    pub fetch_hosts: Vec<String>,
    /// Which of the organisation's secrets a code tool sees as `ctx.secrets`.
    pub secret_names: Vec<String>,
}

/// What a body may say about a tool. In a PUT, what is absent stays as it is, and null clears what may be empty.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ToolIn {
    pub name: Option<String>,
    pub display_name: Option<String>,
    pub description: Option<String>,
    pub r#type: Option<ToolType>,
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub parameters: Option<Value>,
    pub execution_type: Option<ExecutionType>,
    #[serde(default, deserialize_with = "crate::crm::given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub webhook_url: Option<Option<String>>,
    pub webhook_method: Option<WebhookMethod>,
    pub webhook_headers: Option<BTreeMap<String, String>>,
    #[serde(default, deserialize_with = "crate::crm::given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub code: Option<Option<String>>,
    pub requires_confirmation: Option<bool>,
    pub requires_second_person: Option<bool>,
    pub effect: Option<ToolEffect>,
    /// Ids or slugs of agents.
    pub allowed_agents: Option<Vec<String>>,
    pub is_active: Option<bool>,
    #[cfg_attr(feature = "openapi", schema(minimum = 100, maximum = 300_000))]
    pub timeout_ms: Option<u32>,
    pub idempotent: Option<bool>,
    #[serde(default, deserialize_with = "crate::crm::given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<RateLimit>))]
    pub rate_limit: Option<Option<RateLimit>>,
    #[cfg_attr(feature = "openapi", schema(minimum = 1_024, maximum = 10_485_760))]
    pub max_output_bytes: Option<u32>,
    #[serde(default, deserialize_with = "crate::crm::given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<u32>))]
    pub memory_mb: Option<Option<u32>>,
    #[serde(default, deserialize_with = "crate::crm::given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<u32>, maximum = 100))]
    pub max_fetches: Option<Option<u32>>,
    pub fetch_hosts: Option<Vec<String>>,
    pub secret_names: Option<Vec<String>>,
    /// Why, for the list of versions.
    pub note: Option<String>,
    /// The `version` that this change was made from; 409 `conflict` when it is no longer that one.
    pub expected_version: Option<i64>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ToolOut {
    pub id: ToolId,
    #[serde(flatten)]
    pub definition: ToolDefinition,
    /// Ids of the agents that may call it.
    pub allowed_agents: Vec<crate::AgentId>,
    pub is_active: bool,
    pub is_system: bool,
    /// Counts the definitions: each change adds one.
    pub version: i64,
    pub execution_count: i64,
    pub last_executed_at: Option<Timestamp>,
    pub avg_execution_time_ms: f64,
    pub error_count: i64,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Once, when it was made, became a webhook tool or got a new one: the secret that signs the calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub webhook_secret: Option<String>,
    /// After a change of parameters that calls of today may not survive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub breaking_change: Option<BreakingChange>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ToolVersionOut {
    pub version: i64,
    pub definition: ToolDefinition,
    /// The fields that differ from the version before.
    pub changes: Vec<FieldChange>,
    pub changed_by: String,
    pub note: Option<String>,
    pub at: Timestamp,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FieldChange {
    /// Where, as a path: `parameters.properties.stage.enum`. A value that is never shown is `***` before and after.
    pub field: String,
    pub before: Value,
    pub after: Value,
}
