//! What somebody does.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// In a rule: every action. As a question: may everything be done?
    Manage,
    Create,
    Read,
    Update,
    Delete,
    /// Run a tool.
    Execute,
    /// Decide a confirmation.
    Approve,
}

impl Action {
    pub const ALL: [Self; 7] =
        [Self::Manage, Self::Create, Self::Read, Self::Update, Self::Delete, Self::Execute, Self::Approve];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Manage => "manage",
            Self::Create => "create",
            Self::Read => "read",
            Self::Update => "update",
            Self::Delete => "delete",
            Self::Execute => "execute",
            Self::Approve => "approve",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|action| action.as_str() == name)
    }

    /// A rule for `self` covers a question about `asked`.
    pub(crate) fn covers(self, asked: Self) -> bool {
        self == Self::Manage || self == asked
    }
}
