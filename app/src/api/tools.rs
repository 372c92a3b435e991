//! The tools of the organisation that the person works in.

pub mod edit;
pub mod fields;
pub mod trial;
pub mod versions;

use super::{ApiError, Form, undo::Undo};
use domain::{
    AgentRef, Timestamp, ToolEffect, ToolId,
    tool_words::{ExecutionType, ToolType},
};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// A line of the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolRow {
    pub id: ToolId,
    pub name: String,
    pub display_name: String,
    pub description: String,
    pub r#type: ToolType,
    pub execution_type: ExecutionType,
    pub effect: ToolEffect,
    pub requires_confirmation: bool,
    pub is_active: bool,
    pub is_system: bool,
    pub version: i64,
    /// How many were given it.
    pub agents: i64,
    pub calls: i64,
    pub errors: i64,
    pub mean_ms: i64,
    pub last_call: Option<Timestamp>,
}

/// One page of the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolList {
    pub rows: Vec<ToolRow>,
    pub page: i64,
    pub total: i64,
}

/// How many tools a page shows.
pub const TOOLS_PER_PAGE: i64 = 50;

#[cfg(feature = "ssr")]
pub(super) fn row(t: crate::texts::Texts, tool: domain::tool::ToolOut) -> ToolRow {
    let agents = i64::try_from(tool.allowed_agents.len()).unwrap_or(i64::MAX);
    let definition = tool.definition;
    ToolRow {
        id: tool.id,
        name: definition.name.to_string(),
        display_name: t.label_of(tool.is_system, &definition),
        description: t.described(tool.is_system, &definition),
        r#type: definition.r#type,
        execution_type: definition.execution_type,
        effect: definition.effect,
        requires_confirmation: definition.requires_confirmation,
        is_active: tool.is_active,
        is_system: tool.is_system,
        version: tool.version,
        agents,
        calls: tool.execution_count,
        errors: tool.error_count,
        mean_ms: tool.avg_execution_time_ms.round() as i64,
        last_call: tool.last_executed_at,
    }
}

/// An address may have anything where an id belongs.
#[cfg(feature = "ssr")]
fn id_in(address: &str) -> domain::ServiceResult<ToolId> {
    address
        .parse()
        .map_err(|_| domain::ServiceError::new(domain::ErrorCode::ToolNotFound, "There is no such tool."))
}

/// `page` counts from 0.
#[server(prefix = "/fn", endpoint = "list_tools", input = Form)]
pub async fn list_tools(
    search: Option<String>,
    kind: Option<ToolType>,
    is_active: Option<bool>,
    agent: Option<String>,
    #[server(default)] page: i64,
) -> Result<ToolList, ApiError> {
    let visitor = crate::request::visitor();
    let engine = crate::request::backend().engine;
    let t = crate::texts::Texts::of(visitor.language);
    let also = t.built_in_with(search.as_deref());
    let filter = engine::ToolFilter { r#type: kind, is_active, agent, search };
    let (skip, limit) = super::span(page, TOOLS_PER_PAGE);
    let found = engine.tool_page(&visitor.tenant_permit()?, &filter, &also, skip, limit).await?;
    let total = i64::try_from(found.total).unwrap_or(i64::MAX);
    Ok(ToolList { rows: found.tools.into_iter().map(|tool| row(t, tool)).collect(), page, total })
}

/// The agents to filter tools by; none for those who may not see agents.
#[server(prefix = "/fn", endpoint = "list_agent_names", input = Form)]
pub async fn list_agent_names() -> Result<Vec<AgentRef>, ApiError> {
    let visitor = crate::request::visitor();
    visitor.tenant_permit::<ability::ReadTools>()?;
    Ok(match visitor.tenant_permit() {
        Ok(permit) => crate::request::backend().engine.agent_names(&permit).await?,
        Err(_) => Vec::new(),
    })
}

/// `seen_version` is the tool's version when the page was made: a change by somebody else in between is a conflict. `since` is
/// the moment of the switch that is taken back. Answers with the way back.
#[server(prefix = "/fn", endpoint = "toggle_tool", input = Form)]
pub async fn toggle_tool(
    tool_id: ToolId,
    is_active: bool,
    seen_version: Option<i64>,
    since: Option<i64>,
) -> Result<Undo, ApiError> {
    let visitor = crate::request::visitor();
    let switch = engine::ToolSwitch { is_active, expected_version: seen_version, since };
    let backend = crate::request::backend();
    let changed = backend.engine.toggle_tool(&visitor.tenant_permit()?, tool_id, switch).await?;
    let undo = Undo::tool(tool_id.to_string(), !is_active, changed.moment);
    crate::request::saved_with_undo(&visitor, undo.clone()).await?;
    Ok(undo)
}
