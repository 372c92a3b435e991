//! Table `deals`.

use super::{
    Hold,
    owned::{self, all, of_tenant, word},
};
use crate::{Moment, StoreError, StoreResult, entity::deals};
use deals::{ActiveModel, Column, Entity, Model};
use domain::{
    ContactId, DealId, ListOut, Page, PipelineId, TenantId,
    crm::{DealIn, DealOut, DealQuery},
};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QuerySelect, sea_query::Expr,
};

/// `stage` is a stage of the deal's pipeline.
pub async fn insert(
    tx: &impl ConnectionTrait,
    tenant: TenantId,
    input: &DealIn,
    stage: &str,
) -> StoreResult<DealOut> {
    let (id, now) = (DealId::new(), Moment::now());
    let row = ActiveModel {
        id: Set(id.0),
        tenant_id: Set(tenant.0),
        created_at: Set(now),
        ..values(input, stage, now)
    };
    Entity::insert(row).exec_with_returning(tx).await?.try_into()
}

/// Nothing when it is not as `before` any more.
pub async fn update(
    tx: &impl ConnectionTrait,
    tenant: TenantId,
    before: &DealOut,
    input: &DealIn,
    stage: &str,
) -> StoreResult<Option<DealOut>> {
    let change = Entity::update_many().set(values(input, stage, Moment(before.version).next()));
    if !owned::change(tx, change, tenant, before.id.0, before.version).await? {
        return Ok(None);
    }
    find(tx, tenant, before.id, Hold::Free).await
}

pub async fn set_stage(
    tx: &impl ConnectionTrait,
    tenant: TenantId,
    before: &DealOut,
    stage: &str,
) -> StoreResult<bool> {
    let change = Entity::update_many()
        .col_expr(Column::Stage, Expr::value(stage))
        .col_expr(Column::UpdatedAt, Expr::value(Moment(before.version).next().0));
    owned::change(tx, change, tenant, before.id.0, before.version).await
}

pub async fn find(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    id: DealId,
    hold: Hold,
) -> StoreResult<Option<DealOut>> {
    owned::find::<Entity>(conn, tenant, id.0, hold).await?.map(DealOut::try_from).transpose()
}

/// By id, or by the name that another system has for it.
pub async fn find_named(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    name: &str,
    hold: Hold,
) -> StoreResult<Option<DealOut>> {
    owned::find_named::<Entity>(conn, tenant, name, hold).await?.map(DealOut::try_from).transpose()
}

pub async fn delete(tx: &impl ConnectionTrait, tenant: TenantId, id: DealId) -> StoreResult<bool> {
    owned::delete::<Entity>(tx, tenant, id.0).await
}

pub async fn list(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    query: &DealQuery,
    page: Page,
) -> StoreResult<ListOut<DealOut>> {
    let mut select = of_tenant::<Entity>(tenant);
    if let Some(status) = query.status {
        select = select.filter(Column::Status.eq(status.as_str()));
    }
    if let Some(contact) = query.contact_id {
        select = select.filter(Column::ContactId.eq(contact.0));
    }
    if let Some(pipeline) = query.pipeline_id {
        select = select.filter(Column::PipelineId.eq(pipeline.0));
    }
    if let Some(stage) = &query.stage {
        // PostgreSQL refuses a question with a NUL in it, and no stage has one.
        select = select.filter(Column::Stage.eq(stage.replace('\0', "\u{fffd}")));
    }
    let rows = all(owned::page(conn, select, page).await?)?;
    Ok(page.list(rows, |row: &DealOut| row.id.0))
}

pub async fn newest_of_contact(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    contact: ContactId,
    limit: u64,
) -> StoreResult<Vec<DealOut>> {
    let select = of_tenant::<Entity>(tenant).filter(Column::ContactId.eq(contact.0));
    all(owned::newest(conn, select, limit).await?)
}

/// The stages of a pipeline that deals are in.
pub async fn stages_in_use(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    pipeline: PipelineId,
) -> StoreResult<Vec<String>> {
    let select = of_tenant::<Entity>(tenant).filter(Column::PipelineId.eq(pipeline.0));
    Ok(select.select_only().column(Column::Stage).distinct().into_tuple().all(conn).await?)
}

fn values(input: &DealIn, stage: &str, now: Moment) -> ActiveModel {
    ActiveModel {
        title: Set(input.title.clone()),
        contact_id: Set(input.contact_id.map(|id| id.0)),
        pipeline_id: Set(input.pipeline_id.0),
        stage: Set(stage.to_owned()),
        value_cents: Set(input.value_cents),
        currency: Set(input.currency.clone()),
        status: Set(input.status.to_string()),
        external_id: Set(input.external_id.clone()),
        updated_at: Set(now),
        ..ActiveModel::default()
    }
}

impl TryFrom<Model> for DealOut {
    type Error = StoreError;

    fn try_from(row: Model) -> StoreResult<Self> {
        Ok(Self {
            id: DealId(row.id),
            title: row.title,
            contact_id: row.contact_id.map(ContactId),
            pipeline_id: PipelineId(row.pipeline_id),
            stage: row.stage,
            value_cents: row.value_cents,
            currency: row.currency,
            status: word(&row.status)?,
            external_id: row.external_id,
            created_at: row.created_at.into(),
            updated_at: row.updated_at.into(),
            version: row.updated_at.0,
        })
    }
}
