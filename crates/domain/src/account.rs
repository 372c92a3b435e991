//! Views of people, sessions and API keys.

use crate::{ApiKeyId, Email, SessionId, TenantId, TenantRole, Timestamp, UserId};
use serde::{Deserialize, Serialize};

/// A tenant that the person belongs to, and as what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TenantRef {
    pub id: TenantId,
    pub name: String,
    pub slug: String,
    pub role: TenantRole,
}

/// The signed-in person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Me {
    pub id: UserId,
    pub name: String,
    pub email: Email,
    pub is_platform_admin: bool,
    /// The tenant that the pages show now.
    pub tenant: Option<TenantRef>,
    pub tenants: Vec<TenantRef>,
}

/// One place where the person is signed in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionOut {
    pub id: SessionId,
    pub created_at: Timestamp,
    pub last_seen_at: Timestamp,
    pub address: Option<String>,
    pub user_agent: Option<String>,
    /// The session that asks.
    pub is_current: bool,
}

/// A person as platform administrators see them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UserOut {
    pub id: UserId,
    pub name: String,
    pub email: Email,
    pub is_platform_admin: bool,
    pub is_disabled: bool,
    pub tenants: Vec<TenantRef>,
    pub created_at: Timestamp,
    pub last_seen_at: Option<Timestamp>,
}

/// An API key as it is listed; the key itself is shown once, when it is made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApiKeyOut {
    pub id: ApiKeyId,
    pub name: String,
    pub prefix: String,
    pub tenant_id: Option<TenantId>,
    pub role: Option<TenantRole>,
    pub created_at: Timestamp,
    pub last_used_at: Option<Timestamp>,
}
