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
        Ok(permit) => engine.tool_names(&permit, MOST).await?,
        Err(_) => Vec::new(),
    };
    let agents = match visitor.tenant_permit() {
        Ok(permit) => engine.agent_names(&permit).await?,
        Err(_) => Vec::new(),
    };
    Ok(SuggestionsOut {
        tools: tools.into_iter().map(|(name, label)| choice(name, label)).collect(),
        agents: agents.into_iter().take(MOST).map(|agent| choice(agent.slug, agent.name)).collect(),
    })
}
