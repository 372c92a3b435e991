//! Whether Redis can be asked. While it cannot, one call in a while tries again and the others do not wait for it.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

const BETWEEN_TRIES: Duration = Duration::from_secs(1);

#[derive(Default)]
pub(crate) struct Outage {
    /// Nothing while all is well.
    next_try: Mutex<Option<Instant>>,
}

impl Outage {
    /// Whoever hears yes during an outage is the only one who tries this time.
    pub(crate) fn may_try(&self) -> bool {
        self.with(|next_try| match next_try {
            Some(at) if Instant::now() < *at => false,
            Some(at) => {
                *at = Instant::now() + BETWEEN_TRIES;
                true
            }
            None => true,
        })
    }

    /// Yes when it was not known yet.
    pub(crate) fn begins(&self) -> bool {
        self.with(|next_try| next_try.replace(Instant::now() + BETWEEN_TRIES).is_none())
    }

    /// Yes when there was one.
    pub(crate) fn ends(&self) -> bool {
        self.with(|next_try| next_try.take().is_some())
    }

    fn with<T>(&self, change: impl FnOnce(&mut Option<Instant>) -> T) -> T {
        change(&mut self.next_try.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
