//! What can go wrong on the way out. The sentences name the host and nothing else: a query, a header or a body may hold
//! a secret, and an address that was found may tell about the network inside. The operator learns which setting opens
//! something; whether this address is one that it can open is not said.

use std::time::Duration;

#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum EgressError {
    #[error("the address is not valid: {0}")]
    InvalidUrl(&'static str),
    #[error("the method {0} cannot be sent")]
    InvalidMethod(http::Method),
    #[error("{host} can only be reached with https, unless ALCADA_EGRESS_ALLOW lists it")]
    HttpsRequired { host: String },
    #[error("{host} is not a public address; a private one is reached only if ALCADA_EGRESS_ALLOW lists it")]
    BlockedAddress { host: String },
    #[error("{host} was not found")]
    UnknownHost { host: String },
    #[error("no connection to {host}")]
    ConnectionFailed { host: String },
    #[error("{host} has no valid certificate, or does not speak TLS")]
    TlsFailed { host: String },
    #[error("{host} did not answer in time")]
    TimedOut { host: String },
    #[error("{host} closed the connection before the answer was complete")]
    ClosedEarly { host: String },
    #[error("{host} sent something that is not HTTP")]
    BadAnswer { host: String },
    #[error("{host} failed repeatedly; calls resume in {} s", retry_after.as_secs_f32().ceil())]
    CircuitOpen { host: String, retry_after: Duration },
}

impl EgressError {
    /// For programs and records; it never changes.
    pub fn code(&self) -> &'static str {
        match self {
            Self::InvalidUrl(_) => "invalid_url",
            Self::InvalidMethod(_) => "invalid_method",
            Self::HttpsRequired { .. } => "https_required",
            Self::BlockedAddress { .. } => "blocked_address",
            Self::UnknownHost { .. } => "unknown_host",
            Self::ConnectionFailed { .. } => "connection_failed",
            Self::TlsFailed { .. } => "tls_failed",
            Self::TimedOut { .. } => "timed_out",
            Self::ClosedEarly { .. } => "closed_early",
            Self::BadAnswer { .. } => "bad_answer",
            Self::CircuitOpen { .. } => "circuit_open",
        }
    }

    /// Not a fault of the address: the operator decides where requests may go.
    pub fn is_out_of_reach(&self) -> bool {
        matches!(self, Self::HttpsRequired { .. } | Self::BlockedAddress { .. })
    }

    /// The next attempt may go better.
    pub(crate) fn is_transient(&self) -> bool {
        matches!(self, Self::UnknownHost { .. } | Self::ConnectionFailed { .. } | Self::ClosedEarly { .. })
    }

    /// It says something about the other side, not about the request.
    pub(crate) fn is_their_fault(&self) -> bool {
        let more = matches!(self, Self::TlsFailed { .. } | Self::TimedOut { .. } | Self::BadAnswer { .. });
        more || self.is_transient()
    }
}

#[derive(Debug, thiserror::Error)]
#[error("the client for outgoing requests could not be set up")]
pub struct SetupError(#[from] rustls::Error);
