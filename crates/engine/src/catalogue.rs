//! Everything that the gate decides by for one tenant, in memory: tools with their compiled schemas, agents,
//! assignments, switches. Kept while the epoch of tools stays the same; a call checks that epoch again, inside
//! the transaction that begins it.

use crate::{
    registry,
    schema::{Mask, Schema},
};
use domain::{
    AgentId, AgentRef, ServiceResult, TenantId, ToolId, global_tool::ToolCategory, limits::TenantLimits,
    tool::ExecutionType,
};
use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
    time::Duration,
};
use store::{Database, Epoch, Fresh, agents::Agent, tools::Tool};

const TENANTS: usize = 500;
const LONGEST: Duration = Duration::from_secs(5 * 60);

/// A tool, ready to be called.
pub struct KnownTool {
    pub tool: Tool,
    pub schema: Schema,
    pub mask: Mask,
}

pub struct Catalogue {
    pub epoch: Epoch,
    tools: Vec<Arc<KnownTool>>,
    by_name: HashMap<String, Arc<KnownTool>>,
    agents: Vec<Arc<Agent>>,
    assignments: HashSet<(AgentId, ToolId)>,
    switched_off: HashSet<String>,
    pub limits: TenantLimits,
}

impl Catalogue {
    pub fn tools(&self) -> &[Arc<KnownTool>] {
        &self.tools
    }

    pub fn tool_named(&self, name: &str) -> Option<&Arc<KnownTool>> {
        self.by_name.get(name)
    }

    pub fn tool(&self, id: ToolId) -> Option<&Arc<KnownTool>> {
        self.tools.iter().find(|known| known.tool.id == id)
    }

    pub fn agents(&self) -> &[Arc<Agent>] {
        &self.agents
    }

    /// By id or slug.
    pub fn agent(&self, name: &str) -> Option<&Arc<Agent>> {
        let id = name.parse::<AgentId>().ok();
        self.agents.iter().find(|agent| Some(agent.id) == id || agent.slug == name)
    }

    pub fn is_assigned(&self, agent: AgentId, tool: ToolId) -> bool {
        self.assignments.contains(&(agent, tool))
    }

    pub fn agents_of(&self, tool: ToolId) -> Vec<AgentRef> {
        let of_tool = self.agents.iter().filter(|agent| self.is_assigned(agent.id, tool));
        of_tool.map(|a| AgentRef { id: a.id, slug: a.slug.clone(), name: a.name.clone() }).collect()
    }

    /// The switch for everybody that stops this tool, when one does.
    pub fn switch_against(&self, tool: &Tool) -> Option<&'static str> {
        let own = tool.is_system.then(|| own_switch(tool.definition.name.as_str())).flatten();
        let switch = own.or_else(|| kind_switch(tool.definition.execution_type))?;
        self.switched_off.contains(switch).then_some(switch)
    }
}

#[cfg(test)]
impl Catalogue {
    /// One tool and one agent, for tests of what is decided by them.
    pub(crate) fn of_one(
        tool: Tool,
        agent: Agent,
        is_assigned: bool,
        switched_off: HashSet<String>,
    ) -> Option<Self> {
        let assignments = is_assigned.then_some((agent.id, tool.id)).into_iter().collect();
        let tools = vec![known(tool)?];
        let by_name = HashMap::new();
        Some(Self {
            epoch: Epoch::default(),
            tools,
            by_name,
            agents: vec![Arc::new(agent)],
            assignments,
            switched_off,
            limits: TenantLimits::default(),
        })
    }
}

/// G6: the row of the global tools that stops this one of the product's own. Those of the system have none (G5).
fn own_switch(name: &str) -> Option<&'static str> {
    registry::find(name).filter(|row| row.category == ToolCategory::User).map(|row| row.name)
}

/// Which row of the global tools stops a whole kind. The product's own tools have none.
pub fn kind_switch(kind: ExecutionType) -> Option<&'static str> {
    let name = match kind {
        ExecutionType::Internal => return None,
        ExecutionType::Webhook => "webhook_tools",
        ExecutionType::Code => "code_tools",
    };
    registry::find(name).map(|row| row.name)
}

pub(crate) struct Catalogues(Fresh<Epoch, TenantId, Arc<Catalogue>>);

impl Default for Catalogues {
    fn default() -> Self {
        Self(Fresh::new(TENANTS, LONGEST))
    }
}

impl Catalogues {
    /// The catalogue as of the last answer that anybody got, when it is there.
    pub(crate) fn known(&self, db: &Database, tenant: TenantId) -> Option<Arc<Catalogue>> {
        self.0.get(db.last_now()?.tools, &tenant)
    }

    pub(crate) async fn of(&self, db: &Database, tenant: TenantId) -> ServiceResult<Arc<Catalogue>> {
        let epoch = db.now().await.map(|now| now.tools);
        if let Some(kept) = epoch.and_then(|epoch| self.0.get(epoch, &tenant)) {
            return Ok(kept);
        }
        let catalogue = Arc::new(load(db, tenant, epoch.unwrap_or_default()).await?);
        if let Some(epoch) = epoch {
            self.0.put(epoch, tenant, Arc::clone(&catalogue));
        }
        Ok(catalogue)
    }
}

async fn load(db: &Database, tenant: TenantId, epoch: Epoch) -> ServiceResult<Catalogue> {
    let conn = &db.reader_of(tenant).await?;
    let tools: Vec<_> = store::tools::all(conn, tenant).await?.into_iter().filter_map(known).collect();
    let flags = store::global_tools::all(conn).await?;
    Ok(Catalogue {
        epoch,
        by_name: tools
            .iter()
            .map(|known| (known.tool.definition.name.to_string(), Arc::clone(known)))
            .collect(),
        tools,
        agents: store::agents::all(conn, tenant).await?.into_iter().map(Arc::new).collect(),
        assignments: store::agents::assignments(conn, tenant).await?.into_iter().collect(),
        switched_off: flags.into_iter().filter(|flag| !flag.enabled).map(|flag| flag.tool_name).collect(),
        limits: store::tenant_limits::of(conn, tenant).await?,
    })
}

/// A schema was checked before it was stored. One that no longer compiles belongs to a tool that cannot be called.
fn known(tool: Tool) -> Option<Arc<KnownTool>> {
    let parameters = &tool.definition.parameters;
    match Schema::compile(parameters) {
        Ok(schema) => Some(Arc::new(KnownTool { mask: Mask::of(parameters), schema, tool })),
        Err(error) => {
            tracing::error!(tool = %tool.id, message = error.message, "a stored schema is not understood");
            None
        }
    }
}
