//! Table `scheduled_messages`. A tenant plans and cancels; the sender takes what is due, whoever it belongs to.

mod delivery;

pub use delivery::{Claim, Due, Outcome, claim, due, finish, interrupted, next_moment, tenants_with_due};

use super::{
    Hold,
    owned::{self, all, of_tenant, word},
};
use crate::{Moment, StoreError, StoreResult, entity::scheduled_messages};
use domain::{
    ContactId, ExecutionId, ListOut, Page, ScheduledMessageId, TenantId,
    crm::{ScheduledMessageIn, ScheduledMessageOut, ScheduledMessageQuery, ScheduledStatus},
};
use scheduled_messages::{ActiveModel, Column, Entity, Model};
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, sea_query::Expr};

/// `execution` is the call of a tool that asked for it, if one did.
pub async fn insert(
    tx: &impl ConnectionTrait,
    tenant: TenantId,
    input: &ScheduledMessageIn,
    execution: Option<ExecutionId>,
) -> StoreResult<ScheduledMessageOut> {
    let now = Moment::now();
    let row = ActiveModel {
        id: Set(ScheduledMessageId::new().0),
        tenant_id: Set(tenant.0),
        contact_id: Set(input.contact_id.0),
        channel: Set(input.channel.to_string()),
        text: Set(input.text.clone()),
        send_at: Set(Moment::try_from(&input.send_at)?),
        status: Set(ScheduledStatus::Scheduled.to_string()),
        attempts: Set(0),
        last_error: Set(None),
        execution_id: Set(execution.map(|id| id.0)),
        claimed_at: Set(None),
        sent_at: Set(None),
        next_attempt_at: Set(None),
        via: Set(None),
        process_id: Set(None),
        created_at: Set(now),
        updated_at: Set(now),
    };
    Entity::insert(row).exec_with_returning(tx).await?.try_into()
}

pub async fn find(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    id: ScheduledMessageId,
    hold: Hold,
) -> StoreResult<Option<ScheduledMessageOut>> {
    owned::find::<Entity>(conn, tenant, id.0, hold).await?.map(ScheduledMessageOut::try_from).transpose()
}

pub async fn list(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    query: &ScheduledMessageQuery,
    page: Page,
) -> StoreResult<ListOut<ScheduledMessageOut>> {
    let mut select = of_tenant::<Entity>(tenant);
    if let Some(status) = query.status {
        select = select.filter(Column::Status.eq(status.as_str()));
    }
    if let Some(contact) = query.contact_id {
        select = select.filter(Column::ContactId.eq(contact.0));
    }
    let rows = all(owned::page(conn, select, page).await?)?;
    Ok(page.list(rows, |row: &ScheduledMessageOut| row.id.0))
}

/// False when it is not waiting any more: somebody took it, sent it or cancelled it.
pub async fn cancel(
    tx: &impl ConnectionTrait,
    tenant: TenantId,
    id: ScheduledMessageId,
) -> StoreResult<bool> {
    let cancelled = Entity::update_many()
        .col_expr(Column::Status, Expr::value(ScheduledStatus::Cancelled.as_str()))
        .col_expr(Column::UpdatedAt, Expr::value(Moment::now().0))
        .filter(Column::Id.eq(id.0))
        .filter(Column::TenantId.eq(tenant.0))
        .filter(Column::Status.eq(ScheduledStatus::Scheduled.as_str()))
        .exec(tx)
        .await?;
    Ok(cancelled.rows_affected == 1)
}

impl TryFrom<Model> for ScheduledMessageOut {
    type Error = StoreError;

    fn try_from(row: Model) -> StoreResult<Self> {
        Ok(Self {
            id: ScheduledMessageId(row.id),
            contact_id: ContactId(row.contact_id),
            channel: word(&row.channel)?,
            text: row.text,
            send_at: row.send_at.into(),
            status: word(&row.status)?,
            attempts: row.attempts,
            last_error: row.last_error,
            execution_id: row.execution_id.map(ExecutionId),
            sent_at: row.sent_at.map(Into::into),
            created_at: row.created_at.into(),
        })
    }
}
