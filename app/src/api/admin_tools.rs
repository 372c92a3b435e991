//! The switches for everybody; for platform administrators.

#[cfg(feature = "ssr")]
use super::undo::Undo;
use super::{ApiError, Form};
use domain::global_tool::GlobalToolOut;
use leptos::prelude::*;

#[server(prefix = "/fn", endpoint = "list_global_tools", input = Form)]
pub async fn list_global_tools() -> Result<Vec<GlobalToolOut>, ApiError> {
    let visitor = crate::request::visitor();
    Ok(crate::request::backend().tools.list(&visitor.permit()?, visitor.language).await?)
}

/// `seen_version` is the row's version when the page was made: a switch by somebody else in between is a conflict.
#[server(prefix = "/fn", endpoint = "switch_global_tool", input = Form)]
pub async fn switch_global_tool(
    tool_name: String,
    enabled: bool,
    reason: Option<String>,
    seen_version: Option<i64>,
) -> Result<GlobalToolOut, ApiError> {
    let visitor = crate::request::visitor();
    let change = engine::global_tools::Switch { tool_name, enabled, reason, seen_version };
    let row = crate::request::backend().tools.switch(&visitor.permit()?, change, visitor.language).await?;
    let undo = Undo::global_tool(row.tool_name.clone(), !row.enabled, row.version);
    crate::request::saved_with_undo(&visitor, undo).await?;
    Ok(row)
}
