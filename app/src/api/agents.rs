//! The agents of the organisation that the person works in.

pub mod assignments;

#[cfg(feature = "ssr")]
use super::undo::Undo;
use super::{ApiError, Form};
use domain::{AgentId, tool_words::ConfirmationMode};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// A line of the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentRow {
    pub id: AgentId,
    pub slug: String,
    pub name: String,
    pub description: String,
    pub mode: ConfirmationMode,
    pub is_active: bool,
    /// How many it was given.
    pub tools: i64,
    pub version: i64,
}

/// What a form says about an agent, as people type it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct AgentFields {
    pub name: String,
    pub slug: String,
    pub description: String,
    pub persona: String,
    pub mode: Option<ConfirmationMode>,
    pub rate_limit: String,
    pub rate_window: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentDetail {
    pub agent: AgentRow,
    /// The version that the fields are made from.
    pub seen_version: i64,
    pub fields: AgentFields,
}

/// Exactly what an agent sees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PreviewOut {
    pub agent: AgentRow,
    pub text: String,
    /// Tools that only a rate limit holds back, and for how long, in words.
    pub later: Vec<String>,
}

#[cfg(feature = "ssr")]
fn row(agent: domain::agent::AgentOut) -> AgentRow {
    AgentRow {
        id: agent.id,
        slug: agent.slug,
        name: agent.name,
        description: agent.description,
        mode: agent.tool_confirmation_mode,
        is_active: agent.is_active,
        tools: i64::try_from(agent.allowed_tools.len()).unwrap_or(i64::MAX),
        version: agent.version,
    }
}

#[server(prefix = "/fn", endpoint = "list_agents", input = Form)]
pub async fn list_agents() -> Result<Vec<AgentRow>, ApiError> {
    let visitor = crate::request::visitor();
    let agents = crate::request::backend().engine.list_agents(&visitor.tenant_permit()?).await?;
    Ok(agents.into_iter().map(row).collect())
}

/// By id or slug.
#[server(prefix = "/fn", endpoint = "get_agent", input = Form)]
pub async fn get_agent(agent: String) -> Result<AgentDetail, ApiError> {
    let visitor = crate::request::visitor();
    let agent = crate::request::backend().engine.get_agent(&visitor.tenant_permit()?, &agent).await?;
    let number = |value: Option<u32>| value.map(|value| value.to_string()).unwrap_or_default();
    let fields = AgentFields {
        name: agent.name.clone(),
        slug: agent.slug.clone(),
        description: agent.description.clone(),
        persona: agent.persona.clone(),
        mode: Some(agent.tool_confirmation_mode),
        rate_limit: number(agent.rate_limit.map(|limit| limit.limit)),
        rate_window: number(agent.rate_limit.map(|limit| limit.window_seconds)),
    };
    let draft = crate::request::take_draft(&visitor, &format!("update_agent/{}", agent.id)).await;
    let (seen_version, fields) = draft.unwrap_or((agent.version, fields));
    Ok(AgentDetail { seen_version, fields, agent: row(agent) })
}

/// What somebody wrote about a new agent that was refused; empty otherwise.
#[server(prefix = "/fn", endpoint = "get_agent_draft", input = Form)]
pub async fn get_agent_draft() -> Result<AgentFields, ApiError> {
    let visitor = crate::request::visitor();
    visitor.tenant_permit::<ability::ManageAgents>()?;
    let draft = crate::request::take_draft::<AgentFields>(&visitor, "create_agent").await;
    Ok(draft.map(|(_, fields)| fields).unwrap_or_default())
}

#[server(prefix = "/fn", endpoint = "create_agent", input = Form)]
pub async fn create_agent(agent: AgentFields) -> Result<AgentRow, ApiError> {
    let visitor = crate::request::visitor();
    let made = async {
        let permit = visitor.tenant_permit()?;
        crate::request::backend().engine.create_agent(&permit, fields::input(agent.clone())?).await
    };
    let made = made.await;
    let made = row(crate::request::or_keep(&visitor, "create_agent", 0, &agent, made).await?);
    crate::request::saved(&visitor).await?;
    leptos_axum::redirect(&format!("/agents/{}", made.id));
    Ok(made)
}

/// `seen_version` as with tools.
#[server(prefix = "/fn", endpoint = "update_agent", input = Form)]
pub async fn update_agent(
    agent_id: AgentId,
    seen_version: i64,
    #[server(default)] overwrite: bool,
    agent: AgentFields,
) -> Result<AgentRow, ApiError> {
    let visitor = crate::request::visitor();
    let expected_version = (!overwrite).then_some(seen_version);
    let (id, form) = (agent_id.to_string(), format!("update_agent/{agent_id}"));
    let changed = async {
        let (permit, patch) = (visitor.tenant_permit()?, fields::patch(agent.clone(), expected_version)?);
        crate::request::backend().engine.update_agent(&permit, &id, patch).await
    };
    let changed = changed.await;
    let changed = row(crate::request::or_keep(&visitor, &form, seen_version, &agent, changed).await?);
    crate::request::saved(&visitor).await?;
    Ok(changed)
}

#[server(prefix = "/fn", endpoint = "toggle_agent", input = Form)]
pub async fn toggle_agent(
    agent_id: AgentId,
    is_active: bool,
    seen_version: i64,
) -> Result<AgentRow, ApiError> {
    let visitor = crate::request::visitor();
    let patch = domain::agent::AgentPatch {
        is_active: Some(is_active),
        expected_version: Some(seen_version),
        ..Default::default()
    };
    let engine = crate::request::backend().engine;
    let changed = row(engine.update_agent(&visitor.tenant_permit()?, &agent_id.to_string(), patch).await?);
    let undo = Undo::agent(changed.id.to_string(), !changed.is_active, changed.version);
    crate::request::saved_with_undo(&visitor, undo).await?;
    Ok(changed)
}

#[server(prefix = "/fn", endpoint = "delete_agent", input = Form)]
pub async fn delete_agent(agent_id: AgentId) -> Result<(), ApiError> {
    let visitor = crate::request::visitor();
    let engine = crate::request::backend().engine;
    engine.delete_agent(&visitor.tenant_permit()?, &agent_id.to_string(), None).await?;
    crate::request::saved(&visitor).await?;
    leptos_axum::redirect("/agents");
    Ok(())
}

/// `format` is `openai`, `anthropic` or `prompt`.
#[server(prefix = "/fn", endpoint = "preview_agent", input = Form)]
pub async fn preview_agent(agent: String, format: String) -> Result<PreviewOut, ApiError> {
    let visitor = crate::request::visitor();
    let (engine, permit) = (crate::request::backend().engine, visitor.tenant_permit()?);
    let format = match format.as_str() {
        "anthropic" => engine::Format::Anthropic,
        "prompt" => engine::Format::Prompt,
        _ => engine::Format::Openai,
    };
    let (text, later) = match engine.discover(&permit, &agent, format).await? {
        engine::Discovered::Tools(now) => {
            let t = crate::texts::Texts::of(visitor.language);
            let words = |later: engine::Later| format!("{}: {}", later.name, t.retry_in(later.retry_after));
            let later = now.later.into_iter().map(words).collect();
            (serde_json::to_string_pretty(&now.tools.data).unwrap_or_default(), later)
        }
        // The text says itself what has to wait.
        engine::Discovered::Prompt(text) => (text, Vec::new()),
    };
    Ok(PreviewOut { agent: row(engine.get_agent(&permit, &agent).await?), text, later })
}

#[cfg(feature = "ssr")]
mod fields {
    use super::AgentFields;
    use domain::{
        FieldCode, ServiceError, ServiceResult,
        agent::{AgentIn, AgentPatch},
        tool::RateLimit,
    };

    pub fn input(agent: AgentFields) -> ServiceResult<AgentIn> {
        Ok(AgentIn {
            rate_limit: rate_limit(&agent)?,
            slug: filled(&agent.slug),
            name: agent.name,
            description: Some(agent.description),
            persona: Some(lines(&agent.persona)),
            tool_confirmation_mode: agent.mode,
            ..AgentIn::default()
        })
    }

    pub fn patch(agent: AgentFields, expected_version: Option<i64>) -> ServiceResult<AgentPatch> {
        Ok(AgentPatch {
            rate_limit: Some(rate_limit(&agent)?),
            slug: filled(&agent.slug),
            name: Some(agent.name),
            description: Some(Some(agent.description)),
            persona: Some(Some(lines(&agent.persona))),
            tool_confirmation_mode: agent.mode,
            expected_version,
            ..AgentPatch::default()
        })
    }

    fn filled(text: &str) -> Option<String> {
        Some(text.trim().to_owned()).filter(|text| !text.is_empty())
    }

    /// A form sends the line ends of another age.
    fn lines(text: &str) -> String {
        text.replace("\r\n", "\n")
    }

    fn rate_limit(agent: &AgentFields) -> ServiceResult<Option<RateLimit>> {
        let number = |field: &str, text: &str| match text.trim() {
            "" => Ok(None),
            digits => digits.parse().map(Some).map_err(|_| ServiceError::field(field, FieldCode::Invalid)),
        };
        match (number("rate_limit", &agent.rate_limit)?, number("rate_window", &agent.rate_window)?) {
            (None, None) => Ok(None),
            (Some(limit), Some(window_seconds)) => Ok(Some(RateLimit { limit, window_seconds })),
            (None, _) => Err(ServiceError::field("rate_limit", FieldCode::Required)),
            (_, None) => Err(ServiceError::field("rate_window", FieldCode::Required)),
        }
    }
}
