//! Global tools as they are listed: the flags for everybody.

use crate::Timestamp;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ToolCategory {
    /// Always available.
    System,
    /// Can be switched off for everybody.
    User,
    /// Stands for a whole kind of tools: off stops every tool of that kind.
    Kind,
}

impl ToolCategory {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Kind => "kind",
        }
    }
}

/// A row of `/admin/tools` and of `GET /api/admin/tools`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GlobalToolOut {
    pub tool_name: String,
    pub category: ToolCategory,
    pub label: String,
    pub icon: String,
    pub description: String,
    pub requires_auth: bool,
    pub admin_only: bool,
    pub enabled: bool,
    /// Counts the switches: who sends the version that they saw learns of a change in between.
    pub version: i64,
    pub last_change: Option<SwitchOut>,
    pub updated_at: Timestamp,
}

/// The last time that somebody used the switch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SwitchOut {
    pub by: String,
    pub at: Timestamp,
    pub reason: Option<String>,
}

/// A tool that the person may use now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AvailableToolOut {
    pub tool_name: String,
    pub category: ToolCategory,
    pub label: String,
    pub icon: String,
    pub description: String,
}
