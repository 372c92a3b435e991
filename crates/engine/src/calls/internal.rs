//! The product's own tools. One that only reads runs first and is recorded after; one that writes does its effect and
//! its record in the same transaction.

use super::{Call, Called, Found, Step, batch::Care, row};
use crate::{Engine, KnownTool, executors::Outcome, tools::system};
use crm::tools::{SystemTool, ToolCall, ToolFailure, Unwritten};
use domain::{AgentId, ExecutionId, ServiceResult, TenantId, ToolEffect};
use sea_orm::{ConnectionTrait, TransactionTrait};
use serde_json::Value;
use std::{sync::Arc, time::Instant};
use store::{StoreResult, WriteTx, executions::Execution};

/// An internal tool with its arguments, ready to run.
#[derive(Clone)]
pub(crate) struct InternalCall {
    pub known: Arc<KnownTool>,
    pub params: Value,
}

impl Engine {
    pub(super) async fn run_internal(
        &self,
        call: &Call,
        found: &Found,
        mut row: Execution,
    ) -> ServiceResult<Option<Called>> {
        let internal = InternalCall { known: Arc::clone(&found.tool), params: call.params.clone() };
        if self.is_outside(&internal) && !call.test_mode {
            return self.run_external(call, found, row).await;
        }
        let step = if call.test_mode || found.tool.tool.definition.effect == ToolEffect::Read {
            internal.look(self.db.reader(), &mut row).await?;
            Step::Write
        } else {
            Step::Effect(internal)
        };
        let placed = self.place(call, found, row, step).await?;
        self.other(call, placed).await
    }

    /// A built-in tool whose effect is not in our database: mail.
    pub(crate) fn is_outside(&self, call: &InternalCall) -> bool {
        call.known.tool.definition.name.as_str() == "sendEmail"
    }
}

impl InternalCall {
    /// Reads, or plans what would be written; changes nothing.
    pub(crate) async fn look(&self, conn: &impl ConnectionTrait, row: &mut Execution) -> StoreResult<()> {
        let started = Instant::now();
        let done = match self.system() {
            None => unknown(),
            Some(tool) if tool.effect == ToolEffect::Read => {
                crm::tools::run(conn, tool, &self.call(row), &mut Unwritten::default()).await
            }
            Some(tool) => crm::tools::plan(conn, tool, &self.call(row)).await,
        };
        self.end(row, done, started)
    }

    /// What a person who is asked gets to see.
    pub(crate) async fn plan(&self, conn: &impl ConnectionTrait, row: &Execution) -> Option<Value> {
        crm::tools::plan(conn, self.system()?, &self.call(row)).await.ok()
    }

    /// S21: the effect is undone when the tool fails; the record that it failed stays.
    pub(crate) async fn run(&self, tx: &WriteTx, row: &mut Execution, care: &mut Care) -> StoreResult<()> {
        let started = Instant::now();
        let Some(tool) = self.system() else { return self.end(row, unknown(), started) };
        if let Care::Hopeful(unwritten) = care {
            let done = crm::tools::run(tx, tool, &self.call(row), unwritten).await;
            return self.end(row, done, started);
        }
        let effect = tx.begin().await?;
        let mut unwritten = Unwritten::default();
        let done = crm::tools::run(&effect, tool, &self.call(row), &mut unwritten).await;
        unwritten.write(&effect).await?;
        match done {
            Ok(_) => effect.commit().await?,
            Err(_) => effect.rollback().await?,
        }
        self.end(row, done, started)
    }

    fn system(&self) -> Option<&'static SystemTool> {
        system::find(self.known.tool.definition.name.as_str())
    }

    fn call<'a>(&'a self, row: &'a Execution) -> ToolCall<'a> {
        ToolCall {
            tenant: TenantId(row.tenant_id),
            execution: ExecutionId(row.id),
            agent: row.agent_id.map(AgentId),
            actor_name: &row.actor_name,
            conversation: row.conversation_id.as_deref(),
            params: &self.params,
        }
    }

    fn end(
        &self,
        row: &mut Execution,
        done: Result<Value, ToolFailure>,
        started: Instant,
    ) -> StoreResult<()> {
        let outcome = match done {
            Ok(result) => Outcome::success(result),
            Err(ToolFailure::Store(error)) => return Err(error),
            Err(ToolFailure::Refused { code, message }) => Outcome::failure(code, message),
        };
        row::end(row, &self.known, outcome, started.elapsed());
        Ok(())
    }
}

fn unknown() -> Result<Value, ToolFailure> {
    Err(ToolFailure::Refused {
        code: "tool_not_found",
        message: "Esta ferramenta não existe mais.".to_owned(),
    })
}
