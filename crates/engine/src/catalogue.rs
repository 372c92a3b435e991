//! Everything that the gate decides by for one tenant, in memory: tools with their compiled schemas, agents,
//! assignments, switches. Kept while the epoch of tools stays the same; a call checks that epoch again, inside
//! the transaction that begins it.

use crate::{
    executors::Hook,
    registry,
    schema::{Mask, Schema},
};
use domain::{
    AgentId, AgentRef, ServiceResult, TenantId, ToolId, global_tool::ToolCategory, limits::TenantLimits,
    tool::ExecutionType,
};
use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
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
    /// Made by the first call.
    pub(crate) hook: OnceLock<Option<Hook>>,
}

pub struct Catalogue {
    pub epoch: Epoch,
    tools: Vec<Arc<KnownTool>>,
    by_id: HashMap<ToolId, Arc<KnownTool>>,
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
        self.by_id.get(&id)
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
        let known = known(tool)?;
        Some(Self {
            epoch: Epoch::default(),
            by_id: [(known.tool.id, Arc::clone(&known))].into(),
            tools: vec![known],
            by_name: HashMap::new(),
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

pub(crate) struct Catalogues {
    fresh: Fresh<Epoch, TenantId, Arc<Catalogue>>,
    /// As they were read last: what has not changed since is not made anew.
    last: Mutex<HashMap<TenantId, Arc<Catalogue>>>,
}

impl Default for Catalogues {
    fn default() -> Self {
        Self { fresh: Fresh::new(TENANTS, LONGEST), last: Mutex::default() }
    }
}

impl Catalogues {
    /// The catalogue as of the last answer that anybody got, when it is there.
    pub(crate) fn known(&self, db: &Database, tenant: TenantId) -> Option<Arc<Catalogue>> {
        self.fresh.get(db.last_now()?.tools, &tenant)
    }

    pub(crate) async fn of(&self, db: &Database, tenant: TenantId) -> ServiceResult<Arc<Catalogue>> {
        let epoch = db.now().await.map(|now| now.tools);
        if let Some(kept) = epoch.and_then(|epoch| self.fresh.get(epoch, &tenant)) {
            return Ok(kept);
        }
        let last = self.last().get(&tenant).cloned();
        let catalogue = Arc::new(load(db, tenant, epoch.unwrap_or_default(), last.as_deref()).await?);
        self.keep(tenant, &catalogue);
        if let Some(epoch) = epoch {
            self.fresh.put(epoch, tenant, Arc::clone(&catalogue));
        }
        Ok(catalogue)
    }

    fn keep(&self, tenant: TenantId, catalogue: &Arc<Catalogue>) {
        let mut last = self.last();
        if last.len() >= TENANTS {
            last.clear();
        }
        last.insert(tenant, Arc::clone(catalogue));
    }

    fn last(&self) -> MutexGuard<'_, HashMap<TenantId, Arc<Catalogue>>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn load(
    db: &Database,
    tenant: TenantId,
    epoch: Epoch,
    last: Option<&Catalogue>,
) -> ServiceResult<Catalogue> {
    let conn = &db.reader_of(tenant).await?;
    let same = |tool: &Tool| last?.tool(tool.id).filter(|known| known.tool == *tool).cloned();
    let known = |tool: Tool| same(&tool).or_else(|| known(tool));
    let tools: Vec<_> = store::tools::all(conn, tenant).await?.into_iter().filter_map(known).collect();
    let flags = store::global_tools::all(conn).await?;
    let named = |known: &Arc<KnownTool>| (known.tool.definition.name.to_string(), Arc::clone(known));
    Ok(Catalogue {
        epoch,
        by_id: tools.iter().map(|known| (known.tool.id, Arc::clone(known))).collect(),
        by_name: tools.iter().map(named).collect(),
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
        Ok(schema) => {
            Some(Arc::new(KnownTool { mask: Mask::of(parameters), schema, tool, hook: OnceLock::new() }))
        }
        Err(error) => {
            tracing::error!(tool = %tool.id, message = error.message, "a stored schema is not understood");
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::Slug;
    use serde_json::json;
    use store::Moment;

    fn tool(name: &str) -> Tool {
        let definition = json!({
            "name": name, "display_name": name, "description": "d", "type": "function",
            "parameters": { "type": "object" }, "execution_type": "webhook", "webhook_url": null,
            "webhook_method": "POST", "webhook_headers": {}, "requires_confirmation": false, "effect": "read",
            "timeout_ms": 1_000, "idempotent": false, "rate_limit": null, "max_output_bytes": 1_024,
            "requires_second_person": false, "fetch_hosts": [], "secret_names": [],
        });
        Tool {
            id: ToolId::new(),
            definition: serde_json::from_value(definition).unwrap(),
            secrets: None,
            version: 1,
            is_active: true,
            is_system: false,
            created_at: Moment(1),
            updated_at: Moment(1),
        }
    }

    #[tokio::test]
    async fn x4_a_change_of_one_tool_leaves_the_others_as_they_were_made() {
        // In a file: who reads has another connection than who writes.
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}", folder.path().join("alcada.db").display());
        let db = Database::connect(&url).await.unwrap();
        db.migrate().await.unwrap();
        let (one, other) = (tool("one"), tool("other"));
        let tx = db.begin().await.unwrap();
        let tenant = store::tenants::insert(&tx, "Loja", &Slug::parse("loja").unwrap()).await.unwrap().id;
        for tool in [&one, &other] {
            store::tools::insert(&tx, tenant, tool).await.unwrap();
        }
        db.commit(tx, &[]).await.unwrap();
        let before = load(&db, tenant, Epoch(1), None).await.unwrap();

        let tx = db.begin().await.unwrap();
        let off = Tool { is_active: false, ..one.clone() };
        assert!(store::tools::replace(&tx, tenant, &one, &off).await.unwrap());
        db.commit(tx, &[]).await.unwrap();
        let after = load(&db, tenant, Epoch(2), Some(&before)).await.unwrap();
        let is_same = |id| Arc::ptr_eq(before.tool(id).unwrap(), after.tool(id).unwrap());
        assert!(is_same(other.id));
        assert!(!is_same(one.id));
        assert!(!after.tool(one.id).unwrap().tool.is_active);
    }
}
