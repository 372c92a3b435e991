//! Table `api_keys`. Only the hash of a key is kept.

use crate::{Moment, StoreError, StoreResult, entity::api_keys};
use ability::Actor;
use domain::{AgentId, ApiKeyId, TenantId, TenantRole, Timestamp, UserId};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder,
    sea_query::Expr,
};
use serde_json::{Value, json};

pub struct NewApiKey<'a> {
    pub name: &'a str,
    pub prefix: &'a str,
    pub key_hash: &'a str,
    pub scope: KeyScope,
    pub expires_at: Option<Moment>,
    /// Who made it; nobody on the command line.
    pub made_by: Option<Behind>,
}

/// Who is behind somebody that acts: a person with all the keys that they made, or a key with all those that it made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behind {
    Person(UserId),
    Key(ApiKeyId),
}

impl Behind {
    fn parts(self) -> (Option<UserId>, Option<ApiKeyId>) {
        match self {
            Self::Person(user) => (Some(user), None),
            Self::Key(key) => (None, Some(key)),
        }
    }
}

/// What a key may stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyScope {
    PlatformAdmin,
    Tenant(TenantId, TenantRole),
    /// Speaks for this agent only.
    Agent(TenantId, TenantRole, AgentId),
}

impl KeyScope {
    fn parts(self) -> (Option<TenantId>, Option<TenantRole>, Option<AgentId>) {
        match self {
            Self::PlatformAdmin => (None, None, None),
            Self::Tenant(tenant, role) => (Some(tenant), Some(role), None),
            Self::Agent(tenant, role, agent) => (Some(tenant), Some(role), Some(agent)),
        }
    }

    pub fn tenant(self) -> Option<TenantId> {
        self.parts().0
    }
}

#[derive(Clone, Debug)]
pub struct ApiKey {
    pub id: ApiKeyId,
    pub name: String,
    /// As much of it as lists show.
    pub prefix: String,
    pub scope: KeyScope,
    pub created_at: Moment,
    pub expires_at: Option<Moment>,
    pub revoked_at: Option<Moment>,
    pub last_used_at: Option<Moment>,
}

impl ApiKey {
    /// What the audit log says of it: what was granted, to whom, until when.
    pub fn summary(&self) -> Value {
        let (_, role, agent) = self.scope.parts();
        json!({
            "name": self.name,
            "prefix": self.prefix,
            "role": role.map_or_else(|| "platform_admin".to_owned(), |role| role.to_string()),
            "agent_id": agent,
            "expires_at": self.expires_at.map(Timestamp::from),
        })
    }
}

pub async fn insert(tx: &impl ConnectionTrait, new: NewApiKey<'_>) -> StoreResult<ApiKey> {
    let id = ApiKeyId::new();
    let (tenant, role, agent) = new.scope.parts();
    let (person, key) = new.made_by.map_or((None, None), Behind::parts);
    let row = api_keys::Model {
        id: id.0,
        name: new.name.to_owned(),
        prefix: new.prefix.to_owned(),
        key_hash: new.key_hash.to_owned(),
        tenant_id: tenant.map(|tenant| tenant.0),
        role: role.map(|role| role.to_string()),
        is_platform_admin: tenant.is_none(),
        created_at: Moment::now(),
        expires_at: new.expires_at,
        revoked_at: None,
        last_used_at: None,
        agent_id: agent.map(|agent| agent.0),
        created_by: person.map(|user| user.0),
        made_by: key.map(|key| key.0),
    };
    let all = api_keys::ActiveModel::from(row.clone()).reset_all();
    api_keys::Entity::insert(all).exec_without_returning(tx).await?;
    row.try_into()
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

/// The person who acts or who made the key, else the key that the line of keys began with. Revoked keys are remembered
/// too.
pub async fn behind(conn: &impl ConnectionTrait, actor: Actor) -> StoreResult<Option<Behind>> {
    let key = match actor {
        Actor::User(user) => return Ok(Some(Behind::Person(user))),
        Actor::ApiKey(key) => api_keys::Entity::find_by_id(key.0).one(conn).await?,
        Actor::Operator => None,
    };
    Ok(key.map(|key| match key.created_by {
        Some(user) => Behind::Person(UserId(user)),
        None => Behind::Key(ApiKeyId(key.made_by.unwrap_or(key.id))),
    }))
}

/// Somebody took it back. That its date is over is another thing.
pub async fn is_revoked(conn: &impl ConnectionTrait, id: ApiKeyId) -> StoreResult<bool> {
    let key = api_keys::Entity::find_by_id(id.0).one(conn).await?;
    Ok(key.is_none_or(|key| key.revoked_at.is_some()))
}

/// Every key of the tenant, newest first; revoked ones too.
pub async fn all(conn: &impl ConnectionTrait, tenant: TenantId) -> StoreResult<Vec<ApiKey>> {
    let rows = api_keys::Entity::find()
        .filter(api_keys::Column::TenantId.eq(tenant.0))
        .order_by_desc(api_keys::Column::Id)
        .all(conn)
        .await?;
    rows.into_iter().map(ApiKey::try_from).collect()
}

#[derive(Debug)]
pub enum Revoked {
    Now(Box<ApiKey>),
    /// Revoking twice changes nothing.
    Before,
    /// The tenant has no such key.
    Never,
}

pub async fn revoke(tx: &impl ConnectionTrait, tenant: TenantId, id: ApiKeyId) -> StoreResult<Revoked> {
    let this = api_keys::Entity::find_by_id(id.0).filter(api_keys::Column::TenantId.eq(tenant.0));
    let Some(key) = this.one(tx).await? else { return Ok(Revoked::Never) };
    let updated = api_keys::Entity::update_many()
        .col_expr(api_keys::Column::RevokedAt, Expr::value(Moment::now().0))
        .filter(api_keys::Column::Id.eq(id.0))
        .filter(api_keys::Column::RevokedAt.is_null())
        .exec(tx)
        .await?;
    Ok(if updated.rows_affected == 1 { Revoked::Now(Box::new(key.try_into()?)) } else { Revoked::Before })
}

/// Revokes the keys that speak for this agent; answers with those that were still alive.
pub async fn revoke_of_agent(
    tx: &impl ConnectionTrait,
    tenant: TenantId,
    agent: AgentId,
) -> StoreResult<Vec<ApiKey>> {
    let of_agent = Condition::all()
        .add(api_keys::Column::TenantId.eq(tenant.0))
        .add(api_keys::Column::AgentId.eq(agent.0))
        .add(api_keys::Column::RevokedAt.is_null());
    let alive = api_keys::Entity::find().filter(of_agent.clone()).order_by_asc(api_keys::Column::Id);
    let alive: StoreResult<Vec<_>> = alive.all(tx).await?.into_iter().map(ApiKey::try_from).collect();
    api_keys::Entity::update_many()
        .col_expr(api_keys::Column::RevokedAt, Expr::value(Moment::now().0))
        .filter(of_agent)
        .exec(tx)
        .await?;
    alive
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
        let role = row.role.as_deref().map(str::parse).transpose().map_err(|_| corrupt())?;
        let scope = match (row.is_platform_admin, row.tenant_id.map(TenantId), role, row.agent_id) {
            (true, None, None, None) => KeyScope::PlatformAdmin,
            (false, Some(tenant), Some(role), None) => KeyScope::Tenant(tenant, role),
            (false, Some(tenant), Some(role), Some(agent)) => KeyScope::Agent(tenant, role, AgentId(agent)),
            _ => return Err(corrupt()),
        };
        Ok(Self {
            id: ApiKeyId(row.id),
            name: row.name,
            prefix: row.prefix,
            scope,
            created_at: row.created_at,
            expires_at: row.expires_at,
            revoked_at: row.revoked_at,
            last_used_at: row.last_used_at,
        })
    }
}
