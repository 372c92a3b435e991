//! T1–T6: the tools of a tenant. Every change is a version, an audit entry, and news to whoever knows the tool.

mod definition;
mod difference;
mod hosts;
mod list;
mod sealing;
mod secrets;
mod switch;
pub(crate) mod system;
mod versions;

pub use definition::LimitRange;
pub(crate) use domain::version::is_current;
pub(crate) use hosts::HostPattern;
pub use list::{ToolFilter, ToolPage};
pub(crate) use secrets::ToolSecrets;
pub use switch::{ChangedTool, ToolSwitch};
pub use system::BuiltIn;

use crate::{Catalogue, Engine, KnownTool, schema::breaks};
use ability::{Caller, CreateTools, DeleteTools, ReadTools, Subject, Target, TenantPermit, UpdateTools};
use channels::Address;
use domain::{
    AgentId, ErrorCode, FieldCode, FieldError, ServiceError, ServiceResult, TenantId, ToolId,
    tool::{BreakingChange, ExecutionType, RateLimit, ToolDefinition, ToolIn, ToolOut},
};
use serde_json::{Value, json};
use std::sync::Arc;
use store::{
    Moment, WriteTx,
    audit::{self, Entry},
    statistics::Counts,
    tools::Tool,
};

impl Engine {
    pub async fn get_tool(&self, permit: &TenantPermit<ReadTools>, id: ToolId) -> ServiceResult<ToolOut> {
        let catalogue = self.catalogue(permit.tenant()).await?;
        let known = seen_tool(&catalogue, permit.caller(), id)?;
        let shown = self.counted_view(permit.tenant(), &catalogue, known).await?;
        Ok(as_seen_by(permit.caller(), shown))
    }

    async fn tool_view(&self, tenant: TenantId, id: ToolId) -> ServiceResult<ToolOut> {
        let catalogue = self.catalogue(tenant).await?;
        self.counted_view(tenant, &catalogue, catalogue.tool(id).ok_or_else(no_tool)?).await
    }

    async fn counted_view(
        &self,
        tenant: TenantId,
        catalogue: &Catalogue,
        known: &KnownTool,
    ) -> ServiceResult<ToolOut> {
        let id = known.tool.id;
        let totals = store::statistics::totals_of(&self.db.reader_of(tenant).await?, tenant, &[id]).await?;
        Ok(view(&known.tool, catalogue, totals.get(&id)))
    }

    /// Answers with the secret that signs a webhook's calls, once.
    pub async fn create_tool(
        &self,
        permit: &TenantPermit<CreateTools>,
        input: ToolIn,
    ) -> ServiceResult<ToolOut> {
        let tenant = permit.tenant();
        if input.expected_version.is_some() {
            return Err(ServiceError::field("expected_version", FieldCode::Unknown));
        }
        let mut secrets = ToolSecrets::default();
        let definition = definition::new(&input, &self.egress, self.ceilings.code_time_ms, &mut secrets)?;
        if system::BuiltIn::find(definition.name.as_str()).is_some()
            || crate::registry::find(definition.name.as_str()).is_some()
        {
            return Err(ServiceError::field("name", FieldCode::Reserved));
        }
        let catalogue = self.catalogue(tenant).await?;
        let agents = agents_named(&catalogue, input.allowed_agents.as_deref())?;
        self.check_code(tenant, None, &definition).await?;
        let id = ToolId::new();
        let shown = (definition.execution_type == ExecutionType::Webhook).then(|| secrets.rotate());
        secrets.set_headers(&input.webhook_headers.clone().unwrap_or_default())?;
        let now = Moment::now();
        let tool = Tool {
            id,
            definition,
            secrets: Some(secrets.seal(&self.vault, tenant, id)),
            version: 1,
            is_active: input.is_active.unwrap_or(true),
            is_system: false,
            created_at: now,
            updated_at: now,
        };
        let tx = self.db.begin_for(tenant).await?;
        store::tools::insert(&tx, tenant, &tool).await.map_err(name_taken)?;
        store::agents::assign_agents(&tx, tenant, id, &agents).await?;
        self.record_change(&tx, permit.caller(), "tool.create", None, &tool, input.note).await?;
        self.db.commit(tx, &[]).await?;
        Ok(ToolOut { webhook_secret: shown, ..self.tool_view(tenant, id).await? })
    }

    /// T4: what is absent stays. A change that can break agents is made, and reported with the agents concerned.
    pub async fn update_tool(
        &self,
        permit: &TenantPermit<UpdateTools>,
        id: ToolId,
        input: ToolIn,
    ) -> ServiceResult<ToolOut> {
        Ok(self.change_tool(permit, id, input, None).await?.tool)
    }

    async fn change_tool(
        &self,
        permit: &TenantPermit<UpdateTools>,
        id: ToolId,
        input: ToolIn,
        since: Option<i64>,
    ) -> ServiceResult<ChangedTool> {
        let tenant = permit.tenant();
        let catalogue = self.catalogue(tenant).await?;
        let before = &catalogue.tool(id).ok_or_else(no_tool)?.tool;
        is_current(input.expected_version, before.version)?;
        if since.is_some_and(|moment| moment != before.updated_at.0) {
            return Err(changed_meanwhile());
        }
        let (after, shown) = self.changed(tenant, before, &input)?;
        self.check_code(tenant, Some(&before.definition), &after.definition).await?;
        let agents =
            input.allowed_agents.as_deref().map(|names| agents_named(&catalogue, Some(names))).transpose()?;
        self.replace_tool(permit.caller(), tenant, before, &after, agents, input.note).await?;
        let breaking_change = breaking_change(&catalogue, before, &after);
        let view = self.tool_view(tenant, id).await?;
        let tool = ToolOut { breaking_change, webhook_secret: shown, ..view };
        Ok(ChangedTool { tool, moment: after.updated_at.0 })
    }

    /// With the secret of a tool that becomes a webhook.
    fn changed(
        &self,
        tenant: TenantId,
        before: &Tool,
        input: &ToolIn,
    ) -> ServiceResult<(Tool, Option<String>)> {
        let mut after = before.clone();
        after.updated_at = Moment::now();
        after.is_active = input.is_active.unwrap_or(before.is_active);
        let mut secrets = self.secrets_for(tenant, before, input)?;
        let kept = secrets.values.clone();
        after.definition = if before.is_system {
            system_change(before, input)?
        } else {
            definition::changed(before.definition.clone(), input, &self.egress, &mut secrets)?
        };
        let taken = system::BuiltIn::find(after.definition.name.as_str()).is_some()
            || crate::registry::find(after.definition.name.as_str()).is_some();
        if taken && !before.is_system {
            return Err(ServiceError::field("name", FieldCode::Reserved));
        }
        let given = input.webhook_headers.as_ref();
        if !definition::is_same_place(&before.definition, &after.definition) {
            secrets.stay_here(given)?;
        }
        if let Some(headers) = given {
            secrets.set_headers(headers)?;
        }
        let becomes_webhook = becomes_webhook(before, after.definition.execution_type);
        let shown = becomes_webhook.then(|| secrets.begin_to_sign()).flatten();
        if secrets.values != kept || shown.is_some() {
            after.secrets = Some(secrets.seal(&self.vault, tenant, before.id));
        }
        let is_new = after.definition != before.definition || secrets.values != kept;
        after.version += i64::from(is_new);
        Ok((after, shown))
    }

    /// Those of a tool that only gets other words stay sealed: also where the key for them is lost.
    fn secrets_for(&self, tenant: TenantId, tool: &Tool, input: &ToolIn) -> ServiceResult<ToolSecrets> {
        let becomes_webhook = input.execution_type.is_some_and(|kind| becomes_webhook(tool, kind));
        match becomes_webhook || input.webhook_url.is_some() || input.webhook_headers.is_some() {
            true => ToolSecrets::open(&self.vault, tenant, tool.id, tool.secrets.as_deref()),
            false => Ok(ToolSecrets::default()),
        }
    }

    async fn replace_tool(
        &self,
        caller: &Caller,
        tenant: TenantId,
        before: &Tool,
        after: &Tool,
        agents: Option<Vec<AgentId>>,
        note: Option<String>,
    ) -> ServiceResult<()> {
        let tx = self.db.begin_for(tenant).await?;
        if !store::tools::replace(&tx, tenant, before, after).await.map_err(name_taken)? {
            return Err(changed_meanwhile());
        }
        if let Some(agents) = agents {
            store::agents::assign_agents(&tx, tenant, after.id, &agents).await?;
        }
        self.record_change(&tx, caller, "tool.update", Some(before), after, note).await?;
        Ok(self.db.commit(tx, &[]).await?)
    }

    /// T5: never a system tool; not while agents use it, unless forced.
    pub async fn delete_tool(
        &self,
        permit: &TenantPermit<DeleteTools>,
        id: ToolId,
        force: bool,
        expected_version: Option<i64>,
    ) -> ServiceResult<()> {
        let tenant = permit.tenant();
        let tx = self.db.begin_for(tenant).await?;
        // Held from here on: nobody can be given it any more.
        let tool = store::tools::hold(&tx, tenant, id).await?.ok_or_else(no_tool)?;
        is_current(expected_version, tool.version)?;
        let target = Target::one(Subject::ToolManagement).with("is_system", tool.is_system);
        if tool.is_system || !permit.allows(target) {
            return Err(ServiceError::new(ErrorCode::SystemTool, "Built-in tools cannot be deleted."));
        }
        let agents = store::agents::with_tool(&tx, tenant, id).await?;
        if !agents.is_empty() && !force {
            let detail = "Agents use this tool. Take it from them first, or add ?force=true.";
            return Err(ServiceError { agents, ..ServiceError::new(ErrorCode::ToolInUse, detail) });
        }
        store::tools::delete(&tx, tenant, id).await?;
        store::tools::forget_version_secrets(&tx, tenant, id).await?;
        let entry = Entry {
            tenant: Some(tenant),
            action: "tool.delete",
            subject_kind: "tool",
            subject_id: id.to_string(),
            before: Some(summary(&tool)),
            after: None,
            reason: None,
        };
        audit::append(&tx, permit.caller(), entry).await?;
        Ok(self.db.commit(tx, &[]).await?)
    }

    /// A new secret for the signatures; the old one signs beside it for a day.
    pub async fn rotate_tool_secret(
        &self,
        permit: &TenantPermit<UpdateTools>,
        id: ToolId,
    ) -> ServiceResult<ToolOut> {
        let tenant = permit.tenant();
        let catalogue = self.catalogue(tenant).await?;
        let before = &catalogue.tool(id).ok_or_else(no_tool)?.tool;
        if before.definition.execution_type != ExecutionType::Webhook {
            return Err(ServiceError::new(ErrorCode::NotFound, "Only webhook tools have a signing secret."));
        }
        let mut secrets = ToolSecrets::open(&self.vault, tenant, id, before.secrets.as_deref())?;
        let shown = secrets.rotate();
        let mut after = before.clone();
        after.secrets = Some(secrets.seal(&self.vault, tenant, id));
        after.version += 1;
        after.updated_at = Moment::now();
        let note = Some("signing secret rotated".to_owned());
        self.replace_tool(permit.caller(), tenant, before, &after, None, note).await?;
        Ok(ToolOut { webhook_secret: Some(shown), ..self.tool_view(tenant, id).await? })
    }

    async fn record_change(
        &self,
        tx: &WriteTx,
        caller: &Caller,
        action: &str,
        before: Option<&Tool>,
        after: &Tool,
        note: Option<String>,
    ) -> ServiceResult<()> {
        let tenant = caller.tenant.ok_or_else(no_tool)?;
        let note = domain::text::parse_optional_line("note", note.as_deref(), 500)?;
        if before.is_none_or(|before| before.version != after.version) {
            self.add_version(tx, tenant, before, after, &caller.name, note.clone()).await?;
        }
        let entry = Entry {
            tenant: Some(tenant),
            action,
            subject_kind: "tool",
            subject_id: after.id.to_string(),
            before: before.map(summary),
            after: Some(summary(after)),
            reason: note,
        };
        Ok(audit::append(tx, caller, entry).await?)
    }
}

/// C8: a key that is bound to an agent sees what that agent was given; for it, nothing else is there.
pub(crate) fn is_seen_by(catalogue: &Catalogue, caller: &Caller, id: ToolId) -> bool {
    caller.agent.is_none_or(|agent| catalogue.is_assigned(agent, id))
}

pub(crate) fn seen_tool<'a>(
    catalogue: &'a Catalogue,
    caller: &Caller,
    id: ToolId,
) -> ServiceResult<&'a Arc<KnownTool>> {
    catalogue.tool(id).filter(|known| is_seen_by(catalogue, caller, known.tool.id)).ok_or_else(no_tool)
}

/// Nor does it see who else was given the tool.
fn as_seen_by(caller: &Caller, mut tool: ToolOut) -> ToolOut {
    if let Some(own) = caller.agent {
        tool.allowed_agents.retain(|agent| *agent == own);
    }
    tool
}

/// What calls of today may stumble over, and which agents make them.
fn breaking_change(catalogue: &Catalogue, before: &Tool, after: &Tool) -> Option<BreakingChange> {
    let reasons = breaks(&before.definition.parameters, &after.definition.parameters);
    let agents = catalogue.agents_of(before.id);
    (!reasons.is_empty() && !agents.is_empty()).then_some(BreakingChange { reasons, agents })
}

fn becomes_webhook(before: &Tool, kind: ExecutionType) -> bool {
    kind == ExecutionType::Webhook && before.definition.execution_type != ExecutionType::Webhook
}

/// Core fields of a built-in tool cannot change; how carefully it is used can.
fn system_change(before: &Tool, input: &ToolIn) -> ServiceResult<domain::tool::ToolDefinition> {
    let old = &before.definition;
    let same = |given: &Option<String>, kept: &str| given.as_deref().is_none_or(|text| text == kept);
    let untouched = same(&input.name, old.name.as_str())
        && same(&input.display_name, &old.display_name)
        && same(&input.description, &old.description)
        && input.r#type.is_none_or(|kind| kind == old.r#type)
        && input.parameters.as_ref().is_none_or(|parameters| *parameters == old.parameters)
        && input.execution_type.is_none_or(|kind| kind == old.execution_type)
        && input.effect.is_none_or(|effect| effect == old.effect)
        && input.idempotent.is_none_or(|idempotent| idempotent == old.idempotent)
        && input.timeout_ms.is_none_or(|ms| ms == old.timeout_ms)
        && input.max_output_bytes.is_none_or(|most| most == old.max_output_bytes)
        && input.webhook_method.is_none_or(|method| method == old.webhook_method)
        && input.memory_mb.flatten().is_none()
        && input.max_fetches.flatten().is_none()
        && input.fetch_hosts.as_ref().is_none_or(|hosts| hosts.is_empty())
        && input.secret_names.as_ref().is_none_or(|names| names.is_empty())
        && !matches!(input.webhook_url, Some(Some(_)))
        && input.webhook_headers.as_ref().is_none_or(|headers| headers.is_empty())
        && !matches!(input.code, Some(Some(_)));
    if !untouched {
        let detail = "The core fields of a built-in tool cannot be changed.";
        return Err(ServiceError::new(ErrorCode::SystemTool, detail));
    }
    let mut next = old.clone();
    next.requires_confirmation = input.requires_confirmation.unwrap_or(old.requires_confirmation);
    next.requires_second_person = input.requires_second_person.unwrap_or(old.requires_second_person);
    if let Some(limit) = input.rate_limit {
        next.rate_limit = limit.map(RateLimit::checked).transpose()?;
    }
    Ok(next)
}

fn agents_named(catalogue: &Catalogue, names: Option<&[String]>) -> ServiceResult<Vec<AgentId>> {
    let mut ids = Vec::new();
    for name in names.unwrap_or_default() {
        let agent = catalogue.agent(name).ok_or_else(|| FieldError {
            message: format!("there is no agent {name}"),
            ..FieldError::new("allowed_agents", FieldCode::Unknown)
        })?;
        if !ids.contains(&agent.id) {
            ids.push(agent.id);
        }
    }
    Ok(ids)
}

fn view(tool: &Tool, catalogue: &Catalogue, counts: Option<&Counts>) -> ToolOut {
    let none = Counts::default();
    let counts = counts.unwrap_or(&none);
    ToolOut {
        id: tool.id,
        definition: shown(&tool.definition),
        allowed_agents: catalogue.agents_of(tool.id).into_iter().map(|agent| agent.id).collect(),
        is_active: tool.is_active,
        is_system: tool.is_system,
        version: tool.version,
        execution_count: counts.executions,
        last_executed_at: (counts.last_at > 0).then(|| Moment(counts.last_at).into()),
        avg_execution_time_ms: (counts.mean_ms() * 100.0).round() / 100.0,
        error_count: counts.errors,
        created_at: tool.created_at.into(),
        updated_at: tool.updated_at.into(),
        webhook_secret: None,
        breaking_change: None,
    }
}

/// S16: an address that could not be sealed yet is masked all the same.
fn shown(definition: &ToolDefinition) -> ToolDefinition {
    let webhook_url = definition.webhook_url.as_deref().map(|url| Address::of(url).shown);
    ToolDefinition { webhook_url, ..definition.clone() }
}

/// For the record, which has no secrets.
fn summary(tool: &Tool) -> Value {
    json!({ "version": tool.version, "is_active": tool.is_active, "definition": shown(&tool.definition) })
}

fn name_taken(error: store::StoreError) -> ServiceError {
    match error {
        store::StoreError::Duplicate => ServiceError::field("name", FieldCode::Taken),
        other => other.into(),
    }
}

fn changed_meanwhile() -> ServiceError {
    ServiceError::new(ErrorCode::Conflict, "Somebody else changed this tool in the meantime.")
}

pub(crate) fn no_tool() -> ServiceError {
    ServiceError::new(ErrorCode::ToolNotFound, "There is no such tool.")
}

pub(crate) fn no_agent() -> ServiceError {
    ServiceError::new(ErrorCode::AgentNotFound, "There is no such agent.")
}
