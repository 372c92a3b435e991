//! How a call was tried. Whoever wants to know hands in a list and keeps it: a call that is dropped in the middle leaves
//! what had happened by then. Never a word of what was sent or came back.

use crate::{Answer, EgressError};
use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, SystemTime},
};
use tokio::time::Instant;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    pub began: SystemTime,
    pub took: Duration,
    /// A status, or the code of an [`EgressError`]; nothing when the call was dropped meanwhile.
    pub ended: Option<Result<u16, &'static str>>,
    /// Before the next one.
    pub wait: Option<Duration>,
}

/// The attempts of one call; clones are the same list.
#[derive(Clone, Default)]
pub struct Attempts(Arc<Mutex<Vec<(Instant, Attempt)>>>);

impl Attempts {
    /// All so far; what still goes on has taken this long.
    pub fn take(&self) -> Vec<Attempt> {
        let all = std::mem::take(&mut *self.list());
        all.into_iter().map(|(started, attempt)| measured(started, attempt)).collect()
    }

    pub(crate) fn begin(&self) {
        let attempt = Attempt { began: SystemTime::now(), took: Duration::ZERO, ended: None, wait: None };
        self.list().push((Instant::now(), attempt));
    }

    pub(crate) fn end(&self, result: &Result<Answer, EgressError>) {
        if let Some((started, attempt)) = self.list().last_mut() {
            attempt.took = started.elapsed();
            attempt.ended = Some(result.as_ref().map(|answer| answer.status).map_err(EgressError::code));
        }
    }

    pub(crate) fn wait(&self, wait: Duration) {
        if let Some((_, attempt)) = self.list().last_mut() {
            attempt.wait = Some(wait);
        }
    }

    fn list(&self) -> MutexGuard<'_, Vec<(Instant, Attempt)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn measured(started: Instant, attempt: Attempt) -> Attempt {
    match attempt.ended {
        Some(_) => attempt,
        None => Attempt { took: started.elapsed(), ..attempt },
    }
}
