//! Table `tenant_secrets`: what a tenant entrusts to its code tools. Values are sealed; only the engine opens them.

use crate::{StoreResult, entity::tenant_secrets};
use domain::TenantId;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, IntoActiveModel, QueryFilter, QueryOrder,
    QuerySelect, sea_query::OnConflict,
};
use tenant_secrets::{Column, Entity};

pub type TenantSecret = tenant_secrets::Model;

/// By name.
pub async fn all(conn: &impl ConnectionTrait, tenant: TenantId) -> StoreResult<Vec<TenantSecret>> {
    let of_tenant = Entity::find().filter(Column::TenantId.eq(tenant.0));
    Ok(of_tenant.order_by_asc(Column::Name).all(conn).await?)
}

/// Those of these names that are there.
pub async fn named(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    names: &[String],
) -> StoreResult<Vec<TenantSecret>> {
    let of_tenant = Entity::find().filter(Column::TenantId.eq(tenant.0));
    Ok(of_tenant.filter(Column::Name.is_in(names)).all(conn).await?)
}

/// Nobody else changes it until the transaction ends.
pub async fn hold(
    tx: &impl ConnectionTrait,
    tenant: TenantId,
    name: &str,
) -> StoreResult<Option<TenantSecret>> {
    Ok(Entity::find_by_id((tenant.0, name.to_owned())).lock_exclusive().one(tx).await?)
}

/// Makes or replaces it.
pub async fn put(tx: &impl ConnectionTrait, secret: TenantSecret) -> StoreResult<()> {
    let replace = OnConflict::columns([Column::TenantId, Column::Name])
        .update_columns([Column::Value, Column::UpdatedAt])
        .to_owned();
    let row = secret.into_active_model().reset_all();
    Entity::insert(row).on_conflict(replace).exec_without_returning(tx).await?;
    Ok(())
}

/// True when it was there.
pub async fn delete(tx: &impl ConnectionTrait, tenant: TenantId, name: &str) -> StoreResult<bool> {
    let gone = Entity::delete_by_id((tenant.0, name.to_owned())).exec(tx).await?;
    Ok(gone.rows_affected == 1)
}
