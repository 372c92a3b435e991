//! Table `users`, and what of the memberships belongs to the person.

use crate::{
    Moment, StoreError, StoreResult,
    entity::{memberships, tenants, users},
};
use domain::{Email, UserId, account::TenantRef};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, Condition, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect, RelationTrait,
    sea_query::{Expr, ExprTrait, Func, LikeExpr},
};
use std::collections::HashMap;
use uuid::Uuid;

#[derive(Clone, Debug)]
pub struct User {
    pub id: UserId,
    pub email: Email,
    pub name: String,
    pub password_hash: String,
    pub is_platform_admin: bool,
    pub disabled_at: Option<Moment>,
    pub created_at: Moment,
    pub last_seen_at: Option<Moment>,
}

pub struct NewUser {
    pub email: Email,
    pub name: String,
    pub password_hash: String,
    pub is_platform_admin: bool,
}

pub async fn insert(tx: &impl ConnectionTrait, user: NewUser) -> StoreResult<UserId> {
    let id = UserId::new();
    let row = users::ActiveModel {
        id: Set(id.0),
        email: Set(user.email.to_string()),
        name: Set(user.name),
        password_hash: Set(user.password_hash),
        is_platform_admin: Set(user.is_platform_admin),
        disabled_at: Set(None),
        created_at: Set(Moment::now()),
        last_seen_at: Set(None),
    };
    users::Entity::insert(row).exec_without_returning(tx).await?;
    Ok(id)
}

pub async fn find(conn: &impl ConnectionTrait, id: UserId) -> StoreResult<Option<User>> {
    users::Entity::find_by_id(id.0).one(conn).await?.map(User::try_from).transpose()
}

pub async fn find_by_email(conn: &impl ConnectionTrait, email: &Email) -> StoreResult<Option<User>> {
    let row = users::Entity::find().filter(users::Column::Email.eq(email.as_str())).one(conn).await?;
    row.map(User::try_from).transpose()
}

pub async fn count(conn: &impl ConnectionTrait) -> StoreResult<u64> {
    Ok(users::Entity::find().count(conn).await?)
}

/// Platform administrators who can sign in.
pub async fn active_admins(conn: &impl ConnectionTrait) -> StoreResult<u64> {
    let admins = users::Entity::find().filter(users::Column::IsPlatformAdmin.eq(true));
    Ok(admins.filter(users::Column::DisabledAt.is_null()).count(conn).await?)
}

/// Makes other changes of administrators wait until this transaction ends (SQLite: they wait anyway).
pub async fn lock_admins(tx: &impl ConnectionTrait) -> StoreResult<()> {
    users::Entity::find().filter(users::Column::IsPlatformAdmin.eq(true)).lock_exclusive().all(tx).await?;
    Ok(())
}

/// People whose name or address contains the text, by address.
pub async fn search(conn: &impl ConnectionTrait, text: &str, limit: u64) -> StoreResult<Vec<User>> {
    // PostgreSQL refuses a question with a zero in it, and nobody's name has one.
    let text = text.trim().to_lowercase().replace('\0', "\u{fffd}");
    let literal = text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    let pattern = LikeExpr::new(format!("%{literal}%")).escape('\\');
    let like = |column| Expr::expr(Func::lower(Expr::col(column))).like(pattern.clone());
    let rows = users::Entity::find()
        .filter(Condition::any().add(like(users::Column::Email)).add(like(users::Column::Name)))
        .order_by_asc(users::Column::Email)
        .limit(limit)
        .all(conn)
        .await?;
    rows.into_iter().map(User::try_from).collect()
}

pub async fn rename(tx: &impl ConnectionTrait, id: UserId, name: &str) -> StoreResult<()> {
    update(tx, id, users::Column::Name, Expr::value(name)).await
}

pub async fn set_password(tx: &impl ConnectionTrait, id: UserId, hash: &str) -> StoreResult<()> {
    update(tx, id, users::Column::PasswordHash, Expr::value(hash)).await
}

pub async fn set_platform_admin(tx: &impl ConnectionTrait, id: UserId, is_admin: bool) -> StoreResult<()> {
    update(tx, id, users::Column::IsPlatformAdmin, Expr::value(is_admin)).await
}

pub async fn set_disabled(tx: &impl ConnectionTrait, id: UserId, at: Option<Moment>) -> StoreResult<()> {
    update(tx, id, users::Column::DisabledAt, Expr::value(at.map(|moment| moment.0))).await
}

pub async fn saw(tx: &impl ConnectionTrait, id: UserId) -> StoreResult<()> {
    update(tx, id, users::Column::LastSeenAt, Expr::value(Moment::now().0)).await
}

async fn update(
    tx: &impl ConnectionTrait,
    id: UserId,
    column: users::Column,
    value: Expr,
) -> StoreResult<()> {
    users::Entity::update_many().col_expr(column, value).filter(users::Column::Id.eq(id.0)).exec(tx).await?;
    Ok(())
}

/// The tenants of one person, by name.
pub async fn tenants_of(conn: &impl ConnectionTrait, user: UserId) -> StoreResult<Vec<TenantRef>> {
    Ok(tenants_of_all(conn, &[user]).await?.remove(&user).unwrap_or_default())
}

pub async fn tenants_of_all(
    conn: &impl ConnectionTrait,
    people: &[UserId],
) -> StoreResult<HashMap<UserId, Vec<TenantRef>>> {
    let ids: Vec<Uuid> = people.iter().map(|user| user.0).collect();
    let rows: Vec<(Uuid, String, Uuid, String, String)> = memberships::Entity::find()
        .select_only()
        .column(memberships::Column::UserId)
        .column(memberships::Column::Role)
        .column(tenants::Column::Id)
        .column(tenants::Column::Name)
        .column(tenants::Column::Slug)
        .join(sea_orm::JoinType::InnerJoin, memberships::Relation::Tenants.def())
        .filter(memberships::Column::UserId.is_in(ids))
        .order_by_asc(tenants::Column::Name)
        .into_tuple()
        .all(conn)
        .await?;
    let mut by_person: HashMap<UserId, Vec<TenantRef>> = HashMap::new();
    for (user, role, id, name, slug) in rows {
        let role = role.parse().map_err(|_| StoreError::Corrupt(format!("role {role}")))?;
        by_person.entry(UserId(user)).or_default().push(TenantRef {
            id: domain::TenantId(id),
            name,
            slug,
            role,
        });
    }
    Ok(by_person)
}

impl TryFrom<users::Model> for User {
    type Error = StoreError;

    fn try_from(row: users::Model) -> StoreResult<Self> {
        let email = Email::parse(&row.email)
            .map_err(|_| StoreError::Corrupt(format!("address of user {}", row.id)))?;
        Ok(Self {
            id: UserId(row.id),
            email,
            name: row.name,
            password_hash: row.password_hash,
            is_platform_admin: row.is_platform_admin,
            disabled_at: row.disabled_at,
            created_at: row.created_at,
            last_seen_at: row.last_seen_at,
        })
    }
}
