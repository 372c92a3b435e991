//! Newtypes for ids, so that a user's id is never taken for a tenant's.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use uuid::Uuid;

/// Later ones are larger, also within a millisecond. A clock that was put back is followed: histories are searched by the
/// time that their ids tell.
#[cfg(feature = "server")]
fn made_now() -> Uuid {
    use std::{
        sync::{Mutex, PoisonError},
        time::{SystemTime, UNIX_EPOCH},
    };
    static LAST: Mutex<Last> = Mutex::new(Last::new());
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    // Looked at while nobody else makes one: otherwise a later look could be the first to be counted.
    last.next(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default())
}

/// By how many seconds the clock may be behind the last id without having been put back: the moments of two threads, or
/// a millisecond that was not enough.
#[cfg(feature = "server")]
const BEHIND: u64 = 1;

/// What the next id has to be larger than.
#[cfg(feature = "server")]
struct Last {
    second: u64,
    order: uuid::ContextV7,
}

#[cfg(feature = "server")]
impl Last {
    const fn new() -> Self {
        Self { second: 0, order: uuid::ContextV7::new() }
    }

    fn next(&mut self, now: std::time::Duration) -> Uuid {
        if now.as_secs() + BEHIND < self.second {
            *self = Self::new();
        }
        self.second = self.second.max(now.as_secs());
        Uuid::new_v7(uuid::Timestamp::from_unix(&self.order, now.as_secs(), now.subsec_nanos()))
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
        let second = |id: &Uuid| id.get_timestamp().map(|made| made.to_unix().0).unwrap_or_default();
        let (today, yesterday) = (Duration::from_secs(2_000_000_000), Duration::from_secs(1_999_913_600));
        let mut last = Last::new();
        for now in [yesterday, today, yesterday, today] {
            let ids: Vec<Uuid> = (0..100).map(|_| last.next(now)).collect();
            assert!(ids.iter().all(|id| second(id) == now.as_secs()), "{now:?}");
            assert!(ids.is_sorted(), "in the order in which they were made, within one moment too");
        }
        let shortly_before = last.next(today - Duration::from_millis(1));
        assert!(shortly_before > last.next(yesterday) && second(&shortly_before) == today.as_secs());
    }
}
