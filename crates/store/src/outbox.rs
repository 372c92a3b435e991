//! Table `outbox`: events that wait for delivery. Written in the transaction of the change that they tell of, so that
//! none is told without its change, and none is forgotten.
//!
//! A row is taken by moving its next attempt away: whoever stops in the middle leaves a row that becomes due again.

use crate::{Moment, StoreResult, channels, entity::outbox};
use domain::{TenantId, channel::ChannelKind};
use outbox::{ActiveModel, Column, Entity};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    UpdateMany, sea_query::Expr,
};
use serde_json::Value;
use uuid::Uuid;

pub type Event = outbox::Model;

/// Keeps the events of those tenants who have somebody to tell; drops the others.
pub async fn insert_all(tx: &impl ConnectionTrait, events: Vec<(TenantId, Value)>) -> StoreResult<()> {
    if events.is_empty() {
        return Ok(());
    }
    let tenants = events.iter().map(|(tenant, _)| *tenant);
    let listening = channels::tenants_with(tx, ChannelKind::Events, tenants).await?;
    let heard = events.into_iter().filter(|(tenant, _)| listening.contains(tenant));
    let rows: Vec<ActiveModel> = heard.map(|(tenant, body)| new_row(tenant, &body)).collect();
    if !rows.is_empty() {
        Entity::insert_many(rows).exec_without_returning(tx).await?;
    }
    Ok(())
}

fn new_row(tenant: TenantId, body: &Value) -> ActiveModel {
    let now = Moment::now();
    ActiveModel {
        id: Set(Uuid::now_v7()),
        tenant_id: Set(tenant.0),
        body: Set(body.to_string()),
        attempts: Set(0),
        next_attempt_at: Set(now),
        last_error: Set(None),
        created_at: Set(now),
    }
}

pub async fn tenants_with_due(conn: &impl ConnectionTrait, now: Moment) -> StoreResult<Vec<TenantId>> {
    let due = Entity::find().select_only().column(Column::TenantId).distinct();
    let found: Vec<Uuid> = due.filter(Column::NextAttemptAt.lte(now)).into_tuple().all(conn).await?;
    Ok(found.into_iter().map(TenantId).collect())
}

/// The oldest first.
pub async fn due(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    now: Moment,
    limit: u64,
) -> StoreResult<Vec<Event>> {
    let due = Entity::find().filter(Column::TenantId.eq(tenant.0)).filter(Column::NextAttemptAt.lte(now));
    Ok(due.order_by_asc(Column::Id).limit(limit).all(conn).await?)
}

/// Takes the event until that moment; false when another process did.
pub async fn claim(tx: &impl ConnectionTrait, event: &Event, until: Moment) -> StoreResult<bool> {
    let claimed = at(event.id, event.attempts)
        .col_expr(Column::Attempts, Expr::cust("attempts + 1"))
        .col_expr(Column::NextAttemptAt, Expr::value(until.0))
        .exec(tx)
        .await?;
    Ok(claimed.rows_affected == 1)
}

/// After an attempt that failed.
pub async fn again(
    tx: &impl ConnectionTrait,
    event: &Event,
    at_moment: Moment,
    error: &str,
) -> StoreResult<()> {
    let again = at(event.id, event.attempts + 1)
        .col_expr(Column::NextAttemptAt, Expr::value(at_moment.0))
        .col_expr(Column::LastError, Expr::value(error));
    again.exec(tx).await?;
    Ok(())
}

pub async fn delete(tx: &impl ConnectionTrait, id: Uuid) -> StoreResult<()> {
    Entity::delete_by_id(id).exec(tx).await?;
    Ok(())
}

fn at(id: Uuid, attempts: i32) -> UpdateMany<Entity> {
    Entity::update_many().filter(Column::Id.eq(id)).filter(Column::Attempts.eq(attempts))
}
