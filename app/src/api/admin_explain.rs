//! "May X do Y in tenant Z, and why?"; for platform administrators.

use super::{ApiError, Form};
use ability::{Action, Rule, Subject};
use domain::TenantId;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExplanationOut {
    pub allowed: bool,
    /// The rule that decided; none means that no rule allows it.
    pub rule: Option<Rule>,
    /// The roles that the person has there.
    pub roles: Vec<String>,
    /// The person exists but is disabled: nothing is allowed, whatever the rules say.
    pub is_disabled: bool,
}

#[server(prefix = "/fn", endpoint = "explain_decision", input = Form)]
pub async fn explain_decision(
    email: String,
    tenant_id: Option<TenantId>,
    action: Action,
    subject: Subject,
) -> Result<ExplanationOut, ApiError> {
    let permit = crate::request::visitor().permit()?;
    let question = accounts::Question { email, tenant_id, action, subject };
    let answer = crate::request::backend().accounts.explain(&permit, question).await?;
    Ok(ExplanationOut {
        allowed: answer.allowed,
        rule: answer.rule,
        roles: answer.roles,
        is_disabled: answer.is_disabled,
    })
}
