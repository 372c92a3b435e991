//! GCRA, the generic cell rate algorithm: one number per key, the moment when its debt will be paid off. Each call adds
//! an interval to the debt, and the debt must not grow over the burst. In whole microseconds, because that is what
//! Redis' clock has: `take.lua` is this file in Lua.

use crate::Limit;
use std::time::Duration;

/// A hundred years: what Lua's numbers can count exactly.
const LONGEST: Duration = Duration::from_secs(100 * 365 * 24 * 3600);

#[derive(Debug, Clone, Copy)]
pub(crate) struct Pace {
    pub(crate) interval: u64,
    pub(crate) burst: u64,
}

impl Pace {
    pub(crate) fn of(limit: Limit) -> Self {
        let count = u64::from(limit.count);
        // Rounded up: too strict by less than a microsecond per call, never too generous.
        let interval = micros(limit.window.min(LONGEST)).div_ceil(count.max(1));
        Self { interval, burst: interval * count }
    }

    /// More debt than the limit allows comes from a clock that went back: nobody waits for what it went back. The
    /// result has to be kept even when the call is refused, or the wait would begin anew with every call.
    pub(crate) fn bounded(self, free_at: u64, now: u64) -> u64 {
        free_at.min(now.saturating_add(self.burst))
    }

    /// Free of debt at `free_at`: when will it be after one more call? Or how long is the wait?
    pub(crate) fn charge(self, free_at: u64, now: u64) -> Result<u64, u64> {
        let after = free_at.max(now).saturating_add(self.interval);
        match after.saturating_sub(now.saturating_add(self.burst)) {
            0 => Ok(after),
            wait => Err(wait),
        }
    }
}

pub(crate) fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos().div_ceil(1000)).unwrap_or(u64::MAX)
}
