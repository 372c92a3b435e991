//! For the sender: what is due, taking one, and saying how it went.
//!
//! A message is taken by compare and set, so two processes never send the same one. One whose process stopped while
//! sending is not sent again, because it may have left: it fails, and a person decides.

use crate::{Moment, StoreResult, entity::scheduled_messages};
use domain::{
    ScheduledMessageId, TenantId,
    crm::{ScheduledMessageOut, ScheduledStatus},
};
use scheduled_messages::{Column, Entity, Model};
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, UpdateMany,
    sea_query::Expr,
};

/// A message whose time has come.
#[derive(Clone, Debug)]
pub struct Due {
    pub tenant: TenantId,
    pub message: ScheduledMessageOut,
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

/// The oldest first.
pub async fn due(conn: &impl ConnectionTrait, now: Moment, limit: u64) -> StoreResult<Vec<Due>> {
    let rows = Entity::find()
        .filter(Column::Status.eq(ScheduledStatus::Scheduled.as_str()))
        .filter(Column::SendAt.lte(now))
        .order_by_asc(Column::SendAt)
        .limit(limit)
        .all(conn)
        .await?;
    let to_due = |row: Model| Ok(Due { tenant: TenantId(row.tenant_id), message: row.try_into()? });
    rows.into_iter().map(to_due).collect()
}

/// Takes the message: false when another process did, or somebody cancelled it.
pub async fn claim(tx: &impl ConnectionTrait, id: ScheduledMessageId) -> StoreResult<bool> {
    let now = Moment::now().0;
    let claimed = change(id, ScheduledStatus::Scheduled, ScheduledStatus::Sending)
        .col_expr(Column::Attempts, Expr::cust("attempts + 1"))
        .col_expr(Column::ClaimedAt, Expr::value(now))
        .exec(tx)
        .await?;
    Ok(claimed.rows_affected == 1)
}

/// False when it was not being sent.
pub async fn finish(
    tx: &impl ConnectionTrait,
    id: ScheduledMessageId,
    outcome: Outcome,
) -> StoreResult<bool> {
    let change_to = |status| change(id, ScheduledStatus::Sending, status);
    let change = match outcome {
        Outcome::Sent => change_to(ScheduledStatus::Sent)
            .col_expr(Column::SentAt, Expr::value(Moment::now().0))
            .col_expr(Column::LastError, Expr::value(None::<String>)),
        Outcome::Again { at, error } => change_to(ScheduledStatus::Scheduled)
            .col_expr(Column::SendAt, Expr::value(at.0))
            .col_expr(Column::LastError, Expr::value(error)),
        Outcome::Failed { error } => {
            change_to(ScheduledStatus::Failed).col_expr(Column::LastError, Expr::value(error))
        }
    };
    Ok(change.exec(tx).await?.rows_affected == 1)
}

/// Gives up on what was taken before that moment and never finished; says how many.
pub async fn fail_stuck(tx: &impl ConnectionTrait, taken_before: Moment) -> StoreResult<u64> {
    let failed = Entity::update_many()
        .col_expr(Column::Status, Expr::value(ScheduledStatus::Failed.as_str()))
        .col_expr(Column::LastError, Expr::value("interrupted while sending"))
        .col_expr(Column::UpdatedAt, Expr::value(Moment::now().0))
        .filter(Column::Status.eq(ScheduledStatus::Sending.as_str()))
        .filter(Column::ClaimedAt.lt(taken_before))
        .exec(tx)
        .await?;
    Ok(failed.rows_affected)
}

fn change(id: ScheduledMessageId, from: ScheduledStatus, to: ScheduledStatus) -> UpdateMany<Entity> {
    Entity::update_many()
        .col_expr(Column::Status, Expr::value(to.as_str()))
        .col_expr(Column::UpdatedAt, Expr::value(Moment::now().0))
        .filter(Column::Id.eq(id.0))
        .filter(Column::Status.eq(from.as_str()))
}
