//! Where calls and the questions about them stand: the words that the browser knows too.

use crate::tool_words::words;
use serde::{Deserialize, Serialize};

words! {
    /// T10: where a call stands.
    ExecutionStatus {
        /// Waits for a person.
        Pending = "pending",
        Running = "running",
        Success = "success",
        Error = "error",
        /// A person said no.
        Refused = "refused",
        /// Nobody decided in time.
        Expired = "expired",
        Cancelled = "cancelled",
        /// The process ended in the middle: whether it took effect is not known.
        Unknown = "unknown",
    }
}

impl ExecutionStatus {
    pub fn is_final(self) -> bool {
        !matches!(self, Self::Pending | Self::Running)
    }
}

words! {
    ConfirmationStatus { Pending = "pending", Approved = "approved", Refused = "refused", Expired = "expired" }
}
