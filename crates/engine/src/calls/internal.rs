//! The product's own tools. One that only reads runs first and is recorded after; one that writes does its effect and
//! its record in the same transaction.

use super::{Call, Called, Found, Step, batch::Care, row};
use crate::{Engine, KnownTool, executors::Outcome, tools::system::BuiltIn};
use crm::tools::{ToolCall, ToolFailure, Unwritten};
use domain::{AgentId, ExecutionId, ServiceResult, TenantId, ToolEffect};
use items::{
    Owner,
    tools::{ItemCall, ItemTool, Kind},
};
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};
use store::{Nowhere, StoreResult, WriteTx, executions::Execution};

/// An internal tool with its arguments, ready to run.
#[derive(Clone)]
pub(crate) struct InternalCall {
    known: Arc<KnownTool>,
    params: Value,
    /// Why nobody can be asked about what is saved; nothing when somebody can.
    lacks: Option<&'static str>,
}

impl Engine {
    pub(crate) fn internal_call(&self, known: &Arc<KnownTool>, params: &Value) -> InternalCall {
        let lacks = match find(known) {
            Some(BuiltIn::Item(ItemTool { kind: Kind::Save(kind), .. })) => self.sources.lacks(*kind),
            _ => None,
        };
        InternalCall { known: Arc::clone(known), params: params.clone(), lacks }
    }

    pub(super) async fn run_internal(
        &self,
        call: &Call,
        found: &Found,
        mut row: Execution,
    ) -> ServiceResult<Option<Called>> {
        let internal = self.internal_call(&found.tool, &call.params);
        if internal.is_outside() && !call.test_mode {
            return Box::pin(self.run_external(call, found, row)).await;
        }
        let step = if call.test_mode || found.tool.tool.definition.effect == ToolEffect::Read {
            let reader = self.db.reader_of(call.permit.tenant()).await?;
            Box::pin(internal.look(&reader, &mut row)).await?;
            Step::Write
        } else {
            match Box::pin(internal.ahead(&mut row)).await? {
                Some(unwritten) => Step::Add(unwritten),
                None => Step::Effect(internal),
            }
        };
        let placed = self.place(call, found, row, step).await?;
        self.other(call, placed).await
    }
}

fn find(known: &KnownTool) -> Option<BuiltIn> {
    BuiltIn::find(known.tool.definition.name.as_str())
}

impl InternalCall {
    pub(crate) fn effect(&self) -> ToolEffect {
        self.known.tool.definition.effect
    }

    /// A built-in tool that goes to the outside.
    pub(crate) fn is_outside(&self) -> bool {
        find(&self.known).is_some_and(BuiltIn::is_outside)
    }

    /// X4: reads, or plans what would be written, within its time; changes nothing.
    pub(crate) async fn look(&self, conn: &impl ConnectionTrait, row: &mut Execution) -> StoreResult<()> {
        let started = Instant::now();
        let look = async {
            match find(&self.known) {
                Some(tool) if tool.effect() == ToolEffect::Read => {
                    self.do_it(conn, row, &mut Unwritten::default()).await
                }
                _ => self.planned(conn, row).await,
            }
        };
        let longest = Duration::from_millis(self.known.tool.definition.timeout_ms.into());
        let late =
            |_| Err(ToolFailure::refused("timed_out", "A consulta passou do tempo limite da ferramenta."));
        let done = tokio::time::timeout(longest, look).await.unwrap_or_else(late);
        self.end(row, done, started)
    }

    /// What a person who is asked gets to see: also that the call would fail, and why, as things are now.
    pub(crate) async fn plan(&self, conn: &impl ConnectionTrait, row: &Execution) -> Option<Value> {
        match self.planned(conn, row).await {
            Ok(plan) => Some(plan),
            Err(ToolFailure::Refused { code, message }) => {
                Some(json!({ "fails": { "code": code, "message": message } }))
            }
            Err(ToolFailure::Store(_)) => None,
        }
    }

    /// Runs the tool before the transaction, when it needs nothing from the database: only what it adds is left to be
    /// written then, and those behind it wait less. Nothing, when it has to run inside.
    async fn ahead(&self, row: &mut Execution) -> StoreResult<Option<Unwritten>> {
        let started = Instant::now();
        let mut unwritten = Unwritten::default();
        let done = self.do_it(&Nowhere, row, &mut unwritten).await;
        if matches!(done, Err(ToolFailure::Store(_))) {
            return Ok(None);
        }
        self.end(row, done, started)?;
        Ok(Some(unwritten))
    }

    /// S21: the effect is undone when the tool fails; the record that it failed stays.
    pub(crate) async fn run(&self, tx: &WriteTx, row: &mut Execution, care: &mut Care) -> StoreResult<()> {
        let started = Instant::now();
        if let Care::Hopeful(unwritten) = care {
            if !matches!(find(&self.known), Some(BuiltIn::Crm(tool)) if tool.only_adds()) {
                unwritten.write(tx).await?;
            }
            let done = self.do_it(tx, row, unwritten).await;
            return self.end(row, done, started);
        }
        tx.save().await?;
        let mut unwritten = Unwritten::default();
        let done = self.do_it(tx, row, &mut unwritten).await;
        match done {
            Ok(_) => {
                unwritten.write(tx).await?;
                tx.go_on().await?;
            }
            Err(_) => tx.go_back().await?,
        }
        self.end(row, done, started)
    }

    async fn do_it(
        &self,
        tx: &impl ConnectionTrait,
        row: &Execution,
        unwritten: &mut Unwritten,
    ) -> Result<Value, ToolFailure> {
        match find(&self.known) {
            Some(BuiltIn::Crm(tool)) => crm::tools::run(tx, tool, &self.call(row), unwritten).await,
            Some(BuiltIn::Item(tool)) => items::tools::run(tx, tool, &self.own_call(row)?).await,
            None => unknown(),
        }
    }

    async fn planned(&self, conn: &impl ConnectionTrait, row: &Execution) -> Result<Value, ToolFailure> {
        match find(&self.known) {
            Some(BuiltIn::Crm(tool)) => crm::tools::plan(conn, tool, &self.call(row)).await,
            Some(BuiltIn::Item(tool)) => items::tools::plan(tool, &self.own_call(row)?),
            None => unknown(),
        }
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

    fn own_call(&self, row: &Execution) -> Result<ItemCall<'_>, ToolFailure> {
        let nobody = || ToolFailure::refused("no_owner", "Só uma pessoa ou uma chave tem itens.");
        let owner = owner_of(row).ok_or_else(nobody)?;
        Ok(ItemCall { owner, params: &self.params, lacks: self.lacks })
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

/// Whose things a call of this row works on: nobody is the product itself.
pub(crate) fn owner_of(row: &Execution) -> Option<Owner> {
    row.actor_id.map(|id| Owner { tenant: TenantId(row.tenant_id), id })
}

fn unknown() -> Result<Value, ToolFailure> {
    Err(ToolFailure::Refused {
        code: "tool_not_found",
        message: "Esta ferramenta não existe mais.".to_owned(),
    })
}
