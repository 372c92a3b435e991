//! A number that changes whenever anybody, in any process, commits to the SQLite file.
//!
//! What was read at one version is still true while the version is the same: caches need no other news. Asking costs
//! far less than the queries it saves, and those who ask at the same time share one question. PostgreSQL has no
//! such number that is cheap to ask for; there is no version there, and nobody caches by it.

use sea_orm::{
    DatabaseConnection, DbBackend,
    sqlx::{self, Sqlite, SqlitePool, pool::PoolConnection},
};
use tokio::sync::{mpsc, oneshot};

/// The connection counts in its own way: a new connection begins a new era.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Version {
    era: u32,
    commits: i64,
}

type Reply = oneshot::Sender<Option<Version>>;

#[derive(Clone, Debug)]
pub(crate) struct Versions(Option<mpsc::UnboundedSender<Reply>>);

impl Versions {
    /// `connection` is used for nothing else: a connection does not see its own commits.
    pub(crate) fn of(connection: &DatabaseConnection) -> Self {
        if connection.get_database_backend() != DbBackend::Sqlite {
            return Self(None);
        }
        let (questions, waiting) = mpsc::unbounded_channel();
        tokio::spawn(answer(connection.get_sqlite_connection_pool().clone(), waiting));
        Self(Some(questions))
    }

    pub(crate) async fn now(&self) -> Option<Version> {
        let (reply, answer) = oneshot::channel();
        self.0.as_ref()?.send(reply).ok()?;
        answer.await.ok().flatten()
    }
}

/// Runs as long as somebody can ask. Everybody who waits when the question is put gets its answer.
async fn answer(pool: SqlitePool, mut waiting: mpsc::UnboundedReceiver<Reply>) {
    let (mut connection, mut era) = (None, 0);
    while let Some(first) = waiting.recv().await {
        let mut asking = vec![first];
        while let Ok(another) = waiting.try_recv() {
            asking.push(another);
        }
        let commits = ask(&pool, &mut connection).await;
        if commits.is_none() {
            connection = None;
            era += 1;
        }
        let version = commits.map(|commits| Version { era, commits });
        for reply in asking {
            // Whoever gave up meanwhile does not mind.
            let _ = reply.send(version);
        }
    }
}

async fn ask(pool: &SqlitePool, kept: &mut Option<PoolConnection<Sqlite>>) -> Option<i64> {
    if kept.is_none() {
        *kept = Some(pool.acquire().await.ok()?);
    }
    let connection = kept.as_mut()?;
    sqlx::query_scalar("PRAGMA data_version").fetch_one(&mut **connection).await.ok()
}
