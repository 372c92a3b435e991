//! Rate limits for calls, over several keys at once (the tool, the tenant, the agent): either all of them have room
//! and are charged, or none is. In one process by default; several processes share their counts through Redis or
//! Valkey. Why this is our own: docs/adr/0015-own-rate-limits.md.

mod in_process;
mod outage;
mod pace;
mod shared;

use in_process::InProcess;
use shared::Shared;
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// `count` at once, coming back evenly over `window`. A count of zero refuses everything; a window of zero is no
/// limit at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Limit {
    pub count: u32,
    pub window: Duration,
}

/// The key that has to wait longest, and for how long.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{key} is used up for {retry_after:?}")]
pub struct Wait {
    pub key: String,
    pub retry_after: Duration,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    Take,
    Look,
}

const PATIENCE: Duration = Duration::from_millis(500);

/// Does not repeat the address: it may have a password in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the address of Redis has to look like redis://user:password@host:6379/0, or rediss://… for TLS")]
pub struct BadAddress;

/// Cheap to clone; clones count together.
#[derive(Clone)]
pub struct Limiter {
    in_process: Arc<InProcess>,
    shared: Option<Arc<Shared>>,
}

impl Limiter {
    pub fn in_process() -> Self {
        let start = Instant::now();
        Self::with_clock(move || start.elapsed())
    }

    /// For tests: `clock` says how long ago some fixed moment was.
    pub fn with_clock(clock: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        Self { in_process: Arc::new(InProcess::new(Box::new(clock))), shared: None }
    }

    /// Connects at the first use. While Redis cannot be asked, each process counts for itself. Over TLS it trusts
    /// these authorities (PEM) alone; without any, those of the machine.
    pub fn shared(redis_url: &str, authorities: Option<&[u8]>) -> Result<Self, BadAddress> {
        Self::shared_with(redis_url, authorities, PATIENCE)
    }

    /// For tests: no call waits longer than `patience` for Redis.
    pub fn shared_with(
        redis_url: &str,
        authorities: Option<&[u8]>,
        patience: Duration,
    ) -> Result<Self, BadAddress> {
        let shared = Shared::new(redis_url, authorities, patience).map_err(|_| BadAddress)?;
        Ok(Self { shared: Some(Arc::new(shared)), ..Self::in_process() })
    }

    /// Charges one to every key, or nothing to any. A limit belongs to its key: the same key with another limit is
    /// counted apart, and one that is named twice counts once.
    pub async fn take(&self, wanted: &[(String, Limit)]) -> Result<(), Wait> {
        self.ask(wanted, Purpose::Take).await
    }

    /// What [`Self::take`] would answer now. Charges nothing.
    pub async fn look(&self, wanted: &[(String, Limit)]) -> Result<(), Wait> {
        self.ask(wanted, Purpose::Look).await
    }

    async fn ask(&self, wanted: &[(String, Limit)], purpose: Purpose) -> Result<(), Wait> {
        if wanted.is_empty() {
            return Ok(());
        }
        if let Some(shared) = &self.shared
            && let Some(answer) = shared.ask(wanted, purpose).await
        {
            return answer;
        }
        self.in_process.ask(wanted, purpose)
    }
}
