//! The assistant's conversation, as it crosses the wire.

use crate::{
    AssistantConversationId, AssistantMenuId, Timestamp,
    crm::{UnknownWord, words::words},
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

words! {
    /// Where a conversation stands. What is idle has no conversation yet.
    AssistantState {
        Idle = "idle",
        AwaitingChoice = "awaiting_choice",
        AwaitingDetails = "awaiting_details",
        Running = "running",
        Done = "done",
        Cancelled = "cancelled",
        Expired = "expired",
    }
}

pub const LONGEST_MESSAGE: usize = 65_536;

#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct AssistantMessageIn {
    /// Absent: a new conversation.
    pub conversation_id: Option<AssistantConversationId>,
    #[cfg_attr(feature = "openapi", schema(min_length = 1, max_length = 65536))]
    pub text: String,
    /// The menu that was seen when this was written. When it is no longer the one that is open, the answer is explained,
    /// and runs nothing. Absent: it answers whatever is open.
    pub menu_id: Option<AssistantMenuId>,
}

/// Something to choose, by its number, its label or its icon.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AssistantOption {
    pub number: u64,
    /// What it runs; null is what runs nothing: cancel.
    pub tool: Option<String>,
    pub icon: String,
    pub label: String,
}

/// One line of the conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AssistantLine {
    pub is_mine: bool,
    pub text: String,
    pub at: Timestamp,
}

/// The conversation, whole, for a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AssistantConversationOut {
    pub id: AssistantConversationId,
    pub state: AssistantState,
    /// The newest; the oldest of them first.
    pub lines: Vec<AssistantLine>,
    pub options: Vec<AssistantOption>,
    /// What an answer names to be one to these options; null when nothing is open.
    pub menu_id: Option<AssistantMenuId>,
}

#[cfg(feature = "server")]
pub use answer::*;

#[cfg(feature = "server")]
mod answer {
    use super::*;
    use crate::{Language, execution::ExecutionAnswer};

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
    pub struct AssistantAnswer {
        pub conversation_id: AssistantConversationId,
        pub state: AssistantState,
        pub reply: String,
        pub options: Vec<AssistantOption>,
        /// What an answer names to be one to these options; null when nothing is open.
        pub menu_id: Option<AssistantMenuId>,
        /// The call that this message led to.
        pub execution: Option<ExecutionAnswer>,
    }

    /// A message that a gateway passes on.
    #[derive(Clone, Debug, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
    #[serde(deny_unknown_fields)]
    pub struct InboundMessageIn {
        /// Who wrote: a phone number, or whatever the gateway knows them by.
        #[cfg_attr(feature = "openapi", schema(min_length = 1, max_length = 200))]
        pub from: String,
        #[cfg_attr(feature = "openapi", schema(min_length = 1, max_length = 65536))]
        pub text: String,
        /// `pt-BR` or `en`.
        #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
        pub language: Option<Language>,
        /// The `menu_id` of the answer that the person saw, if the gateway knows it: see `POST /api/v1/assistant/messages`.
        pub menu_id: Option<AssistantMenuId>,
    }

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
    pub struct InboundAnswer {
        /// For the gateway to send back.
        pub reply: String,
        /// Null while nobody knows whose this sender is.
        pub conversation_id: Option<AssistantConversationId>,
        pub state: Option<AssistantState>,
        pub options: Vec<AssistantOption>,
        /// For the gateway to give back with the answer, if it can.
        pub menu_id: Option<AssistantMenuId>,
    }
}

/// A code that proves whose a phone is: its owner sends it from there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LinkCodeOut {
    pub code: String,
    pub expires_at: Timestamp,
}
