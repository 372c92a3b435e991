//! Table `idempotency_keys`: B3, the same request twice is one call.

use crate::{Moment, StoreResult, entity::idempotency_keys};
use domain::{ExecutionId, TenantId};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, sea_query::OnConflict,
};
use time::Duration;
use uuid::Uuid;

pub const LIFETIME: Duration = Duration::DAY;

/// A key in its scope: two callers may use the same one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    pub tenant: TenantId,
    pub actor: Uuid,
    pub key: String,
}

/// What the key was first used for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Used {
    pub request_hash: String,
    pub execution: ExecutionId,
}

pub async fn find(conn: &impl ConnectionTrait, key: &Key) -> StoreResult<Option<Used>> {
    let row = idempotency_keys::Entity::find_by_id((key.tenant.0, key.actor, key.key.clone()))
        .filter(idempotency_keys::Column::ExpiresAt.gt(Moment::now()))
        .one(conn)
        .await?;
    Ok(row.map(|row| Used { request_hash: row.request_hash, execution: ExecutionId(row.execution_id) }))
}

/// Takes the key for this use, or tells what it was used for before.
pub async fn take(tx: &impl ConnectionTrait, key: &Key, wanted: &Used) -> StoreResult<Option<Used>> {
    idempotency_keys::Entity::delete_by_id((key.tenant.0, key.actor, key.key.clone()))
        .filter(idempotency_keys::Column::ExpiresAt.lte(Moment::now()))
        .exec(tx)
        .await?;
    let row = idempotency_keys::ActiveModel {
        tenant_id: Set(key.tenant.0),
        actor_id: Set(key.actor),
        key: Set(key.key.clone()),
        request_hash: Set(wanted.request_hash.clone()),
        execution_id: Set(wanted.execution.0),
        expires_at: Set(Moment::now().plus(LIFETIME)),
    };
    use idempotency_keys::Column as C;
    let keep = OnConflict::columns([C::TenantId, C::ActorId, C::Key]).do_nothing().to_owned();
    let inserted = idempotency_keys::Entity::insert(row).on_conflict(keep).exec_without_returning(tx).await;
    match inserted {
        Ok(1) => Ok(None),
        Ok(_) | Err(sea_orm::DbErr::RecordNotInserted) => find(tx, key).await,
        Err(error) => Err(error.into()),
    }
}

pub async fn delete_expired(tx: &impl ConnectionTrait) -> StoreResult<u64> {
    let over = idempotency_keys::Column::ExpiresAt.lte(Moment::now());
    Ok(idempotency_keys::Entity::delete_many().filter(over).exec(tx).await?.rows_affected)
}
