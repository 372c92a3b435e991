//! T14 for several agents at once: what each gains and loses, all of it or nothing.

use super::{entry, may_see, slug_taken, tools_named};
use crate::{
    Catalogue, Engine,
    tools::{is_current, no_agent, no_tool},
};
use ability::{ManageAgents, ReadAgents, TenantPermit};
use domain::{AgentRef, ErrorCode, ServiceError, ServiceResult, ToolId};
use std::sync::Arc;
use store::{Moment, agents::Agent, audit};

/// What one agent gains and loses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AssignmentChange {
    /// Id or slug.
    pub agent: String,
    /// The version that was looked at.
    pub expected_version: Option<i64>,
    /// Names of tools.
    pub give: Vec<String>,
    pub take: Vec<String>,
}

/// What a change would do; names that are there already, or gone already, are left out.
pub struct AssignmentPlan {
    pub agent: AgentRef,
    pub version: i64,
    pub gains: Vec<String>,
    pub loses: Vec<String>,
}

struct Prepared {
    before: Arc<Agent>,
    after: Agent,
    tools: Vec<ToolId>,
    names: Vec<String>,
}

impl Engine {
    /// Nothing is changed. Those for whom nothing would change are left out.
    pub async fn plan_assignments(
        &self,
        permit: &TenantPermit<ReadAgents>,
        changes: &[AssignmentChange],
    ) -> ServiceResult<Vec<AssignmentPlan>> {
        let catalogue = self.catalogue(permit.tenant()).await?;
        let mut plans = Vec::new();
        for change in changes {
            let agent = catalogue.agent(&change.agent).filter(|agent| may_see(permit, agent));
            let agent = agent.ok_or_else(no_agent)?;
            let has = |name: &String| {
                let known = catalogue.tool_named(name).ok_or_else(no_tool)?;
                Ok::<_, ServiceError>(catalogue.is_assigned(agent.id, known.tool.id))
            };
            let keep = |names: &[String], wanted: bool| -> ServiceResult<Vec<String>> {
                let mut kept = Vec::new();
                for name in names {
                    if has(name)? == wanted && !kept.contains(name) {
                        kept.push(name.clone());
                    }
                }
                Ok(kept)
            };
            let (gains, loses) = (keep(&change.give, false)?, keep(&change.take, true)?);
            if !gains.is_empty() || !loses.is_empty() {
                let named = AgentRef { id: agent.id, slug: agent.slug.clone(), name: agent.name.clone() };
                plans.push(AssignmentPlan { agent: named, version: agent.version, gains, loses });
            }
        }
        Ok(plans)
    }

    /// In one transaction: a conflict with any of the agents leaves all of them as they are.
    pub async fn change_assignments(
        &self,
        permit: &TenantPermit<ManageAgents>,
        changes: Vec<AssignmentChange>,
    ) -> ServiceResult<()> {
        let tenant = permit.tenant();
        let catalogue = self.catalogue(tenant).await?;
        let prepared: ServiceResult<Vec<Prepared>> =
            changes.iter().map(|change| prepare(&catalogue, change)).collect();
        let prepared = prepared?;
        let tx = self.db.begin_for(tenant).await?;
        let tools: Vec<ToolId> = prepared.iter().flat_map(|one| one.tools.iter().copied()).collect();
        store::tools::keep(&tx, tenant, &tools).await?;
        for Prepared { before, after, tools, names } in &prepared {
            if !store::agents::replace(&tx, tenant, before, after).await.map_err(slug_taken)? {
                let detail = "Somebody else changed one of these agents in the meantime.";
                return Err(ServiceError::new(ErrorCode::Conflict, detail));
            }
            store::agents::assign_tools(&tx, tenant, after.id, tools).await?;
            let entry = entry(tenant, "agent.update", Some(before), Some(after), Some(names));
            audit::append(&tx, permit.caller(), entry).await?;
        }
        Ok(self.db.commit(tx, &[]).await?)
    }
}

fn prepare(catalogue: &Catalogue, change: &AssignmentChange) -> ServiceResult<Prepared> {
    let before = Arc::clone(catalogue.agent(&change.agent).ok_or_else(no_agent)?);
    is_current(change.expected_version, before.version)?;
    let given = catalogue.tools().iter().filter(|known| catalogue.is_assigned(before.id, known.tool.id));
    let mut names: Vec<String> = given.map(|known| known.tool.definition.name.to_string()).collect();
    names.retain(|name| !change.take.contains(name));
    names.extend(change.give.iter().cloned());
    let mut after = Agent::clone(&before);
    after.version += 1;
    after.updated_at = Moment::now();
    Ok(Prepared { tools: tools_named(catalogue, &names)?, before, after, names })
}
