//! The keys with which programs call from outside; for owners.

use super::{ApiError, Form, session::ShownSecret};
use domain::{AgentId, ApiKeyId, TenantRole, api_key::ApiKeyOut};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ApiKeysOut {
    pub keys: Vec<ApiKeyOut>,
    /// Those that a key can speak for, and those that keys speak for.
    pub agents: Vec<AgentChoice>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AgentChoice {
    pub id: AgentId,
    pub name: String,
}

#[server(prefix = "/fn", endpoint = "list_api_keys", input = Form)]
pub async fn list_api_keys() -> Result<ApiKeysOut, ApiError> {
    let visitor = crate::request::visitor();
    let backend = crate::request::backend();
    let keys = backend.accounts.list_tenant_keys(&visitor.tenant_permit()?).await?;
    let agents = backend.engine.list_agents(&visitor.tenant_permit()?).await?;
    let agents = agents.into_iter().map(|agent| AgentChoice { id: agent.id, name: agent.name }).collect();
    Ok(ApiKeysOut { keys, agents })
}

/// The answer has the key, once. Without days it does not expire.
#[server(prefix = "/fn", endpoint = "create_api_key", input = Form)]
pub async fn create_api_key(
    name: String,
    role: TenantRole,
    agent_id: Option<String>,
    expires_in_days: Option<u32>,
) -> Result<ShownSecret, ApiError> {
    let visitor = crate::request::visitor();
    let (backend, permit) = (crate::request::backend(), visitor.tenant_permit()?);
    let agent_id = agent_id.filter(|id| !id.is_empty());
    let agent = match &agent_id {
        Some(id) => Some(backend.engine.find_agent(permit.tenant(), id).await?),
        None => None,
    };
    let input = domain::api_key::ApiKeyIn { name, role, agent_id, expires_in_days };
    let made = backend.accounts.create_tenant_key(&permit, input, agent).await?;
    let shown = ShownSecret { name: made.name, secret: made.key.unwrap_or_default() };
    crate::request::shown_once(&visitor, &shown).await?;
    Ok(shown)
}

/// Dead at once; stays in the list.
#[server(prefix = "/fn", endpoint = "revoke_api_key", input = Form)]
pub async fn revoke_api_key(key_id: ApiKeyId) -> Result<(), ApiError> {
    let visitor = crate::request::visitor();
    crate::request::backend().accounts.revoke_tenant_key(&visitor.tenant_permit()?, key_id).await?;
    crate::request::saved(&visitor).await
}
