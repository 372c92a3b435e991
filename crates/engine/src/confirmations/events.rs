//! What a tenant's `events` channel is told of its confirmations, written in the transaction of the change.

use domain::{TenantId, execution::ConfirmationOut};
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};
use store::{
    StoreResult,
    confirmations::{self, Confirmation},
    executions::{Asking, Execution},
    outbox,
};

pub(crate) type Event = (TenantId, Value);

/// About a call that is only about to be written.
pub(crate) fn created(question: &Confirmation, call: &Execution) -> StoreResult<Event> {
    let tenant = TenantId(question.tenant_id);
    let view = confirmations::view_with(question.clone(), Asking::of(call)?)?;
    Ok((tenant, event("confirmation.created", &view)))
}

/// Decided, or expired: its status tells which.
pub(crate) async fn decided(tx: &impl ConnectionTrait, question: Confirmation) -> StoreResult<Event> {
    let tenant = TenantId(question.tenant_id);
    Ok((tenant, event("confirmation.decided", &confirmations::view(tx, question).await?)))
}

pub(crate) async fn tell(tx: &impl ConnectionTrait, question: Confirmation) -> StoreResult<()> {
    outbox::insert_all(tx, vec![decided(tx, question).await?]).await
}

fn event(kind: &str, confirmation: &ConfirmationOut) -> Value {
    json!({ "type": kind, "confirmation": confirmation })
}
