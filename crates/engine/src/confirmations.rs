//! B1, B2: a person decides before a call runs. The approval is single-use, expires, and is bound to what was shown:
//! arguments, version of the tool, policy and agent.

pub(crate) mod events;

use crate::{
    Engine,
    calls::{
        ATTEMPTS, Asked, Call, Called, Found, Order, Placed, RowSubject, Step, answer_of, is_final,
        open_params, stored_params,
    },
    gate::Decision,
};
use ability::{
    Actor, Caller, DecideConfirmations, ReadConfirmations, Right, Role, Target, TenantPermit,
    policy::Principal,
};
use domain::{
    AgentId, ApiKeyId, ConfirmationId, ErrorCode, ExecutionId, ListOut, Page, ServiceError, ServiceResult,
    TenantId, TenantRole, ToolId, UserId,
    execution::{ApproveIn, ConfirmationOut, ConfirmationStatus, ExecutionAnswer, ExecutionStatus, RefuseIn},
    text::parse_optional_line,
    tool::ExecutionType,
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::sync::Arc;
use store::{
    Moment, Signal,
    audit::{self, Entry},
    confirmations::{Confirmation, Ruling},
    executions::Execution,
};
use time::Duration;

/// What became of a decision.
#[derive(Clone, Debug)]
pub struct Decided {
    pub confirmation: ConfirmationOut,
    pub execution: ExecutionAnswer,
}

impl Engine {
    /// The call waits; nothing has happened yet.
    pub(crate) async fn ask_people(
        &self,
        call: &Call,
        found: &Found,
        decision: &Decision,
        mut row: Execution,
    ) -> ServiceResult<Option<Called>> {
        let id = ConfirmationId::new();
        row.status = ExecutionStatus::Pending.as_str().to_owned();
        row.confirmation_id = Some(id.0);
        let plan = self.plan(found, &row, &call.params).await;
        let caller = call.permit.caller();
        let lifetime = Duration::seconds(found.catalogue.limits.confirmation_lifetime_seconds.into());
        let question = Confirmation {
            id: id.0,
            tenant_id: row.tenant_id,
            execution_id: row.id,
            tool_id: row.tool_id,
            tool_name: row.tool_name.clone(),
            agent_id: row.agent_id,
            status: ConfirmationStatus::Pending.as_str().to_owned(),
            binding: self.binding(found, &call.params),
            params: row.params.clone(),
            edited_params: None,
            plan: plan.map(|plan| plan.to_string()),
            reason: decision.reason.to_string(),
            requested_by_kind: caller.actor.kind().to_owned(),
            requested_by_id: caller.actor.id(),
            requested_by: caller.name.clone(),
            second_person: found.tool.tool.definition.requires_second_person,
            decided_by: None,
            decided_at: None,
            note: None,
            expires_at: Moment::now().plus(lifetime),
            created_at: Moment::now(),
        };
        let expires_at = question.expires_at;
        match self.place(call, found, row, Step::Ask(Box::new(question))).await? {
            Placed::Written(row) => {
                let answer = ExecutionAnswer { expires_at: Some(expires_at.into()), ..answer_of(&row)? };
                Ok(Some(Called { answer, is_replay: false }))
            }
            other => self.other(call, other).await,
        }
    }

    /// A waiting call says until when.
    pub(crate) async fn with_deadline(
        &self,
        answer: ExecutionAnswer,
        row: &Execution,
    ) -> ServiceResult<ExecutionAnswer> {
        let Some(id) = answer.confirmation_id else { return Ok(answer) };
        let tenant = TenantId(row.tenant_id);
        let question = store::confirmations::find(&self.db.reader_of(tenant).await?, tenant, id).await?;
        Ok(ExecutionAnswer { expires_at: question.map(|question| question.expires_at.into()), ..answer })
    }

    /// B1: what would happen, as far as it can be told without doing it. Secrets are masked.
    async fn plan(&self, found: &Found, row: &Execution, params: &Value) -> Option<Value> {
        let definition = &found.tool.tool.definition;
        let mut shown = params.clone();
        found.tool.mask.apply_to_params(&mut shown);
        let mut plan = match definition.execution_type {
            ExecutionType::Internal => {
                let call = self.internal_call(&found.tool, params);
                call.plan(&self.db.reader_of(TenantId(row.tenant_id)).await.ok()?, row).await?
            }
            ExecutionType::Webhook => json!({
                "summary": format!(
                    "{} {}",
                    definition.webhook_method.as_str(),
                    definition.webhook_url.as_deref()?,
                ),
                "body": { "tool": definition.name, "params": shown },
            }),
            ExecutionType::Code => json!({
                "summary": format!("{}, version {}", definition.name, found.tool.tool.version),
                "fetch_hosts": definition.fetch_hosts,
                "secret_names": definition.secret_names,
                "params": shown,
            }),
        };
        found.tool.mask.apply(&mut plan);
        Some(plan)
    }

    /// What an approval is bound to.
    fn binding(&self, found: &Found, params: &Value) -> String {
        let tool = &found.tool.tool;
        let agent = found.agent.as_ref().map(|agent| agent.id);
        let whole = json!([tool.id, tool.version, agent, self.policy_version, params]);
        Sha256::digest(whole.to_string().as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    pub async fn list_confirmations(
        &self,
        permit: &TenantPermit<ReadConfirmations>,
        status: Option<ConfirmationStatus>,
        page: Page,
    ) -> ServiceResult<ListOut<ConfirmationOut>> {
        let conn = self.db.reader_of(permit.tenant()).await?;
        let rows = store::confirmations::list(&conn, permit.tenant(), status, page).await?;
        let ListOut { data, next_cursor } = page.list(rows, |row| row.id);
        let data = store::confirmations::views(&conn, permit.tenant(), data).await?;
        Ok(ListOut { data, next_cursor })
    }

    /// For the badge beside the inbox.
    pub async fn count_confirmations(
        &self,
        permit: &TenantPermit<ReadConfirmations>,
        most: u64,
    ) -> ServiceResult<u64> {
        let conn = self.db.reader_of(permit.tenant()).await?;
        Ok(store::confirmations::count_waiting(&conn, permit.tenant(), most).await?)
    }

    /// The roles of a tenant that may decide.
    pub fn deciding_roles(&self) -> Vec<TenantRole> {
        let decides = |role: &TenantRole| {
            let (id, tenant) = (uuid::Uuid::nil(), Some(TenantId(uuid::Uuid::nil())));
            let principal = Principal { id, tenant, roles: vec![Role::Tenant(*role)] };
            let target = Target::any(DecideConfirmations::SUBJECT);
            self.policy.ability_for(&principal).decide(DecideConfirmations::ACTION, &target).is_allowed()
        };
        TenantRole::ALL.into_iter().filter(decides).collect()
    }

    pub async fn get_confirmation(
        &self,
        permit: &TenantPermit<ReadConfirmations>,
        id: ConfirmationId,
    ) -> ServiceResult<ConfirmationOut> {
        self.shown_question(permit.tenant(), id).await
    }

    /// Whether the caller asked for this call, and somebody else has to approve it.
    pub async fn needs_somebody_else(
        &self,
        permit: &TenantPermit<ReadConfirmations>,
        question: &ConfirmationOut,
    ) -> ServiceResult<bool> {
        if !question.requires_second_person || question.status != ConfirmationStatus::Pending {
            return Ok(false);
        }
        let question = self.question(permit.tenant(), question.id).await?;
        self.is_same_person(asked_by(&question), permit.caller().actor).await
    }

    async fn shown_question(&self, tenant: TenantId, id: ConfirmationId) -> ServiceResult<ConfirmationOut> {
        let question = self.question(tenant, id).await?;
        Ok(store::confirmations::view(&self.db.reader_of(tenant).await?, question).await?)
    }

    async fn question(&self, tenant: TenantId, id: ConfirmationId) -> ServiceResult<Confirmation> {
        let found = store::confirmations::find(&self.db.reader_of(tenant).await?, tenant, id).await?;
        found.ok_or_else(|| ServiceError::new(ErrorCode::NotFound, "There is no such confirmation."))
    }

    /// Runs the call, once. Corrected arguments are checked as any others; both versions are recorded.
    pub async fn approve(
        &self,
        permit: &TenantPermit<DecideConfirmations>,
        id: ConfirmationId,
        input: ApproveIn,
    ) -> ServiceResult<Decided> {
        let tenant = permit.tenant();
        let question = self.question(tenant, id).await?;
        is_open(&question)?;
        self.is_second_person(permit, &question).await?;
        let note = parse_optional_line("note", input.note.as_deref(), 500)?;
        // Any tool may change in between, of any tenant; only a change of what was shown is a reason to stop.
        for _ in 0..ATTEMPTS {
            match self.try_approve(permit, &question, input.params.as_ref(), &note).await {
                Ok(Some(ended)) => return self.decided(tenant, id, &ended).await,
                Ok(None) => {}
                // What was shown does not come back: nobody is asked about it again.
                Err(error) if error.code == ErrorCode::BindingChanged => {
                    self.expire_question(&question, permit.caller(), Some(CHANGED)).await?;
                    return Err(error);
                }
                Err(error) => return Err(error),
            }
        }
        let detail = "The tools of this organisation are changing too fast; try again.";
        Err(ServiceError { retry_after: Some(1), ..ServiceError::new(ErrorCode::Unavailable, detail) })
    }

    async fn is_second_person(
        &self,
        permit: &TenantPermit<DecideConfirmations>,
        question: &Confirmation,
    ) -> ServiceResult<()> {
        if question.second_person && self.is_same_person(asked_by(question), permit.caller().actor).await? {
            let detail = "Whoever asked for this call cannot approve it: a second person decides.";
            return Err(ServiceError::new(ErrorCode::SecondPerson, detail));
        }
        Ok(())
    }

    /// A person and the keys that they made count as one, and so do a key and the keys that it made.
    async fn is_same_person(&self, first: Actor, second: Actor) -> ServiceResult<bool> {
        let conn = self.db.reader();
        let one = store::api_keys::behind(conn, first).await?;
        let other = store::api_keys::behind(conn, second).await?;
        Ok(first == second || (one.is_some() && one == other))
    }

    /// Nothing, when tools have changed since the look: then everything is checked anew.
    async fn try_approve(
        &self,
        permit: &TenantPermit<DecideConfirmations>,
        question: &Confirmation,
        edited: Option<&Value>,
        note: &Option<String>,
    ) -> ServiceResult<Option<Execution>> {
        let tenant = permit.tenant();
        let row = store::executions::find(
            &self.db.reader_of(tenant).await?,
            tenant,
            ExecutionId(question.execution_id),
        )
        .await?;
        let row = row.ok_or_else(|| ServiceError::new(ErrorCode::NotFound, "The call is gone."))?;
        if is_final(&row) {
            return Err(decided_already());
        }
        let found = self.still_there(tenant, &row).await?;
        let asked = open_params(&self.vault, &row)?;
        if self.binding(&found, &asked) != question.binding {
            return Err(changed());
        }
        let mut params = edited.unwrap_or(&asked).clone();
        found.tool.mask.restore(&mut params, &asked);
        self.is_still_allowed(permit, &found, &params).await?;
        let was_edited = params != asked;
        let subject = RowSubject { tenant: row.tenant_id, execution: row.id };
        let (shown, sealed_params) = stored_params(&self.vault, &found.tool, &subject, &params);
        let ruling = Ruling {
            status: ConfirmationStatus::Approved,
            actor: permit.caller().actor,
            by: permit.caller().name.clone(),
            note: note.clone(),
            edited_params: was_edited.then(|| shown.clone()),
        };
        let row = Execution { params: shown, sealed_params, ..row };
        self.run_approved(ConfirmationId(question.id), ruling, &found, row, params).await
    }

    async fn run_approved(
        &self,
        id: ConfirmationId,
        ruling: Ruling,
        found: &Found,
        mut row: Execution,
        params: Value,
    ) -> ServiceResult<Option<Execution>> {
        let internal = self.internal_call(&found.tool, &params);
        // T7: of a tool of our own a test only looks, whatever the tool would reach.
        let is_inside = found.tool.tool.definition.execution_type == ExecutionType::Internal
            && (row.test_mode || !internal.is_outside());
        let slot = match is_inside {
            true => None,
            false => {
                let (tenant, tool) = (TenantId(row.tenant_id), found.tool.tool.id);
                Some(self.calls.slots.enter(tenant, tool, self.room_for(found)).await?)
            }
        };
        let then = if is_inside && row.test_mode {
            internal.look(&self.db.reader_of(TenantId(row.tenant_id)).await?, &mut row).await?;
            Step::Write
        } else if is_inside {
            Step::Effect(internal)
        } else {
            row.status = ExecutionStatus::Running.as_str().to_owned();
            self.calls.own(&mut row);
            Step::Write
        };
        let step = Step::Approve(id, Arc::new(ruling), Box::new(then));
        let row = Box::new(row);
        let order = Box::new(Order { row, step, basis: Some(found.basis()), key: None });
        let placed = match slot {
            None => self.calls.submit(order).await?,
            Some(slot) => match self.place_and_perform(order, &found.tool, params, slot).await? {
                Ok(ended) => return Ok(Some(ended)),
                Err(placed) => placed,
            },
        };
        match placed {
            Placed::Written(row) => Ok(Some(*row)),
            Placed::Decided | Placed::Ended => Err(decided_already()),
            Placed::Stale => Ok(None),
            Placed::Used(_) => Err(changed()),
        }
    }

    /// The tool and the agent of a waiting call, as they are now.
    async fn still_there(&self, tenant: TenantId, row: &Execution) -> ServiceResult<Found> {
        let catalogue = self.catalogue(tenant).await?;
        let tool = Arc::clone(catalogue.tool(ToolId(row.tool_id)).ok_or_else(changed)?);
        let agent = match row.agent_id.map(AgentId) {
            Some(id) => Some(Arc::clone(catalogue.agent(&id.to_string()).ok_or_else(changed)?)),
            None => None,
        };
        Ok(Found { catalogue, tool, agent, rights: None })
    }

    /// What was taken away since the question was put stays taken away. The agent's own rights were checked then; the
    /// approver's are checked now.
    async fn is_still_allowed(
        &self,
        permit: &TenantPermit<DecideConfirmations>,
        found: &Found,
        params: &Value,
    ) -> ServiceResult<()> {
        let decision = self.ask_gate(permit.caller(), found, Asked::of(params));
        match decision.error() {
            None => Ok(()),
            Some(error) => {
                self.note_denial(permit.caller(), found, &decision).await?;
                Err(error)
            }
        }
    }

    pub async fn refuse(
        &self,
        permit: &TenantPermit<DecideConfirmations>,
        id: ConfirmationId,
        input: RefuseIn,
    ) -> ServiceResult<Decided> {
        let tenant = permit.tenant();
        let question = self.question(tenant, id).await?;
        is_open(&question)?;
        let reason = parse_optional_line("reason", input.reason.as_deref(), 500)?;
        let execution = ExecutionId(question.execution_id);
        let ruling = Ruling {
            status: ConfirmationStatus::Refused,
            actor: permit.caller().actor,
            by: permit.caller().name.clone(),
            note: reason.clone(),
            edited_params: None,
        };
        let tx = self.db.begin_for(permit.tenant()).await?;
        if !store::confirmations::decide(&tx, tenant, id, &ruling).await? {
            return Err(decided_already());
        }
        let message = reason.clone().unwrap_or_else(|| "A person refused this call.".to_owned());
        store::executions::end_pending(&tx, tenant, execution, ExecutionStatus::Refused, Some(message))
            .await?;
        let entry = Entry {
            tenant: Some(tenant),
            action: "confirmation.decide",
            subject_kind: "confirmation",
            subject_id: id.to_string(),
            before: None,
            after: Some(json!({ "execution_id": execution, "status": "refused", "decided_by": ruling.by })),
            reason,
        };
        audit::append(&tx, permit.caller(), entry).await?;
        events::tell(&tx, tenant, id).await?;
        self.db.commit(tx, &[Signal::Confirmations(tenant)]).await?;
        // Somebody may be waiting for it.
        let _ = self.calls.ended.send(execution);
        let row = store::executions::find(&self.db.reader_of(tenant).await?, tenant, execution).await?;
        self.decided(tenant, id, &row.ok_or_else(changed)?).await
    }

    async fn decided(&self, tenant: TenantId, id: ConfirmationId, row: &Execution) -> ServiceResult<Decided> {
        let confirmation = self.shown_question(tenant, id).await?;
        Ok(Decided { confirmation, execution: answer_of(row)? })
    }

    /// Closes questions whose time is over, and the calls that wait for them. One that cannot be closed keeps nobody
    /// else's open.
    pub(crate) async fn expire_questions(&self) -> ServiceResult<()> {
        for question in store::confirmations::overdue(self.db.reader(), 100).await? {
            if let Err(error) = self.expire_question(&question, &Caller::operator(), None).await {
                tracing::warn!(confirmation = %question.id, %error, "a question is still open after its time");
            }
        }
        Ok(())
    }

    /// Closes a question that nobody answered, and the call that waits for it: its time is over, or there is another
    /// reason. Nothing happens when it was decided in between.
    async fn expire_question(
        &self,
        question: &Confirmation,
        by: &Caller,
        reason: Option<&str>,
    ) -> ServiceResult<()> {
        let (tenant, execution) = (TenantId(question.tenant_id), ExecutionId(question.execution_id));
        let tx = self.db.begin_for(tenant).await?;
        if !store::confirmations::expire(&tx, ConfirmationId(question.id), reason).await? {
            return Ok(());
        }
        let message = Some(reason.unwrap_or("Nobody decided in time.").to_owned());
        store::executions::end_pending(&tx, tenant, execution, ExecutionStatus::Expired, message).await?;
        let entry = Entry {
            tenant: Some(tenant),
            action: "confirmation.expire",
            subject_kind: "confirmation",
            subject_id: question.id.to_string(),
            before: None,
            after: Some(json!({ "execution_id": execution })),
            reason: reason.map(str::to_owned),
        };
        audit::append(&tx, by, entry).await?;
        events::tell(&tx, tenant, ConfirmationId(question.id)).await?;
        self.db.commit(tx, &[Signal::Confirmations(tenant)]).await?;
        // Somebody may be waiting for it.
        let _ = self.calls.ended.send(execution);
        Ok(())
    }
}

fn is_open(question: &Confirmation) -> ServiceResult<()> {
    match store::confirmations::status_of(question)? {
        ConfirmationStatus::Pending => Ok(()),
        // What closed it before its time stands in its note.
        ConfirmationStatus::Expired => Err(match question.note.as_deref() {
            Some(CANCELLED) => {
                let detail = "The call was cancelled: there is nothing left to decide.";
                ServiceError::new(ErrorCode::AlreadyDecided, detail)
            }
            Some(CHANGED) => changed(),
            _ => too_late(),
        }),
        ConfirmationStatus::Approved | ConfirmationStatus::Refused => Err(decided_already()),
    }
}

fn asked_by(question: &Confirmation) -> Actor {
    match (question.requested_by_kind.as_str(), question.requested_by_id) {
        ("user", Some(id)) => Actor::User(UserId(id)),
        ("api_key", Some(id)) => Actor::ApiKey(ApiKeyId(id)),
        _ => Actor::Operator,
    }
}

fn too_late() -> ServiceError {
    ServiceError::new(ErrorCode::ConfirmationExpired, "The time to decide this is over.")
}

fn decided_already() -> ServiceError {
    ServiceError::new(ErrorCode::AlreadyDecided, "Somebody decided this already, or its time is over.")
}

/// Why a question was closed before its time, in its note.
pub(crate) const CANCELLED: &str = "The call was cancelled.";
const CHANGED: &str =
    "The tool, its arguments, the agent or the policy changed since this was asked; call again.";

fn changed() -> ServiceError {
    ServiceError::new(ErrorCode::BindingChanged, CHANGED)
}
