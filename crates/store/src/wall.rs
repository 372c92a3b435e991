//! The second wall between tenants, on PostgreSQL: row-level security. What acts for one tenant says so to the database,
//! and the database shows and takes rows of that tenant only, whatever the statement says. See ADR 0021.

use crate::{StoreResult, WriteTx};
use domain::TenantId;
use sea_orm::{
    ConnectionTrait, DatabaseConnection, DbBackend, DbErr, ExecResult, FromQueryResult, QueryResult,
    Statement,
};

/// The setting that the policies look at (`migrations/src/wall.rs` has them).
pub(crate) const SETTING: &str = "alcada.tenant";
/// The product itself: every tenant.
pub(crate) const EVERYBODY: &str = "*";

/// Reads for one tenant. On SQLite it is the reader itself, at no cost.
#[derive(Debug)]
pub struct TenantReader(Inner);

#[derive(Debug)]
enum Inner {
    Plain(DatabaseConnection),
    /// Ends when it is dropped; there is nothing to undo.
    Walled(WriteTx),
}

impl TenantReader {
    pub(crate) fn plain(reader: &DatabaseConnection) -> Self {
        Self(Inner::Plain(reader.clone()))
    }

    pub(crate) fn walled(tx: WriteTx) -> Self {
        Self(Inner::Walled(tx))
    }
}

/// The statement by which a transaction says whose it is, until it ends. An id has nothing in it that could be SQL.
pub(crate) fn enter(tenant: TenantId) -> String {
    format!("SET LOCAL {SETTING} = '{tenant}'")
}

#[derive(FromQueryResult)]
struct Role {
    climbs: bool,
}

/// True when the role of these connections is above row-level security.
pub(crate) async fn is_climbed_by(conn: &DatabaseConnection) -> StoreResult<bool> {
    if conn.get_database_backend() != DbBackend::Postgres {
        return Ok(false);
    }
    let question = "SELECT rolsuper OR rolbypassrls AS climbs FROM pg_roles WHERE rolname = current_user";
    let role =
        Role::find_by_statement(Statement::from_string(DbBackend::Postgres, question)).one(conn).await?;
    Ok(role.is_some_and(|role| role.climbs))
}

#[async_trait::async_trait]
impl ConnectionTrait for TenantReader {
    fn get_database_backend(&self) -> DbBackend {
        match &self.0 {
            Inner::Plain(conn) => conn.get_database_backend(),
            Inner::Walled(tx) => tx.get_database_backend(),
        }
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        match &self.0 {
            Inner::Plain(conn) => conn.execute_raw(statement).await,
            Inner::Walled(tx) => tx.execute_raw(statement).await,
        }
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        match &self.0 {
            Inner::Plain(conn) => conn.execute_unprepared(sql).await,
            Inner::Walled(tx) => tx.execute_unprepared(sql).await,
        }
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        match &self.0 {
            Inner::Plain(conn) => conn.query_one_raw(statement).await,
            Inner::Walled(tx) => tx.query_one_raw(statement).await,
        }
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        match &self.0 {
            Inner::Plain(conn) => conn.query_all_raw(statement).await,
            Inner::Walled(tx) => tx.query_all_raw(statement).await,
        }
    }
}
