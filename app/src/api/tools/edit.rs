//! One tool: shown, made, changed, deleted; its signing secret; who uses it.

use super::{
    ToolRow,
    fields::{Param, ToolFields},
};
use crate::api::{ApiError, Form};
#[cfg(feature = "ssr")]
use crate::{api::session::ShownSecret, texts::Texts};
#[cfg(feature = "ssr")]
use domain::tool_words::ExecutionType;
use domain::{AgentRef, ToolId};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// A tool with the fields of its form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolDetail {
    pub tool: ToolRow,
    /// The version that the fields are made from.
    pub seen_version: i64,
    pub fields: ToolFields,
    pub params: Vec<Param>,
    /// What its limits may be, in words: time, output, memory, requests.
    pub limits: Vec<String>,
}

/// What somebody wrote about a new tool that was refused.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolDraft {
    pub fields: Option<ToolFields>,
    pub params: Vec<Param>,
    /// What the limits of each kind may be, as for a tool that exists.
    pub webhook_limits: Vec<String>,
    pub code_limits: Vec<String>,
}

/// A tool as models and agents see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolUse {
    /// As it is now, with how it is doing.
    pub tool: ToolRow,
    pub openai: String,
    pub anthropic: String,
    /// Who was given it; none for those who may not see agents.
    pub agents: Vec<AgentRef>,
}

/// After a tool was made or its secret replaced; the secret is told this once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolMade {
    pub id: ToolId,
    pub version: i64,
    pub secret: Option<String>,
}

/// After a change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolChanged {
    pub version: i64,
    pub breaking: Option<BreakingOut>,
}

/// T4: what calls of today may stumble over, and which agents make them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BreakingOut {
    pub reasons: Vec<String>,
    pub agents: Vec<String>,
}

#[server(prefix = "/fn", endpoint = "get_tool", input = Form)]
pub async fn get_tool(tool_id: String) -> Result<ToolDetail, ApiError> {
    let tool_id = super::id_in(&tool_id)?;
    let visitor = crate::request::visitor();
    let engine = crate::request::backend().engine;
    let tool = engine.get_tool(&visitor.tenant_permit()?, tool_id).await?;
    let limits = limits(&visitor, &engine, tool.definition.execution_type);
    let draft = crate::request::take_draft(&visitor, &format!("update_tool/{tool_id}")).await;
    let (seen_version, fields) =
        draft.unwrap_or_else(|| (tool.version, super::fields::fields_of(&tool.definition)));
    let params = super::fields::params_in(&fields);
    Ok(ToolDetail {
        tool: super::row(Texts::of(visitor.language), tool),
        seen_version,
        fields,
        params,
        limits,
    })
}

#[server(prefix = "/fn", endpoint = "get_tool_draft", input = Form)]
pub async fn get_tool_draft() -> Result<ToolDraft, ApiError> {
    let visitor = crate::request::visitor();
    visitor.tenant_permit::<ability::CreateTools>()?;
    let draft = crate::request::take_draft::<ToolFields>(&visitor, "create_tool").await;
    let fields = draft.map(|(_, fields)| fields);
    let engine = crate::request::backend().engine;
    let of = |kind| limits(&visitor, &engine, kind);
    Ok(ToolDraft {
        params: fields.as_ref().map(super::fields::params_in).unwrap_or_default(),
        fields,
        webhook_limits: of(ExecutionType::Webhook),
        code_limits: of(ExecutionType::Code),
    })
}

/// In the server's words: only it knows what the operator allows, and a browser need not carry them.
#[cfg(feature = "ssr")]
fn limits(visitor: &crate::request::Visitor, engine: &engine::Engine, kind: ExecutionType) -> Vec<String> {
    let t = Texts::of(visitor.language);
    let number = |count: u32| t.count(count.into());
    let hint = |limit: engine::LimitRange| {
        t.limit_hint(&number(limit.least), &number(limit.most), &number(limit.usual))
    };
    engine.limit_ranges(kind).map(hint).into()
}

#[server(prefix = "/fn", endpoint = "get_tool_use", input = Form)]
pub async fn get_tool_use(tool_id: String) -> Result<ToolUse, ApiError> {
    let tool_id = super::id_in(&tool_id)?;
    let visitor = crate::request::visitor();
    let engine = crate::request::backend().engine;
    let (openai, anthropic) = engine.function_definitions(&visitor.tenant_permit()?, tool_id).await?;
    let text = |definition| serde_json::to_string_pretty(&definition).unwrap_or_default();
    let agents = match visitor.tenant_permit() {
        Ok(permit) => engine.agents_with(&permit, tool_id).await?,
        Err(_) => Vec::new(),
    };
    let tool =
        super::row(Texts::of(visitor.language), engine.get_tool(&visitor.tenant_permit()?, tool_id).await?);
    Ok(ToolUse { tool, openai: text(openai), anthropic: text(anthropic), agents })
}

/// A webhook tool's answer has the secret that signs its calls, once.
#[server(prefix = "/fn", endpoint = "create_tool", input = Form)]
pub async fn create_tool(tool: ToolFields) -> Result<ToolMade, ApiError> {
    let visitor = crate::request::visitor();
    let draft = super::fields::without_secrets(tool.clone());
    let made = async {
        let permit = visitor.tenant_permit()?;
        let input = super::fields::input(super::fields::without_blanks(tool))?;
        crate::request::backend().engine.create_tool(&permit, input).await
    };
    let made = made.await;
    let made = crate::request::or_keep(&visitor, "create_tool", 0, &draft, made).await?;
    told_once(&visitor, &made).await?;
    let made = ToolMade { id: made.id, version: made.version, secret: made.webhook_secret };
    leptos_axum::redirect(&format!("/tools/{}", made.id));
    Ok(made)
}

/// The secret of a new or rotated webhook, for whoever has no scripts.
#[cfg(feature = "ssr")]
async fn told_once(visitor: &crate::request::Visitor, tool: &domain::tool::ToolOut) -> Result<(), ApiError> {
    match tool.webhook_secret.clone() {
        Some(secret) => {
            let name = tool.definition.display_name.chars().take(60).collect();
            crate::request::shown_once(visitor, &ShownSecret { name, secret }).await
        }
        None => crate::request::saved(visitor).await,
    }
}

/// `seen_version` is the one that the form was made from: a change by somebody else since then is a conflict, unless the
/// person wants to write over it.
#[server(prefix = "/fn", endpoint = "update_tool", input = Form)]
pub async fn update_tool(
    tool_id: ToolId,
    seen_version: i64,
    #[server(default)] overwrite: bool,
    tool: ToolFields,
) -> Result<ToolChanged, ApiError> {
    let visitor = crate::request::visitor();
    let (draft, form) = (super::fields::without_secrets(tool.clone()), format!("update_tool/{tool_id}"));
    let expected_version = (!overwrite).then_some(seen_version);
    let changed = async {
        let (engine, permit) = (crate::request::backend().engine, visitor.tenant_permit()?);
        let before = engine.get_tool(&visitor.tenant_permit()?, tool_id).await?.definition;
        let kind = tool.execution_type.unwrap_or(before.execution_type);
        let tool = super::fields::with_usual_limits(tool, engine.limit_ranges(kind));
        let input = super::fields::without_repeats(super::fields::input(tool)?, &before);
        let input = domain::tool::ToolIn { expected_version, ..input };
        engine.update_tool(&permit, tool_id, input).await
    };
    let changed = changed.await;
    let changed = crate::request::or_keep(&visitor, &form, seen_version, &draft, changed).await?;
    let changed = ToolChanged {
        version: changed.version,
        breaking: changed.breaking_change.map(|change| breaking(&visitor, change)),
    };
    crate::request::changed(&visitor, changed.breaking.as_ref()).await?;
    Ok(changed)
}

#[cfg(feature = "ssr")]
pub(super) fn breaking(
    visitor: &crate::request::Visitor,
    change: domain::tool::BreakingChange,
) -> BreakingOut {
    let t = Texts::of(visitor.language);
    let agents = change.agents.into_iter().map(|agent| agent.name).collect();
    BreakingOut { reasons: change.reasons.iter().map(|reason| t.narrowing(reason)).collect(), agents }
}

/// `force` also while agents use it: their list was shown to the person.
#[server(prefix = "/fn", endpoint = "delete_tool", input = Form)]
pub async fn delete_tool(tool_id: ToolId, #[server(default)] force: bool) -> Result<(), ApiError> {
    let visitor = crate::request::visitor();
    crate::request::backend().engine.delete_tool(&visitor.tenant_permit()?, tool_id, force, None).await?;
    crate::request::saved(&visitor).await?;
    leptos_axum::redirect("/tools");
    Ok(())
}

/// The new secret is told once; the old one signs beside it for a day.
#[server(prefix = "/fn", endpoint = "rotate_tool_secret", input = Form)]
pub async fn rotate_tool_secret(tool_id: ToolId) -> Result<ToolMade, ApiError> {
    let visitor = crate::request::visitor();
    let engine = crate::request::backend().engine;
    let tool = engine.rotate_tool_secret(&visitor.tenant_permit()?, tool_id).await?;
    told_once(&visitor, &tool).await?;
    Ok(ToolMade { id: tool.id, version: tool.version, secret: tool.webhook_secret })
}
