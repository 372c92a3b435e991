//! The chains as they are verified, exported and signed.

use super::heads::{chain_id, hash_of, tenant_of};
use crate::{
    Moment, StoreError, StoreResult,
    entity::{audit_checkpoints, audit_entries, audit_heads},
};
use domain::TenantId;
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    sea_query::{Expr, ExprTrait, OnConflict, Query},
};

/// The end of every chain, or of one.
pub async fn chains(
    conn: &impl ConnectionTrait,
    tenant: Option<Option<TenantId>>,
) -> StoreResult<Vec<ledger::Head>> {
    let mut query = audit_heads::Entity::find().order_by_asc(audit_heads::Column::Chain);
    if let Some(tenant) = tenant {
        query = query.filter(audit_heads::Column::Chain.eq(chain_id(tenant)));
    }
    heads(query.all(conn).await?)
}

/// The ends of chains that no checkpoint names.
pub async fn unsigned_chains(conn: &impl ConnectionTrait) -> StoreResult<Vec<ledger::Head>> {
    use audit_checkpoints::Column as C;
    let signed = Query::select()
        .expr(Expr::val(1))
        .from(audit_checkpoints::Entity)
        .and_where(C::Chain.into_expr().equals((audit_heads::Entity, audit_heads::Column::Chain)))
        .and_where(C::Seq.into_expr().equals((audit_heads::Entity, audit_heads::Column::Seq)))
        .to_owned();
    let unsigned = audit_heads::Entity::find().filter(Expr::exists(signed).not());
    heads(unsigned.order_by_asc(audit_heads::Column::Chain).all(conn).await?)
}

fn heads(rows: Vec<audit_heads::Model>) -> StoreResult<Vec<ledger::Head>> {
    rows.into_iter()
        .map(|row| Ok(ledger::Head { tenant: tenant_of(row.chain), seq: row.seq, hash: hash_of(&row.hash)? }))
        .collect()
}

/// A part of a chain, in its order.
pub async fn entries_after(
    conn: &impl ConnectionTrait,
    tenant: Option<TenantId>,
    seq: i64,
    limit: u64,
) -> StoreResult<Vec<ledger::Recorded>> {
    use audit_entries::Column as C;
    let of_chain = match tenant {
        Some(tenant) => C::TenantId.eq(tenant.0),
        None => C::TenantId.is_null(),
    };
    let rows = audit_entries::Entity::find()
        .filter(of_chain)
        .filter(C::ChainSeq.gt(seq))
        .order_by_asc(C::ChainSeq)
        .limit(limit)
        .all(conn)
        .await?;
    rows.into_iter().map(recorded).collect()
}

pub(super) fn recorded(row: audit_entries::Model) -> StoreResult<ledger::Recorded> {
    let corrupt = || StoreError::Corrupt(format!("audit entry {}", row.id));
    let hash = hash_of(row.hash.as_deref().ok_or_else(corrupt)?)?;
    let digest = |text: &String| text.parse::<ledger::Hash>().map_err(|_| corrupt());
    let content = match &row.salt {
        Some(salt) => ledger::Content::Kept(ledger::Texts {
            salt: ledger::Salt(salt.as_slice().try_into().map_err(|_| corrupt())?),
            actor_name: row.actor_name.clone(),
            before: row.before.clone(),
            after: row.after.clone(),
            reason: row.reason.clone(),
        }),
        None => ledger::Content::Erased(ledger::Digests {
            actor_name: digest(&row.actor_name)?,
            before: row.before.as_ref().map(digest).transpose()?,
            after: row.after.as_ref().map(digest).transpose()?,
            reason: row.reason.as_ref().map(digest).transpose()?,
        }),
    };
    let entry = ledger::Entry {
        tenant: row.tenant_id,
        seq: row.chain_seq.ok_or_else(corrupt)?,
        id: row.id,
        at: row.at.0,
        actor_kind: row.actor_kind,
        actor_id: row.actor_id,
        action: row.action,
        subject_kind: row.subject_kind,
        subject_id: row.subject_id,
        content,
    };
    Ok(ledger::Recorded { entry, hash })
}

pub async fn put_checkpoint(tx: &impl ConnectionTrait, checkpoint: &ledger::Checkpoint) -> StoreResult<()> {
    let row = audit_checkpoints::ActiveModel {
        chain: Set(checkpoint.tenant.unwrap_or_default()),
        seq: Set(checkpoint.seq),
        hash: Set(checkpoint.hash.0.to_vec()),
        at: Set(Moment(checkpoint.at)),
        key_id: Set(checkpoint.key_id.to_string()),
        signature: Set(checkpoint.signature.to_string()),
    };
    use audit_checkpoints::Column as C;
    let keep = OnConflict::columns([C::Chain, C::Seq]).do_nothing().to_owned();
    match audit_checkpoints::Entity::insert(row).on_conflict(keep).exec_without_returning(tx).await {
        Ok(_) | Err(sea_orm::DbErr::RecordNotInserted) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Every checkpoint, or those of one chain, in the order of the chain.
pub async fn checkpoints(
    conn: &impl ConnectionTrait,
    tenant: Option<Option<TenantId>>,
) -> StoreResult<Vec<ledger::Checkpoint>> {
    use audit_checkpoints::Column as C;
    let mut query = audit_checkpoints::Entity::find().order_by_asc(C::Chain).order_by_asc(C::Seq);
    if let Some(tenant) = tenant {
        query = query.filter(C::Chain.eq(chain_id(tenant)));
    }
    let rows = query.all(conn).await?;
    rows.into_iter().map(checkpoint).collect()
}

pub async fn remove_checkpoint(
    tx: &impl ConnectionTrait,
    checkpoint: &ledger::Checkpoint,
) -> StoreResult<()> {
    let key = (checkpoint.tenant.unwrap_or_default(), checkpoint.seq);
    audit_checkpoints::Entity::delete_by_id(key).exec(tx).await?;
    Ok(())
}

/// The newest of one chain.
pub async fn last_checkpoint(
    conn: &impl ConnectionTrait,
    tenant: Option<TenantId>,
) -> StoreResult<Option<ledger::Checkpoint>> {
    use audit_checkpoints::Column as C;
    let row = audit_checkpoints::Entity::find()
        .filter(C::Chain.eq(chain_id(tenant)))
        .order_by_desc(C::Seq)
        .one(conn)
        .await?;
    row.map(checkpoint).transpose()
}

fn checkpoint(row: audit_checkpoints::Model) -> StoreResult<ledger::Checkpoint> {
    let corrupt = || StoreError::Corrupt(format!("checkpoint {} of {}", row.seq, row.chain));
    Ok(ledger::Checkpoint {
        tenant: tenant_of(row.chain),
        seq: row.seq,
        hash: hash_of(&row.hash)?,
        at: row.at.0,
        key_id: row.key_id.parse().map_err(|_| corrupt())?,
        signature: row.signature.parse().map_err(|_| corrupt())?,
    })
}
