//! Workers that wait, each for one call.

use super::{metrics::Counters, worker::Worker};
use std::{
    collections::VecDeque,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
    },
};
use tokio::sync::{Notify, Semaphore};

/// Shared by the keeper, who fills it, and the calls.
pub(super) struct Pool {
    waiting: Mutex<VecDeque<Worker>>,
    /// At least as many as there are workers; one that ended while it waited leaves its permit behind.
    available: Semaphore,
    /// Calls that have room and no worker.
    wanted: AtomicUsize,
    closed: AtomicBool,
    pub wake: Notify,
    pub counters: Counters,
}

impl Pool {
    pub(super) fn new() -> Self {
        Self {
            waiting: Mutex::default(),
            available: Semaphore::new(0),
            wanted: AtomicUsize::new(0),
            closed: AtomicBool::new(false),
            wake: Notify::new(),
            counters: Counters::default(),
        }
    }

    pub(super) fn add(&self, worker: Worker) {
        self.with(|waiting| waiting.push_back(worker));
        self.available.add_permits(1);
    }

    /// Its place is filled again at once.
    pub(super) async fn take(&self) -> Worker {
        let _wanted = Wanted::one(self);
        loop {
            match self.available.acquire().await {
                Ok(permit) => permit.forget(),
                // Never closed.
                Err(_) => std::future::pending().await,
            }
            if let Some(worker) = self.with(VecDeque::pop_front) {
                return worker;
            }
        }
    }

    /// One that ended before anybody wanted it.
    pub(super) fn forget(&self, id: u64) {
        let gone = self.with(|waiting| {
            waiting.iter().position(|worker| worker.id == id).and_then(|at| waiting.remove(at))
        });
        drop(gone);
    }

    /// Of a zygote that is gone.
    pub(super) fn clear(&self) {
        drop(self.with(std::mem::take));
    }

    pub(super) fn len(&self) -> usize {
        self.with(|waiting| waiting.len())
    }

    pub(super) fn wanted(&self) -> usize {
        self.wanted.load(SeqCst)
    }

    pub(super) fn close(&self) {
        self.closed.store(true, SeqCst);
        self.wake.notify_one();
    }

    pub(super) fn is_closed(&self) -> bool {
        self.closed.load(SeqCst)
    }

    fn with<T>(&self, change: impl FnOnce(&mut VecDeque<Worker>) -> T) -> T {
        change(&mut self.waiting.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Counted for as long as somebody waits. The keeper is woken at the end too: a worker is missing then.
struct Wanted<'a>(&'a Pool);

impl<'a> Wanted<'a> {
    fn one(pool: &'a Pool) -> Self {
        pool.wanted.fetch_add(1, SeqCst);
        if pool.available.available_permits() == 0 {
            pool.wake.notify_one();
        }
        Self(pool)
    }
}

impl Drop for Wanted<'_> {
    fn drop(&mut self) {
        self.0.wanted.fetch_sub(1, SeqCst);
        self.0.wake.notify_one();
    }
}
