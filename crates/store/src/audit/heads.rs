//! Table `audit_heads`: where each chain ends. Whoever adds to a chain holds its head until the commit.

use crate::{StoreError, StoreResult, entity::audit_heads};
use domain::TenantId;
use sea_orm::{
    ActiveValue::Set, ConnectionTrait, DbBackend, EntityTrait, QuerySelect, sea_query::OnConflict,
};
use uuid::Uuid;

/// The platform's own chain is under the nil id.
pub(super) fn chain_id(tenant: Option<TenantId>) -> Uuid {
    tenant.map_or(Uuid::nil(), |tenant| tenant.0)
}

pub(super) fn tenant_of(chain: Uuid) -> Option<Uuid> {
    (!chain.is_nil()).then_some(chain)
}

pub(super) fn hash_of(bytes: &[u8]) -> StoreResult<ledger::Hash> {
    let bytes = bytes.try_into().map_err(|_| StoreError::Corrupt("a hash of the audit log".to_owned()))?;
    Ok(ledger::Hash(bytes))
}

pub(super) async fn lock(tx: &impl ConnectionTrait, tenant: Option<TenantId>) -> StoreResult<ledger::Head> {
    let start = ledger::Head::start(tenant.map(|tenant| tenant.0));
    if let Some(head) = locked(tx, tenant).await? {
        return Ok(head);
    }
    // The first entry of a chain: whoever comes second waits for the first one's row.
    let row = audit_heads::ActiveModel {
        chain: Set(chain_id(tenant)),
        seq: Set(start.seq),
        hash: Set(start.hash.0.to_vec()),
    };
    let keep = OnConflict::column(audit_heads::Column::Chain).do_nothing().to_owned();
    match audit_heads::Entity::insert(row).on_conflict(keep).exec_without_returning(tx).await {
        Ok(_) | Err(sea_orm::DbErr::RecordNotInserted) => Ok(locked(tx, tenant).await?.unwrap_or(start)),
        Err(error) => Err(error.into()),
    }
}

async fn locked(tx: &impl ConnectionTrait, tenant: Option<TenantId>) -> StoreResult<Option<ledger::Head>> {
    let mut row = audit_heads::Entity::find_by_id(chain_id(tenant));
    if tx.get_database_backend() == DbBackend::Postgres {
        row = row.lock_exclusive();
    }
    let Some(row) = row.one(tx).await? else { return Ok(None) };
    Ok(Some(ledger::Head { tenant: tenant_of(row.chain), seq: row.seq, hash: hash_of(&row.hash)? }))
}

pub(super) async fn advance(
    tx: &impl ConnectionTrait,
    tenant: Option<TenantId>,
    head: &ledger::Head,
) -> StoreResult<()> {
    let row = audit_heads::ActiveModel {
        chain: Set(chain_id(tenant)),
        seq: Set(head.seq),
        hash: Set(head.hash.0.to_vec()),
    };
    audit_heads::Entity::update(row).validate()?.exec(tx).await?;
    Ok(())
}
