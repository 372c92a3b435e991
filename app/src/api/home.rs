//! The first page after signing in.

use super::{ApiError, Form};
use domain::global_tool::AvailableToolOut;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HomeOut {
    pub tools: Vec<AvailableToolOut>,
    /// What those who manage tools should know of this machine, in their language.
    pub notice: Option<String>,
}

/// The global tools that the person may use now: what is switched off is absent.
#[server(prefix = "/fn", endpoint = "list_available_tools", input = Form)]
pub async fn list_available_tools() -> Result<HomeOut, ApiError> {
    use ability::{Action, Subject};
    let visitor = crate::request::visitor();
    visitor.user()?;
    let (backend, ability) = (crate::request::backend(), visitor.ability());
    let manages = ability.can(Action::Update, Subject::ToolManagement);
    let texts = crate::texts::Texts::of(visitor.language);
    Ok(HomeOut {
        notice: backend
            .engine
            .code_unavailable()
            .filter(|_| manages)
            .map(|reason| texts.code_unavailable(reason)),
        tools: backend.tools.available_to(&ability, visitor.language).await?,
    })
}
