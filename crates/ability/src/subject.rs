//! What it is done to: a kind of thing, or one thing with its attributes.

use serde::{Deserialize, Serialize};
use std::fmt::Display;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Subject {
    /// In a rule: every subject.
    #[serde(rename = "all")]
    All,
    /// The pages and routes of platform administrators.
    AdminPanel,
    /// The tools of a tenant.
    ToolManagement,
    Analytics,
    /// What a person saved: notes, films, links.
    UserContent,
    /// A person's own account: name, password, sessions.
    PersonalData,
    Agent,
    AuditLog,
    Confirmation,
    /// A tenant's contacts, deals, tasks, products and conversations.
    Crm,
    Execution,
    Integration,
    Member,
}

impl Subject {
    pub const ALL: [Self; 13] = [
        Self::All,
        Self::AdminPanel,
        Self::ToolManagement,
        Self::Analytics,
        Self::UserContent,
        Self::PersonalData,
        Self::Agent,
        Self::AuditLog,
        Self::Confirmation,
        Self::Crm,
        Self::Execution,
        Self::Integration,
        Self::Member,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::AdminPanel => "AdminPanel",
            Self::ToolManagement => "ToolManagement",
            Self::Analytics => "Analytics",
            Self::UserContent => "UserContent",
            Self::PersonalData => "PersonalData",
            Self::Agent => "Agent",
            Self::AuditLog => "AuditLog",
            Self::Confirmation => "Confirmation",
            Self::Crm => "Crm",
            Self::Execution => "Execution",
            Self::Integration => "Integration",
            Self::Member => "Member",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|subject| subject.as_str() == name)
    }

    pub(crate) fn covers(self, asked: Self) -> bool {
        self == Self::All || self == asked
    }
}

/// What a question is about: any thing of a kind, or one thing whose attributes are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub subject: Subject,
    /// `None` asks about the kind: "could there be one that I may …?"
    pub attributes: Option<Vec<(String, String)>>,
}

impl Target {
    pub fn any(subject: Subject) -> Self {
        Self { subject, attributes: None }
    }

    pub fn one(subject: Subject) -> Self {
        Self { subject, attributes: Some(Vec::new()) }
    }

    pub fn with(mut self, name: &str, value: impl Display) -> Self {
        self.attributes.get_or_insert_default().push((name.to_owned(), value.to_string()));
        self
    }
}

impl From<Subject> for Target {
    fn from(subject: Subject) -> Self {
        Self::any(subject)
    }
}
