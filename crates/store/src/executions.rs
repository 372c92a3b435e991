//! What was called and what came of it: table `executions`, and `intents` for calls that have begun and not ended. The view
//! `all_executions` shows both.

use crate::{
    Moment, StoreError, StoreResult, WriteTx,
    circumstances::Circumstances,
    entity::executions,
    transaction::{Driver, refused},
};
use domain::{
    AgentId, ConfirmationId, ExecutionId, Page, TenantId, ToolId,
    execution::{ExecutionOut, ExecutionStatus},
};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbBackend, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Select,
    sea_query::{Expr, ExprTrait, Query},
    sqlx,
};
use std::collections::HashMap;
use uuid::Uuid;

/// A call as it is kept: `params` and `result` are JSON text.
pub type Execution = executions::Model;

/// Which calls are wanted.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    pub status: Option<ExecutionStatus>,
    pub tool: Option<ToolId>,
    pub agent: Option<AgentId>,
    pub from: Option<Moment>,
    pub to: Option<Moment>,
    pub offset: u64,
}

/// Calls that are over or were asked about, and those that run.
fn all() -> Select<executions::Entity> {
    from("all_executions")
}

/// A table or view with the same columns, under the name that conditions give them.
fn from(table: &'static str) -> Select<executions::Entity> {
    let mut query = executions::Entity::find();
    QuerySelect::query(&mut query).from_clear().from_as(table, executions::Entity);
    query
}

pub async fn find(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    id: ExecutionId,
) -> StoreResult<Option<Execution>> {
    let of_tenant = all().filter(executions::Column::TenantId.eq(tenant.0));
    Ok(of_tenant.filter(executions::Column::Id.eq(id.0)).one(conn).await?)
}

/// Newest first. Ids are made in the order of time: a moment becomes a bound on the id, and one index serves it all.
pub async fn list(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    filter: &Filter,
    page: Page,
) -> StoreResult<Vec<Execution>> {
    use executions::Column as C;
    let mut query = all().filter(C::TenantId.eq(tenant.0));
    query = optional(query, filter.status.map(|status| C::Status.eq(status.as_str())));
    query = optional(query, filter.tool.map(|tool| C::ToolId.eq(tool.0)));
    query = optional(query, filter.agent.map(|agent| C::AgentId.eq(agent.0)));
    query = optional(query, filter.from.map(|from| not_before(conn, first_id(from))));
    let bounds = [filter.to.map(first_id), page.before];
    query = optional(query, bounds.into_iter().flatten().min().map(|bound| C::Id.lt(bound)));
    let rows = query.order_by_desc(C::Id).offset(filter.offset).limit(page.limit + 1).all(conn).await?;
    Ok(rows)
}

fn optional(query: Select<executions::Entity>, condition: Option<Expr>) -> Select<executions::Entity> {
    match condition {
        Some(condition) => query.filter(condition),
        None => query,
    }
}

/// SQLite believes, without statistics, that a span of ids is always short, and would then read every call in it instead
/// of going by the index that knows tool, agent and status. `likely` tells it otherwise.
fn not_before(conn: &impl ConnectionTrait, id: Uuid) -> Expr {
    match conn.get_database_backend() {
        DbBackend::Sqlite => Expr::cust_with_values("likely(\"executions\".\"id\" >= ?)", [id]),
        _ => executions::Column::Id.gte(id),
    }
}

/// The smallest id that could be made at that moment.
fn first_id(at: Moment) -> Uuid {
    let milliseconds = u128::try_from(at.0 / 1_000).unwrap_or_default();
    Uuid::from_u128(milliseconds << 80)
}

/// Changes whenever a call begins or ends: the newest call, and how many ended lately. Two looks into an index.
pub async fn pulse(conn: &impl ConnectionTrait, tenant: TenantId) -> StoreResult<(Option<Uuid>, i64)> {
    let newest = all()
        .select_only()
        .column(executions::Column::Id)
        .filter(executions::Column::TenantId.eq(tenant.0))
        .order_by_desc(executions::Column::Id)
        .limit(1);
    let newest: Option<Uuid> = newest.into_tuple().one(conn).await?;
    let now = Moment::now();
    let lately = crate::statistics::hours(conn, tenant, None, now.plus(-time::Duration::HOUR), now).await?;
    Ok((newest, lately.iter().map(|(_, counts)| counts.executions).sum()))
}

/// Calls that a process was running, oldest first.
pub async fn left_by(conn: &impl ConnectionTrait, process: Uuid) -> StoreResult<Vec<Execution>> {
    let rows = all()
        .filter(executions::Column::Status.eq(ExecutionStatus::Running.as_str()))
        .filter(executions::Column::ProcessId.eq(process))
        .order_by_asc(executions::Column::Id)
        .all(conn)
        .await?;
    Ok(rows)
}

/// Which of these calls, by tenant and id, have not come to an end: intents, and rows of the history. They stay so until
/// the transaction does.
pub async fn hold_open(tx: &WriteTx, calls: &[(Uuid, Uuid)]) -> StoreResult<[Vec<Uuid>; 2]> {
    let (mut tenants, ids): (Vec<Uuid>, Vec<Uuid>) = calls.iter().copied().unzip();
    let mut open = [const { Vec::new() }; 2];
    if let Driver::Postgres(tx) = &mut *tx.driver().await {
        for (open, question) in open.iter_mut().zip([HOLD_INTENTS, HOLD_OPEN]) {
            let held = sqlx::query_scalar(question).bind(&tenants).bind(&ids).fetch_all(&mut **tx).await;
            *open = held.map_err(refused)?;
        }
        return Ok(open);
    }
    tenants.sort_unstable();
    tenants.dedup();
    use executions::Column as C;
    for (open, table) in open.iter_mut().zip(["intents", "executions"]) {
        let states = [ExecutionStatus::Pending.as_str(), ExecutionStatus::Running.as_str()];
        let query = from(table)
            .filter(C::TenantId.is_in(tenants.iter().copied()))
            .filter(C::Id.is_in(ids.iter().copied()))
            .filter(C::Status.is_in(states))
            .select_only()
            .column(C::Id);
        *open = query.into_tuple().all(tx).await?;
    }
    Ok(open)
}

// One text each, however many calls.
const HOLD_INTENTS: &str = "SELECT intents.id FROM intents, \
    (SELECT unnest($1) AS tenant_id, unnest($2) AS id) AS new \
    WHERE intents.tenant_id = new.tenant_id AND intents.id = new.id ORDER BY intents.id FOR UPDATE OF intents";

/// The state is asked for in a way that no index answers: planned while the table is small, it would go by any index that
/// begins with the tenant, and stay with it.
const HOLD_OPEN: &str = "SELECT executions.id FROM executions, \
    (SELECT unnest($1) AS tenant_id, unnest($2) AS id) AS new \
    WHERE executions.tenant_id = new.tenant_id AND executions.id = new.id \
    AND CASE WHEN executions.status IN ('pending', 'running') THEN true ELSE false END \
    ORDER BY executions.id FOR UPDATE OF executions";

/// Hands what a process was running to another one; how many calls that were. In the same order as [`hold_open`]: nobody
/// waits in a circle.
pub async fn adopt(tx: &impl ConnectionTrait, from: Uuid, to: Uuid) -> StoreResult<u64> {
    let intents = Query::update()
        .table("intents")
        .value("process_id", to)
        .and_where(ExprTrait::eq(Expr::col("process_id"), from))
        .to_owned();
    let intents = tx.execute(&intents).await?.rows_affected();
    let in_history = executions::Entity::update_many()
        .col_expr(executions::Column::ProcessId, Expr::value(to))
        .filter(executions::Column::Status.eq(ExecutionStatus::Running.as_str()))
        .filter(executions::Column::ProcessId.eq(from))
        .exec(tx)
        .await?;
    Ok(intents + in_history.rows_affected)
}

/// Processes that nobody knows any more and that left calls which began before that moment.
pub async fn forgotten(conn: &impl ConnectionTrait, before: Moment) -> StoreResult<Vec<Uuid>> {
    let known = Query::select().column("id").from("processes").to_owned();
    let question = Query::select()
        .distinct()
        .column("process_id")
        .from("intents")
        .and_where(Expr::col("started_at").lt(before.0))
        .and_where(Expr::col("process_id").not_in_subquery(known))
        .to_owned();
    let rows = conn.query_all(&question).await?;
    Ok(rows.iter().map(|row| row.try_get_by_index(0)).collect::<Result<_, _>>()?)
}

/// Ends a waiting call; nothing when it does not wait any more.
pub async fn end_pending(
    tx: &impl ConnectionTrait,
    tenant: TenantId,
    id: ExecutionId,
    status: ExecutionStatus,
    message: Option<String>,
) -> StoreResult<Option<Execution>> {
    use executions::Column as C;
    let updated = executions::Entity::update_many()
        .col_expr(C::Status, Expr::value(status.as_str()))
        .col_expr(C::ErrorMessage, Expr::value(message))
        .col_expr(C::SealedParams, Expr::value(None::<Vec<u8>>))
        .col_expr(C::FinishedAt, Expr::value(Moment::now().0))
        .filter(C::TenantId.eq(tenant.0))
        .filter(C::Id.eq(id.0))
        .filter(C::Status.eq(ExecutionStatus::Pending.as_str()))
        .exec(tx)
        .await?;
    if updated.rows_affected == 1 { find(tx, tenant, id).await } else { Ok(None) }
}

pub fn status_of(row: &Execution) -> StoreResult<ExecutionStatus> {
    ExecutionStatus::from_name(&row.status)
        .ok_or_else(|| StoreError::Corrupt(format!("execution {}: {}", row.id, row.status)))
}

/// What whoever decides about a call has to know of it besides the question.
#[derive(Clone, Debug, Default)]
pub struct Asking {
    /// What the agent said about it, where it said something.
    pub message: Option<String>,
    pub test_mode: bool,
}

impl Asking {
    pub fn of(call: &Execution) -> StoreResult<Self> {
        Ok(Self { message: Circumstances::of(call)?.message, test_mode: call.test_mode })
    }
}

/// Of these calls, as far as they are there.
pub async fn asking(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    ids: impl IntoIterator<Item = Uuid>,
) -> StoreResult<HashMap<Uuid, Asking>> {
    use executions::Column as C;
    let rows = executions::Entity::find()
        .filter(C::TenantId.eq(tenant.0))
        .filter(C::Id.is_in(ids))
        .select_only()
        .columns([C::Id, C::TestMode, C::Circumstances]);
    let mut all = HashMap::new();
    for (id, test_mode, text) in rows.into_tuple::<(Uuid, bool, Option<String>)>().all(conn).await? {
        let around = text.map(|text| Circumstances::read(id, &text)).transpose()?;
        all.insert(id, Asking { message: around.and_then(|around| around.message), test_mode });
    }
    Ok(all)
}

/// What the script of a code tool said.
pub fn log_of(row: &Execution) -> Option<Vec<String>> {
    serde_json::from_str(row.log.as_deref()?).ok()
}

pub fn view(row: Execution) -> StoreResult<ExecutionOut> {
    let corrupt = |error: serde_json::Error| StoreError::Corrupt(format!("execution {}: {error}", row.id));
    let around = Circumstances::of(&row)?;
    Ok(ExecutionOut {
        status: status_of(&row)?,
        decision: around.decision(row.tool_version),
        attempts: around.attempts(row.executed_at),
        message: around.message,
        log: log_of(&row),
        input_params: serde_json::from_str(&row.params).map_err(corrupt)?,
        output_result: row.result.as_deref().map(serde_json::from_str).transpose().map_err(corrupt)?,
        id: ExecutionId(row.id),
        tool_id: ToolId(row.tool_id),
        tool_name: row.tool_name,
        tool_version: row.tool_version,
        agent_id: row.agent_id.map(AgentId),
        conversation_id: row.conversation_id,
        error_code: row.error_code,
        error_message: row.error_message,
        truncated: row.truncated,
        test_mode: row.test_mode,
        execution_time_ms: row.execution_time_ms,
        confirmation_id: row.confirmation_id.map(ConfirmationId),
        called_by: row.actor_name,
        executed_at: row.executed_at.into(),
        started_at: row.started_at.map(Into::into),
        finished_at: row.finished_at.map(Into::into),
    })
}
