//! For the sender: what is due, taking one, and saying how it went.
//!
//! A message is taken by compare and set, so two processes never send the same one. The number of its attempt names the
//! taking: who comes late with the end of an older one changes nothing.

use crate::{
    Moment, StoreResult,
    entity::{processes, scheduled_messages},
};
use domain::{
    ScheduledMessageId, TenantId,
    channel::ChannelKind,
    crm::{ScheduledMessageOut, ScheduledStatus},
};
use scheduled_messages::{Column, Entity, Model};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Select,
    UpdateMany,
    sea_query::{Expr, Query},
};
use uuid::Uuid;

/// A message whose time has come, or one that was left in the middle.
#[derive(Clone, Debug)]
pub struct Due {
    pub tenant: TenantId,
    pub message: ScheduledMessageOut,
    /// The channel of the last attempt.
    pub via: Option<ChannelKind>,
}

/// One attempt: who made it, on which way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    pub id: ScheduledMessageId,
    /// From 1.
    pub attempt: i32,
}

/// How an attempt ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    Sent,
    /// Another attempt is worth it, later.
    Again {
        at: Moment,
        error: String,
    },
    Failed {
        error: String,
    },
}

fn waiting(now: Moment) -> Select<Entity> {
    let no_pause = Condition::any().add(Column::NextAttemptAt.is_null()).add(Column::NextAttemptAt.lte(now));
    Entity::find()
        .filter(Column::Status.eq(ScheduledStatus::Scheduled.as_str()))
        .filter(Column::SendAt.lte(now))
        .filter(no_pause)
}

pub async fn tenants_with_due(conn: &impl ConnectionTrait, now: Moment) -> StoreResult<Vec<TenantId>> {
    let select = waiting(now).select_only().column(Column::TenantId).distinct();
    let found: Vec<Uuid> = select.into_tuple().all(conn).await?;
    Ok(found.into_iter().map(TenantId).collect())
}

/// The oldest first.
pub async fn due(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    now: Moment,
    limit: u64,
) -> StoreResult<Vec<Due>> {
    let select = waiting(now).filter(Column::TenantId.eq(tenant.0)).order_by_asc(Column::SendAt);
    read(select.limit(limit).all(conn).await?)
}

/// When the next message that waits for its first attempt is due.
pub async fn next_moment(conn: &impl ConnectionTrait, after: Moment) -> StoreResult<Option<Moment>> {
    let next: Option<i64> = Entity::find()
        .select_only()
        .column(Column::SendAt)
        .filter(Column::Status.eq(ScheduledStatus::Scheduled.as_str()))
        .filter(Column::SendAt.gt(after))
        .order_by_asc(Column::SendAt)
        .into_tuple()
        .one(conn)
        .await?;
    Ok(next.map(Moment))
}

/// Takes the message for its next attempt: nothing when another process did, or somebody cancelled it.
pub async fn claim(
    tx: &impl ConnectionTrait,
    due: &Due,
    via: Option<ChannelKind>,
    process: Uuid,
) -> StoreResult<Option<Claim>> {
    let claim = Claim { id: due.message.id, attempt: due.message.attempts + 1 };
    let claimed = change(claim.id, ScheduledStatus::Scheduled, ScheduledStatus::Sending)
        .col_expr(Column::Attempts, Expr::value(claim.attempt))
        .col_expr(Column::ClaimedAt, Expr::value(Moment::now().0))
        .col_expr(Column::Via, Expr::value(via.map(ChannelKind::as_str)))
        .col_expr(Column::ProcessId, Expr::value(process))
        .filter(Column::Attempts.eq(due.message.attempts))
        .exec(tx)
        .await?;
    Ok((claimed.rows_affected == 1).then_some(claim))
}

/// False when this attempt is not the one that is being made.
pub async fn finish(tx: &impl ConnectionTrait, claim: Claim, outcome: &Outcome) -> StoreResult<bool> {
    let change_to = |status| {
        change(claim.id, ScheduledStatus::Sending, status)
            .col_expr(Column::ProcessId, Expr::value(None::<Uuid>))
            .filter(Column::Attempts.eq(claim.attempt))
    };
    let change = match outcome {
        Outcome::Sent => change_to(ScheduledStatus::Sent)
            .col_expr(Column::SentAt, Expr::value(Moment::now().0))
            .col_expr(Column::LastError, Expr::value(None::<String>)),
        Outcome::Again { at, error } => change_to(ScheduledStatus::Scheduled)
            .col_expr(Column::NextAttemptAt, Expr::value(at.0))
            .col_expr(Column::LastError, Expr::value(error.as_str())),
        Outcome::Failed { error } => {
            change_to(ScheduledStatus::Failed).col_expr(Column::LastError, Expr::value(error.as_str()))
        }
    };
    Ok(change.exec(tx).await?.rows_affected == 1)
}

/// Taken by a process that is gone.
pub async fn interrupted(conn: &impl ConnectionTrait, me: Uuid, limit: u64) -> StoreResult<Vec<Due>> {
    let running = Query::select().column(processes::Column::Id).from(processes::Entity).to_owned();
    let gone = Condition::all().add(Column::ProcessId.ne(me)).add(Column::ProcessId.not_in_subquery(running));
    let left = Entity::find()
        .filter(Column::Status.eq(ScheduledStatus::Sending.as_str()))
        .filter(Condition::any().add(Column::ProcessId.is_null()).add(gone));
    read(left.limit(limit).all(conn).await?)
}

fn read(rows: Vec<Model>) -> StoreResult<Vec<Due>> {
    let to_due = |row: Model| {
        let via = row.via.as_deref().and_then(ChannelKind::from_name);
        Ok(Due { tenant: TenantId(row.tenant_id), message: row.try_into()?, via })
    };
    rows.into_iter().map(to_due).collect()
}

fn change(id: ScheduledMessageId, from: ScheduledStatus, to: ScheduledStatus) -> UpdateMany<Entity> {
    Entity::update_many()
        .col_expr(Column::Status, Expr::value(to.as_str()))
        .col_expr(Column::UpdatedAt, Expr::value(Moment::now().0))
        .filter(Column::Id.eq(id.0))
        .filter(Column::Status.eq(from.as_str()))
}
