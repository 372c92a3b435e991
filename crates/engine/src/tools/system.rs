//! T13, G2: the product's own tools, in every tenant: nine on the tenant's data, ten on a person's own things.

use crate::{Catalogue, Engine};
use crm::tools::{SYSTEM_TOOLS, SystemTool};
use domain::{
    ServiceResult, TenantId, ToolEffect, ToolId,
    tool::{ExecutionType, ToolDefinition, ToolName, ToolType, WebhookMethod},
};
use items::tools::{ITEM_TOOLS, ItemTool};
use serde_json::Value;
use store::{Moment, tools::Tool};

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
            store::tools::add_version(&tx, tenant, &tool, None, "Alçada", None).await?;
        }
        Ok(self.db.commit(tx, &[]).await?)
    }
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
