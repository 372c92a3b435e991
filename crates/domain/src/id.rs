//! Newtypes for ids, so that a user's id is never taken for a tenant's.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use uuid::Uuid;

/// Later ones are larger, also within a millisecond. A clock that was put back is followed: histories are searched by the
/// time that their ids tell.
#[cfg(feature = "server")]
fn made_now() -> Uuid {
    use std::time::{SystemTime, UNIX_EPOCH};
    let id = Uuid::now_v7();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    following(id, now)
}

/// What an id may be ahead of the clock: so many are never made within a millisecond that it takes longer.
#[cfg(feature = "server")]
const AHEAD: u64 = 1;

#[cfg(feature = "server")]
fn following(id: Uuid, now: std::time::Duration) -> Uuid {
    let made = id.get_timestamp().map(|made| made.to_unix().0).unwrap_or_default();
    match made > now.as_secs() + AHEAD {
        true => Uuid::new_v7(uuid::Timestamp::from_unix(uuid::NoContext, now.as_secs(), now.subsec_nanos())),
        false => id,
    }
}

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
                Self(made_now())
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

#[cfg(all(test, feature = "server"))]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn t9_ids_follow_a_clock_that_was_put_back() {
        let id = Uuid::now_v7();
        let (seconds, _) = id.get_timestamp().map(|made| made.to_unix()).unwrap_or_default();
        let told = |id: Uuid| id.get_timestamp().map(|made| made.to_unix().0).unwrap_or_default();
        assert_eq!(following(id, Duration::from_secs(seconds)), id);
        let yesterday = Duration::from_secs(seconds - 86_400);
        assert_eq!(told(following(id, yesterday)), yesterday.as_secs());
    }
}
