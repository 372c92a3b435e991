//! A no, and questions that nobody answered in time.

use super::{Decided, changed, decided_already, events, is_open, must_decide};
use crate::{Engine, audit::digest};
use ability::{Caller, DecideConfirmations, TenantPermit};
use domain::{
    ConfirmationId, ExecutionId, ServiceResult, TenantId,
    execution::{ConfirmationStatus, ExecutionStatus, RefuseIn},
    text::parse_optional_line,
};
use serde_json::{Value, json};
use store::{
    Signal,
    audit::{self, Entry},
    confirmations::{Confirmation, Ruling},
    executions::Execution,
};

impl Engine {
    pub async fn refuse(
        &self,
        permit: &TenantPermit<DecideConfirmations>,
        id: ConfirmationId,
        input: RefuseIn,
    ) -> ServiceResult<Decided> {
        let tenant = permit.tenant();
        let question = self.question(tenant, id).await?;
        must_decide(permit, &question)?;
        self.must_be_open(&question).await?;
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
        let Some(closed) = store::confirmations::decide(&tx, tenant, id, &ruling).await? else {
            return Err(decided_already());
        };
        let message = reason.clone().unwrap_or_else(|| "A person refused this call.".to_owned());
        let refused = ExecutionStatus::Refused;
        let call = store::executions::end_pending(&tx, tenant, execution, refused, Some(message)).await?;
        let entry = Entry {
            tenant: Some(tenant),
            action: "confirmation.decide",
            subject_kind: "confirmation",
            subject_id: id.to_string(),
            before: None,
            after: Some(told(&closed, call.as_ref())),
            reason,
        };
        audit::append(&tx, permit.caller(), entry).await?;
        events::tell(&tx, closed).await?;
        self.db.commit(tx, &[Signal::Confirmations(tenant)]).await?;
        // Somebody may be waiting for it.
        let _ = self.calls.ended.send(execution);
        let row = store::executions::find(&self.db.reader_of(tenant).await?, tenant, execution).await?;
        self.decided(tenant, id, &row.ok_or_else(changed)?).await
    }

    /// Whoever is told that its time is over is told for good: it is closed then, and no clock that goes back opens it again.
    pub(super) async fn must_be_open(&self, question: &Confirmation) -> ServiceResult<()> {
        if question.status == ConfirmationStatus::Pending.as_str() && question.expires_at.is_past() {
            self.expire_question(question, &Caller::operator(), None).await?;
        }
        is_open(question)
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
    pub(super) async fn expire_question(
        &self,
        question: &Confirmation,
        by: &Caller,
        reason: Option<&str>,
    ) -> ServiceResult<()> {
        let (tenant, execution) = (TenantId(question.tenant_id), ExecutionId(question.execution_id));
        let tx = self.db.begin_for(tenant).await?;
        let id = ConfirmationId(question.id);
        let Some(closed) = store::confirmations::expire(&tx, tenant, id, reason).await? else {
            return Ok(());
        };
        let message = Some(reason.unwrap_or("Nobody decided in time.").to_owned());
        let expired = ExecutionStatus::Expired;
        let call = store::executions::end_pending(&tx, tenant, execution, expired, message).await?;
        let entry = Entry {
            tenant: Some(tenant),
            action: "confirmation.expire",
            subject_kind: "confirmation",
            subject_id: question.id.to_string(),
            before: None,
            after: Some(told(&closed, call.as_ref())),
            reason: reason.map(str::to_owned),
        };
        audit::append(&tx, by, entry).await?;
        events::tell(&tx, closed).await?;
        self.db.commit(tx, &[Signal::Confirmations(tenant)]).await?;
        // Somebody may be waiting for it.
        let _ = self.calls.ended.send(execution);
        Ok(())
    }
}

/// What the record says of a question that was closed, and of the call that waited for it.
pub(crate) fn told(closed: &Confirmation, call: Option<&Execution>) -> Value {
    json!({
        "execution_id": closed.execution_id,
        "confirmation_id": closed.id,
        "status": call.map_or(&closed.status, |call| &call.status),
        "decided_by": closed.decided_by,
        "question_sha256": digest::of_question(closed),
        "call_sha256": call.map(digest::of_call),
    })
}
