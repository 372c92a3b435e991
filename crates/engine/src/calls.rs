//! A call, from end to end: found, checked, decided, made durable, run, recorded.
//!
//! The order is the promise. Nothing takes effect before its intent is durable, nothing is answered before its record
//! is. The decision is checked again inside the transaction that begins the call: a tool switched off a millisecond
//! ago does not start, whatever any cache says (S23).

mod answer;
mod batch;
mod circumstances;
mod denials;
mod desk;
mod idempotency;
mod internal;
mod patience;
mod permit;
mod recovery;
mod row;
mod slots;

pub(crate) use answer::answer_of;
pub(crate) use batch::{Order, Placed, Step};
pub(crate) use desk::{Desk, Ticket};
pub(crate) use internal::owner_of;
use patience::Patience;
pub use permit::CallPermit;
pub(crate) use row::{Subject as RowSubject, new_row, open_params, stored_params};
pub(crate) use slots::{Room, Slot};

use crate::{
    Catalogue, Engine, KnownTool,
    executors::{self, Said},
    gate::{self, Decision, Question, Verdict},
    limits,
    tools::{no_agent, no_tool},
};
use ::limits::{Limit, Wait};
use ability::Caller;
use domain::{
    ErrorCode, ServiceError, ServiceResult, TenantId, ToolId,
    execution::{ExecutionAnswer, ExecutionStatus},
    tool::ExecutionType,
};
use serde_json::Value;
use std::sync::Arc;
use store::{Epoch, agents::Agent, epochs::Basis, executions::Execution};

/// How often a call starts over because tools changed under it.
pub(crate) const ATTEMPTS: usize = 50;
const LONGEST_CONVERSATION_ID: usize = 200;

#[derive(Clone, Debug)]
pub enum CalledTool {
    Id(ToolId),
    Name(String),
}

/// What somebody wants.
#[derive(Clone)]
pub struct Call {
    pub permit: CallPermit,
    pub tool: CalledTool,
    /// Id or slug; nobody when a person or a backend calls the tool itself.
    pub agent: Option<String>,
    pub conversation: Option<String>,
    /// What an agent says about the call.
    pub message: Option<String>,
    pub params: Value,
    pub test_mode: bool,
    pub idempotency_key: Option<String>,
}

/// What they get.
#[derive(Clone, Debug)]
pub struct Called {
    pub answer: ExecutionAnswer,
    /// The same request was made before: this is its answer.
    pub is_replay: bool,
}

/// A call whose names were found.
pub(crate) struct Found {
    pub catalogue: Arc<Catalogue>,
    pub tool: Arc<KnownTool>,
    pub agent: Option<Arc<Agent>>,
    /// When the caller was known as of this epoch, and nobody has asked since whether it is still so.
    pub rights: Option<Epoch>,
}

/// What the gate is asked about a call, besides who calls what.
pub(crate) struct Asked<'a> {
    pub params: &'a Value,
    /// Whether they have to fit the tool's schema.
    pub fit: bool,
    /// What the limiter says, when it was asked beforehand.
    pub limits: Option<&'a Result<(), Wait>>,
}

impl<'a> Asked<'a> {
    /// A call as it comes: it is counted after a yes.
    pub(crate) fn of(params: &'a Value) -> Self {
        Self { params, fit: true, limits: None }
    }
}

impl Found {
    /// Everything that the call counts against.
    pub(crate) fn counters(&self, tenant: TenantId) -> Vec<(String, Limit)> {
        limits::counters(tenant, &self.catalogue, self.agent.as_deref(), Some(&self.tool.tool))
    }

    pub(crate) fn basis(&self) -> Basis {
        Basis { tools: self.catalogue.epoch, rights: self.rights }
    }
}

impl Engine {
    pub async fn call(&self, call: Call) -> ServiceResult<Called> {
        check_conversation(call.conversation.as_deref())?;
        let call = Call { message: circumstances::checked_message(call.message.as_deref())?, ..call };
        if call.idempotency_key.is_some()
            && let Some(replay) = Box::pin(self.replay(&call)).await?
        {
            return Ok(replay);
        }
        let mut is_counted = false;
        for attempt in 0..ATTEMPTS {
            // The caller was identified a moment ago, with the same question. After a change it is asked anew.
            let known = self.catalogues.known(&self.db, call.permit.tenant()).filter(|_| attempt == 0);
            let found = self.find_in(&call, known).await?;
            let decision = self.ask_gate(call.permit.caller(), &found, Asked::of(&call.params));
            if let Some(error) = decision.error() {
                Box::pin(self.note_denial(call.permit.caller(), &found, &decision)).await?;
                return Err(error);
            }
            if !is_counted {
                is_counted = self.count(&call, &found).await?;
            }
            if let Some(called) = self.begin(&call, &found, &decision).await? {
                return Ok(called);
            }
        }
        let detail = "The tools of this organisation are changing too fast; try again.";
        Err(ServiceError { retry_after: Some(1), ..ServiceError::new(ErrorCode::Unavailable, detail) })
    }

    /// For a caller who is known as of an epoch of rights that may be over: whether it is, the transaction that begins the
    /// call tells. Saves a question to the database for each of the many calls that are simply allowed.
    ///
    /// Nothing, for whatever is not that simple: then the caller is identified anew, and [`Self::call`] decides.
    pub async fn call_as_known(&self, call: &Call, rights: Epoch) -> ServiceResult<Option<Called>> {
        let is_plain = check_conversation(call.conversation.as_deref()).is_ok()
            && circumstances::checked_message(call.message.as_deref())
                .is_ok_and(|message| message == call.message);
        if call.idempotency_key.is_some() || !is_plain {
            return Ok(None);
        }
        let Some(known) = self.catalogues.known(&self.db, call.permit.tenant()) else { return Ok(None) };
        let Ok(found) = self.find_in(call, Some(known)).await else { return Ok(None) };
        let decision = self.ask_gate(call.permit.caller(), &found, Asked::of(&call.params));
        if decision.verdict != Verdict::Allowed {
            return Ok(None);
        }
        // A limit is charged once, and not by a call that may have to start over.
        if !found.counters(call.permit.tenant()).is_empty() {
            return Ok(None);
        }
        self.begin(call, &Found { rights: Some(rights), ..found }, &decision).await
    }

    pub(crate) async fn find(&self, call: &Call) -> ServiceResult<Found> {
        self.find_in(call, None).await
    }

    async fn find_in(&self, call: &Call, known: Option<Arc<Catalogue>>) -> ServiceResult<Found> {
        let catalogue = match known {
            Some(known) => known,
            None => Box::pin(self.catalogue(call.permit.tenant())).await?,
        };
        let agent = match &call.agent {
            Some(name) => Some(Arc::clone(catalogue.agent(name).ok_or_else(no_agent)?)),
            None => None,
        };
        let tool = match &call.tool {
            CalledTool::Id(id) => catalogue.tool(*id),
            CalledTool::Name(name) => catalogue.tool_named(name),
        };
        // Who asks in another's name is not told what there is.
        let speaks_for_another = gate::speaks_for_another(call.permit.caller().agent, agent.as_deref());
        let none = || if speaks_for_another { gate::another_agent() } else { no_tool() };
        let tool = Arc::clone(tool.ok_or_else(none)?);
        Ok(Found { catalogue, tool, agent, rights: None })
    }

    pub(crate) fn ask_gate(&self, caller: &Caller, found: &Found, asked: Asked<'_>) -> Decision {
        let tenant = caller.tenant.unwrap_or(TenantId(uuid::Uuid::nil()));
        let agent_ability = found.agent.as_ref().map(|agent| self.ability_of(tenant, agent.id));
        gate::decide(&Question {
            tenant,
            catalogue: &found.catalogue,
            ability: &caller.ability,
            agent: found.agent.as_deref(),
            agent_ability: agent_ability.as_deref(),
            caller: caller.actor.id(),
            bound_to: caller.agent,
            tool: &found.tool,
            params: asked.params,
            fit: asked.fit,
            limits: asked.limits,
            cannot_run: self.cannot_run(&found.tool),
        })
    }

    /// T17: after a yes, and once for a call. False when there was nothing to count: a limit may come before it starts over.
    async fn count(&self, call: &Call, found: &Found) -> ServiceResult<bool> {
        let wanted = found.counters(call.permit.tenant());
        if wanted.is_empty() {
            return Ok(false);
        }
        self.limiter.take(&wanted).await.map_err(|wait| limits::too_often(&wait))?;
        Ok(true)
    }

    /// Nothing, when tools have changed since the decision: then it is made anew. Ways that few calls go are in boxes:
    /// a future is as large as its longest way, and is moved several times.
    async fn begin(&self, call: &Call, found: &Found, decision: &Decision) -> ServiceResult<Option<Called>> {
        let row = Execution {
            circumstances: circumstances::first(call, found, decision, &self.policy_version),
            ..new_row(&self.vault, call.permit.caller(), call, found)
        };
        match (decision.verdict, found.tool.tool.definition.execution_type) {
            (Verdict::NeedsConfirmation, _) => Box::pin(self.ask_people(call, found, decision, row)).await,
            (_, ExecutionType::Internal) => self.run_internal(call, found, row).await,
            (_, ExecutionType::Webhook | ExecutionType::Code) => {
                Box::pin(self.run_external(call, found, row)).await
            }
        }
    }

    /// The intent is durable, then the work begins; it goes on when whoever asked hangs up.
    async fn run_external(
        &self,
        call: &Call,
        found: &Found,
        mut row: Execution,
    ) -> ServiceResult<Option<Called>> {
        let slot =
            self.calls.slots.enter(call.permit.tenant(), found.tool.tool.id, self.room_for(found)).await?;
        self.calls.own(&mut row);
        let key = self.key_of(call, domain::ExecutionId(row.id))?;
        let row = Box::new(row);
        let order = Box::new(Order { row, step: Step::Write, basis: Some(found.basis()), key });
        match self.place_and_perform(order, &found.tool, call.params.clone(), slot).await? {
            Ok(ended) => Ok(Some(Called { answer: answer_of(&ended)?, is_replay: false })),
            Err(placed) => self.other(call, placed).await,
        }
    }

    /// In a task of its own from the first write on: whoever hangs up leaves no call behind that says it runs while
    /// nobody runs it. What else came of placing the order, when it does not run.
    pub(crate) async fn place_and_perform(
        &self,
        order: Box<Order>,
        known: &Arc<KnownTool>,
        params: Value,
        slot: Slot,
    ) -> ServiceResult<Result<Execution, Placed>> {
        let (engine, known) = (self.clone(), Arc::clone(known));
        // In boxes: tokio moves a future twice when its task begins, and whatever it may ever hold with it.
        let work = tokio::spawn(Box::pin(async move {
            let ticket = engine.calls.watch(domain::ExecutionId(order.row.id));
            let row = match engine.calls.submit(order).await? {
                Placed::Written(row) => *row,
                other => return Ok(Err(other)),
            };
            let ended = Box::pin(engine.perform(&known, row, &params, &ticket)).await;
            drop(slot);
            Box::pin(engine.finish(ended)).await.map(Ok)
        }));
        work.await.map_err(|_| ServiceError::new(ErrorCode::Internal, "The call ended badly."))?
    }

    /// Runs a call whose row says `running`, and says how it ended.
    pub(crate) async fn perform(
        &self,
        known: &KnownTool,
        mut row: Execution,
        params: &Value,
        ticket: &Ticket,
    ) -> Execution {
        let started = std::time::Instant::now();
        let said = Said::default();
        let outcome = tokio::select! {
            // What has ended is not cancelled.
            biased;
            outcome = executors::run_caught(self, known, &row, params, &said) => Some(outcome),
            () = ticket.cancelled() => None,
        };
        match outcome {
            Some(Some(outcome)) => row::end(&mut row, known, outcome, started.elapsed()),
            Some(None) => row::break_off(&mut row, said.take(), Some(started.elapsed())),
            None => row::cancel(&mut row, said.take(), started.elapsed()),
        }
        circumstances::add_attempts(&mut row, said.attempts.take());
        row
    }

    /// Result, statistics and audit entry in one transaction; the call as the record has it. Somebody may have closed
    /// it before: then that stands.
    pub(crate) async fn finish(&self, row: Execution) -> ServiceResult<Execution> {
        match self.write_at_last(&row, Step::Update, None).await? {
            Placed::Written(row) => Ok(*row),
            _ => {
                let (tenant, id) = (TenantId(row.tenant_id), domain::ExecutionId(row.id));
                let reader = self.db.reader_of(tenant).await?;
                let kept = Box::pin(store::executions::find(&reader, tenant, id)).await?;
                Ok(kept.unwrap_or(row))
            }
        }
    }

    /// An outage is waited out, however long it lasts: the effect has happened, and its record must not be lost.
    pub(crate) async fn write_at_last(
        &self,
        row: &Execution,
        step: Step,
        basis: Option<Basis>,
    ) -> ServiceResult<Placed> {
        let order = || Box::new(Order { row: Box::new(row.clone()), step: step.clone(), basis, key: None });
        Patience::default().through_outages(|| self.calls.submit(order())).await
    }

    pub(crate) async fn place(
        &self,
        call: &Call,
        found: &Found,
        row: Execution,
        step: Step,
    ) -> ServiceResult<Placed> {
        let key = self.key_of(call, domain::ExecutionId(row.id))?;
        let row = Box::new(row);
        self.calls.submit(Box::new(Order { row, step, basis: Some(found.basis()), key })).await
    }

    /// What else can come of placing an order.
    pub(crate) async fn other(&self, call: &Call, placed: Placed) -> ServiceResult<Option<Called>> {
        match placed {
            Placed::Stale => Ok(None),
            Placed::Used(used) => Box::pin(self.replay_of(call, used)).await.map(Some),
            Placed::Decided | Placed::Ended => {
                Err(ServiceError::new(ErrorCode::AlreadyDecided, "Somebody decided this already."))
            }
            Placed::Written(row) => Ok(Some(Called { answer: answer_of(&row)?, is_replay: false })),
        }
    }
}

/// A name that others gave: any, as long as it can be kept and shown.
fn check_conversation(id: Option<&str>) -> ServiceResult<()> {
    let code = match id {
        Some(id) if id.len() > LONGEST_CONVERSATION_ID => domain::FieldCode::TooLong,
        Some(id) if id.chars().any(char::is_control) => domain::FieldCode::Invalid,
        _ => return Ok(()),
    };
    Err(ServiceError::field("conversation_id", code))
}

/// True when the call has come to an end that answers the caller.
pub(crate) fn is_final(row: &Execution) -> bool {
    ExecutionStatus::from_name(&row.status).is_some_and(ExecutionStatus::is_final)
}
