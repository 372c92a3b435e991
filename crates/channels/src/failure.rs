//! Why something was not sent, and what another attempt would do.

use domain::{ServiceError, channel::ChannelKind};
use egress::EgressError;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SendFailure {
    /// Stable; made for programs.
    pub code: &'static str,
    /// For people; never a secret.
    pub message: String,
    pub next_time: NextTime,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextTime {
    /// Nothing was sent, and later it may be.
    MayWork,
    /// Nothing was sent, and nothing will be until somebody changes something.
    FailsAgain,
    /// It may have arrived: to send it again could be to send it twice.
    MayRepeat,
}

impl SendFailure {
    pub(crate) fn new(code: &'static str, message: impl Into<String>, next_time: NextTime) -> Self {
        Self { code, message: message.into(), next_time }
    }

    pub(crate) fn not_configured(kind: ChannelKind) -> Self {
        let (code, message) = match kind {
            ChannelKind::Email => {
                ("email_not_configured", "No mail server is configured for this organisation.")
            }
            _ => ("channel_not_configured", "No channel is configured that could deliver this."),
        };
        Self::new(code, message, NextTime::MayWork)
    }

    /// The database does not answer, or a secret cannot be opened.
    pub(crate) fn ours(error: &ServiceError) -> Self {
        Self::new(error.code.as_str(), error.detail.clone(), NextTime::MayWork)
    }
}

impl From<EgressError> for SendFailure {
    fn from(error: EgressError) -> Self {
        let next_time = match &error {
            EgressError::UnknownHost { .. }
            | EgressError::ConnectionFailed { .. }
            | EgressError::CircuitOpen { .. } => NextTime::MayWork,
            EgressError::InvalidUrl(_)
            | EgressError::InvalidMethod(_)
            | EgressError::HttpsRequired { .. }
            | EgressError::BlockedAddress { .. }
            | EgressError::TlsFailed { .. } => NextTime::FailsAgain,
            EgressError::TimedOut { .. }
            | EgressError::ClosedEarly { .. }
            | EgressError::BadAnswer { .. } => NextTime::MayRepeat,
        };
        Self::new(error.code(), error.to_string(), next_time)
    }
}
