//! Names to choose from where one is typed: in the filter of the history, and in the question of why.

use super::{ApiError, Form, described::ChoiceOut};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SuggestionsOut {
    /// By name.
    pub tools: Vec<ChoiceOut>,
    /// By slug.
    pub agents: Vec<ChoiceOut>,
}

/// Of each kind: whoever has more knows what to type.
#[cfg(feature = "ssr")]
const MOST: usize = 200;

/// A kind that the person may not read has no names.
#[server(prefix = "/fn", endpoint = "suggest_names", input = Form)]
pub async fn suggest_names() -> Result<SuggestionsOut, ApiError> {
    use super::described::choice;
    let visitor = crate::request::visitor();
    visitor.tenant_permit::<ability::ReadExecutions>()?;
    let engine = crate::request::backend().engine;
    let tools = match visitor.tenant_permit() {
        Ok(permit) => engine.first_tools(&permit, MOST).await?,
        Err(_) => Vec::new(),
    };
    let agents = match visitor.tenant_permit() {
        Ok(permit) => engine.agent_names(&permit).await?,
        Err(_) => Vec::new(),
    };
    let t = crate::texts::Texts::of(visitor.language);
    let named = |known: &std::sync::Arc<engine::KnownTool>| {
        let (is_system, definition) = (known.tool.is_system, &known.tool.definition);
        choice(definition.name.as_str(), t.label_of(is_system, definition))
    };
    Ok(SuggestionsOut {
        tools: tools.iter().map(named).collect(),
        agents: agents.into_iter().take(MOST).map(|agent| choice(agent.slug, agent.name)).collect(),
    })
}
