//! Table `confirmations`: questions to people. Each is decided once: compare and set.

use crate::{Moment, StoreError, StoreResult, entity::confirmations, executions, executions::Asking};
use ability::Actor;
use domain::{
    AgentId, ConfirmationId, ExecutionId, Page, TenantId, ToolId,
    execution::{ConfirmationOut, ConfirmationStatus},
};
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, IntoActiveModel, QueryFilter, QueryOrder, QuerySelect,
    sea_query::{Expr, ExprTrait},
};

/// A question as it is kept: `params`, `edited_params` and `plan` are JSON text.
pub type Confirmation = confirmations::Model;

/// How somebody decided.
pub struct Ruling {
    pub status: ConfirmationStatus,
    pub actor: Actor,
    pub by: String,
    pub note: Option<String>,
    /// Corrected arguments, masked, as JSON text.
    pub edited_params: Option<String>,
}

pub async fn insert_all(tx: &impl ConnectionTrait, rows: Vec<Confirmation>) -> StoreResult<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let rows = rows.into_iter().map(IntoActiveModel::into_active_model);
    confirmations::Entity::insert_many(rows).exec_without_returning(tx).await?;
    Ok(())
}

pub async fn find(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    id: ConfirmationId,
) -> StoreResult<Option<Confirmation>> {
    let this = confirmations::Entity::find_by_id(id.0).filter(confirmations::Column::TenantId.eq(tenant.0));
    Ok(this.one(conn).await?)
}

/// Newest first.
pub async fn list(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    status: Option<ConfirmationStatus>,
    page: Page,
) -> StoreResult<Vec<Confirmation>> {
    use confirmations::Column as C;
    let mut query = confirmations::Entity::find().filter(C::TenantId.eq(tenant.0));
    let overdue = || C::Status.eq(ConfirmationStatus::Pending.as_str()).and(C::ExpiresAt.lte(Moment::now()));
    query = match status {
        None => query,
        Some(ConfirmationStatus::Expired) => {
            query.filter(C::Status.eq(ConfirmationStatus::Expired.as_str()).or(overdue()))
        }
        Some(status) => query.filter(C::Status.eq(status.as_str())).filter(overdue().not()),
    };
    if let Some(before) = page.before {
        query = query.filter(C::Id.lt(before));
    }
    Ok(query.order_by_desc(C::Id).limit(page.limit + 1).all(conn).await?)
}

/// How many wait for a decision, at most so many.
pub async fn count_waiting(conn: &impl ConnectionTrait, tenant: TenantId, most: u64) -> StoreResult<u64> {
    use confirmations::Column as C;
    let waiting = confirmations::Entity::find()
        .select_only()
        .column(C::Id)
        .filter(C::TenantId.eq(tenant.0))
        .filter(C::Status.eq(ConfirmationStatus::Pending.as_str()))
        .filter(C::ExpiresAt.gt(Moment::now()))
        .limit(most);
    let ids: Vec<uuid::Uuid> = waiting.into_tuple().all(conn).await?;
    Ok(u64::try_from(ids.len()).unwrap_or(most))
}

/// S20: the question as it is then; nothing when somebody else was faster, or its time is over.
pub async fn decide(
    tx: &impl ConnectionTrait,
    tenant: TenantId,
    id: ConfirmationId,
    ruling: &Ruling,
) -> StoreResult<Option<Confirmation>> {
    use confirmations::Column as C;
    let updated = confirmations::Entity::update_many()
        .col_expr(C::Status, Expr::value(ruling.status.as_str()))
        .col_expr(C::DecidedBy, Expr::value(ruling.by.as_str()))
        .col_expr(C::DecidedAt, Expr::value(Moment::now().0))
        .col_expr(C::Note, Expr::value(ruling.note.clone()))
        .col_expr(C::EditedParams, Expr::value(ruling.edited_params.clone()))
        .filter(C::TenantId.eq(tenant.0))
        .filter(C::Id.eq(id.0))
        .filter(C::Status.eq(ConfirmationStatus::Pending.as_str()))
        .filter(C::ExpiresAt.gt(Moment::now()))
        .exec(tx)
        .await?;
    if updated.rows_affected == 1 { find(tx, tenant, id).await } else { Ok(None) }
}

/// Waiting questions whose time is over.
pub async fn overdue(conn: &impl ConnectionTrait, limit: u64) -> StoreResult<Vec<Confirmation>> {
    use confirmations::Column as C;
    let query = confirmations::Entity::find()
        .filter(C::Status.eq(ConfirmationStatus::Pending.as_str()))
        .filter(C::ExpiresAt.lte(Moment::now()));
    Ok(query.limit(limit).all(conn).await?)
}

/// Closes a question without an answer, with a word why when it was not time; nothing when it was decided in between.
pub async fn expire(
    tx: &impl ConnectionTrait,
    tenant: TenantId,
    id: ConfirmationId,
    note: Option<&str>,
) -> StoreResult<Option<Confirmation>> {
    use confirmations::Column as C;
    let updated = confirmations::Entity::update_many()
        .col_expr(C::Status, Expr::value(ConfirmationStatus::Expired.as_str()))
        .col_expr(C::DecidedAt, Expr::value(Moment::now().0))
        .col_expr(C::Note, Expr::value(note))
        .filter(C::TenantId.eq(tenant.0))
        .filter(C::Id.eq(id.0))
        .filter(C::Status.eq(ConfirmationStatus::Pending.as_str()))
        .exec(tx)
        .await?;
    if updated.rows_affected == 1 { find(tx, tenant, id).await } else { Ok(None) }
}

pub async fn is_approved(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    id: ConfirmationId,
) -> StoreResult<bool> {
    let question = find(conn, tenant, id).await?;
    Ok(question.is_some_and(|question| question.status == ConfirmationStatus::Approved.as_str()))
}

/// One whose time is over is expired, also before anybody has closed it.
pub fn status_of(row: &Confirmation) -> StoreResult<ConfirmationStatus> {
    match ConfirmationStatus::from_name(&row.status) {
        Some(ConfirmationStatus::Pending) if row.expires_at.is_past() => Ok(ConfirmationStatus::Expired),
        Some(status) => Ok(status),
        None => Err(StoreError::Corrupt(format!("confirmation {}: {}", row.id, row.status))),
    }
}

/// With what the agent said, which is kept with the call.
pub async fn view(conn: &impl ConnectionTrait, row: Confirmation) -> StoreResult<ConfirmationOut> {
    let mut calls = executions::asking(conn, TenantId(row.tenant_id), [row.execution_id]).await?;
    let call = calls.remove(&row.execution_id).unwrap_or_default();
    view_with(row, call)
}

/// The same for many of one tenant.
pub async fn views(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    rows: Vec<Confirmation>,
) -> StoreResult<Vec<ConfirmationOut>> {
    let mut calls = executions::asking(conn, tenant, rows.iter().map(|row| row.execution_id)).await?;
    let view = |row: Confirmation| {
        let call = calls.remove(&row.execution_id).unwrap_or_default();
        view_with(row, call)
    };
    rows.into_iter().map(view).collect()
}

pub fn view_with(row: Confirmation, call: Asking) -> StoreResult<ConfirmationOut> {
    let corrupt = |error: serde_json::Error| StoreError::Corrupt(format!("confirmation {}: {error}", row.id));
    let json = |text: &Option<String>| text.as_deref().map(serde_json::from_str).transpose().map_err(corrupt);
    Ok(ConfirmationOut {
        status: status_of(&row)?,
        params: serde_json::from_str(&row.params).map_err(corrupt)?,
        edited_params: json(&row.edited_params)?,
        plan: json(&row.plan)?,
        id: ConfirmationId(row.id),
        execution_id: ExecutionId(row.execution_id),
        tool_id: ToolId(row.tool_id),
        tool_name: row.tool_name,
        agent_id: row.agent_id.map(AgentId),
        reason: row.reason,
        message: call.message,
        test_mode: call.test_mode,
        requested_by: row.requested_by,
        requires_second_person: row.second_person,
        decided_by: row.decided_by,
        decided_at: row.decided_at.map(Into::into),
        note: row.note,
        expires_at: row.expires_at.into(),
        created_at: row.created_at.into(),
    })
}
