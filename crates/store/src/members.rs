//! Table `memberships`, one tenant at a time.

use crate::{
    Moment, StoreError, StoreResult,
    entity::{memberships, users},
};
use domain::{Email, TenantId, TenantRole, UserId, tenant::MemberOut};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect, RelationTrait, sea_query::Expr, sea_query::OnConflict,
};

pub async fn list(conn: &impl ConnectionTrait, tenant: TenantId) -> StoreResult<Vec<MemberOut>> {
    let rows = memberships::Entity::find()
        .find_also_related(users::Entity)
        .filter(memberships::Column::TenantId.eq(tenant.0))
        .order_by_asc(users::Column::Name)
        .all(conn)
        .await?;
    let known = rows.into_iter().filter_map(|(member, user)| user.map(|user| (member, user)));
    known.map(|(member, user)| to_out(member, user)).collect()
}

fn to_out(member: memberships::Model, user: users::Model) -> StoreResult<MemberOut> {
    Ok(MemberOut {
        user_id: UserId(user.id),
        name: user.name,
        email: Email::parse(&user.email)
            .map_err(|_| StoreError::Corrupt(format!("address of user {}", user.id)))?,
        role: parse_role(&member.role)?,
        is_disabled: user.disabled_at.is_some(),
        since: member.created_at.into(),
    })
}

fn parse_role(role: &str) -> StoreResult<TenantRole> {
    role.parse().map_err(|_| StoreError::Corrupt(format!("role {role}")))
}

pub async fn role_of(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    user: UserId,
) -> StoreResult<Option<TenantRole>> {
    let row = memberships::Entity::find_by_id((tenant.0, user.0)).one(conn).await?;
    row.map(|row| parse_role(&row.role)).transpose()
}

/// Joins, or changes the role of somebody who is a member already.
pub async fn put(
    tx: &impl ConnectionTrait,
    tenant: TenantId,
    user: UserId,
    role: TenantRole,
) -> StoreResult<()> {
    let row = memberships::ActiveModel {
        tenant_id: Set(tenant.0),
        user_id: Set(user.0),
        role: Set(role.to_string()),
        created_at: Set(Moment::now()),
    };
    let change = OnConflict::columns([memberships::Column::TenantId, memberships::Column::UserId])
        .update_column(memberships::Column::Role)
        .to_owned();
    memberships::Entity::insert(row).on_conflict(change).exec_without_returning(tx).await?;
    Ok(())
}

pub async fn set_role(
    tx: &impl ConnectionTrait,
    tenant: TenantId,
    user: UserId,
    role: TenantRole,
) -> StoreResult<()> {
    memberships::Entity::update_many()
        .col_expr(memberships::Column::Role, Expr::value(role.as_str()))
        .filter(memberships::Column::TenantId.eq(tenant.0))
        .filter(memberships::Column::UserId.eq(user.0))
        .exec(tx)
        .await?;
    Ok(())
}

pub async fn remove(tx: &impl ConnectionTrait, tenant: TenantId, user: UserId) -> StoreResult<()> {
    memberships::Entity::delete_by_id((tenant.0, user.0)).exec(tx).await?;
    Ok(())
}

/// Owners who can sign in.
pub async fn active_owners(conn: &impl ConnectionTrait, tenant: TenantId) -> StoreResult<u64> {
    let owners = memberships::Entity::find()
        .join(sea_orm::JoinType::InnerJoin, memberships::Relation::Users.def())
        .filter(memberships::Column::TenantId.eq(tenant.0))
        .filter(memberships::Column::Role.eq(TenantRole::Owner.as_str()))
        .filter(users::Column::DisabledAt.is_null());
    Ok(owners.count(conn).await?)
}
