//! What was made from the database, kept for as long as the database has not changed; and never for long, because
//! some things also expire by themselves.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

/// `N` is the number that tells whether it is still so: a [`crate::Version`] or a [`crate::Epoch`].
/// Emptied by the first use with another version. When it is full it starts anew: simple, and bounded.
pub struct Fresh<N, K, V> {
    kept: Mutex<Option<Kept<N, K, V>>>,
    most: usize,
    longest: Duration,
}

struct Kept<N, K, V> {
    version: N,
    since: Instant,
    values: HashMap<K, V>,
}

impl<N: PartialEq, K, V> Kept<N, K, V> {
    fn is_good(&self, version: N, longest: Duration) -> bool {
        self.version == version && self.since.elapsed() < longest
    }
}

impl<N: PartialEq + Copy, K: Eq + Hash, V: Clone> Fresh<N, K, V> {
    pub fn new(most: usize, longest: Duration) -> Self {
        Self { kept: Mutex::new(None), most, longest }
    }

    pub fn get(&self, version: N, key: &K) -> Option<V> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.as_ref().filter(|kept| kept.is_good(version, self.longest))?.values.get(key).cloned()
    }

    /// `version` was asked for before anything that `value` was made from was read.
    pub fn put(&self, version: N, key: K, value: V) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let usable =
            kept.take().filter(|kept| kept.is_good(version, self.longest) && kept.values.len() < self.most);
        let fresh = || Kept { version, since: Instant::now(), values: HashMap::new() };
        kept.insert(usable.unwrap_or_else(fresh)).values.insert(key, value);
    }
}
