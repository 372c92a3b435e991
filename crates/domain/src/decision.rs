//! What the gate said to a call, and how an address outside was tried: the words that both sides know.

use crate::{
    Timestamp,
    tool_words::{ConfirmationMode, words},
};
use serde::{Deserialize, Serialize};

words! {
    /// B7: the gate's answer.
    Verdict { Allowed = "allowed", NeedsConfirmation = "needs_confirmation", Denied = "denied" }
}

/// What the gate said when a call was made. A call that it denied was never made: the audit log has those.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DecisionThen {
    pub verdict: Verdict,
    /// In words.
    pub reason: String,
    /// Which check decided.
    pub rule: String,
    /// The rule of a role that allowed the caller to run the tool.
    pub granted_by: Option<String>,
    /// The agent's at that time; null when no agent called.
    pub confirmation_mode: Option<ConfirmationMode>,
    pub tool_version: i64,
    /// Tells one policy from another.
    pub policy_version: String,
}

/// One attempt of a webhook call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AttemptOut {
    /// From 1.
    pub number: i64,
    pub started_at: Timestamp,
    pub duration_ms: i64,
    /// What the address answered; null when there was no answer.
    pub http_status: Option<i64>,
    /// Why there was no answer, such as `timed_out`; `cancelled` when the call was given up meanwhile.
    pub error_code: Option<String>,
    /// How long was waited before the next attempt; null after the last one.
    pub wait_ms: Option<i64>,
}
