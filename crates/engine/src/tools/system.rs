//! T13: the product's own tools, in every tenant.

use crate::{Catalogue, Engine};
use crm::tools::{SYSTEM_TOOLS, SystemTool};
use domain::{
    ServiceResult, TenantId, ToolEffect, ToolId,
    tool::{ExecutionType, ToolDefinition, ToolName, ToolType, WebhookMethod},
};
use store::{Moment, tools::Tool};

impl Engine {
    pub(crate) fn has_system_tools(&self, catalogue: &Catalogue) -> bool {
        SYSTEM_TOOLS.iter().all(|tool| catalogue.tool_named(tool.name).is_some())
    }

    /// Adds what is missing: a tenant is new, or the product has learnt something.
    pub(crate) async fn add_system_tools(&self, tenant: TenantId) -> ServiceResult<()> {
        let tx = self.db.begin().await?;
        let known = store::tools::all(&tx, tenant).await?;
        let is_known = |tool: &&SystemTool| known.iter().any(|k| k.definition.name.as_str() == tool.name);
        for tool in SYSTEM_TOOLS.iter().filter(|tool| !is_known(tool)) {
            let tool = row(tool);
            store::tools::insert(&tx, tenant, &tool).await?;
            store::tools::add_version(&tx, tenant, &tool, "Alçada", None).await?;
        }
        Ok(self.db.commit(tx, &[]).await?)
    }
}

pub fn find(name: &str) -> Option<&'static SystemTool> {
    SYSTEM_TOOLS.iter().find(|tool| tool.name == name)
}

fn row(tool: &SystemTool) -> Tool {
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

fn definition(tool: &SystemTool) -> ToolDefinition {
    ToolDefinition {
        name: ToolName::built_in(tool.name),
        display_name: tool.display_name.to_owned(),
        description: tool.description.to_owned(),
        r#type: ToolType::Function,
        parameters: tool.parameters(),
        execution_type: ExecutionType::Internal,
        webhook_url: None,
        webhook_method: WebhookMethod::Post,
        webhook_headers: Default::default(),
        code: None,
        requires_confirmation: false,
        requires_second_person: false,
        effect: tool.effect,
        timeout_ms: 30_000,
        idempotent: tool.effect == ToolEffect::Read,
        rate_limit: None,
        max_output_bytes: 100 * 1024,
        memory_mb: None,
        max_fetches: None,
        fetch_hosts: Vec::new(),
        secret_names: Vec::new(),
    }
}
