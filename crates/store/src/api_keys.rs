//! Table `api_keys`. Only the hash of a key is kept.

use crate::{Moment, StoreError, StoreResult, entity::api_keys};
use domain::{ApiKeyId, TenantId, TenantRole};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, EntityTrait, QueryFilter, sea_query::Expr,
};

pub struct NewApiKey<'a> {
    pub name: &'a str,
    pub prefix: &'a str,
    pub key_hash: &'a str,
    pub scope: KeyScope,
}

/// What a key may stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyScope {
    PlatformAdmin,
    Tenant(TenantId, TenantRole),
}

#[derive(Clone, Debug)]
pub struct ApiKey {
    pub id: ApiKeyId,
    pub name: String,
    pub scope: KeyScope,
    pub last_used_at: Option<Moment>,
}

pub async fn insert(tx: &impl ConnectionTrait, new: NewApiKey<'_>) -> StoreResult<ApiKeyId> {
    let id = ApiKeyId::new();
    let tenant = match new.scope {
        KeyScope::PlatformAdmin => None,
        KeyScope::Tenant(tenant, role) => Some((tenant, role)),
    };
    let row = api_keys::ActiveModel {
        id: Set(id.0),
        name: Set(new.name.to_owned()),
        prefix: Set(new.prefix.to_owned()),
        key_hash: Set(new.key_hash.to_owned()),
        tenant_id: Set(tenant.map(|(tenant, _)| tenant.0)),
        role: Set(tenant.map(|(_, role)| role.to_string())),
        is_platform_admin: Set(tenant.is_none()),
        created_at: Set(Moment::now()),
        expires_at: Set(None),
        revoked_at: Set(None),
        last_used_at: Set(None),
    };
    api_keys::Entity::insert(row).exec_without_returning(tx).await?;
    Ok(id)
}

/// The key with that hash, if it is neither revoked nor expired.
pub async fn find_valid(conn: &impl ConnectionTrait, key_hash: &str) -> StoreResult<Option<ApiKey>> {
    let not_expired = Condition::any()
        .add(api_keys::Column::ExpiresAt.is_null())
        .add(api_keys::Column::ExpiresAt.gt(Moment::now()));
    let row = api_keys::Entity::find()
        .filter(api_keys::Column::KeyHash.eq(key_hash))
        .filter(api_keys::Column::RevokedAt.is_null())
        .filter(not_expired)
        .one(conn)
        .await?;
    row.map(ApiKey::try_from).transpose()
}

pub async fn used(tx: &impl ConnectionTrait, id: ApiKeyId) -> StoreResult<()> {
    api_keys::Entity::update_many()
        .col_expr(api_keys::Column::LastUsedAt, Expr::value(Moment::now().0))
        .filter(api_keys::Column::Id.eq(id.0))
        .exec(tx)
        .await?;
    Ok(())
}

impl TryFrom<api_keys::Model> for ApiKey {
    type Error = StoreError;

    fn try_from(row: api_keys::Model) -> StoreResult<Self> {
        let corrupt = || StoreError::Corrupt(format!("API key {}", row.id));
        let scope = match (row.is_platform_admin, row.tenant_id, &row.role) {
            (true, None, None) => KeyScope::PlatformAdmin,
            (false, Some(tenant), Some(role)) => {
                KeyScope::Tenant(TenantId(tenant), role.parse().map_err(|_| corrupt())?)
            }
            _ => return Err(corrupt()),
        };
        Ok(Self { id: ApiKeyId(row.id), name: row.name, scope, last_used_at: row.last_used_at })
    }
}
