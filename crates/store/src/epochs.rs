//! The epoch of tools, read inside a transaction that acts on it.

use crate::{Epoch, StoreResult, entity::epochs};
use sea_orm::{ConnectionTrait, DbBackend, EntityTrait, QuerySelect};

/// S23: until this transaction ends, nobody can commit a change of switches, tools or assignments. On SQLite the
/// writing transaction holds the lock anyway.
pub async fn hold_tools(tx: &impl ConnectionTrait) -> StoreResult<Epoch> {
    let mut row = epochs::Entity::find_by_id("tools");
    if tx.get_database_backend() == DbBackend::Postgres {
        row = row.lock_shared();
    }
    Ok(Epoch(row.one(tx).await?.map_or(0, |row| row.value)))
}
