//! From a session or a key to the caller: read anew for every request, so that a change of rights holds at once.

use crate::{Accounts, secret};
use ability::{Actor, Caller, Role, policy::Principal};
use domain::{ApiKeyId, ErrorCode, ServiceError, ServiceResult, TenantId, UserId, account::Me};
use store::{
    Database, Moment,
    api_keys::{ApiKey, KeyScope},
};
use time::Duration;

/// A person who is signed in, with their rules.
#[derive(Clone, Debug)]
pub struct Identity {
    pub me: Me,
    pub caller: Caller,
}

/// The use of a key is noted at most once in this time.
const NOTED_EVERY: Duration = Duration::minutes(1);

impl Accounts {
    /// Nobody, when the person does not exist or is disabled.
    pub async fn identify_user(
        &self,
        user: UserId,
        chosen: Option<TenantId>,
    ) -> ServiceResult<Option<Identity>> {
        let conn = self.db.reader();
        let Some(person) = store::users::find(conn, user).await?.filter(|p| p.disabled_at.is_none()) else {
            return Ok(None);
        };
        let tenants = store::users::tenants_of(conn, user).await?;
        let tenant = tenants.iter().find(|t| Some(t.id) == chosen).or(tenants.first()).cloned();
        let mut roles = vec![Role::Person];
        roles.extend(tenant.as_ref().map(|t| Role::Tenant(t.role)));
        roles.extend(person.is_platform_admin.then_some(Role::PlatformAdmin));
        let principal = Principal { id: user.0, tenant: tenant.as_ref().map(|t| t.id), roles };
        let caller = Caller {
            actor: Actor::User(user),
            name: person.name.clone(),
            tenant: principal.tenant,
            agent: None,
            ability: self.policy.ability_for(&principal).into(),
        };
        let is_platform_admin = person.is_platform_admin;
        let me = Me { id: user, name: person.name, email: person.email, is_platform_admin, tenant, tenants };
        Ok(Some(Identity { me, caller }))
    }

    /// Nobody, when the key is unknown, revoked or expired. Its use is noted.
    pub async fn identify_key(&self, key: &str) -> ServiceResult<Option<Caller>> {
        let Some(found) = self.valid_key(key).await? else {
            return Ok(None);
        };
        if found.last_used_at.is_none_or(|at| at.plus(NOTED_EVERY).is_past()) {
            tokio::spawn(note_key_use(self.db.clone(), found.id));
        }
        Ok(Some(self.caller_with(found)))
    }

    /// The same when nobody uses it: it is only asked whether it still holds.
    pub async fn holder_of_key(&self, key: &str) -> ServiceResult<Option<Caller>> {
        Ok(self.valid_key(key).await?.map(|found| self.caller_with(found)))
    }

    async fn valid_key(&self, key: &str) -> ServiceResult<Option<ApiKey>> {
        Ok(store::api_keys::find_valid(self.db.reader(), &secret::hash(key)).await?)
    }

    fn caller_with(&self, found: ApiKey) -> Caller {
        // A key owns what it saves, as a person does. An agent's key is the agent, and has its rights only.
        let (tenant, id, agent, roles) = match found.scope {
            KeyScope::PlatformAdmin => (None, found.id.0, None, vec![Role::Person, Role::PlatformAdmin]),
            KeyScope::Tenant(tenant, role) => {
                (Some(tenant), found.id.0, None, vec![Role::Person, Role::Tenant(role)])
            }
            KeyScope::Agent(tenant, _, agent) => (Some(tenant), agent.0, Some(agent), vec![Role::Agent]),
        };
        let ability = self.policy.ability_for(&Principal { id, tenant, roles }).into();
        Caller { actor: Actor::ApiKey(found.id), name: found.name, tenant, agent, ability }
    }

    /// May the person look at this tenant? Whoever may not, learns nothing of it.
    pub async fn check_membership(&self, user: UserId, tenant: TenantId) -> ServiceResult<()> {
        let role = store::members::role_of(self.db.reader(), tenant, user).await?;
        role.map(|_| ()).ok_or_else(|| ServiceError::new(ErrorCode::NotFound, "There is no such tenant."))
    }

    /// True once a minute for each session: then its use is worth noting.
    pub fn is_news(&self, secret_hash: &str) -> bool {
        self.limits.is_news(secret_hash)
    }

    /// Notes that the session and its person are active.
    pub async fn saw(&self, user: UserId, secret_hash: &str) -> ServiceResult<()> {
        let tx = self.db.begin().await?;
        store::users::saw(&tx, user).await?;
        store::sessions::touch(&tx, secret_hash, Moment::now().plus(store::SESSION_LIFETIME)).await?;
        Ok(self.db.commit(tx, &[]).await?)
    }
}

/// On the side: whoever only reads is served when no write is possible.
async fn note_key_use(db: Database, key: ApiKeyId) {
    let noted = async {
        let tx = db.begin().await?;
        store::api_keys::used(&tx, key).await?;
        db.commit(tx, &[]).await
    };
    if let Err(error) = noted.await {
        tracing::debug!(%error, "the use of a key was not noted");
    }
}
