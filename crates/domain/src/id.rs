//! Newtypes for ids, so that a user's id is never taken for a tenant's.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use uuid::Uuid;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl $name {
            /// A new id; version 7, so that ids sort by the time they were made.
            #[cfg(feature = "server")]
            pub fn new() -> Self {
                Self(Uuid::now_v7())
            }
        }

        #[cfg(feature = "server")]
        impl Default for $name {
            fn default() -> Self {
                Self::new()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Uuid::parse_str(text).map(Self)
            }
        }
    )+};
}

ids! {
    /// A person with an account.
    UserId,
    /// An organisation whose data nobody else sees.
    TenantId,
    /// The public handle of a session; never the secret in the cookie.
    SessionId,
    /// An invitation to join a tenant.
    InvitationId,
    /// An API key; never the key itself.
    ApiKeyId,
    /// One line of the audit log.
    AuditId,
    /// A tool of a tenant.
    ToolId,
    /// An agent: a program that calls tools.
    AgentId,
    /// One call of a tool.
    ExecutionId,
    /// A question to a person before a tool runs.
    ConfirmationId,
    ContactId,
    PipelineId,
    DealId,
    TaskId,
    ProductId,
    ConversationId,
    MessageId,
    ScheduledMessageId,
    /// Something that a person saved.
    ItemId,
    /// A person's conversation with the assistant.
    AssistantConversationId,
    /// One menu or question of the assistant, for as long as it is the same.
    AssistantMenuId,
}
