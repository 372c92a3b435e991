//! B7: "why was this allowed or refused?", for a call that was and for one that might be.

use super::{ApiError, Form};
pub use domain::decision::Verdict;
use domain::{ExecutionId, FieldError, decision::DecisionThen};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// One thing that the gate looked at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckOut {
    pub check: String,
    pub passed: bool,
    pub detail: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VerdictOut {
    pub verdict: Verdict,
    /// The error that a call would get.
    pub code: Option<String>,
    pub reason: String,
    /// The check that decided.
    pub rule: String,
    pub checks: Vec<CheckOut>,
    /// The arguments that do not fit, when that decided.
    pub errors: Vec<FieldError>,
    /// Seconds, when a rate limit decided.
    pub retry_after: Option<u64>,
    pub tool_name: String,
    pub agent: Option<String>,
    /// JSON, to be read; nothing when the question was about the tool, whatever it is called with.
    pub params: Option<String>,
    /// What it said when that call was made.
    pub then: Option<DecisionThen>,
}

/// What the gate would say now. With an execution, the question is that call again, and the answer has what it said
/// then; nothing runs, nothing is counted.
#[server(prefix = "/fn", endpoint = "explain_call", input = Form)]
pub async fn explain_call(
    execution_id: Option<ExecutionId>,
    #[server(default)] tool: String,
    agent: Option<String>,
    params: Option<String>,
) -> Result<VerdictOut, ApiError> {
    let visitor = crate::request::visitor();
    let engine = crate::request::backend().engine;
    let (question, then) = match execution_id {
        Some(id) => engine.question_of(&visitor.tenant_permit()?, id).await?,
        None => (server::hypothetical(&visitor, tool, agent, params)?, None),
    };
    Ok(VerdictOut { then, ..server::asked(&engine, question).await? })
}

#[cfg(feature = "ssr")]
pub(super) mod server {
    use super::{CheckOut, VerdictOut};
    use crate::request::Visitor;
    use domain::{ErrorCode, FieldCode, FieldError, ServiceError, ServiceResult};
    use engine::{AskedCall, CalledTool, Engine, gate};
    use serde_json::Value;

    pub fn hypothetical(
        visitor: &Visitor,
        tool: String,
        agent: Option<String>,
        params: Option<String>,
    ) -> ServiceResult<AskedCall> {
        let caller = visitor.tenant_permit()?;
        let wrong = |_| ServiceError::field("params", FieldCode::Invalid);
        let text = params.filter(|text| !text.trim().is_empty());
        let params: Option<Value> = text.as_deref().map(serde_json::from_str).transpose().map_err(wrong)?;
        if let Some(changed) = text.and_then(|text| domain::exact::refused_in(text.as_bytes())) {
            return Err(ServiceError::fields(vec![FieldError { field: "params".to_owned(), ..changed }]));
        }
        let agent = agent.filter(|name| !name.trim().is_empty());
        Ok(AskedCall::new(caller, CalledTool::Name(tool.trim().to_owned()), agent, params))
    }

    pub async fn asked(engine: &Engine, question: AskedCall) -> ServiceResult<VerdictOut> {
        let decision = engine.explain_call(&question).await?;
        let catalogue = engine.catalogue(question.tenant()).await?;
        let tool = match question.tool() {
            CalledTool::Id(id) => catalogue.tool(*id),
            CalledTool::Name(name) => catalogue.tool_named(name),
        };
        let agent = question.agent().and_then(|name| catalogue.agent(name));
        let no_tool = || ServiceError::new(ErrorCode::ToolNotFound, "There is no such tool.");
        let check = |one: gate::Check| CheckOut {
            check: one.check.to_owned(),
            passed: one.passed,
            detail: one.detail.into_owned(),
        };
        let mut errors = decision.errors;
        crate::request::reader_texts().reword(&mut errors);
        Ok(VerdictOut {
            verdict: decision.verdict,
            code: decision.code.map(|code| code.as_str().to_owned()),
            reason: decision.reason.into_owned(),
            rule: decision.rule.to_owned(),
            checks: decision.checks.into_iter().map(check).collect(),
            errors,
            retry_after: decision.retry_after,
            tool_name: tool.ok_or_else(no_tool)?.tool.definition.name.to_string(),
            agent: agent.map(|agent| agent.name.clone()),
            params: question.params().and_then(|params| serde_json::to_string_pretty(params).ok()),
            then: None,
        })
    }
}
