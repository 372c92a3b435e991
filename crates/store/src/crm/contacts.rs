//! Table `contacts`.

use super::{
    Hold,
    fold::fold,
    owned::{self, all, of_tenant, word},
};
use crate::{Moment, StoreError, StoreResult, entity::contacts};
use contacts::{ActiveModel, Column, Entity, Model};
use domain::{
    ContactId, ListOut, Page, TenantId,
    crm::{ContactIn, ContactOut, ContactStatus},
};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter,
    sea_query::{Expr, ExprTrait, LikeExpr},
};
use std::collections::HashMap;

pub async fn insert(
    tx: &impl ConnectionTrait,
    tenant: TenantId,
    input: &ContactIn,
) -> StoreResult<ContactOut> {
    let (id, now) = (ContactId::new(), Moment::now());
    let row =
        ActiveModel { id: Set(id.0), tenant_id: Set(tenant.0), created_at: Set(now), ..values(input, now) };
    Entity::insert(row).exec_with_returning(tx).await?.try_into()
}

/// Nothing when it is not as `before` any more.
pub async fn update(
    tx: &impl ConnectionTrait,
    tenant: TenantId,
    before: &ContactOut,
    input: &ContactIn,
) -> StoreResult<Option<ContactOut>> {
    let change = Entity::update_many().set(values(input, Moment(before.version).next()));
    if !owned::change(tx, change, tenant, before.id.0, before.version).await? {
        return Ok(None);
    }
    find(tx, tenant, before.id, Hold::Free).await
}

pub async fn set_status(
    tx: &impl ConnectionTrait,
    tenant: TenantId,
    before: &ContactOut,
    status: ContactStatus,
) -> StoreResult<bool> {
    let change = Entity::update_many()
        .col_expr(Column::Status, Expr::value(status.as_str()))
        .col_expr(Column::UpdatedAt, Expr::value(Moment(before.version).next().0));
    owned::change(tx, change, tenant, before.id.0, before.version).await
}

/// The names of those that are there.
pub async fn names(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    ids: &[ContactId],
) -> StoreResult<HashMap<ContactId, String>> {
    let rows = Entity::find()
        .filter(Column::TenantId.eq(tenant.0))
        .filter(Column::Id.is_in(ids.iter().map(|id| id.0)))
        .all(conn)
        .await?;
    Ok(rows.into_iter().map(|row| (ContactId(row.id), row.name)).collect())
}

pub async fn find(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    id: ContactId,
    hold: Hold,
) -> StoreResult<Option<ContactOut>> {
    owned::find::<Entity>(conn, tenant, id.0, hold).await?.map(ContactOut::try_from).transpose()
}

/// By id, or by the name that another system has for it.
pub async fn find_named(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    name: &str,
    hold: Hold,
) -> StoreResult<Option<ContactOut>> {
    owned::find_named::<Entity>(conn, tenant, name, hold).await?.map(ContactOut::try_from).transpose()
}

pub async fn delete(tx: &impl ConnectionTrait, tenant: TenantId, id: ContactId) -> StoreResult<bool> {
    owned::delete::<Entity>(tx, tenant, id.0).await
}

/// `containing`: part of a name, an address or a phone number.
pub async fn list(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    status: Option<ContactStatus>,
    containing: Option<&str>,
    page: Page,
) -> StoreResult<ListOut<ContactOut>> {
    let mut select = of_tenant::<Entity>(tenant);
    if let Some(status) = status {
        select = select.filter(Column::Status.eq(status.as_str()));
    }
    if let Some(text) = containing {
        select = select.filter(Expr::col((Entity, Column::SearchText)).like(anywhere(text)));
    }
    let rows = all(owned::page(conn, select, page).await?)?;
    Ok(page.list(rows, |row: &ContactOut| row.id.0))
}

/// What means something to LIKE is taken as it is; a NUL, which no text here has, is left out.
fn anywhere(text: &str) -> LikeExpr {
    let literal = fold(text.trim()).replace('\0', "\u{fffd}");
    let literal = literal.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    LikeExpr::new(format!("%{literal}%")).escape('\\')
}

fn values(input: &ContactIn, now: Moment) -> ActiveModel {
    let parts = [Some(&input.name), input.email.as_ref(), input.phone.as_ref()];
    let searched: Vec<String> = parts.into_iter().flatten().map(|part| fold(part)).collect();
    ActiveModel {
        name: Set(input.name.clone()),
        email: Set(input.email.clone()),
        phone: Set(input.phone.clone()),
        status: Set(input.status.to_string()),
        tags: Set(serde_json::json!(input.tags).to_string()),
        notes: Set(input.notes.clone()),
        external_id: Set(input.external_id.clone()),
        search_text: Set(searched.join("\n")),
        updated_at: Set(now),
        ..ActiveModel::default()
    }
}

impl TryFrom<Model> for ContactOut {
    type Error = StoreError;

    fn try_from(row: Model) -> StoreResult<Self> {
        let corrupt = |_| StoreError::Corrupt(format!("tags of contact {}", row.id));
        Ok(Self {
            tags: serde_json::from_str(&row.tags).map_err(corrupt)?,
            id: ContactId(row.id),
            name: row.name,
            email: row.email,
            phone: row.phone,
            status: word(&row.status)?,
            notes: row.notes,
            external_id: row.external_id,
            created_at: row.created_at.into(),
            updated_at: row.updated_at.into(),
            version: row.updated_at.0,
        })
    }
}
