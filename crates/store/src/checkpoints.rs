//! SQLite's log, copied into the database beside those who write. Left to itself, SQLite does that in the commit that makes
//! the log too long, and everybody waits until thousands of pages have reached the disk.

use crate::{database::open_later, thread::on_own_thread};
use sea_orm::{ConnectOptions, ConnectionTrait};
use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};
use tokio::sync::mpsc;

/// A commit of calls writes some thirty pages.
const COMMITS_BETWEEN: u64 = 64;

#[derive(Clone)]
pub(crate) struct Checkpoints {
    commits: Arc<AtomicU64>,
    due: mpsc::Sender<()>,
}

impl Checkpoints {
    pub(crate) fn over(options: ConnectOptions) -> Self {
        let (due, mut asked) = mpsc::channel(1);
        on_own_thread("checkpoints", || async move {
            let Ok(connection) = open_later(options).await else { return };
            while asked.recv().await.is_some() {
                // Waits for nobody, and nobody waits for it. What it leaves, the next one copies; should it never come
                // to the end, the commit that finds the log very long does the rest.
                if let Err(error) = connection.execute_unprepared("PRAGMA wal_checkpoint(PASSIVE)").await {
                    tracing::debug!(%error, "the log was not copied");
                }
            }
        });
        Self { commits: Arc::default(), due }
    }

    /// After every commit.
    pub(crate) fn count(&self) {
        if self.commits.fetch_add(1, Ordering::Relaxed) % COMMITS_BETWEEN == COMMITS_BETWEEN - 1 {
            // One that is asked for already is enough.
            let _ = self.due.try_send(());
        }
    }
}
