//! Table `tenant_limits`: what a tenant allows itself. Whoever has said nothing has the usual limits.

use crate::{Moment, StoreError, StoreResult, entity::tenant_limits};
use domain::{TenantId, limits::TenantLimits};
use sea_orm::{ActiveValue::Set, ConnectionTrait, EntityTrait, QuerySelect, sea_query::OnConflict};
use tenant_limits::{ActiveModel, Column, Entity, Model};

pub async fn of(conn: &impl ConnectionTrait, tenant: TenantId) -> StoreResult<TenantLimits> {
    read(Entity::find_by_id(tenant.0).one(conn).await?)
}

/// As [`of`], and nobody else changes them until the transaction ends. A row that is not there cannot be held: so it is
/// made.
pub async fn hold(tx: &impl ConnectionTrait, tenant: TenantId) -> StoreResult<TenantLimits> {
    let known = OnConflict::column(Column::TenantId).do_nothing().to_owned();
    let usual = row(tenant, &TenantLimits::default())?;
    Entity::insert(usual).on_conflict(known).exec_without_returning(tx).await?;
    read(Entity::find_by_id(tenant.0).lock_exclusive().one(tx).await?)
}

pub async fn put(tx: &impl ConnectionTrait, tenant: TenantId, limits: &TenantLimits) -> StoreResult<()> {
    let replace = OnConflict::column(Column::TenantId)
        .update_columns([Column::Definition, Column::UpdatedAt])
        .to_owned();
    Entity::insert(row(tenant, limits)?).on_conflict(replace).exec_without_returning(tx).await?;
    Ok(())
}

fn row(tenant: TenantId, limits: &TenantLimits) -> StoreResult<ActiveModel> {
    let definition = serde_json::to_string(limits).map_err(|error| StoreError::Corrupt(error.to_string()))?;
    Ok(ActiveModel { tenant_id: Set(tenant.0), definition: Set(definition), updated_at: Set(Moment::now()) })
}

fn read(row: Option<Model>) -> StoreResult<TenantLimits> {
    let Some(row) = row else { return Ok(TenantLimits::default()) };
    let corrupt = |error| StoreError::Corrupt(format!("limits of {}: {error}", row.tenant_id));
    serde_json::from_str(&row.definition).map_err(corrupt)
}
