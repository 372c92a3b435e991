//! The first page after signing in.

use super::{ApiError, Form};
use domain::global_tool::AvailableToolOut;
use leptos::prelude::*;

/// The global tools that the person may use now: what is switched off is absent.
#[server(prefix = "/fn", endpoint = "list_available_tools", input = Form)]
pub async fn list_available_tools() -> Result<Vec<AvailableToolOut>, ApiError> {
    let visitor = crate::request::visitor();
    visitor.user()?;
    Ok(crate::request::backend().tools.available_to(&visitor.ability(), visitor.language).await?)
}
