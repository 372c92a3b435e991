//! A no, and questions that nobody answered in time.

use super::{Decided, changed, decided_already, events, is_open};
use crate::Engine;
use ability::{Caller, DecideConfirmations, TenantPermit};
use domain::{
    ConfirmationId, ExecutionId, ServiceResult, TenantId,
    execution::{ConfirmationStatus, ExecutionStatus, RefuseIn},
    text::parse_optional_line,
};
use serde_json::json;
use store::{
    Signal,
    audit::{self, Entry},
    confirmations::{Confirmation, Ruling},
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
