//! The messages between the server and the zygote: small datagrams, descriptors beside them.

use serde::{Deserialize, Serialize};
use std::fmt;

/// What the zygote found and did before its first fork.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hello {
    /// Why the workers run as the server's own user. Nothing: they do not.
    pub kept_user: Option<String>,
    pub landlock_abi: i32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum FromZygote {
    Hello(Hello),
    /// The kernel cannot do what we need.
    Refused(String),
    /// A pidfd comes with it.
    Forked {
        id: u64,
    },
    NotForked {
        id: u64,
        errno: i32,
    },
    /// By itself with a status, or by a signal.
    Ended {
        id: u64,
        status: Option<i32>,
        signal: Option<i32>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ControlError;

impl fmt::Display for ControlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a message between the server and its zygote makes no sense")
    }
}

impl std::error::Error for ControlError {}

impl FromZygote {
    pub fn encode(&self) -> Result<Vec<u8>, ControlError> {
        serde_json::to_vec(self).map_err(|_| ControlError)
    }

    pub fn decode(bytes: &[u8]) -> Result<Self, ControlError> {
        serde_json::from_slice(bytes).map_err(|_| ControlError)
    }
}

/// "Fork a worker for this descriptor": the number that the answers carry.
pub fn fork_request(id: u64) -> [u8; 8] {
    id.to_le_bytes()
}

pub fn read_fork_request(bytes: &[u8]) -> Result<u64, ControlError> {
    bytes.try_into().map(u64::from_le_bytes).map_err(|_| ControlError)
}
