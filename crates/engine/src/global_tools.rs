//! G3–G7: the flags for everybody. Read from a cache; a switch empties it in every process at once.

mod cache;
mod switch;

pub use switch::Switch;

use crate::registry::{REGISTRY, ToolDefinition};
use ability::{Ability, Action, ManageAdminPanel, Permit, Subject};
use cache::{FlagCache, Snapshot};
use domain::{
    Language, ServiceResult,
    global_tool::{AvailableToolOut, GlobalToolOut, SwitchOut, ToolCategory},
};
use std::sync::Arc;
use store::{Database, StoreResult};

/// How the audit log calls a global tool.
const AUDIT_KIND: &str = "global_tool";

#[derive(Clone)]
pub struct GlobalTools {
    db: Database,
    cache: Arc<FlagCache>,
}

impl GlobalTools {
    /// Adds what the registry has and the table has not (G4).
    pub async fn start(db: Database) -> StoreResult<Self> {
        let entries: Vec<_> = REGISTRY.iter().map(|tool| (tool.name, tool.category.as_str())).collect();
        let tx = db.begin().await?;
        store::global_tools::insert_missing(&tx, &entries).await?;
        db.commit(tx, &[]).await?;
        Ok(Self { db, cache: Arc::default() })
    }

    /// Every tool with its flag and its last switch, in the order of the registry.
    pub async fn list(
        &self,
        _: &Permit<ManageAdminPanel>,
        language: Language,
    ) -> ServiceResult<Vec<GlobalToolOut>> {
        let now = self.cache.read(&self.db).await?;
        Ok(REGISTRY.iter().filter_map(|tool| row(tool, &now, language)).collect())
    }

    /// What somebody with these rules may use now. What is switched off is absent (G6); system tools never are (G5).
    pub async fn available_to(
        &self,
        ability: &Ability,
        language: Language,
    ) -> ServiceResult<Vec<AvailableToolOut>> {
        let now = self.cache.read(&self.db).await?;
        let is_admin = ability.can(Action::Manage, Subject::AdminPanel);
        let on = |tool: &&ToolDefinition| match tool.category {
            ToolCategory::System => true,
            ToolCategory::User => now.flags.get(tool.name).is_some_and(|flag| flag.enabled),
            ToolCategory::Kind => false,
        };
        let usable = REGISTRY.iter().filter(on).filter(|tool| is_admin || !tool.admin_only);
        Ok(usable.map(|tool| available(tool, language)).collect())
    }
}

fn row(tool: &ToolDefinition, now: &Snapshot, language: Language) -> Option<GlobalToolOut> {
    let flag = now.flags.get(tool.name)?;
    let last = now.last_switches.get(tool.name);
    Some(GlobalToolOut {
        tool_name: tool.name.to_owned(),
        category: tool.category,
        label: tool.label.in_language(language).to_owned(),
        icon: tool.icon.to_owned(),
        description: tool.description.in_language(language).to_owned(),
        requires_auth: tool.requires_auth,
        admin_only: tool.admin_only,
        enabled: flag.enabled || tool.category == ToolCategory::System,
        version: flag.version,
        last_change: last.map(|entry| SwitchOut {
            by: entry.actor_name.clone(),
            at: entry.at.into(),
            reason: entry.reason.clone(),
        }),
        updated_at: flag.updated_at.into(),
    })
}

fn available(tool: &ToolDefinition, language: Language) -> AvailableToolOut {
    AvailableToolOut {
        tool_name: tool.name.to_owned(),
        category: tool.category,
        label: tool.label.in_language(language).to_owned(),
        icon: tool.icon.to_owned(),
        description: tool.description.in_language(language).to_owned(),
    }
}
