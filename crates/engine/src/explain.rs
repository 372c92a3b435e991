//! B7: "why?", of a call that might be and of one that was.

use crate::{Call, CalledTool, Engine, gate::Decision};
use ability::{ExecuteTools, ReadExecutions, TenantPermit};
use domain::{ExecutionId, ServiceResult, decision::DecisionThen};
use serde_json::Value;
use std::time::Duration;

impl Engine {
    /// The gate's answer, and nothing runs.
    pub async fn explain_call(&self, call: &Call) -> ServiceResult<Decision> {
        let found = self.find(call).await?;
        Ok(self.ask_gate(call.permit.caller(), &found, &call.params))
    }

    /// A call of the history as a question of whoever asks, and what the gate said to it then.
    pub async fn question_of(
        &self,
        permit: TenantPermit<ExecuteTools>,
        history: &TenantPermit<ReadExecutions>,
        id: ExecutionId,
    ) -> ServiceResult<(Call, Option<DecisionThen>)> {
        let row = self.get_execution(history, id, Duration::ZERO).await?;
        let agent = row.agent_id.map(|agent| agent.to_string());
        Ok((Call::question(permit, CalledTool::Id(row.tool_id), agent, row.input_params), row.decision))
    }
}

impl Call {
    /// One that is only asked about.
    pub fn question(
        permit: TenantPermit<ExecuteTools>,
        tool: CalledTool,
        agent: Option<String>,
        params: Value,
    ) -> Self {
        Self {
            permit: permit.into(),
            tool,
            agent,
            conversation: None,
            message: None,
            params,
            test_mode: false,
            idempotency_key: None,
        }
    }
}
