//! How a sandbox is set up, and what it found.

use std::{ffi::OsString, path::PathBuf, time::Duration};

/// Where the kernel cannot enforce all of it, nothing runs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("code tools cannot run here: {reason}")]
pub struct Unsupported {
    pub reason: String,
}

/// As whom workers run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Privileges {
    /// As a user that owns nothing.
    Dropped,
    /// As the server's own user, without capabilities. Everything else that confines a worker holds.
    Kept { reason: String },
}

#[derive(Clone, Debug)]
pub struct Config {
    /// Calls [`crate::worker::main`] first of all when started with `args`. `/proc/self/exe` is the server's own.
    pub program: PathBuf,
    pub args: Vec<OsString>,
    /// Workers that wait for a call, at least one.
    pub waiting: usize,
    /// Scripts at once, of everybody and of one tenant.
    pub running: usize,
    pub per_tenant: usize,
    /// How long a call waits for room before it is refused.
    pub patience: Duration,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            program: PathBuf::from("/proc/self/exe"),
            args: vec![OsString::from("js-worker")],
            waiting: 8,
            running: 16,
            per_tenant: 8,
            patience: Duration::from_secs(30),
        }
    }
}
