//! What has to hold for every limit and every rhythm of calls.

#![allow(clippy::unwrap_used)]

mod help;

use help::Clock;
use limits::{Limit, Limiter};
use proptest::{collection::vec, prelude::*};
use std::time::Duration;

type Key = (String, Limit);

fn takes(limiter: &Limiter, wanted: &[Key]) -> Result<(), limits::Wait> {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(limiter.take(wanted))
}

fn key(name: &str, count: u32, micros: u64) -> Key {
    (name.to_owned(), Limit { count, window: Duration::from_micros(micros) })
}

proptest! {
    #[test]
    fn t17_no_window_sees_more_than_the_count_and_what_came_back(
        count in 1_u32..20,
        window in 1_u64..1_000_000,
        pauses in vec(prop_oneof![Just(0_u64), 0_u64..50_000, 0_u64..1_000_000], 1..200),
    ) {
        let clock = Clock::default();
        let limiter = clock.limiter();
        let mut passed: Vec<u64> = vec![];
        for pause in pauses {
            clock.forward(Duration::from_micros(pause));
            if takes(&limiter, &[key("key", count, window)]).is_ok() {
                passed.push(clock.now().as_micros() as u64);
            }
        }
        for (first, start) in passed.iter().enumerate() {
            for (last, end) in passed.iter().enumerate().skip(first) {
                let came_back = (end - start) * u64::from(count) / window;
                prop_assert!((last - first + 1) as u64 <= u64::from(count) + came_back);
            }
        }
    }

    #[test]
    fn t17_the_wait_is_exact(
        count in 1_u32..50,
        window in 1_u64..10_000_000,
        pauses in vec(0_u64..200_000, 1..100),
    ) {
        let clock = Clock::default();
        let limiter = clock.limiter();
        let wanted = [key("key", count, window)];
        for pause in pauses {
            clock.forward(Duration::from_micros(pause));
            let Err(wait) = takes(&limiter, &wanted) else { continue };
            clock.forward(wait.retry_after - Duration::from_micros(1));
            prop_assert!(takes(&limiter, &wanted).is_err());
            clock.forward(Duration::from_micros(1));
            prop_assert!(takes(&limiter, &wanted).is_ok());
        }
    }

    #[test]
    fn t17_wherever_the_clock_jumps_nobody_waits_longer_than_a_window(
        count in 1_u32..10,
        window in 1_u64..10_000_000,
        moments in vec(0_u64..1_000_000_000_000, 1..100),
    ) {
        let clock = Clock::default();
        let limiter = clock.limiter();
        for moment in moments {
            clock.set(Duration::from_micros(moment));
            if let Err(wait) = takes(&limiter, &[key("key", count, window)]) {
                prop_assert!(wait.retry_after <= Duration::from_micros(window));
                clock.forward(wait.retry_after);
                prop_assert!(takes(&limiter, &[key("key", count, window)]).is_ok());
            }
        }
    }

    /// A refused call leaves no trace: without it, everything else goes the same way.
    #[test]
    fn t17_a_refused_call_changes_nothing(
        limits in vec((1_u32..6, 1_u64..100_000), 1..4),
        calls in vec((0_u64..20_000, vec(any::<bool>(), 4)), 1..100),
    ) {
        let clock = Clock::default();
        let (all, passing_only) = (clock.limiter(), clock.limiter());
        for (pause, chosen) in calls {
            clock.forward(Duration::from_micros(pause));
            let wanted: Vec<Key> = limits.iter().enumerate().zip(chosen)
                .filter(|(_, chosen)| *chosen)
                .map(|((name, (count, window)), _)| key(&name.to_string(), *count, *window))
                .collect();
            match takes(&all, &wanted) {
                Ok(()) => prop_assert!(takes(&passing_only, &wanted).is_ok()),
                Err(wait) => {
                    let refused = wanted.iter().filter(|key| key.0 == wait.key).cloned().collect::<Vec<_>>();
                    prop_assert_eq!(takes(&passing_only, &refused), Err(wait));
                }
            }
        }
    }
}
