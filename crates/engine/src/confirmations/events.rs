//! What a tenant's `events` channel is told of its confirmations, written in the transaction of the change.

use domain::{ConfirmationId, TenantId, execution::ConfirmationOut};
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};
use store::{
    StoreResult,
    circumstances::Circumstances,
    confirmations::{self, Confirmation},
    executions::Execution,
    outbox,
};

pub(crate) type Event = (TenantId, Value);

/// About a call that is only about to be written.
pub(crate) fn created(question: &Confirmation, call: &Execution) -> StoreResult<Event> {
    let tenant = TenantId(question.tenant_id);
    let message = Circumstances::of(call)?.message;
    Ok((tenant, event("confirmation.created", &confirmations::view_with(question.clone(), message)?)))
}

/// Decided, or expired: its status tells which.
pub(crate) async fn decided(
    tx: &impl ConnectionTrait,
    tenant: TenantId,
    id: ConfirmationId,
) -> StoreResult<Option<Event>> {
    let Some(question) = confirmations::find(tx, tenant, id).await? else { return Ok(None) };
    Ok(Some((tenant, event("confirmation.decided", &confirmations::view(tx, question).await?))))
}

pub(crate) async fn tell(tx: &impl ConnectionTrait, tenant: TenantId, id: ConfirmationId) -> StoreResult<()> {
    outbox::insert_all(tx, decided(tx, tenant, id).await?.into_iter().collect()).await
}

fn event(kind: &str, confirmation: &ConfirmationOut) -> Value {
    json!({ "type": kind, "confirmation": confirmation })
}
