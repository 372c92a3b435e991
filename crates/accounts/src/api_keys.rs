//! API keys: `alc_…`, shown once.

use crate::{Accounts, not_found, secret};
use ability::{Caller, ManageAdminPanel, ManageMembers, Permit, TenantPermit};
use domain::{
    AgentId, ApiKeyId, ErrorCode, FieldCode, FieldError, ServiceError, ServiceResult, TenantId, TenantRole,
    api_key::{ApiKeyIn, ApiKeyOut},
    text::parse_line,
};
use store::{
    Moment,
    api_keys::{ApiKey, KeyScope, NewApiKey, Revoked},
    audit::{self, Entry},
};
use time::Duration;

/// The key, for whoever made it and never again.
pub struct NewKey {
    pub key: String,
    pub id: ApiKeyId,
}

const PREFIX: &str = "alc_";
/// As much of a key as lists show.
const SHOWN: usize = 12;
const LONGEST_DAYS: u32 = 3650;

impl Accounts {
    pub async fn create_api_key(
        &self,
        permit: &Permit<ManageAdminPanel>,
        name: &str,
        scope: KeyScope,
    ) -> ServiceResult<NewKey> {
        self.add_key(permit.caller(), name, scope, None).await
    }

    /// A key of the tenant. `agent` is the one that `input` names.
    pub async fn create_tenant_key(
        &self,
        permit: &TenantPermit<ManageMembers>,
        input: ApiKeyIn,
        agent: Option<AgentId>,
    ) -> ServiceResult<ApiKeyOut> {
        let within = |days| FieldError::within("expires_in_days", days, 1..=LONGEST_DAYS);
        let days = input.expires_in_days.map(within).transpose()?;
        let expires_at = days.map(|days| Moment::now().plus(Duration::days(days.into())));
        let scope = scope(permit.tenant(), input.role, agent)?;
        let made = self.add_key(permit.caller(), &input.name, scope, expires_at).await?;
        let keys = store::api_keys::all(&self.db.reader_of(permit.tenant()).await?, permit.tenant()).await?;
        let found = keys.into_iter().find(|key| key.id == made.id).and_then(view);
        found.map(|out| ApiKeyOut { key: Some(made.key), ..out }).ok_or_else(|| not_found("key"))
    }

    pub async fn list_tenant_keys(
        &self,
        permit: &TenantPermit<ManageMembers>,
    ) -> ServiceResult<Vec<ApiKeyOut>> {
        let keys = store::api_keys::all(&self.db.reader_of(permit.tenant()).await?, permit.tenant()).await?;
        Ok(keys.into_iter().filter_map(view).collect())
    }

    pub async fn revoke_tenant_key(
        &self,
        permit: &TenantPermit<ManageMembers>,
        id: ApiKeyId,
    ) -> ServiceResult<()> {
        let tx = self.db.begin_for(permit.tenant()).await?;
        let key = match store::api_keys::revoke(&tx, permit.tenant(), id).await? {
            Revoked::Now(key) => key,
            Revoked::Before => return Ok(()),
            Revoked::Never => return Err(not_found("key")),
        };
        let entry = Entry {
            tenant: Some(permit.tenant()),
            action: "api_key.revoke",
            subject_kind: "api_key",
            subject_id: id.to_string(),
            before: Some(key.summary()),
            after: None,
            reason: None,
        };
        audit::append(&tx, permit.caller(), entry).await?;
        Ok(self.db.commit(tx, &[]).await?)
    }

    async fn add_key(
        &self,
        caller: &Caller,
        name: &str,
        scope: KeyScope,
        expires_at: Option<Moment>,
    ) -> ServiceResult<NewKey> {
        let name = parse_line("name", name, 100)?;
        let key = format!("{PREFIX}{}", secret::random_token());
        let prefix = &key[..SHOWN];
        let tx = self.db.begin().await?;
        // An agent takes its keys with it; one that is made meanwhile must not be left behind.
        if let KeyScope::Agent(tenant, _, agent) = scope
            && !store::agents::keep(&tx, tenant, agent).await?
        {
            return Err(ServiceError::new(ErrorCode::AgentNotFound, "There is no such agent."));
        }
        let made_by = store::api_keys::behind(&tx, caller.actor).await?;
        let key_hash = &secret::hash(&key);
        let new = NewApiKey { name: &name, prefix, key_hash, scope, expires_at, made_by };
        let made = store::api_keys::insert(&tx, new).await?;
        let entry = Entry {
            tenant: scope.tenant(),
            action: "api_key.create",
            subject_kind: "api_key",
            subject_id: made.id.to_string(),
            before: None,
            after: Some(made.summary()),
            reason: None,
        };
        audit::append(&tx, caller, entry).await?;
        self.db.commit(tx, &[]).await?;
        Ok(NewKey { key, id: made.id })
    }
}

/// What a key of a tenant stands for. An agent's key calls tools: a role that may not is a mistake.
pub fn scope(tenant: TenantId, role: TenantRole, agent: Option<AgentId>) -> ServiceResult<KeyScope> {
    match agent {
        None => Ok(KeyScope::Tenant(tenant, role)),
        Some(_) if matches!(role, TenantRole::Viewer | TenantRole::Auditor) => {
            let message = format!(
                "cannot be {role} for a key of an agent: the key calls tools, and this role may not; \
                 use operator, manager or owner"
            );
            Err(FieldError { message, ..FieldError::new("role", FieldCode::Invalid) }.into())
        }
        Some(agent) => Ok(KeyScope::Agent(tenant, role, agent)),
    }
}

fn view(key: ApiKey) -> Option<ApiKeyOut> {
    let (role, agent_id) = match key.scope {
        KeyScope::PlatformAdmin => return None,
        KeyScope::Tenant(_, role) => (role, None),
        KeyScope::Agent(_, role, agent) => (role, Some(agent)),
    };
    Some(ApiKeyOut {
        id: key.id,
        name: key.name,
        prefix: key.prefix,
        role,
        agent_id,
        created_at: key.created_at.into(),
        expires_at: key.expires_at.map(Into::into),
        revoked_at: key.revoked_at.map(Into::into),
        last_used_at: key.last_used_at.map(Into::into),
        key: None,
    })
}
