//! T13, G2: the product's own tools, in every tenant: nine on the tenant's data, ten on a person's own things.

use crate::{Catalogue, Engine, audit::digest};
use ability::Caller;
use crm::tools::{SYSTEM_TOOLS, SystemTool};
use domain::{
    ServiceResult, TenantId, ToolEffect, ToolId,
    tool::{ExecutionType, ToolDefinition, ToolName, ToolType, WebhookMethod},
};
use items::tools::{ITEM_TOOLS, ItemTool};
use serde_json::Value;
use std::collections::BTreeMap;
use store::{Moment, tools::Tool};

/// The setting that says which descriptions the database has.
const DESCRIBED: &str = "built_in_tools";

const PRODUCT: &str = "Alçada";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuiltIn {
    Crm(&'static SystemTool),
    Item(&'static ItemTool),
}

impl BuiltIn {
    pub fn all() -> impl Iterator<Item = Self> {
        SYSTEM_TOOLS.iter().map(Self::Crm).chain(ITEM_TOOLS.iter().map(Self::Item))
    }

    pub fn find(name: &str) -> Option<Self> {
        Self::all().find(|tool| tool.name() == name)
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Crm(tool) => tool.name,
            Self::Item(tool) => tool.name,
        }
    }

    pub fn effect(self) -> ToolEffect {
        match self {
            Self::Crm(tool) => tool.effect,
            Self::Item(tool) => tool.effect(),
        }
    }

    /// Its effect is not in our database: mail; or it asks somebody outside.
    pub fn is_outside(self) -> bool {
        match self {
            Self::Crm(tool) => tool.name == "sendEmail",
            Self::Item(tool) => tool.is_outside(),
        }
    }

    fn is_idempotent(self) -> bool {
        match self {
            Self::Crm(tool) => tool.effect == ToolEffect::Read,
            Self::Item(tool) => tool.effect() == ToolEffect::Read || tool.is_outside(),
        }
    }

    fn texts(self) -> (&'static str, &'static str, Value) {
        match self {
            Self::Crm(tool) => (tool.display_name, tool.description, tool.parameters()),
            Self::Item(tool) => (tool.display_name, tool.description, tool.parameters()),
        }
    }
}

/// It works on what belongs to whoever calls it.
pub fn own_things(tool: &Tool) -> Option<&'static ItemTool> {
    ItemTool::find(tool.definition.name.as_str()).filter(|_| tool.is_system)
}

impl Engine {
    pub(crate) fn has_system_tools(&self, catalogue: &Catalogue) -> bool {
        BuiltIn::all().all(|tool| catalogue.tool_named(tool.name()).is_some())
    }

    /// Adds what is missing: a tenant is new, or the product has learnt something.
    pub(crate) async fn add_system_tools(&self, tenant: TenantId) -> ServiceResult<()> {
        let tx = self.db.begin_for(tenant).await?;
        let known = store::tools::all(&tx, tenant).await?;
        let is_known = |tool: &BuiltIn| known.iter().any(|k| k.definition.name.as_str() == tool.name());
        for tool in BuiltIn::all().filter(|tool| !is_known(tool)) {
            let tool = row(tool);
            store::tools::insert(&tx, tenant, &tool).await?;
            store::tools::add_version(&tx, tenant, &tool, None, PRODUCT, None).await?;
        }
        Ok(self.db.commit(tx, &[]).await?)
    }

    /// A new version of the product may describe its tools anew: every tenant gets that, as a version, and keeps how carefully
    /// it uses them. Looked at once for each version of the descriptions.
    pub(crate) async fn renew_system_tools(&self) -> ServiceResult<()> {
        let wanted = fingerprint();
        if store::settings::get(self.db.reader(), DESCRIBED).await?.as_ref() == Some(&wanted) {
            return Ok(());
        }
        let mut of_tenants: BTreeMap<TenantId, Vec<(Tool, Tool)>> = BTreeMap::new();
        for (tenant, known) in store::tools::built_in_of_all(self.db.reader()).await? {
            if let Some(definition) = renewed(&known.definition) {
                let (version, updated_at) = (known.version + 1, Moment::now());
                let tool = Tool { definition, version, updated_at, ..known.clone() };
                of_tenants.entry(tenant).or_default().push((known, tool));
            }
        }
        let mut is_done = true;
        for (tenant, tools) in of_tenants {
            is_done &= self.renew_system_tools_of(tenant, &tools).await.unwrap_or_else(|error| {
                tracing::warn!(%tenant, error = error.detail, "built-in tools keep their old descriptions for now");
                false
            });
        }
        if is_done {
            let tx = self.db.begin().await?;
            store::settings::put(&tx, DESCRIBED, &wanted).await?;
            self.db.commit(tx, &[]).await?;
        }
        Ok(())
    }

    /// One tenant at a time: calls write to the same record, and wait. False when somebody else was faster with one of
    /// them, and the next start has to look again.
    async fn renew_system_tools_of(&self, tenant: TenantId, tools: &[(Tool, Tool)]) -> ServiceResult<bool> {
        let tx = self.db.begin_for(tenant).await?;
        let mut renewed = Vec::new();
        // All of them before the record, as whoever changes one does: nobody waits in a circle.
        for change in tools {
            if store::tools::replace(&tx, tenant, &change.0, &change.1).await? {
                renewed.push(change);
            }
        }
        for (known, tool) in &renewed {
            self.record_change(&tx, &product(tenant), "tool.update", Some(known), tool, None).await?;
        }
        self.db.commit(tx, &[]).await?;
        Ok(renewed.len() == tools.len())
    }
}

/// Whoever changes tools when nobody does.
fn product(tenant: TenantId) -> Caller {
    Caller { name: PRODUCT.to_owned(), tenant: Some(tenant), ..Caller::operator() }
}

/// As the product describes the tool now; nothing when that is how it is known.
fn renewed(known: &ToolDefinition) -> Option<ToolDefinition> {
    let tool = BuiltIn::find(known.name.as_str())?;
    let new = ToolDefinition {
        requires_confirmation: known.requires_confirmation,
        requires_second_person: known.requires_second_person,
        rate_limit: known.rate_limit,
        ..definition(tool)
    };
    (new != *known).then_some(new)
}

/// Tells these descriptions from any others.
fn fingerprint() -> String {
    let all: Vec<_> = BuiltIn::all().map(definition).collect();
    let text = serde_json::to_vec(&all).unwrap_or_default();
    digest::of_text(text).to_string()
}

fn row(tool: BuiltIn) -> Tool {
    let now = Moment::now();
    Tool {
        id: ToolId::new(),
        definition: definition(tool),
        secrets: None,
        version: 1,
        is_active: true,
        is_system: true,
        created_at: now,
        updated_at: now,
    }
}

fn definition(tool: BuiltIn) -> ToolDefinition {
    let (display_name, description, parameters) = tool.texts();
    ToolDefinition {
        name: ToolName::built_in(tool.name()),
        display_name: display_name.to_owned(),
        description: description.to_owned(),
        r#type: ToolType::Function,
        parameters,
        execution_type: ExecutionType::Internal,
        webhook_url: None,
        webhook_method: WebhookMethod::Post,
        webhook_headers: Default::default(),
        code: None,
        requires_confirmation: false,
        requires_second_person: false,
        effect: tool.effect(),
        timeout_ms: 30_000,
        idempotent: tool.is_idempotent(),
        rate_limit: None,
        max_output_bytes: 100 * 1024,
        memory_mb: None,
        max_fetches: None,
        fetch_hosts: Vec::new(),
        secret_names: Vec::new(),
    }
}
