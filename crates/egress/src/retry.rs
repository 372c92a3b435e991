//! Whether and when to try again.

use http::{HeaderMap, header::RETRY_AFTER};
use std::time::{Duration, SystemTime};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retry {
    Never,
    /// After a failed or lost connection, 429 and 5xx. The first attempt may have had its effect: only for requests
    /// that may happen twice.
    WhenTransient,
}

const MOST: u32 = 3;
const BASE: Duration = Duration::from_millis(100);
const CAP: Duration = Duration::from_secs(2);

pub(crate) fn is_transient(status: u16) -> bool {
    status == 429 || is_failure(status)
}

pub(crate) fn is_failure(status: u16) -> bool {
    (500..600).contains(&status)
}

/// None when the attempts are used up. `asked` is what the other side asked for: callers that were all sent away at
/// once do not come back at once.
pub(crate) fn wait_after(attempts: u32, asked: Option<Duration>) -> Option<Duration> {
    (attempts <= MOST).then(|| jitter(longest_wait(attempts)).saturating_add(asked.unwrap_or_default()))
}

fn longest_wait(attempts: u32) -> Duration {
    BASE.saturating_mul(2_u32.saturating_pow(attempts.saturating_sub(1))).min(CAP)
}

fn jitter(longest: Duration) -> Duration {
    longest.mul_f64(rand::random_range(0.0..=1.0))
}

/// `Retry-After`: seconds, or a date.
pub fn asked(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    let seconds = || text.parse().ok().map(Duration::from_secs);
    let date = || httpdate::parse_http_date(text).ok().map(|at| at.duration_since(now).unwrap_or_default());
    seconds().or_else(date)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t15_waits_grow_up_to_the_cap_and_end() {
        let waits: Vec<_> = [1, 2, 3, 9].map(|n| longest_wait(n).as_millis()).into();
        assert_eq!(waits, [100, 200, 400, 2000]);
        for _ in 0..100 {
            assert!(wait_after(1, None).unwrap() <= BASE);
        }
        assert!(wait_after(4, None).is_none());
        assert!(wait_after(1, Some(Duration::MAX)).is_some());
    }

    /// Those who failed together do not come back together, and each time they are asked to wait they wait longer.
    #[test]
    fn t15_waits_are_spread_out_and_grow() {
        let draws =
            |attempts| -> Vec<_> { (0..1_000).map(|_| wait_after(attempts, None).unwrap()).collect() };
        let sums = [1, 2, 3].map(|attempts| {
            let (waits, longest) = (draws(attempts), longest_wait(attempts));
            assert!(waits.iter().any(|wait| *wait != waits[0]), "they differ");
            assert!(waits.iter().all(|wait| *wait <= longest));
            let is_short = |wait: &&Duration| **wait < longest / 2;
            assert!((300..700).contains(&waits.iter().filter(is_short).count()), "over the whole time");
            waits.iter().sum::<Duration>()
        });
        assert!(Duration::ZERO < sums[0] && sums[0] < sums[1] && sums[1] < sums[2], "{sums:?}");
        let asked = Duration::from_secs(1);
        let later: Vec<_> = (0..100).map(|_| wait_after(1, Some(asked)).unwrap()).collect();
        assert!(later.iter().all(|wait| *wait >= asked) && later.iter().any(|wait| *wait > asked));
    }

    #[test]
    fn t15_retry_after_is_read_in_both_forms() {
        let now = httpdate::parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT").unwrap();
        let read = |text: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(RETRY_AFTER, text.parse().unwrap());
            asked(&headers, now).map(|wait| wait.as_secs())
        };
        assert_eq!(read("7"), Some(7));
        assert_eq!(read("Sun, 06 Nov 1994 08:49:47 GMT"), Some(10));
        assert_eq!(read("Sun, 06 Nov 1994 08:00:00 GMT"), Some(0));
        assert_eq!(read("soon"), None);
        assert_eq!(read("-1"), None);
    }
}
