//! What the sandbox counts.

use crate::FaultKind;
use std::{
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::Duration,
};

/// Upper bounds of the buckets, in microseconds; what is longer has a last bucket of its own.
const BOUNDS: [u64; 12] =
    [100, 250, 500, 1_000, 2_000, 3_000, 5_000, 10_000, 50_000, 250_000, 1_000_000, 10_000_000];

/// As it is now. Counters only grow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metrics {
    /// Workers that wait for a call.
    pub pool: u64,
    /// Calls that run, and calls that wait for room.
    pub running: u64,
    pub queued: u64,
    /// Workers and zygotes that were started.
    pub starts: u64,
    pub zygote_starts: u64,
    /// Calls that ended with a result.
    pub succeeded: u64,
    /// Calls that did not, by kind. `Timeout` are those killed at their deadline.
    pub faults: Vec<(FaultKind, u64)>,
    /// Calls that nobody waited for any more: killed.
    pub cancelled: u64,
    /// From the arrival of a call to its worker: room and worker.
    pub waiting: Histogram,
    /// From the choice of a worker to the first line of the script.
    pub starting: Histogram,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    pub count: u64,
    pub sum: Duration,
    pub max: Duration,
    /// Upper bound and how many were within it but above the one before. The last has no bound.
    pub buckets: Vec<(Option<Duration>, u64)>,
}

impl Histogram {
    /// The upper bound of the bucket that holds the middle one.
    pub fn median(&self) -> Option<Duration> {
        let mut seen = 0;
        let bucket = self.buckets.iter().find(|(_, count)| {
            seen += count;
            seen * 2 >= self.count
        });
        bucket.filter(|_| self.count > 0).map(|(bound, _)| bound.unwrap_or(self.max))
    }
}

#[derive(Default)]
pub(super) struct Counters {
    pub starts: AtomicU64,
    pub zygote_starts: AtomicU64,
    pub succeeded: AtomicU64,
    pub cancelled: AtomicU64,
    pub waiting: Durations,
    pub starting: Durations,
    faults: [AtomicU64; FaultKind::ALL.len()],
}

impl Counters {
    pub(super) fn fault(&self, kind: FaultKind) {
        if let Some(count) = FaultKind::ALL.iter().position(|k| *k == kind).and_then(|at| self.faults.get(at))
        {
            count.fetch_add(1, Relaxed);
        }
    }

    pub(super) fn read(&self) -> Metrics {
        let faults = FaultKind::ALL.into_iter().zip(self.faults.iter().map(|count| count.load(Relaxed)));
        Metrics {
            starts: self.starts.load(Relaxed),
            zygote_starts: self.zygote_starts.load(Relaxed),
            succeeded: self.succeeded.load(Relaxed),
            cancelled: self.cancelled.load(Relaxed),
            faults: faults.collect(),
            waiting: self.waiting.read(),
            starting: self.starting.read(),
            ..Metrics::default()
        }
    }
}

#[derive(Default)]
pub(super) struct Durations {
    sum: AtomicU64,
    max: AtomicU64,
    buckets: [AtomicU64; BOUNDS.len() + 1],
}

impl Durations {
    pub(super) fn add(&self, duration: Duration) {
        let micros = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
        let bucket = BOUNDS.iter().position(|bound| micros <= *bound).unwrap_or(BOUNDS.len());
        self.sum.fetch_add(micros, Relaxed);
        self.max.fetch_max(micros, Relaxed);
        if let Some(bucket) = self.buckets.get(bucket) {
            bucket.fetch_add(1, Relaxed);
        }
    }

    fn read(&self) -> Histogram {
        let bounds = BOUNDS.iter().map(|bound| Some(Duration::from_micros(*bound))).chain([None]);
        let counts = self.buckets.iter().map(|count| count.load(Relaxed));
        let buckets: Vec<_> = bounds.zip(counts).collect();
        Histogram {
            count: buckets.iter().map(|(_, count)| count).sum(),
            sum: Duration::from_micros(self.sum.load(Relaxed)),
            max: Duration::from_micros(self.max.load(Relaxed)),
            buckets,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_bound_of_its_bucket() {
        let durations = Durations::default();
        assert_eq!(durations.read().median(), None);
        for micros in [50, 90, 700, 700, 20_000_000] {
            durations.add(Duration::from_micros(micros));
        }
        let read = durations.read();
        assert_eq!(read.median(), Some(Duration::from_micros(1_000)));
        assert_eq!((read.count, read.max), (5, Duration::from_secs(20)));
    }
}
