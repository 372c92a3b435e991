//! Table `tenants`.

use crate::{
    Moment, StoreResult,
    entity::{memberships, tenants},
};
use domain::{Slug, TenantId, tenant::TenantOut};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    sea_query::Expr,
};
use std::collections::HashMap;
use uuid::Uuid;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tenant {
    pub id: TenantId,
    pub slug: String,
    pub name: String,
    pub created_at: Moment,
}

pub async fn insert(tx: &impl ConnectionTrait, name: &str, slug: &Slug) -> StoreResult<Tenant> {
    let tenant = Tenant {
        id: TenantId::new(),
        slug: slug.to_string(),
        name: name.to_owned(),
        created_at: Moment::now(),
    };
    let row = tenants::ActiveModel {
        id: Set(tenant.id.0),
        slug: Set(tenant.slug.clone()),
        name: Set(tenant.name.clone()),
        created_at: Set(tenant.created_at),
    };
    tenants::Entity::insert(row).exec_without_returning(tx).await?;
    Ok(tenant)
}

pub async fn find(conn: &impl ConnectionTrait, id: TenantId) -> StoreResult<Option<Tenant>> {
    Ok(tenants::Entity::find_by_id(id.0).one(conn).await?.map(Tenant::from))
}

pub async fn find_by_slug(conn: &impl ConnectionTrait, slug: &str) -> StoreResult<Option<Tenant>> {
    Ok(tenants::Entity::find().filter(tenants::Column::Slug.eq(slug)).one(conn).await?.map(Tenant::from))
}

pub async fn rename(tx: &impl ConnectionTrait, id: TenantId, name: &str) -> StoreResult<()> {
    let update = tenants::Entity::update_many().col_expr(tenants::Column::Name, Expr::value(name));
    update.filter(tenants::Column::Id.eq(id.0)).exec(tx).await?;
    Ok(())
}

/// Every tenant there is.
pub async fn ids(conn: &impl ConnectionTrait) -> StoreResult<Vec<TenantId>> {
    let ids: Vec<Uuid> =
        tenants::Entity::find().select_only().column(tenants::Column::Id).into_tuple().all(conn).await?;
    Ok(ids.into_iter().map(TenantId).collect())
}

/// Makes other changes of the tenant's members wait until this transaction ends (SQLite: they wait anyway).
pub async fn lock(tx: &impl ConnectionTrait, id: TenantId) -> StoreResult<()> {
    tenants::Entity::find_by_id(id.0).lock_exclusive().one(tx).await?;
    Ok(())
}

/// All tenants with the number of their members, by name.
pub async fn list(conn: &impl ConnectionTrait) -> StoreResult<Vec<TenantOut>> {
    let counts: Vec<(Uuid, i64)> = memberships::Entity::find()
        .select_only()
        .column(memberships::Column::TenantId)
        .column_as(memberships::Column::UserId.count(), "members")
        .group_by(memberships::Column::TenantId)
        .into_tuple()
        .all(conn)
        .await?;
    let counts: HashMap<Uuid, i64> = counts.into_iter().collect();
    let rows = tenants::Entity::find().order_by_asc(tenants::Column::Name).all(conn).await?;
    let with_count = |row: tenants::Model| {
        let members = counts.get(&row.id).copied().unwrap_or_default();
        Tenant::from(row).into_out(members.unsigned_abs())
    };
    Ok(rows.into_iter().map(with_count).collect())
}

impl Tenant {
    pub fn into_out(self, member_count: u64) -> TenantOut {
        TenantOut {
            id: self.id,
            name: self.name,
            slug: self.slug,
            member_count,
            created_at: self.created_at.into(),
        }
    }
}

impl From<tenants::Model> for Tenant {
    fn from(row: tenants::Model) -> Self {
        Self { id: TenantId(row.id), slug: row.slug, name: row.name, created_at: row.created_at }
    }
}
