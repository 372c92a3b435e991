//! What a tool does to the world: the first thing that the rules for confirmation look at.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ToolEffect {
    /// Only looks.
    Read,
    /// Changes something that can be changed back.
    #[default]
    Write,
    /// Removes something.
    Delete,
    /// Moves money.
    Money,
    /// Speaks to people.
    Message,
}

impl ToolEffect {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Delete => "delete",
            Self::Money => "money",
            Self::Message => "message",
        }
    }
}
