//! B7: "why was this allowed or refused?", for a call that was and for one that might be.

use super::{ApiError, Form};
use domain::ExecutionId;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    Allowed,
    NeedsConfirmation,
    Denied,
}

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
    pub tool_name: String,
    pub agent: Option<String>,
    /// JSON, to be read.
    pub params: String,
}

/// What the gate would say now. With an execution, the question is that call again; nothing runs, nothing is counted.
#[server(prefix = "/fn", endpoint = "explain_call", input = Form)]
pub async fn explain_call(
    execution_id: Option<ExecutionId>,
    #[server(default)] tool: String,
    agent: Option<String>,
    params: Option<String>,
) -> Result<VerdictOut, ApiError> {
    let visitor = crate::request::visitor();
    let engine = crate::request::backend().engine;
    let question = match execution_id {
        Some(id) => server::as_it_was(&engine, &visitor, id).await?,
        None => server::hypothetical(&visitor, tool, agent, params)?,
    };
    Ok(server::asked(&engine, question).await?)
}

#[cfg(feature = "ssr")]
pub(super) mod server {
    use super::{CheckOut, Verdict, VerdictOut};
    use crate::request::Visitor;
    use ability::{ExecuteTools, ReadExecutions, TenantPermit};
    use domain::{ErrorCode, ExecutionId, FieldCode, ServiceError, ServiceResult};
    use engine::{Call, CalledTool, Engine, gate};
    use serde_json::Value;
    use std::time::Duration;

    pub fn hypothetical(
        visitor: &Visitor,
        tool: String,
        agent: Option<String>,
        params: Option<String>,
    ) -> ServiceResult<Call> {
        let caller = visitor.tenant_permit::<ExecuteTools>()?;
        let wrong = |_| ServiceError::field("params", FieldCode::Invalid);
        let text = params.filter(|text| !text.trim().is_empty()).unwrap_or_else(|| "{}".to_owned());
        let params: Value = serde_json::from_str(&text).map_err(wrong)?;
        Ok(call(caller, CalledTool::Name(tool.trim().to_owned()), agent, params))
    }

    pub async fn as_it_was(engine: &Engine, visitor: &Visitor, id: ExecutionId) -> ServiceResult<Call> {
        let caller = visitor.tenant_permit::<ExecuteTools>()?;
        let permit = visitor.tenant_permit::<ReadExecutions>()?;
        let row = engine.get_execution(&permit, id, Duration::ZERO).await?;
        let agent = row.agent_id.map(|agent| agent.to_string());
        Ok(call(caller, CalledTool::Id(row.tool_id), agent, row.input_params))
    }

    fn call(
        caller: TenantPermit<ExecuteTools>,
        tool: CalledTool,
        agent: Option<String>,
        params: Value,
    ) -> Call {
        Call {
            permit: caller.into(),
            tool,
            agent: agent.filter(|name| !name.trim().is_empty()),
            conversation: None,
            params,
            test_mode: false,
            idempotency_key: None,
        }
    }

    pub async fn asked(engine: &Engine, question: Call) -> ServiceResult<VerdictOut> {
        let decision = engine.explain_call(&question).await?;
        let catalogue = engine.catalogue(question.permit.tenant()).await?;
        let tool = match &question.tool {
            CalledTool::Id(id) => catalogue.tool(*id),
            CalledTool::Name(name) => catalogue.tool_named(name),
        };
        let agent = question.agent.as_deref().and_then(|name| catalogue.agent(name));
        let no_tool = || ServiceError::new(ErrorCode::ToolNotFound, "There is no such tool.");
        let check = |one: gate::Check| CheckOut {
            check: one.check.to_owned(),
            passed: one.passed,
            detail: one.detail.into_owned(),
        };
        Ok(VerdictOut {
            verdict: match decision.verdict {
                gate::Verdict::Allowed => Verdict::Allowed,
                gate::Verdict::NeedsConfirmation => Verdict::NeedsConfirmation,
                gate::Verdict::Denied => Verdict::Denied,
            },
            code: decision.code.map(|code| code.as_str().to_owned()),
            reason: decision.reason.into_owned(),
            rule: decision.rule.to_owned(),
            checks: decision.checks.into_iter().map(check).collect(),
            tool_name: tool.ok_or_else(no_tool)?.tool.definition.name.to_string(),
            agent: agent.map(|agent| agent.name.clone()),
            params: serde_json::to_string_pretty(&question.params).unwrap_or_default(),
        })
    }
}
