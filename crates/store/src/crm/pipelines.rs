//! Table `pipelines`. The stages are always read and written together: they live in the row.

use super::{
    Hold,
    owned::{self, all, of_tenant},
};
use crate::{Moment, StoreError, StoreResult, entity::pipelines};
use domain::{
    ListOut, Page, PipelineId, TenantId,
    crm::{PipelineIn, PipelineOut},
};
use pipelines::{ActiveModel, Column, Entity, Model};
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter};

pub async fn insert(
    tx: &impl ConnectionTrait,
    tenant: TenantId,
    input: &PipelineIn,
) -> StoreResult<PipelineOut> {
    let (id, now) = (PipelineId::new(), Moment::now());
    let row =
        ActiveModel { id: Set(id.0), tenant_id: Set(tenant.0), created_at: Set(now), ..values(input, now) };
    Entity::insert(row).exec_with_returning(tx).await?.try_into()
}

/// Nothing when it is not as `before` any more.
pub async fn update(
    tx: &impl ConnectionTrait,
    tenant: TenantId,
    before: &PipelineOut,
    input: &PipelineIn,
) -> StoreResult<Option<PipelineOut>> {
    let change = Entity::update_many().set(values(input, Moment(before.version).next()));
    if !owned::change(tx, change, tenant, before.id.0, before.version).await? {
        return Ok(None);
    }
    find(tx, tenant, before.id, Hold::Free).await
}

pub async fn find(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    id: PipelineId,
    hold: Hold,
) -> StoreResult<Option<PipelineOut>> {
    owned::find::<Entity>(conn, tenant, id.0, hold).await?.map(PipelineOut::try_from).transpose()
}

pub async fn find_by_name(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    name: &str,
) -> StoreResult<Option<PipelineOut>> {
    let row = of_tenant::<Entity>(tenant).filter(Column::Name.eq(name)).one(conn).await?;
    row.map(PipelineOut::try_from).transpose()
}

pub async fn delete(tx: &impl ConnectionTrait, tenant: TenantId, id: PipelineId) -> StoreResult<bool> {
    owned::delete::<Entity>(tx, tenant, id.0).await
}

pub async fn list(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    page: Page,
) -> StoreResult<ListOut<PipelineOut>> {
    let rows = all(owned::page(conn, of_tenant::<Entity>(tenant), page).await?)?;
    Ok(page.list(rows, |row: &PipelineOut| row.id.0))
}

fn values(input: &PipelineIn, now: Moment) -> ActiveModel {
    ActiveModel {
        name: Set(input.name.clone()),
        stages: Set(serde_json::json!(input.stages).to_string()),
        updated_at: Set(now),
        ..ActiveModel::default()
    }
}

impl TryFrom<Model> for PipelineOut {
    type Error = StoreError;

    fn try_from(row: Model) -> StoreResult<Self> {
        let corrupt = |_| StoreError::Corrupt(format!("stages of pipeline {}", row.id));
        Ok(Self {
            stages: serde_json::from_str(&row.stages).map_err(corrupt)?,
            id: PipelineId(row.id),
            name: row.name,
            created_at: row.created_at.into(),
            updated_at: row.updated_at.into(),
            version: row.updated_at.0,
        })
    }
}
