//! What a tool does to the world: the policy asks for it before the tool runs.

use serde::{Deserialize, Serialize};
use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ToolEffect {
    /// Changes nothing.
    Read,
    Write,
    Delete,
    /// Moves money.
    Money,
    /// Reaches a person outside.
    Message,
}

impl ToolEffect {
    pub const ALL: [Self; 5] = [Self::Read, Self::Write, Self::Delete, Self::Money, Self::Message];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Delete => "delete",
            Self::Money => "money",
            Self::Message => "message",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|effect| effect.as_str() == name)
    }
}

impl fmt::Display for ToolEffect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
