//! What calls of tools are compared with: an axum handler that does one group-committed insert, and, when given an
//! upstream, one call to it before. `bare_call ADDRESS DATABASE_URL [UPSTREAM]`

use axum::{Router, extract::State, http::StatusCode, routing::post};
use bytes::Bytes;
use sea_orm::{
    ConnectOptions, ConnectionTrait, Database, DatabaseConnection, DbBackend, Statement, TransactionTrait,
};
use std::error::Error;
use tokio::{
    net::TcpListener,
    sync::{mpsc, oneshot},
};

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;
type Waiting = (String, oneshot::Sender<()>);

#[derive(Clone)]
struct Bare {
    writer: mpsc::Sender<Waiting>,
    upstream: Option<String>,
    client: reqwest::Client,
}

#[tokio::main]
async fn main() -> Outcome<()> {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let [address, database, ..] = &given[..] else {
        return Err("bare_call ADDRESS DATABASE_URL [UPSTREAM]".into());
    };
    let (writer, waiting) = mpsc::channel(4_096);
    tokio::spawn(write(connect(database).await?, waiting));
    let client = reqwest::Client::builder().no_proxy().build()?;
    let bare = Bare { writer, upstream: given.get(2).cloned(), client };
    let app = Router::new().route("/", post(call).get(|| async { "up" })).with_state(bare);
    Ok(axum::serve(TcpListener::bind(address).await?, app).await?)
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

async fn call(State(bare): State<Bare>, body: Bytes) -> Result<String, StatusCode> {
    let mut answer = String::from_utf8_lossy(&body).into_owned();
    if let Some(upstream) = &bare.upstream {
        let asked = bare.client.post(upstream).body(body).send().await;
        answer =
            asked.map_err(|_| StatusCode::BAD_GATEWAY)?.text().await.map_err(|_| StatusCode::BAD_GATEWAY)?;
    }
    let (done, durable) = oneshot::channel();
    let failed = StatusCode::INTERNAL_SERVER_ERROR;
    bare.writer.send((answer.clone(), done)).await.map_err(|_| failed)?;
    durable.await.map_err(|_| failed)?;
    Ok(answer)
}

/// Whoever waits at the same time shares one statement and one commit.
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
