#![allow(dead_code, clippy::unwrap_used, clippy::expect_used)]

pub mod log;
pub mod server;

use limits::{Limit, Limiter};
use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

#[derive(Clone, Default)]
pub struct Clock(Arc<Mutex<Duration>>);

impl Clock {
    pub fn limiter(&self) -> Limiter {
        let clock = self.clone();
        Limiter::with_clock(move || clock.now())
    }

    pub fn now(&self) -> Duration {
        *self.0.lock().unwrap()
    }

    pub fn set(&self, to: Duration) {
        *self.0.lock().unwrap() = to;
    }

    pub fn forward(&self, by: Duration) {
        *self.0.lock().unwrap() += by;
    }
}

pub fn key(name: &str, count: u32, seconds: u64) -> [(String, Limit); 1] {
    [(name.to_owned(), Limit { count, window: Duration::from_secs(seconds) })]
}

/// How many of so many calls pass.
pub async fn of(limiter: &Limiter, wanted: &[(String, Limit)], calls: usize) -> usize {
    let mut passed = 0;
    for _ in 0..calls {
        passed += usize::from(limiter.take(wanted).await.is_ok());
    }
    passed
}
