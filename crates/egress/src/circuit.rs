//! A host that fails again and again is left alone for a while: callers get their answer at once, and the host gets
//! the time to recover.
//!
//! Each owner has circuits of their own. Otherwise one tenant could call an address that always fails and shut all the
//! others out.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::time::Instant;

const FAILURES: u32 = 5;
const WITHIN: Duration = Duration::from_secs(30);
const OPEN_FOR: Duration = Duration::from_secs(10);
/// Only failing hosts are kept. When there are more, the others' failures are not counted.
const MOST: usize = 4096;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Circuit {
    pub owner: u128,
    pub host: String,
    pub port: u16,
}

#[derive(Clone, Default)]
pub(crate) struct Circuits {
    failing: Arc<Mutex<HashMap<Circuit, Failing>>>,
}

struct Failing {
    since: Instant,
    failures: u32,
    opened: Option<Instant>,
    is_probed: bool,
}

impl Circuits {
    /// The error is the time until the next call is let through.
    pub fn enter(&self, circuit: Circuit) -> Result<Passage, Duration> {
        let is_probe = match self.lock().get_mut(&circuit) {
            Some(failing) => failing.enter(Instant::now())?,
            None => false,
        };
        Ok(Passage { circuits: self.clone(), circuit, is_probe })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Circuit, Failing>> {
        self.failing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Failing {
    fn new(now: Instant) -> Self {
        Self { since: now, failures: 0, opened: None, is_probed: false }
    }

    /// True for the one call that tries whether the host is back.
    fn enter(&mut self, now: Instant) -> Result<bool, Duration> {
        let Some(opened) = self.opened else { return Ok(false) };
        let left = OPEN_FOR.saturating_sub(now.duration_since(opened));
        if !left.is_zero() {
            return Err(left);
        }
        if self.is_probed {
            return Err(Duration::from_secs(1));
        }
        self.is_probed = true;
        Ok(true)
    }

    fn fail(&mut self, now: Instant, is_probe: bool) {
        if is_probe {
            (self.opened, self.is_probed) = (Some(now), false);
        } else if self.opened.is_none() {
            if now.duration_since(self.since) > WITHIN {
                *self = Self::new(now);
            }
            self.failures += 1;
            self.opened = (self.failures >= FAILURES).then_some(now);
        }
    }

    fn is_over(&self, now: Instant) -> bool {
        !self.is_probed && now.duration_since(self.opened.unwrap_or(self.since)) > WITHIN
    }
}

/// A call under way. Dropped without a result it was given up: that says nothing about the host.
pub(crate) struct Passage {
    circuits: Circuits,
    circuit: Circuit,
    is_probe: bool,
}

impl Passage {
    pub fn succeeded(self) {
        self.circuits.lock().remove(&self.circuit);
    }

    pub fn failed(mut self) {
        let now = Instant::now();
        let mut failing = self.circuits.lock();
        if failing.len() >= MOST {
            failing.retain(|_, failing| !failing.is_over(now));
        }
        if failing.len() < MOST || failing.contains_key(&self.circuit) {
            let new = || Failing::new(now);
            failing.entry(self.circuit.clone()).or_insert_with(new).fail(now, self.is_probe);
        }
        drop(failing);
        self.is_probe = false;
    }
}

impl Drop for Passage {
    fn drop(&mut self) {
        if self.is_probe
            && let Some(failing) = self.circuits.lock().get_mut(&self.circuit)
        {
            failing.is_probed = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::time::advance;

    fn circuit(host: &str) -> Circuit {
        Circuit { owner: 1, host: host.to_owned(), port: 443 }
    }

    fn fail(circuits: &Circuits, times: u32) {
        for _ in 0..times {
            circuits.enter(circuit("a")).ok().unwrap().failed();
        }
    }

    #[tokio::test(start_paused = true)]
    async fn opens_after_five_failures_and_lets_one_probe_through() {
        let circuits = Circuits::default();
        fail(&circuits, 5);
        assert_eq!(circuits.enter(circuit("a")).err(), Some(OPEN_FOR));
        assert!(circuits.enter(Circuit { owner: 2, ..circuit("a") }).is_ok());
        advance(OPEN_FOR).await;
        let probe = circuits.enter(circuit("a")).ok().unwrap();
        assert!(circuits.enter(circuit("a")).is_err());
        probe.failed();
        assert_eq!(circuits.enter(circuit("a")).err(), Some(OPEN_FOR));
        advance(OPEN_FOR).await;
        circuits.enter(circuit("a")).ok().unwrap().succeeded();
        fail(&circuits, 4);
        assert!(circuits.enter(circuit("a")).is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn a_probe_that_was_given_up_does_not_block_the_next() {
        let circuits = Circuits::default();
        fail(&circuits, 5);
        advance(OPEN_FOR).await;
        drop(circuits.enter(circuit("a")));
        assert!(circuits.enter(circuit("a")).is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn only_failures_in_a_row_and_close_together_count() {
        let circuits = Circuits::default();
        fail(&circuits, 4);
        circuits.enter(circuit("a")).ok().unwrap().succeeded();
        fail(&circuits, 4);
        advance(WITHIN + Duration::from_secs(1)).await;
        fail(&circuits, 4);
        assert!(circuits.enter(circuit("a")).is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn memory_is_bounded_and_comes_back() {
        let circuits = Circuits::default();
        for number in 0..MOST + 100 {
            circuits.enter(circuit(&number.to_string())).ok().unwrap().failed();
        }
        assert_eq!(circuits.lock().len(), MOST);
        advance(WITHIN + Duration::from_secs(1)).await;
        circuits.enter(circuit("a")).ok().unwrap().failed();
        assert_eq!(circuits.lock().len(), 1);
    }
}
