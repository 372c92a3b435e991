//! B7: "why?", of a call that might be and of one that was.

use crate::{Call, CallPermit, CalledTool, Engine, calls::Asked, gate::Decision};
use ability::{Caller, ExecuteTools, ReadExecutions, Role, Subject, Target, TenantPermit, policy::Principal};
use domain::{ExecutionId, ServiceResult, TenantId, TenantRole, decision::DecisionThen};
use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};

/// A call that is only asked about: nothing runs it.
pub struct AskedCall {
    call: Call,
    arguments: Arguments,
}

/// What a question says of the arguments.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Arguments {
    /// They have to fit the schema.
    Given,
    /// Of a call that was. Its secrets were masked, so that they need not fit any more.
    Kept,
    /// The question is about the tool: what a call would bring with it is not looked at.
    Absent,
}

impl AskedCall {
    pub fn new(
        permit: TenantPermit<ExecuteTools>,
        tool: CalledTool,
        agent: Option<String>,
        params: Option<Value>,
    ) -> Self {
        let arguments = if params.is_some() { Arguments::Given } else { Arguments::Absent };
        let call = Self::kept(permit.into(), tool, agent, params.unwrap_or_else(|| json!({})));
        Self { arguments, ..call }
    }

    fn kept(permit: CallPermit, tool: CalledTool, agent: Option<String>, params: Value) -> Self {
        let call = Call {
            permit,
            tool,
            agent,
            conversation: None,
            message: None,
            params,
            test_mode: false,
            idempotency_key: None,
        };
        Self { call, arguments: Arguments::Kept }
    }

    pub fn tenant(&self) -> TenantId {
        self.call.permit.tenant()
    }

    pub fn tool(&self) -> &CalledTool {
        &self.call.tool
    }

    pub fn agent(&self) -> Option<&str> {
        self.call.agent.as_deref()
    }

    pub fn params(&self) -> Option<&Value> {
        (self.arguments != Arguments::Absent).then_some(&self.call.params)
    }
}

impl Engine {
    /// The gate's answer; nothing runs, and no rate limit is used up by asking.
    pub async fn explain_call(&self, AskedCall { call, arguments }: &AskedCall) -> ServiceResult<Decision> {
        let found = self.find(call).await?;
        let limits = self.limiter.look(&found.counters(call.permit.tenant())).await;
        let asked =
            Asked { params: &call.params, fit: *arguments == Arguments::Given, limits: Some(&limits) };
        let decision = self.ask_gate(call.permit.caller(), &found, asked);
        match decision.error().filter(|_| decision.is_of_another()) {
            Some(error) => Err(error),
            None => Ok(decision),
        }
    }

    /// A call of the history as a question of whoever may read it, and what the gate said to it then.
    pub async fn question_of(
        &self,
        history: &TenantPermit<ReadExecutions>,
        id: ExecutionId,
    ) -> ServiceResult<(AskedCall, Option<DecisionThen>)> {
        let row = self.get_execution(history, id, Duration::ZERO).await?;
        let agent = row.agent_id.map(|agent| agent.to_string());
        let caller = self.asking(history, row.decision.as_ref(), agent.is_some());
        let permit = CallPermit::of(caller, history.tenant());
        let question = AskedCall::kept(permit, CalledTool::Id(row.tool_id), agent, row.input_params);
        Ok((question, row.decision))
    }

    /// Whoever runs tools asks for themselves. An auditor or a viewer would only hear that they may not: they ask in the
    /// role that the call was allowed by; where that was not kept, as an agent, or as the least of those who run tools.
    fn asking(
        &self,
        history: &TenantPermit<ReadExecutions>,
        then: Option<&DecisionThen>,
        has_agent: bool,
    ) -> Caller {
        let caller = history.caller().clone();
        let runs_tools =
            caller.ability.decide(ability::Action::Execute, &Target::any(Subject::ToolManagement));
        let kept = then.and_then(|then| role_behind(then.granted_by.as_deref()?));
        match runs_tools.is_allowed() {
            true => caller,
            false => {
                let role =
                    kept.unwrap_or(if has_agent { Role::Agent } else { Role::Tenant(TenantRole::Operator) });
                let id = caller.actor.id().unwrap_or_default();
                let principal = Principal { id, tenant: Some(history.tenant()), roles: vec![role] };
                Caller { ability: Arc::new(self.policy.ability_for(&principal)), ..caller }
            }
        }
    }
}

/// `execute ToolManagement of the role operator` names it last.
fn role_behind(rule: &str) -> Option<Role> {
    Role::from_name(rule.rsplit(' ').next()?)
}
