//! Millions of calls, written by the database itself: it counts, and makes each row from its number.

use super::{STEP_MS, TENANTS};
use crate::Outcome;
use sea_orm::{ConnectOptions, ConnectionTrait, Database, DatabaseConnection, DbBackend};
use std::time::Duration;

/// Rows in one statement: enough to be quick, few enough for a log that fits on a disk.
const CHUNK: u64 = 250_000;
const TOOLS: u64 = 20;
const AGENTS: u64 = 10;
const PATIENCE: Duration = Duration::from_secs(60);

/// Whose calls are found again; the other tenants, tools and agents are made up.
pub struct Fill {
    /// When the first call came in, in milliseconds since 1970.
    pub since: u64,
    pub tenant: String,
    pub tool: String,
    pub agent: String,
}

impl Fill {
    pub async fn write(&self, url: &str, rows: u64) -> Outcome<()> {
        let mut options = ConnectOptions::new(url);
        // A chunk takes longer than what is usually worth a line.
        options.max_connections(1).sqlx_logging(false).acquire_timeout(PATIENCE);
        let sql = Database::connect(options).await?;
        let (before, after) = match sql.get_database_backend() {
            DbBackend::Sqlite => (
                "PRAGMA synchronous = OFF; PRAGMA cache_size = -400000; PRAGMA busy_timeout = 60000",
                "PRAGMA wal_checkpoint(TRUNCATE)",
            ),
            // Its own housekeeping would come to it within minutes.
            _ => ("SET synchronous_commit = off; SET alcada.tenant = '*'", "VACUUM ANALYZE executions"),
        };
        sql.execute_unprepared(before).await?;
        let mut from = 0;
        while from < rows {
            let to = rows.min(from + CHUNK);
            self.chunk(&sql, from, to - 1).await?;
            from = to;
        }
        sql.execute_unprepared(after).await?;
        Ok(sql.close().await?)
    }

    /// Every fifth row is the tenant's own; among those, tools take turns, then agents, then ends.
    async fn chunk(&self, sql: &DatabaseConnection, first: u64, last: u64) -> Outcome<()> {
        let words = Words::of(sql.get_database_backend());
        let at = format!("({} + i * {STEP_MS})", self.since);
        let id = (words.id)(&at);
        let tenant = words.one_of(&format!("i % {TENANTS}"), &self.tenant);
        let tool = words.one_of(&format!("i / {TENANTS} % {TOOLS}"), &self.tool);
        let agent = words.one_of(&format!("i / {} % {AGENTS}", TENANTS * TOOLS), &self.agent);
        let is_error = format!("i / {} % 10 = 0", TENANTS * TOOLS * AGENTS);
        let numbers = (words.numbers)(first, last);
        let statement = format!(
            "INSERT INTO executions (id, tenant_id, tool_id, tool_name, tool_version, agent_id, actor_kind, actor_name, \
             status, params, result, error_code, truncated, test_mode, execution_time_ms, executed_at, started_at, \
             finished_at) {numbers} SELECT {id}, {tenant}, {tool}, 'createTask', 1, {agent}, 'api_key', 'backend', \
             CASE WHEN {is_error} THEN 'error' ELSE 'success' END, '{{\"title\":\"Ligar para o cliente\"}}', \
             '{{\"id\":\"tarefa\",\"ok\":true}}', CASE WHEN {is_error} THEN 'execution_failed' END, false, false, \
             i % 900, {at} * 1000, {at} * 1000, {at} * 1000 + 1000 FROM n"
        );
        sql.execute_unprepared(&statement).await?;
        Ok(())
    }
}

/// What the two databases say differently.
pub struct Words {
    /// The rows with the numbers from the first to the last, as `n(i)`.
    pub numbers: fn(u64, u64) -> String,
    /// An id as the product makes it: the time in front.
    pub id: fn(&str) -> String,
    number_as_id: fn(&str) -> String,
    pub given: fn(&str) -> String,
}

impl Words {
    pub fn of(backend: DbBackend) -> Self {
        match backend {
            DbBackend::Sqlite => Self {
                numbers: |first, last| {
                    format!(
                        "WITH RECURSIVE n(i) AS (SELECT {first} UNION ALL SELECT i + 1 FROM n WHERE i < {last})"
                    )
                },
                id: |at| format!("unhex(printf('%012x70008000%012x', {at}, i))"),
                number_as_id: |number| format!("unhex(printf('%032x', {number}))"),
                given: |id| format!("unhex('{}')", id.replace('-', "")),
            },
            _ => Self {
                numbers: |first, last| {
                    format!("WITH n(i) AS (SELECT generate_series({first}::bigint, {last}))")
                },
                id: |at| {
                    format!("(lpad(to_hex({at}), 12, '0') || '70008000' || lpad(to_hex(i), 12, '0'))::uuid")
                },
                number_as_id: |number| format!("lpad(to_hex({number}), 32, '0')::uuid"),
                given: |id| format!("'{id}'::uuid"),
            },
        }
    }

    /// The given one when the number is zero, one that is made up otherwise.
    fn one_of(&self, number: &str, id: &str) -> String {
        format!(
            "CASE WHEN {number} = 0 THEN {} ELSE {} END",
            (self.given)(id),
            (self.number_as_id)(&format!("({number})"))
        )
    }
}

/// A database of that name, empty, at the same server.
pub async fn own_database(server: &str, name: &str) -> Outcome<String> {
    let sql = Database::connect(server).await?;
    sql.execute_unprepared(&format!("DROP DATABASE IF EXISTS {name}")).await?;
    sql.execute_unprepared(&format!("CREATE DATABASE {name}")).await?;
    sql.close().await?;
    let (base, _) = server.rsplit_once('/').ok_or("not the address of a database")?;
    Ok(format!("{base}/{name}"))
}
