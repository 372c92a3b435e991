//! API keys as they are made and listed; the key itself is shown once.

use crate::{AgentId, ApiKeyId, TenantRole, Timestamp};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ApiKeyIn {
    #[cfg_attr(feature = "openapi", schema(min_length = 1, max_length = 100))]
    pub name: String,
    pub role: TenantRole,
    /// Id or slug: the key then speaks for this agent only, whatever the role.
    pub agent_id: Option<String>,
    /// Days from now; without end when absent.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 3650))]
    pub expires_in_days: Option<u32>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ApiKeyOut {
    pub id: ApiKeyId,
    pub name: String,
    /// How the key begins.
    pub prefix: String,
    pub role: TenantRole,
    pub agent_id: Option<AgentId>,
    pub created_at: Timestamp,
    pub expires_at: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
    pub last_used_at: Option<Timestamp>,
    /// Once, when it was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
}
