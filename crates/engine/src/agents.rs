//! Agents: who calls, which tools they were given, when people are asked.

mod assignments;

pub use assignments::{AssignmentChange, AssignmentPlan};

use crate::{
    Catalogue, Engine,
    tools::{is_current, no_agent},
};
use ability::{Caller, ManageAgents, ReadAgents, Subject, Target, TenantPermit};
use domain::{
    AgentId, AgentRef, ErrorCode, FieldCode, FieldError, ServiceError, ServiceResult, Slug, TenantId, ToolId,
    agent::{AgentIn, AgentOut, AgentPatch, AgentToolsIn},
    text::parse_line,
    tool::{ConfirmationMode, RateLimit},
};
use serde_json::json;
use store::{
    Moment, StoreError,
    agents::Agent,
    api_keys::ApiKey,
    audit::{self, Entry},
};

const LONGEST_PERSONA: usize = 20_000;

impl Engine {
    /// An agent's own key sees that agent only.
    pub async fn list_agents(&self, permit: &TenantPermit<ReadAgents>) -> ServiceResult<Vec<AgentOut>> {
        let catalogue = self.catalogue(permit.tenant()).await?;
        let visible = catalogue.agents().iter().filter(|agent| may_see(permit, agent));
        Ok(visible.map(|agent| view(agent, &catalogue)).collect())
    }

    pub async fn get_agent(&self, permit: &TenantPermit<ReadAgents>, name: &str) -> ServiceResult<AgentOut> {
        let catalogue = self.catalogue(permit.tenant()).await?;
        let agent = catalogue.agent(name).filter(|agent| may_see(permit, agent)).ok_or_else(no_agent)?;
        Ok(view(agent, &catalogue))
    }

    /// Their names only; what each was given is not looked up.
    pub async fn agent_names(&self, permit: &TenantPermit<ReadAgents>) -> ServiceResult<Vec<AgentRef>> {
        let catalogue = self.catalogue(permit.tenant()).await?;
        let visible = catalogue.agents().iter().filter(|agent| may_see(permit, agent));
        Ok(visible.map(|a| AgentRef { id: a.id, slug: a.slug.clone(), name: a.name.clone() }).collect())
    }

    /// Who was given this tool.
    pub async fn agents_with(
        &self,
        permit: &TenantPermit<ReadAgents>,
        tool: ToolId,
    ) -> ServiceResult<Vec<AgentRef>> {
        let catalogue = self.catalogue(permit.tenant()).await?;
        let is_seen = |agent: &AgentRef| permit.allows(Target::one(Subject::Agent).with("id", agent.id));
        Ok(catalogue.agents_of(tool).into_iter().filter(is_seen).collect())
    }

    /// The agent with that id or slug; for the command line and for keys.
    pub async fn find_agent(&self, tenant: TenantId, name: &str) -> ServiceResult<AgentId> {
        Ok(self.catalogue(tenant).await?.agent(name).ok_or_else(no_agent)?.id)
    }

    pub async fn create_agent(
        &self,
        permit: &TenantPermit<ManageAgents>,
        input: AgentIn,
    ) -> ServiceResult<AgentOut> {
        let tenant = permit.tenant();
        let catalogue = self.catalogue(tenant).await?;
        let name = parse_line("name", &input.name, 120)?;
        let now = Moment::now();
        let agent = Agent {
            id: AgentId::new(),
            slug: slug(input.slug.as_deref(), &name)?,
            name,
            description: bounded("description", input.description, 2_000)?.unwrap_or_default(),
            persona: bounded("persona", input.persona, LONGEST_PERSONA)?.unwrap_or_default(),
            confirmation_mode: input.tool_confirmation_mode.unwrap_or(ConfirmationMode::Dangerous),
            is_active: input.is_active.unwrap_or(true),
            rate_limit: input.rate_limit.map(RateLimit::checked).transpose()?,
            version: 1,
            created_at: now,
            updated_at: now,
        };
        let tools = tools_named(&catalogue, input.allowed_tools.as_deref().unwrap_or_default())?;
        let tx = self.db.begin_for(tenant).await?;
        store::tools::keep(&tx, tenant, &tools).await?;
        store::agents::insert(&tx, tenant, &agent).await.map_err(slug_taken)?;
        store::agents::assign_tools(&tx, tenant, agent.id, &tools).await?;
        let entry = entry(tenant, "agent.create", None, Some(&agent), input.allowed_tools.as_deref());
        audit::append(&tx, permit.caller(), entry).await?;
        self.db.commit(tx, &[]).await?;
        self.agent_view(tenant, agent.id).await
    }

    /// What is absent stays as it is.
    pub async fn update_agent(
        &self,
        permit: &TenantPermit<ManageAgents>,
        name: &str,
        patch: AgentPatch,
    ) -> ServiceResult<AgentOut> {
        let tenant = permit.tenant();
        let catalogue = self.catalogue(tenant).await?;
        let before = catalogue.agent(name).ok_or_else(no_agent)?;
        is_current(patch.expected_version, before.version)?;
        let mut after = Agent::clone(before);
        if let Some(name) = &patch.name {
            after.name = parse_line("name", name, 120)?;
        }
        if let Some(text) = &patch.slug {
            after.slug = slug(Some(text), &after.name)?;
        }
        if let Some(text) = patch.description {
            after.description = bounded("description", text, 2_000)?.unwrap_or_default();
        }
        if let Some(text) = patch.persona {
            after.persona = bounded("persona", text, LONGEST_PERSONA)?.unwrap_or_default();
        }
        after.confirmation_mode = patch.tool_confirmation_mode.unwrap_or(after.confirmation_mode);
        after.is_active = patch.is_active.unwrap_or(after.is_active);
        if let Some(limit) = patch.rate_limit {
            after.rate_limit = limit.map(RateLimit::checked).transpose()?;
        }
        after.version += 1;
        after.updated_at = Moment::now();
        let tools = patch.allowed_tools.as_deref().map(|names| tools_named(&catalogue, names)).transpose()?;
        let entry = entry(tenant, "agent.update", Some(before), Some(&after), patch.allowed_tools.as_deref());
        self.write_agent(permit.caller(), tenant, before, &after, tools, entry).await
    }

    /// T14.
    pub async fn set_agent_tools(
        &self,
        permit: &TenantPermit<ManageAgents>,
        name: &str,
        input: AgentToolsIn,
    ) -> ServiceResult<AgentOut> {
        let patch = AgentPatch {
            allowed_tools: Some(input.allowed_tools),
            tool_confirmation_mode: input.tool_confirmation_mode,
            expected_version: input.expected_version,
            ..AgentPatch::default()
        };
        self.update_agent(permit, name, patch).await
    }

    async fn write_agent(
        &self,
        caller: &Caller,
        tenant: TenantId,
        seen: &Agent,
        agent: &Agent,
        tools: Option<Vec<ToolId>>,
        entry: Entry<'_>,
    ) -> ServiceResult<AgentOut> {
        let tx = self.db.begin_for(tenant).await?;
        store::tools::keep(&tx, tenant, tools.as_deref().unwrap_or_default()).await?;
        if !store::agents::replace(&tx, tenant, seen, agent).await.map_err(slug_taken)? {
            let detail = "Somebody else changed this agent in the meantime.";
            return Err(ServiceError::new(ErrorCode::Conflict, detail));
        }
        if let Some(tools) = tools {
            store::agents::assign_tools(&tx, tenant, agent.id, &tools).await?;
        }
        audit::append(&tx, caller, entry).await?;
        self.db.commit(tx, &[]).await?;
        self.agent_view(tenant, agent.id).await
    }

    /// Its keys die with it: nobody speaks for an agent that is gone.
    pub async fn delete_agent(
        &self,
        permit: &TenantPermit<ManageAgents>,
        name: &str,
        expected_version: Option<i64>,
    ) -> ServiceResult<()> {
        let tenant = permit.tenant();
        let catalogue = self.catalogue(tenant).await?;
        let agent = catalogue.agent(name).ok_or_else(no_agent)?;
        is_current(expected_version, agent.version)?;
        let tx = self.db.begin_for(tenant).await?;
        if !store::agents::delete(&tx, tenant, agent.id, expected_version).await? {
            let detail = "Somebody else changed this agent in the meantime.";
            let changed = || ServiceError::new(ErrorCode::Conflict, detail);
            return Err(expected_version.map_or_else(no_agent, |_| changed()));
        }
        audit::append(&tx, permit.caller(), entry(tenant, "agent.delete", Some(agent), None, None)).await?;
        for key in store::api_keys::revoke_of_agent(&tx, tenant, agent.id).await? {
            audit::append(&tx, permit.caller(), key_revoked(tenant, &key)).await?;
        }
        Ok(self.db.commit(tx, &[]).await?)
    }

    async fn agent_view(&self, tenant: TenantId, id: AgentId) -> ServiceResult<AgentOut> {
        let catalogue = self.catalogue(tenant).await?;
        catalogue.agent(&id.to_string()).map(|agent| view(agent, &catalogue)).ok_or_else(no_agent)
    }
}

pub(crate) fn may_see(permit: &TenantPermit<ReadAgents>, agent: &Agent) -> bool {
    permit.allows(Target::one(Subject::Agent).with("id", agent.id))
}

fn view(agent: &Agent, catalogue: &Catalogue) -> AgentOut {
    let given = catalogue.tools().iter().filter(|known| catalogue.is_assigned(agent.id, known.tool.id));
    AgentOut {
        id: agent.id,
        slug: agent.slug.clone(),
        name: agent.name.clone(),
        description: agent.description.clone(),
        persona: agent.persona.clone(),
        allowed_tools: given.map(|known| known.tool.definition.name.to_string()).collect(),
        tool_confirmation_mode: agent.confirmation_mode,
        is_active: agent.is_active,
        rate_limit: agent.rate_limit,
        version: agent.version,
        created_at: agent.created_at.into(),
        updated_at: agent.updated_at.into(),
    }
}

fn entry<'a>(
    tenant: TenantId,
    action: &'a str,
    before: Option<&Agent>,
    after: Option<&Agent>,
    tools: Option<&[String]>,
) -> Entry<'a> {
    let summary = |agent: &Agent| {
        json!({
            "slug": agent.slug,
            "name": agent.name,
            "mode": agent.confirmation_mode,
            "is_active": agent.is_active,
            "rate_limit": agent.rate_limit,
            "version": agent.version,
        })
    };
    let with_tools = |agent: &Agent| {
        let mut summary = summary(agent);
        if let Some(tools) = tools {
            summary["allowed_tools"] = json!(tools);
        }
        summary
    };
    Entry {
        tenant: Some(tenant),
        action,
        subject_kind: "agent",
        subject_id: before.or(after).map(|agent| agent.id.to_string()).unwrap_or_default(),
        before: before.map(summary),
        after: after.map(with_tools),
        reason: None,
    }
}

fn key_revoked(tenant: TenantId, key: &ApiKey) -> Entry<'static> {
    Entry {
        tenant: Some(tenant),
        action: "api_key.revoke",
        subject_kind: "api_key",
        subject_id: key.id.to_string(),
        before: Some(key.summary()),
        after: None,
        reason: Some("the agent that it spoke for was deleted".to_owned()),
    }
}

fn tools_named(catalogue: &Catalogue, names: &[String]) -> ServiceResult<Vec<ToolId>> {
    let mut ids = Vec::new();
    for name in names {
        let known = catalogue.tool_named(name).ok_or_else(|| FieldError {
            message: format!("there is no tool {name}"),
            ..FieldError::new("allowed_tools", FieldCode::Unknown)
        })?;
        if !ids.contains(&known.tool.id) {
            ids.push(known.tool.id);
        }
    }
    Ok(ids)
}

/// Underscores are common in agents' names: `agent_vendas` is as good as `agent-vendas`. What reads as an id is none:
/// it could name two agents.
fn slug(given: Option<&str>, name: &str) -> ServiceResult<String> {
    match given {
        Some(text) if text.trim().parse::<AgentId>().is_ok() => {
            Err(ServiceError::field("slug", FieldCode::Invalid))
        }
        Some(text) => {
            Slug::parse(&text.replace('_', "-"))?;
            Ok(text.trim().to_owned())
        }
        None => match Slug::suggest(name) {
            Some(slug) => Ok(slug.to_string()),
            None => Err(ServiceError::field("slug", FieldCode::Required)),
        },
    }
}

fn bounded(field: &str, text: Option<String>, most: usize) -> ServiceResult<Option<String>> {
    match text {
        Some(text) if text.chars().count() > most => Err(ServiceError::field(field, FieldCode::TooLong)),
        Some(text) if text.contains('\0') => Err(ServiceError::field(field, FieldCode::Invalid)),
        other => Ok(other),
    }
}

fn slug_taken(error: StoreError) -> ServiceError {
    match error {
        StoreError::Duplicate => ServiceError::field("slug", FieldCode::Taken),
        other => other.into(),
    }
}
