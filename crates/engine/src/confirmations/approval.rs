//! B1, B2: a yes. It holds for what was shown, for whoever may give it, and once.

use super::{ASKER_IS_GONE, Decided, asked_by, changed, decided_already, must_decide};
use crate::{
    Engine,
    calls::{ATTEMPTS, Asked, Found, Order, Placed, RowSubject, Step, is_final, open_params, stored_params},
};
use ability::{Actor, DecideConfirmations, TenantPermit};
use domain::{
    AgentId, ConfirmationId, ErrorCode, ExecutionId, ServiceError, ServiceResult, TenantId, ToolId,
    execution::{ApproveIn, ConfirmationStatus, ExecutionStatus},
    text::parse_optional_line,
    tool::ExecutionType,
};
use serde_json::Value;
use std::sync::Arc;
use store::{
    confirmations::{Confirmation, Ruling},
    executions::Execution,
};

impl Engine {
    /// Runs the call, once. Corrected arguments are checked as any others; both versions are recorded.
    pub async fn approve(
        &self,
        permit: &TenantPermit<DecideConfirmations>,
        id: ConfirmationId,
        input: ApproveIn,
    ) -> ServiceResult<Decided> {
        let tenant = permit.tenant();
        let question = self.question(tenant, id).await?;
        must_decide(permit, &question)?;
        self.must_be_open(&question).await?;
        self.is_second_person(permit, &question).await?;
        let note = parse_optional_line("note", input.note.as_deref(), 500)?;
        // Any tool may change in between, of any tenant; only a change of what was shown is a reason to stop.
        for _ in 0..ATTEMPTS {
            match self.try_approve(permit, &question, input.params.as_ref(), &note).await {
                Ok(Some(ended)) => return self.decided(tenant, id, &ended).await,
                Ok(None) => {}
                // What was shown does not come back: nobody is asked about it again.
                Err(error) if error.code == ErrorCode::BindingChanged => {
                    self.expire_question(&question, permit.caller(), Some(&error.detail)).await?;
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
    pub(super) async fn is_same_person(&self, first: Actor, second: Actor) -> ServiceResult<bool> {
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
        self.asker_is_still_here(tenant, question).await?;
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

    /// S24: what a key asked for is not done in its name after somebody took the key back; nor what a person asked for who has
    /// gone.
    async fn asker_is_still_here(&self, tenant: TenantId, question: &Confirmation) -> ServiceResult<()> {
        let conn = self.db.reader();
        let is_gone = match asked_by(question) {
            Actor::Operator => false,
            Actor::ApiKey(key) => store::api_keys::is_revoked(conn, key).await?,
            Actor::User(id) => match store::users::find(conn, id).await? {
                None => true,
                Some(user) if user.disabled_at.is_some() => true,
                Some(user) => {
                    !user.is_platform_admin && store::members::role_of(conn, tenant, id).await?.is_none()
                }
            },
        };
        match is_gone {
            true => Err(ServiceError::new(ErrorCode::BindingChanged, ASKER_IS_GONE)),
            false => Ok(()),
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
}
