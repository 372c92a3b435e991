//! The roles that a person can have in a tenant.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum TenantRole {
    /// Everything in the tenant, its members too.
    Owner,
    /// Tools, agents and integrations.
    Manager,
    /// Runs tools and decides confirmations.
    Operator,
    /// Reads the history.
    Viewer,
    /// Reads everything and changes nothing.
    Auditor,
}

impl TenantRole {
    pub const ALL: [Self; 5] = [Self::Owner, Self::Manager, Self::Operator, Self::Viewer, Self::Auditor];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Manager => "manager",
            Self::Operator => "operator",
            Self::Viewer => "viewer",
            Self::Auditor => "auditor",
        }
    }
}

impl fmt::Display for TenantRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The text is not the name of a role.
#[derive(Debug, PartialEq, Eq)]
pub struct UnknownRole;

impl fmt::Display for UnknownRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a role is one of owner, manager, operator, viewer, auditor")
    }
}

impl std::error::Error for UnknownRole {}

impl FromStr for TenantRole {
    type Err = UnknownRole;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|role| role.as_str() == text).ok_or(UnknownRole)
    }
}
