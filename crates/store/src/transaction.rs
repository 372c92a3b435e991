//! A transaction that may write. It is our own, and not sea-orm's, for one reason: rows in bulk go to the driver as they
//! are (`bulk.rs`), and sea-orm lets nobody reach the driver of a transaction. To everybody else it is a connection of
//! sea-orm like any other.

use crate::{StoreResult, turns::Turn};
use sea_orm::{
    ConnectionTrait, DatabaseConnection, DbBackend, DbErr, ExecResult, QueryResult, RuntimeErr, SqlxError,
    Statement,
    sea_query::Values,
    sqlx::{self, AssertSqlSafe, Postgres, Sqlite, SqlitePool, Transaction},
};
use sea_query_sqlx::SqlxValues;
use tokio::sync::{Mutex, MutexGuard};

/// Undone when it is dropped without a commit.
pub struct WriteTx {
    driver: Mutex<Driver>,
    backend: DbBackend,
    /// Given up last.
    _turn: Option<Turn>,
}

pub(crate) enum Driver {
    Sqlite(Transaction<'static, Sqlite>),
    Postgres(Transaction<'static, Postgres>),
}

/// What a part of the transaction has written is undone by going back to it.
const SAVEPOINT: &str = "SAVEPOINT part";
const RELEASE: &str = "RELEASE SAVEPOINT part";
const GO_BACK: &str = "ROLLBACK TO SAVEPOINT part";

impl WriteTx {
    /// On SQLite it takes the lock at once: a later upgrade could fail. On PostgreSQL `start` is sent with the beginning,
    /// at no cost.
    pub(crate) async fn begin(
        connection: &DatabaseConnection,
        turn: Option<Turn>,
        start: Option<String>,
    ) -> StoreResult<Self> {
        let backend = connection.get_database_backend();
        let driver = match (backend, start) {
            (DbBackend::Sqlite, _) => {
                Driver::Sqlite(immediate(connection.get_sqlite_connection_pool()).await.map_err(refused)?)
            }
            (_, None) => {
                Driver::Postgres(connection.get_postgres_connection_pool().begin().await.map_err(refused)?)
            }
            (_, Some(start)) => {
                let begin = AssertSqlSafe(format!("BEGIN; {start}"));
                let pool = connection.get_postgres_connection_pool();
                Driver::Postgres(pool.begin_with(begin).await.map_err(refused)?)
            }
        };
        Ok(Self { driver: Mutex::new(driver), backend, _turn: turn })
    }

    pub(crate) async fn driver(&self) -> MutexGuard<'_, Driver> {
        self.driver.lock().await
    }

    pub(crate) async fn commit(self) -> StoreResult<()> {
        let committed = match self.driver.into_inner() {
            Driver::Sqlite(tx) => tx.commit().await,
            Driver::Postgres(tx) => tx.commit().await,
        };
        Ok(committed.map_err(refused)?)
    }

    /// From here on [`Self::go_back`] undoes what is written; [`Self::go_on`] keeps it.
    pub async fn save(&self) -> StoreResult<()> {
        self.execute_unprepared(SAVEPOINT).await?;
        Ok(())
    }

    pub async fn go_on(&self) -> StoreResult<()> {
        self.execute_unprepared(RELEASE).await?;
        Ok(())
    }

    pub async fn go_back(&self) -> StoreResult<()> {
        self.execute_unprepared(GO_BACK).await?;
        self.go_on().await
    }
}

/// When the disk is full, SQLite undoes a transaction by itself, and the driver goes on counting it: a connection like that
/// begins no other. A new one does.
async fn immediate(pool: &SqlitePool) -> Result<Transaction<'static, Sqlite>, SqlxError> {
    match pool.begin_with("BEGIN IMMEDIATE").await {
        Err(SqlxError::InvalidSavePointStatement) => {
            pool.acquire().await?.close().await?;
            pool.begin_with("BEGIN IMMEDIATE").await
        }
        begun => begun,
    }
}

impl std::fmt::Debug for WriteTx {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("WriteTx")
    }
}

pub(crate) fn refused(error: SqlxError) -> DbErr {
    DbErr::Exec(RuntimeErr::SqlxError(error.into()))
}

fn parts(statement: Statement) -> (AssertSqlSafe<String>, SqlxValues) {
    (AssertSqlSafe(statement.sql), SqlxValues(statement.values.unwrap_or(Values(Vec::new()))))
}

#[async_trait::async_trait]
impl ConnectionTrait for WriteTx {
    fn get_database_backend(&self) -> DbBackend {
        self.backend
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        let (text, values) = parts(statement);
        match &mut *self.driver().await {
            Driver::Sqlite(tx) => sqlx::query_with(text, values).execute(&mut **tx).await.map(Into::into),
            Driver::Postgres(tx) => sqlx::query_with(text, values).execute(&mut **tx).await.map(Into::into),
        }
        .map_err(refused)
    }

    async fn execute_unprepared(&self, text: &str) -> Result<ExecResult, DbErr> {
        let text = AssertSqlSafe(text);
        match &mut *self.driver().await {
            Driver::Sqlite(tx) => sqlx::raw_sql(text).execute(&mut **tx).await.map(Into::into),
            Driver::Postgres(tx) => sqlx::raw_sql(text).execute(&mut **tx).await.map(Into::into),
        }
        .map_err(refused)
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        let (text, values) = parts(statement);
        let row = match &mut *self.driver().await {
            Driver::Sqlite(tx) => {
                sqlx::query_with(text, values).fetch_optional(&mut **tx).await.map(|row| row.map(Into::into))
            }
            Driver::Postgres(tx) => {
                sqlx::query_with(text, values).fetch_optional(&mut **tx).await.map(|row| row.map(Into::into))
            }
        };
        row.map_err(refused)
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        let (text, values) = parts(statement);
        let rows: Result<Vec<QueryResult>, SqlxError> = match &mut *self.driver().await {
            Driver::Sqlite(tx) => {
                let rows = sqlx::query_with(text, values).fetch_all(&mut **tx).await;
                rows.map(|rows| rows.into_iter().map(Into::into).collect())
            }
            Driver::Postgres(tx) => {
                let rows = sqlx::query_with(text, values).fetch_all(&mut **tx).await;
                rows.map(|rows| rows.into_iter().map(Into::into).collect())
            }
        };
        rows.map_err(refused)
    }
}
