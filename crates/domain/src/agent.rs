//! Agents: programs that call tools on behalf of a tenant.

use crate::{
    AgentId, Timestamp,
    tool::{ConfirmationMode, RateLimit},
};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct AgentIn {
    #[cfg_attr(feature = "openapi", schema(min_length = 1, max_length = 120))]
    pub name: String,
    /// Made from the name when absent.
    pub slug: Option<String>,
    pub description: Option<String>,
    /// How it speaks and behaves; part of its prompt.
    pub persona: Option<String>,
    /// Names of tools.
    pub allowed_tools: Option<Vec<String>>,
    pub tool_confirmation_mode: Option<ConfirmationMode>,
    pub is_active: Option<bool>,
    /// Of all its calls together.
    pub rate_limit: Option<RateLimit>,
}

/// What is absent stays as it is, and null clears what may be empty.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct AgentPatch {
    pub name: Option<String>,
    pub slug: Option<String>,
    #[serde(default, deserialize_with = "crate::crm::given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub description: Option<Option<String>>,
    #[serde(default, deserialize_with = "crate::crm::given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub persona: Option<Option<String>>,
    pub allowed_tools: Option<Vec<String>>,
    pub tool_confirmation_mode: Option<ConfirmationMode>,
    pub is_active: Option<bool>,
    #[serde(default, deserialize_with = "crate::crm::given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<RateLimit>))]
    pub rate_limit: Option<Option<RateLimit>>,
    /// The `version` that this change was made from; 409 `conflict` when it is no longer that one.
    pub expected_version: Option<i64>,
}

/// T14: which tools an agent may call, and when people are asked.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct AgentToolsIn {
    pub allowed_tools: Vec<String>,
    pub tool_confirmation_mode: Option<ConfirmationMode>,
    /// The `version` that this change was made from; 409 `conflict` when it is no longer that one.
    pub expected_version: Option<i64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AgentOut {
    pub id: AgentId,
    pub slug: String,
    pub name: String,
    pub description: String,
    pub persona: String,
    pub allowed_tools: Vec<String>,
    pub tool_confirmation_mode: ConfirmationMode,
    pub is_active: bool,
    pub rate_limit: Option<RateLimit>,
    /// Counts its changes, those of its tools too.
    pub version: i64,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}
