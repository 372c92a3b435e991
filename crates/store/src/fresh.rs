//! What was made from the database, kept for as long as the database has not changed; and never for long, because
//! some things also expire by themselves.

use crate::Version;
use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

const LONGEST: Duration = Duration::from_secs(10);

/// Emptied by the first use with another version. When it is full it starts anew: simple, and bounded.
pub struct Fresh<K, V> {
    kept: Mutex<Option<Kept<K, V>>>,
    most: usize,
}

struct Kept<K, V> {
    version: Version,
    since: Instant,
    values: HashMap<K, V>,
}

impl<K, V> Kept<K, V> {
    fn is_good(&self, version: Version) -> bool {
        self.version == version && self.since.elapsed() < LONGEST
    }
}

impl<K: Eq + Hash, V: Clone> Fresh<K, V> {
    pub fn new(most: usize) -> Self {
        Self { kept: Mutex::new(None), most }
    }

    pub fn get(&self, version: Version, key: &K) -> Option<V> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.as_ref().filter(|kept| kept.is_good(version))?.values.get(key).cloned()
    }

    /// `version` was asked for before anything that `value` was made from was read.
    pub fn put(&self, version: Version, key: K, value: V) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let usable = kept.take().filter(|kept| kept.is_good(version) && kept.values.len() < self.most);
        let fresh = || Kept { version, since: Instant::now(), values: HashMap::new() };
        kept.insert(usable.unwrap_or_else(fresh)).values.insert(key, value);
    }
}
