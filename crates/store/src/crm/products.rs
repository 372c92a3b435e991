//! Table `products`.

mod search;

pub use search::search;

use super::{
    Hold,
    owned::{self, of_tenant},
};
use crate::{Moment, StoreResult, entity::products};
use domain::{
    ListOut, Page, ProductId, TenantId,
    crm::{ProductIn, ProductOut},
};
use products::{ActiveModel, Column, Entity, Model};
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter};

pub async fn insert(
    tx: &impl ConnectionTrait,
    tenant: TenantId,
    input: &ProductIn,
) -> StoreResult<ProductOut> {
    let (id, now) = (ProductId::new(), Moment::now());
    let row =
        ActiveModel { id: Set(id.0), tenant_id: Set(tenant.0), created_at: Set(now), ..values(input, now) };
    Ok(Entity::insert(row).exec_with_returning(tx).await?.into())
}

/// Nothing when it is not as `before` any more.
pub async fn update(
    tx: &impl ConnectionTrait,
    tenant: TenantId,
    before: &ProductOut,
    input: &ProductIn,
) -> StoreResult<Option<ProductOut>> {
    let change = Entity::update_many().set(values(input, Moment(before.version).next()));
    if !owned::change(tx, change, tenant, before.id.0, before.version).await? {
        return Ok(None);
    }
    find(tx, tenant, before.id, Hold::Free).await
}

pub async fn find(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    id: ProductId,
    hold: Hold,
) -> StoreResult<Option<ProductOut>> {
    Ok(owned::find::<Entity>(conn, tenant, id.0, hold).await?.map(ProductOut::from))
}

pub async fn find_by_sku(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    sku: &str,
) -> StoreResult<Option<ProductOut>> {
    let row = of_tenant::<Entity>(tenant).filter(Column::Sku.eq(sku)).one(conn).await?;
    Ok(row.map(ProductOut::from))
}

pub async fn delete(tx: &impl ConnectionTrait, tenant: TenantId, id: ProductId) -> StoreResult<bool> {
    owned::delete::<Entity>(tx, tenant, id.0).await
}

pub async fn list(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    is_active: Option<bool>,
    page: Page,
) -> StoreResult<ListOut<ProductOut>> {
    let mut select = of_tenant::<Entity>(tenant);
    if let Some(is_active) = is_active {
        select = select.filter(Column::IsActive.eq(is_active));
    }
    let rows = owned::page(conn, select, page).await?.into_iter().map(ProductOut::from).collect();
    Ok(page.list(rows, |row: &ProductOut| row.id.0))
}

fn values(input: &ProductIn, now: Moment) -> ActiveModel {
    ActiveModel {
        name: Set(input.name.clone()),
        sku: Set(input.sku.clone()),
        description: Set(input.description.clone()),
        price_cents: Set(input.price_cents),
        currency: Set(input.currency.clone()),
        is_active: Set(input.is_active),
        updated_at: Set(now),
        ..ActiveModel::default()
    }
}

impl From<Model> for ProductOut {
    fn from(row: Model) -> Self {
        Self {
            id: ProductId(row.id),
            name: row.name,
            sku: row.sku,
            description: row.description,
            price_cents: row.price_cents,
            currency: row.currency,
            is_active: row.is_active,
            created_at: row.created_at.into(),
            updated_at: row.updated_at.into(),
            version: row.updated_at.0,
        }
    }
}
