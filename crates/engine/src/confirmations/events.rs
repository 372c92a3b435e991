//! What a tenant's `events` channel is told of its confirmations, written in the transaction of the change.

use domain::{ConfirmationId, TenantId, execution::ConfirmationOut};
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};
use store::{
    StoreResult,
    confirmations::{self, Confirmation},
    outbox,
};

pub(crate) type Event = (TenantId, Value);

pub(crate) fn created(question: &Confirmation) -> StoreResult<Event> {
    let tenant = TenantId(question.tenant_id);
    Ok((tenant, event("confirmation.created", &confirmations::view(question.clone())?)))
}

/// Decided, or expired: its status tells which.
pub(crate) async fn decided(
    tx: &impl ConnectionTrait,
    tenant: TenantId,
    id: ConfirmationId,
) -> StoreResult<Option<Event>> {
    let Some(question) = confirmations::find(tx, tenant, id).await? else { return Ok(None) };
    Ok(Some((tenant, event("confirmation.decided", &confirmations::view(question)?))))
}

pub(crate) async fn tell(tx: &impl ConnectionTrait, tenant: TenantId, id: ConfirmationId) -> StoreResult<()> {
    outbox::insert_all(tx, decided(tx, tenant, id).await?.into_iter().collect()).await
}

fn event(kind: &str, confirmation: &ConfirmationOut) -> Value {
    json!({ "type": kind, "confirmation": confirmation })
}
