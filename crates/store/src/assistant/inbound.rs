//! S18: the messages that came in over a gateway, by the ids that it gave them. One that comes again is answered as
//! before and does nothing.

use crate::{Moment, StoreResult, entity::assistant_inbound as inbound};
use domain::TenantId;
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter,
    sea_query::{Expr, OnConflict},
};
use time::Duration;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arrival {
    New,
    /// The same message is being worked on.
    InProgress,
    /// It was answered so.
    Answered(String),
    /// Its id belongs to another message.
    Another,
}

/// Whoever has not answered by then has stopped: the message may be worked on again.
const LEASE: Duration = Duration::minutes(1);

pub async fn arrive(
    tx: &impl ConnectionTrait,
    tenant: TenantId,
    message: &str,
    body_hash: &str,
) -> StoreResult<Arrival> {
    use inbound::Column as C;
    let row = inbound::ActiveModel {
        tenant_id: Set(tenant.0),
        message_id: Set(message.to_owned()),
        body_hash: Set(body_hash.to_owned()),
        answer: Set(None),
        received_at: Set(Moment::now()),
    };
    let keep = OnConflict::columns([C::TenantId, C::MessageId]).do_nothing().to_owned();
    match inbound::Entity::insert(row).on_conflict(keep).exec_without_returning(tx).await {
        Ok(1) => return Ok(Arrival::New),
        Ok(_) | Err(sea_orm::DbErr::RecordNotInserted) => {}
        Err(error) => return Err(error.into()),
    }
    let Some(row) = inbound::Entity::find_by_id((tenant.0, message.to_owned())).one(tx).await? else {
        return Ok(Arrival::InProgress);
    };
    Ok(match row.answer {
        _ if row.body_hash != body_hash => Arrival::Another,
        Some(answer) => Arrival::Answered(answer),
        None if !row.received_at.plus(LEASE).is_past() => Arrival::InProgress,
        None => {
            one(tenant, message).col_expr(C::ReceivedAt, Expr::value(Moment::now().0)).exec(tx).await?;
            Arrival::New
        }
    })
}

pub async fn answered(
    tx: &impl ConnectionTrait,
    tenant: TenantId,
    message: &str,
    answer: &str,
) -> StoreResult<()> {
    one(tenant, message).col_expr(inbound::Column::Answer, Expr::value(answer)).exec(tx).await?;
    Ok(())
}

/// Older than any signature that is still accepted.
pub async fn forget_arrivals(tx: &impl ConnectionTrait, older_than: Duration) -> StoreResult<()> {
    let before = Moment::now().plus(-older_than);
    inbound::Entity::delete_many().filter(inbound::Column::ReceivedAt.lt(before)).exec(tx).await?;
    Ok(())
}

fn one(tenant: TenantId, message: &str) -> sea_orm::UpdateMany<inbound::Entity> {
    let one = inbound::Entity::update_many().filter(inbound::Column::TenantId.eq(tenant.0));
    one.filter(inbound::Column::MessageId.eq(message))
}
