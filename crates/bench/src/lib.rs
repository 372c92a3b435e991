//! What the bare handlers share: rows that wait at the same time are written in one statement and one commit.

use sea_orm::{
    ConnectOptions, ConnectionTrait, Database, DatabaseConnection, DbBackend, Statement, TransactionTrait,
};
use std::error::Error;
use tokio::sync::{mpsc, oneshot};

pub type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;
type Waiting = (String, oneshot::Sender<()>);

/// The tool that product and bare handler run.
pub const TOOL: &str = include_str!("tool.js");

#[derive(Clone)]
pub struct Inserts(mpsc::Sender<Waiting>);

impl Inserts {
    pub async fn start(database: &str) -> Outcome<Self> {
        let (writer, waiting) = mpsc::channel(4_096);
        tokio::spawn(write(connect(database).await?, waiting));
        Ok(Self(writer))
    }

    /// True when the row is durable.
    pub async fn add(&self, body: String) -> bool {
        let (done, durable) = oneshot::channel();
        self.0.send((body, done)).await.is_ok() && durable.await.is_ok()
    }
}

async fn connect(url: &str) -> Outcome<DatabaseConnection> {
    let mut options = ConnectOptions::new(url);
    options.max_connections(1).sqlx_logging(false).test_before_acquire(false);
    options.map_sqlx_sqlite_opts(|sqlite| {
        use sea_orm::sqlx::sqlite::{SqliteJournalMode, SqliteSynchronous};
        sqlite
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
    });
    let db = Database::connect(options).await?;
    db.execute_unprepared("CREATE TABLE IF NOT EXISTS bare_calls (id TEXT PRIMARY KEY, body TEXT NOT NULL)")
        .await?;
    Ok(db)
}

async fn write(db: DatabaseConnection, mut waiting: mpsc::Receiver<Waiting>) {
    let mut batch = Vec::new();
    while waiting.recv_many(&mut batch, 256).await > 0 {
        if insert(&db, &batch).await.is_ok() {
            for (_, done) in batch.drain(..) {
                // Whoever hung up does not mind.
                let _ = done.send(());
            }
        }
        batch.clear();
    }
}

async fn insert(db: &DatabaseConnection, batch: &[Waiting]) -> Outcome<()> {
    let backend = db.get_database_backend();
    let place = |n: usize| if backend == DbBackend::Postgres { format!("${n}") } else { "?".to_owned() };
    let rows: Vec<String> =
        (0..batch.len()).map(|row| format!("({}, {})", place(2 * row + 1), place(2 * row + 2))).collect();
    let values =
        batch.iter().flat_map(|(body, _)| [uuid::Uuid::now_v7().to_string().into(), body.as_str().into()]);
    let text = format!("INSERT INTO bare_calls (id, body) VALUES {}", rows.join(", "));
    let tx = db.begin().await?;
    tx.execute_raw(Statement::from_sql_and_values(backend, text, values.collect::<Vec<_>>())).await?;
    Ok(tx.commit().await?)
}
