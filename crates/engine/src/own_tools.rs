//! G8: what the assistant's menu is made of: the tools that save, as far as the gate would let this caller use them now.

use crate::{
    CallPermit, Engine,
    gate::{self, Question, Verdict},
    registry::{REGISTRY, ToolDefinition},
};
use domain::{ServiceResult, global_tool::ToolCategory};

impl Engine {
    /// In the order of the registry. What is switched off is absent (G6).
    pub async fn save_tools(&self, permit: &CallPermit) -> ServiceResult<Vec<&'static ToolDefinition>> {
        let tenant = permit.tenant();
        // The caller was identified a moment ago, with the same question.
        let known = self.catalogues.known(&self.db, tenant).filter(|known| self.has_system_tools(known));
        let catalogue = match known {
            Some(known) => known,
            None => self.catalogue(tenant).await?,
        };
        let caller = permit.caller();
        let is_open = |name: &str| {
            catalogue.tool_named(name).is_some_and(|tool| {
                let question = Question {
                    caller: caller.actor.id(),
                    ..Question::of_tool(tenant, &catalogue, &caller.ability, tool)
                };
                gate::decide(&question).verdict != Verdict::Denied
            })
        };
        let saves =
            |tool: &&ToolDefinition| tool.category == ToolCategory::User && tool.name.starts_with("save_");
        Ok(REGISTRY.iter().filter(saves).filter(|tool| is_open(tool.name)).collect())
    }
}
