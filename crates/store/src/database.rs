//! Connections. On SQLite one writes at a time (`turns.rs`) and several read; on PostgreSQL one pool does both.

use crate::{
    StoreError, StoreResult, WriteTx,
    bulk::{Direct, Writes},
    checkpoints::Checkpoints,
    epochs::Basis,
    signals::{Signal, Signals},
    turns::Turns,
    version::{Now, Versions},
    wall::{self, TenantReader},
};
use domain::TenantId;
use migrations::{Migrator, MigratorTrait};
use sea_orm::{
    ConnectOptions, DatabaseConnection, DbBackend, DbErr,
    sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous},
};
use std::{
    str::FromStr,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
const READERS: u32 = 4;
/// Kept ready by each connection. Batches of calls alone may have 256 texts (see `bulk.rs`).
const STATEMENTS: usize = 320;

/// 128 MiB of log: as far as it grows while commits come so fast that `checkpoints.rs` never reaches its end.
const MOST_PAGES_OF_LOG: &str = "32000";

/// Cheap to clone.
#[derive(Clone)]
pub struct Database(Arc<Connections>);

struct Connections {
    read: DatabaseConnection,
    write: DatabaseConnection,
    signals: Signals,
    versions: Versions,
    turns: Turns,
    /// For whoever needs one more connection.
    url: String,
    /// See [`Database::for_one_writer`].
    direct: Option<Mutex<Direct>>,
    /// None on PostgreSQL, which sees to its log by itself.
    checkpoints: Option<Checkpoints>,
}

/// An address may have a password in it.
impl std::fmt::Debug for Database {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Database")
    }
}

impl Database {
    /// Opens the database; a SQLite file is created when it is missing. Does not migrate.
    pub async fn connect(url: &str) -> StoreResult<Self> {
        if url.starts_with("sqlite:") {
            let write = open(sqlite_options(url, 1)).await?;
            let read = open(sqlite_options(url, READERS)).await?;
            let versions = Versions::asked_over(sqlite_options(url, 1));
            let signals = Signals::in_process();
            let checkpoints = Some(Checkpoints::over(sqlite_options(url, 1)));
            return Ok(Self(Arc::new(Connections {
                read,
                write,
                signals,
                versions,
                turns: Turns::one_after_the_other(),
                url: url.to_owned(),
                direct: None,
                checkpoints,
            })));
        }
        let pool = open(postgres_options(url, 20)).await?;
        let signals = Signals::across_processes(&pool).await?;
        // Asked by every request: it waits for nobody, and its one statement is always ready.
        let versions = Versions::asked_over(postgres_options(url, 1));
        Ok(Self(Arc::new(Connections {
            read: pool.clone(),
            write: pool,
            signals,
            versions,
            turns: Turns::default(),
            url: url.to_owned(),
            direct: None,
            checkpoints: None,
        })))
    }

    /// The same database for one who writes alone, on the thread that asks: see [`crate::on_own_thread`]. On SQLite
    /// [`Self::write_at_once`] keeps that thread busy.
    pub async fn for_one_writer(&self) -> StoreResult<Self> {
        let Connections { read, write, signals, versions, turns, url, direct: _, checkpoints } = &*self.0;
        let (write, direct) = match self.is_sqlite() {
            true => (write.clone(), open_directly(url)),
            false => (open_later(writer_options(url)).await?, None),
        };
        Ok(Self(Arc::new(Connections {
            read: read.clone(),
            write,
            signals: signals.clone(),
            versions: versions.clone(),
            turns: turns.clone(),
            url: url.clone(),
            direct,
            checkpoints: checkpoints.clone(),
        })))
    }

    /// True when two who write do not have to wait for each other: on SQLite they take turns.
    pub fn writes_beside_each_other(&self) -> bool {
        !self.is_sqlite()
    }

    /// Brings the schema up to date.
    pub async fn migrate(&self) -> StoreResult<()> {
        Migrator::up(&self.0.write, None).await.map_err(|error| match newer_step(&error) {
            Some(step) => StoreError::Newer(step),
            None => error.into(),
        })
    }

    /// Reads need no transaction of their own.
    pub fn reader(&self) -> &DatabaseConnection {
        &self.0.read
    }

    /// Reads rows of that tenant only: on PostgreSQL the database itself sees to it. For whatever acts for one tenant;
    /// [`Self::reader`] is for what belongs to none, and for the product's own work.
    pub async fn reader_of(&self, tenant: TenantId) -> StoreResult<TenantReader> {
        if self.is_sqlite() {
            return Ok(TenantReader::plain(self.reader()));
        }
        Ok(TenantReader::walled(self.begin_for(tenant).await?))
    }

    /// Reads rows of everybody, as the same type.
    pub fn reader_of_all(&self) -> TenantReader {
        TenantReader::plain(self.reader())
    }

    /// True when the database would let these connections over the wall between tenants.
    pub async fn is_above_the_wall(&self) -> StoreResult<bool> {
        wall::is_climbed_by(self.reader()).await
    }

    pub fn signals(&self) -> &Signals {
        &self.0.signals
    }

    /// What was read since this was asked stays true while the answer stays the same. Nothing while the database
    /// does not answer.
    pub async fn now(&self) -> Option<Now> {
        self.0.versions.now().await
    }

    /// What somebody was told last. For whoever asked a moment ago in the same request: it is at least as new.
    pub fn last_now(&self) -> Option<Now> {
        self.0.versions.last()
    }

    pub async fn begin(&self) -> StoreResult<WriteTx> {
        WriteTx::begin(&self.0.write, self.0.turns.take(BUSY_TIMEOUT).await?, None).await
    }

    /// The same, for rows of that tenant only.
    pub async fn begin_for(&self, tenant: TenantId) -> StoreResult<WriteTx> {
        let turn = self.0.turns.take(BUSY_TIMEOUT).await?;
        WriteTx::begin(&self.0.write, turn, Some(wall::enter(tenant))).await
    }

    pub(crate) fn is_sqlite(&self) -> bool {
        self.0.write.get_database_backend() == DbBackend::Sqlite
    }

    /// Commits, and tells every process what has changed.
    pub async fn commit(&self, tx: WriteTx, changed: &[Signal]) -> StoreResult<()> {
        for signal in changed {
            self.0.signals.announce(&tx, *signal).await?;
        }
        tx.commit().await?;
        if let Some(checkpoints) = &self.0.checkpoints {
            checkpoints.count();
        }
        changed.iter().for_each(|signal| self.0.signals.publish(*signal));
        Ok(())
    }

    /// A transaction of which everything is known before; see [`Writes::commit`]. False also where nobody writes alone.
    pub(crate) async fn write_at_once(&self, writes: Writes<'_>, basis: Option<Basis>) -> StoreResult<bool> {
        if !self.is_sqlite() {
            return writes.commit(&self.0.write, basis).await;
        }
        let Some(direct) = &self.0.direct else { return Ok(false) };
        let _turn = self.0.turns.take(BUSY_TIMEOUT).await?;
        let is_written =
            writes.commit_directly(&mut direct.lock().unwrap_or_else(PoisonError::into_inner), basis);
        if let Some(checkpoints) = self.0.checkpoints.as_ref().filter(|_| is_written) {
            checkpoints.count();
        }
        Ok(is_written)
    }

    /// Can it be read and written now?
    pub async fn probe(&self) -> StoreResult<()> {
        let tx = self.begin().await?;
        crate::settings::put(&tx, "probe", &crate::Moment::now().0.to_string()).await?;
        tx.commit().await?;
        crate::settings::get(self.reader(), "probe").await?;
        Ok(())
    }

    pub async fn close(&self) {
        // What is written is durable already; a failure to close cleanly loses nothing.
        let _ = self.0.read.clone().close().await;
        let _ = self.0.write.clone().close().await;
    }
}

/// Connects when it is first used, and again whenever the connection was lost.
pub(crate) async fn open_later(mut options: ConnectOptions) -> StoreResult<DatabaseConnection> {
    options.connect_lazy(true);
    open(options).await
}

async fn open(options: ConnectOptions) -> StoreResult<DatabaseConnection> {
    Ok(sea_orm::Database::connect(options).await?)
}

/// Nothing for a database in memory, which nobody else could see: then everything goes the long way.
fn open_directly(url: &str) -> Option<Mutex<Direct>> {
    let options = SqliteConnectOptions::from_str(url).ok()?;
    let file = options.get_filename();
    if !file.is_file() {
        return None;
    }
    match Direct::open(file, &direct_pragmas()) {
        Ok(direct) => Some(Mutex::new(direct)),
        Err(error) => {
            tracing::warn!(%error, "calls are written the long way");
            None
        }
    }
}

/// What [`sqlite_options`] says, in its own words.
fn direct_pragmas() -> String {
    format!(
        "PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = {MOST_PAGES_OF_LOG}; PRAGMA temp_store = MEMORY; \
         PRAGMA foreign_keys = ON"
    )
}

fn sqlite_options(url: &str, connections: u32) -> ConnectOptions {
    let mut options = ConnectOptions::new(url);
    options.max_connections(connections).min_connections(1).sqlx_logging(false).acquire_timeout(BUSY_TIMEOUT);
    options.idle_timeout(None::<Duration>).max_lifetime(None::<Duration>).test_before_acquire(false);
    options.map_sqlx_sqlite_opts(|sqlite| {
        sqlite
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .statement_cache_capacity(STATEMENTS)
            .pragma("wal_autocheckpoint", MOST_PAGES_OF_LOG)
            // What a statement may have to undo: a file for it would be made and removed with every commit.
            .pragma("temp_store", "MEMORY")
            .foreign_keys(true)
            .busy_timeout(BUSY_TIMEOUT)
    });
    options
}

fn postgres_options(url: &str, connections: u32) -> ConnectOptions {
    let mut options = ConnectOptions::new(url);
    // A ping before every use would double the way to the database.
    options.test_before_acquire_if_idle_for(Duration::from_secs(5));
    options.max_connections(connections).min_connections(1).sqlx_logging(false).acquire_timeout(BUSY_TIMEOUT);
    options.connect_timeout(BUSY_TIMEOUT).set_application_name("alcada");
    // Said when the connection is made, at no cost. Without it every table with tenants looks empty.
    options.map_sqlx_postgres_opts(|postgres| postgres.options([(wall::SETTING, wall::EVERYBODY)]));
    options
}

/// Everybody's calls wait for the one who writes them: it does not wait long for a row that somebody else holds.
const LONGEST_LOCK: &str = "1s";

/// Whoever writes rows in bulk finds them by their keys. PostgreSQL would plan that while a table is small, read all of
/// it, and stay with the plan while the table grows; or plan each batch anew, because it believes that the next one is larger. What internal tools do inside such a
/// transaction is planned once as well.
fn writer_options(url: &str) -> ConnectOptions {
    let mut options = postgres_options(url, 1);
    options.map_sqlx_postgres_opts(|postgres| {
        let others = ["enable_seqscan", "enable_bitmapscan", "enable_hashjoin", "enable_mergejoin"];
        postgres
            .options([(wall::SETTING, wall::EVERYBODY), ("plan_cache_mode", "force_generic_plan")])
            .options([("lock_timeout", LONGEST_LOCK)])
            .options(others.map(|other| (other, "off")))
    });
    options
}

/// sea-orm-migration names an applied step that this binary does not have.
fn newer_step(error: &DbErr) -> Option<String> {
    let text = error.to_string();
    let (_, rest) = text.split_once("Migration file of version '")?;
    rest.split_once('\'').map(|(step, _)| step.to_owned())
}
