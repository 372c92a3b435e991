//! The questions that every table of a tenant is asked. The tenant is part of each: another's row is not there.

use crate::{Moment, StoreError, StoreResult};
use domain::{Page, TenantId, Timestamp, crm::UnknownWord};
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Select, UpdateMany,
};
use std::str::FromStr;
use uuid::Uuid;

/// Whether others may change the row until the transaction ends (SQLite: they wait anyway).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// It is only looked at; the one choice without a transaction.
    Free,
    /// It has to stay as it is.
    Still,
    /// It is about to be changed.
    Change,
}

/// A table of which every row belongs to one tenant.
pub(super) trait Owned: EntityTrait {
    const ID: Self::Column;
    const TENANT: Self::Column;
}

/// A table whose rows people change: the moment of the last change is the row's version.
pub(super) trait Versioned: Owned {
    const VERSION: Self::Column;
}

/// A table whose rows other systems can name.
pub(super) trait Named: Owned {
    const EXTERNAL: Self::Column;
}

macro_rules! owned {
    ($($table:ident),+) => {$(
        impl Owned for crate::entity::$table::Entity {
            const ID: Self::Column = crate::entity::$table::Column::Id;
            const TENANT: Self::Column = crate::entity::$table::Column::TenantId;
        }
    )+};
}

macro_rules! versioned {
    ($($table:ident),+) => {$(
        impl Versioned for crate::entity::$table::Entity {
            const VERSION: Self::Column = crate::entity::$table::Column::UpdatedAt;
        }
    )+};
}

macro_rules! named {
    ($($table:ident),+) => {$(
        impl Named for crate::entity::$table::Entity {
            const EXTERNAL: Self::Column = crate::entity::$table::Column::ExternalId;
        }
    )+};
}

owned!(contacts, pipelines, deals, tasks, products, conversations, messages, scheduled_messages);
versioned!(contacts, pipelines, deals, tasks, products, conversations);
named!(contacts, deals, conversations);

pub(super) fn of_tenant<E: Owned>(tenant: TenantId) -> Select<E> {
    E::find().filter(E::TENANT.eq(tenant.0))
}

fn held<E: Owned>(select: Select<E>, hold: Hold) -> Select<E> {
    match hold {
        Hold::Free => select,
        Hold::Still => select.lock_shared(),
        Hold::Change => select.lock_exclusive(),
    }
}

pub(super) async fn find<E: Owned>(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    id: Uuid,
    hold: Hold,
) -> StoreResult<Option<E::Model>> {
    Ok(held(of_tenant::<E>(tenant).filter(E::ID.eq(id)), hold).one(conn).await?)
}

/// By id, or by the name that another system has for it.
pub(super) async fn find_named<E: Named>(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    name: &str,
    hold: Hold,
) -> StoreResult<Option<E::Model>> {
    if let Ok(id) = Uuid::parse_str(name)
        && let Some(row) = find::<E>(conn, tenant, id, hold).await?
    {
        return Ok(Some(row));
    }
    // PostgreSQL keeps no NUL in a text, and refuses the question.
    if name.contains('\0') {
        return Ok(None);
    }
    Ok(held(of_tenant::<E>(tenant).filter(E::EXTERNAL.eq(name)), hold).one(conn).await?)
}

/// One row more than the limit, so that the page knows whether it is the last.
pub(super) async fn page<E: Owned>(
    conn: &impl ConnectionTrait,
    select: Select<E>,
    page: Page,
) -> StoreResult<Vec<E::Model>> {
    let select = match page.before {
        Some(id) => select.filter(E::ID.lt(id)),
        None => select,
    };
    Ok(select.order_by_desc(E::ID).limit(page.limit + 1).all(conn).await?)
}

pub(super) async fn newest<E: Owned>(
    conn: &impl ConnectionTrait,
    select: Select<E>,
    limit: u64,
) -> StoreResult<Vec<E::Model>> {
    Ok(select.order_by_desc(E::ID).limit(limit).all(conn).await?)
}

/// Changes the row as it was seen, and gives it another version ([`Moment::next`]). False when it is not so any more: of two
/// at once one wins.
pub(super) async fn change<E: Versioned>(
    tx: &impl ConnectionTrait,
    change: UpdateMany<E>,
    tenant: TenantId,
    id: Uuid,
    seen: i64,
) -> StoreResult<bool> {
    let as_seen = change.filter(E::ID.eq(id)).filter(E::TENANT.eq(tenant.0)).filter(E::VERSION.eq(seen));
    Ok(as_seen.exec(tx).await?.rows_affected == 1)
}

/// False when the tenant has no such row.
pub(super) async fn delete<E: Owned>(
    tx: &impl ConnectionTrait,
    tenant: TenantId,
    id: Uuid,
) -> StoreResult<bool> {
    let gone = E::delete_many().filter(E::ID.eq(id)).filter(E::TENANT.eq(tenant.0)).exec(tx).await?;
    Ok(gone.rows_affected == 1)
}

pub(super) fn word<T: FromStr<Err = UnknownWord>>(text: &str) -> StoreResult<T> {
    text.parse().map_err(|_| StoreError::Corrupt(format!("word {text}")))
}

pub(super) fn moment(stamp: &Option<Timestamp>) -> StoreResult<Option<Moment>> {
    stamp.as_ref().map(Moment::try_from).transpose()
}

pub(super) fn all<M, T: TryFrom<M, Error = StoreError>>(rows: Vec<M>) -> StoreResult<Vec<T>> {
    rows.into_iter().map(T::try_from).collect()
}
