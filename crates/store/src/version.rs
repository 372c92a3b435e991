//! Numbers that tell whether what somebody read is still so.
//!
//! Two epochs count changes of rights and of tools: triggers move them (`migrations/src/epoch.rs`), on both
//! databases, whoever makes the change. On SQLite there is also a number that changes whenever anybody, in any process,
//! commits to the file. Caches need no other news. Asking costs far less than the queries it saves, and those who
//! ask at the same time share one question.

use crate::{database::open_later, entity::epochs, thread::on_own_thread};
use sea_orm::{
    ConnectOptions, DatabaseConnection, DbBackend, EntityTrait,
    sqlx::{self, Sqlite, SqlitePool, pool::PoolConnection},
};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{mpsc, oneshot};

/// Changes with every commit to the SQLite file. The connection counts in its own way: a new one begins a new era.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Version {
    era: u32,
    commits: i64,
}

/// How often something has changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Epoch(pub i64);

/// What was read after this was asked is true for as long as the answer stays the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Now {
    /// None on PostgreSQL: it has no such number that is cheap to ask for.
    pub version: Option<Version>,
    /// Who may do what: people, memberships, sessions, keys.
    pub rights: Epoch,
    /// What the gate decides by: switches, tools, agents, assignments.
    pub tools: Epoch,
}

type Reply = oneshot::Sender<Option<Now>>;

#[derive(Clone, Debug)]
pub(crate) struct Versions {
    questions: mpsc::UnboundedSender<Reply>,
    last: Arc<Mutex<Option<Now>>>,
}

impl Versions {
    /// The connection is used for nothing else: on SQLite a connection does not see its own commits.
    pub(crate) fn asked_over(options: ConnectOptions) -> Self {
        let (questions, waiting) = mpsc::unbounded_channel();
        let last = Arc::default();
        let told = Arc::clone(&last);
        on_own_thread("versions", || async move {
            match open_later(options).await {
                Ok(connection) => answer(Asked::new(connection), waiting, told).await,
                Err(error) => tracing::error!(%error, "nobody can tell whether the database has changed"),
            }
        });
        Self { questions, last }
    }

    /// The last answer that anybody got.
    pub(crate) fn last(&self) -> Option<Now> {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Nothing while the database does not answer.
    pub(crate) async fn now(&self) -> Option<Now> {
        let (reply, answer) = oneshot::channel();
        self.questions.send(reply).ok()?;
        answer.await.ok().flatten()
    }
}

/// Runs as long as somebody can ask. Everybody who waits when the question is put gets its answer.
async fn answer(
    mut asked: Asked,
    mut waiting: mpsc::UnboundedReceiver<Reply>,
    last: Arc<Mutex<Option<Now>>>,
) {
    while let Some(first) = waiting.recv().await {
        let mut asking = vec![first];
        while let Ok(another) = waiting.try_recv() {
            asking.push(another);
        }
        let now = asked.now().await;
        *last.lock().unwrap_or_else(PoisonError::into_inner) = now;
        for reply in asking {
            // Whoever gave up meanwhile does not mind.
            let _ = reply.send(now);
        }
    }
}

struct Asked {
    connection: DatabaseConnection,
    kept: Option<PoolConnection<Sqlite>>,
    era: u32,
}

impl Asked {
    fn new(connection: DatabaseConnection) -> Self {
        Self { connection, kept: None, era: 0 }
    }

    async fn now(&mut self) -> Option<Now> {
        if self.connection.get_database_backend() != DbBackend::Sqlite {
            return read_epochs(&self.connection).await.map(|(rights, tools)| Now {
                version: None,
                rights,
                tools,
            });
        }
        let pool = self.connection.get_sqlite_connection_pool().clone();
        let Some((commits, rights, tools)) = read_all(&pool, &mut self.kept).await else {
            self.kept = None;
            self.era += 1;
            return None;
        };
        Some(Now { version: Some(Version { era: self.era, commits }), rights, tools })
    }
}

async fn read_epochs(connection: &DatabaseConnection) -> Option<(Epoch, Epoch)> {
    let rows = epochs::Entity::find().all(connection).await.ok()?;
    by_name(rows.into_iter().map(|row| (row.name, row.value)))
}

/// In one statement: each costs two switches of threads.
async fn read_all(
    pool: &SqlitePool,
    kept: &mut Option<PoolConnection<Sqlite>>,
) -> Option<(i64, Epoch, Epoch)> {
    if kept.is_none() {
        *kept = Some(pool.acquire().await.ok()?);
    }
    let connection = kept.as_mut()?;
    let question = "SELECT name, value, (SELECT data_version FROM pragma_data_version) FROM epochs";
    let rows: Vec<(String, i64, i64)> = sqlx::query_as(question).fetch_all(&mut **connection).await.ok()?;
    let commits = rows.first()?.2;
    let (rights, tools) = by_name(rows.into_iter().map(|(name, value, _)| (name, value)))?;
    Some((commits, rights, tools))
}

fn by_name(rows: impl IntoIterator<Item = (String, i64)>) -> Option<(Epoch, Epoch)> {
    let (mut rights, mut tools) = (None, None);
    for (name, value) in rows {
        match name.as_str() {
            "rights" => rights = Some(Epoch(value)),
            "tools" => tools = Some(Epoch(value)),
            _ => {}
        }
    }
    rights.zip(tools)
}
