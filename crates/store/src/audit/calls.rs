//! The history beside the record: what `verify` compares.

use crate::{
    StoreResult,
    confirmations::Confirmation,
    entity::{confirmations, executions},
    executions::Execution,
};
use domain::TenantId;
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QuerySelect, Statement};
use std::collections::HashSet;
use uuid::Uuid;

/// Those of these calls that the history has.
pub async fn kept_calls(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    ids: &[Uuid],
) -> StoreResult<Vec<Execution>> {
    use executions::Column as C;
    let query =
        executions::Entity::find().filter(C::TenantId.eq(tenant.0)).filter(C::Id.is_in(ids.iter().copied()));
    Ok(query.all(conn).await?)
}

/// What there is beside a chain at the moment of one of its entries.
#[derive(Clone, Copy, Debug, Default)]
pub struct Beside {
    /// The last entry by then.
    pub seq: i64,
    /// Calls of the history that have come to an end.
    pub ended: u64,
    /// Questions that wait for nobody any more.
    pub decided: u64,
}

/// Asked at once: a database answers one statement as of one moment, and rows are committed together with their entries.
const BESIDE: &str = "SELECT
    COALESCE((SELECT seq FROM audit_heads WHERE chain = $1), 0),
    (SELECT count(*) FROM executions WHERE tenant_id = $1 AND status NOT IN ('pending', 'running')),
    (SELECT count(*) FROM confirmations WHERE tenant_id = $1 AND status <> 'pending')";

pub async fn beside(conn: &impl ConnectionTrait, tenant: TenantId) -> StoreResult<Beside> {
    let question = Statement::from_sql_and_values(conn.get_database_backend(), BESIDE, [tenant.0.into()]);
    let Some(row) = conn.query_one_raw(question).await? else { return Ok(Beside::default()) };
    let count = |at| Ok::<_, DbErr>(row.try_get_by_index::<i64>(at)?.unsigned_abs());
    Ok(Beside { seq: row.try_get_by_index(0)?, ended: count(1)?, decided: count(2)? })
}

/// Which of these calls the history has.
pub async fn calls_that_are_there(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    ids: &[Uuid],
) -> StoreResult<HashSet<Uuid>> {
    use executions::Column as C;
    let query =
        executions::Entity::find().filter(C::TenantId.eq(tenant.0)).filter(C::Id.is_in(ids.iter().copied()));
    let found: Vec<Uuid> = query.select_only().column(C::Id).into_tuple().all(conn).await?;
    Ok(found.into_iter().collect())
}

/// Those of these questions that are there.
pub async fn kept_questions(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    ids: &[Uuid],
) -> StoreResult<Vec<Confirmation>> {
    questions(conn, tenant, confirmations::Column::Id, ids).await
}

/// The questions before these calls.
pub async fn questions_of(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    calls: &[Uuid],
) -> StoreResult<Vec<Confirmation>> {
    questions(conn, tenant, confirmations::Column::ExecutionId, calls).await
}

async fn questions(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    by: confirmations::Column,
    ids: &[Uuid],
) -> StoreResult<Vec<Confirmation>> {
    let query = confirmations::Entity::find()
        .filter(confirmations::Column::TenantId.eq(tenant.0))
        .filter(by.is_in(ids.iter().copied()));
    Ok(query.all(conn).await?)
}
