//! Table `audit_heads`: where each chain ends. Whoever adds to a chain holds its head until the commit.

use crate::{StoreError, StoreResult, WriteTx, bulk::change, entity::audit_heads};
use domain::TenantId;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbBackend, EntityTrait, IntoActiveModel, QueryFilter, QueryOrder,
    QuerySelect, sea_query::OnConflict,
};
use std::collections::{BTreeMap, BTreeSet};
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

fn row(tenant: Option<TenantId>, head: &ledger::Head) -> audit_heads::Model {
    audit_heads::Model { chain: chain_id(tenant), seq: head.seq, hash: head.hash.0.to_vec() }
}

pub(super) type Heads = BTreeMap<Option<TenantId>, ledger::Head>;

/// A head, and where it was before.
pub(crate) struct Moved {
    pub(super) head: ledger::Head,
    chain: Uuid,
    old_seq: i64,
    old_hash: Vec<u8>,
    seq: i64,
    hash: Vec<u8>,
}

impl Moved {
    pub(super) fn new(old: &ledger::Head, head: &ledger::Head) -> Self {
        Self {
            head: *head,
            chain: chain_id(head.tenant.map(TenantId)),
            old_seq: old.seq,
            old_hash: old.hash.0.to_vec(),
            seq: head.seq,
            hash: head.hash.0.to_vec(),
        }
    }
}

// A head that is held.
change!(Put, Moved, "audit_heads", [chain], [seq, hash], "audit_heads.chain = new.chain");
// A head that is believed to be somewhere. The place alone would not tell that another entry stands there.
change!(
    Move,
    Moved,
    "audit_heads",
    [chain, old_seq, old_hash],
    [seq, hash],
    "audit_heads.chain = new.chain AND audit_heads.seq = new.old_seq AND audit_heads.hash = new.old_hash"
);

/// The ends of these chains. They are locked in order: two processes never wait for each other.
pub(super) async fn lock_all(tx: &WriteTx, tenants: BTreeSet<Option<TenantId>>) -> StoreResult<Heads> {
    let heads = locked(tx, &tenants).await?;
    let missing: Vec<_> = tenants.iter().filter(|tenant| !heads.contains_key(tenant)).collect();
    if missing.is_empty() {
        return Ok(heads);
    }
    // The first entry of a chain: whoever comes second waits for the first one's row.
    for tenant in missing {
        let start = ledger::Head::start(tenant.map(|tenant| tenant.0));
        let row = row(*tenant, &start).into_active_model();
        let keep = OnConflict::column(audit_heads::Column::Chain).do_nothing().to_owned();
        audit_heads::Entity::insert(row).on_conflict(keep).exec_without_returning(tx).await?;
    }
    locked(tx, &tenants).await
}

async fn locked(tx: &WriteTx, tenants: &BTreeSet<Option<TenantId>>) -> StoreResult<Heads> {
    let chains = tenants.iter().copied().map(chain_id);
    let mut rows = audit_heads::Entity::find()
        .filter(audit_heads::Column::Chain.is_in(chains))
        .order_by_asc(audit_heads::Column::Chain);
    if tx.get_database_backend() == DbBackend::Postgres {
        rows = rows.lock_exclusive();
    }
    let head = |row: audit_heads::Model| {
        let tenant = tenant_of(row.chain);
        Ok((tenant.map(TenantId), ledger::Head { tenant, seq: row.seq, hash: hash_of(&row.hash)? }))
    };
    rows.all(tx).await?.into_iter().map(head).collect()
}
