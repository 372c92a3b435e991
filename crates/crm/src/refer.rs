//! What a row refers to has to be the tenant's own, and to stay until the row is written.

use domain::{
    AgentId, ContactId, DealId, FieldCode, FieldError, ServiceError, ServiceResult, TenantId, UserId,
    crm::{AgentName, ContactOut},
};
use store::{
    WriteTx,
    crm::{Hold, contacts, deals},
};

pub(crate) fn unknown(field: &str) -> ServiceError {
    FieldError::new(field, FieldCode::Unknown).into()
}

pub(crate) async fn contact(
    tx: &WriteTx,
    tenant: TenantId,
    id: Option<ContactId>,
) -> ServiceResult<Option<ContactOut>> {
    let Some(id) = id else { return Ok(None) };
    let found = contacts::find(tx, tenant, id, Hold::Still).await?;
    found.map(Some).ok_or_else(|| unknown("contact_id"))
}

pub(crate) async fn deal(tx: &WriteTx, tenant: TenantId, id: Option<DealId>) -> ServiceResult<()> {
    let Some(id) = id else { return Ok(()) };
    let found = deals::find(tx, tenant, id, Hold::Still).await?;
    found.map(|_| ()).ok_or_else(|| unknown("deal_id"))
}

/// The agent that is named. One that the row has already may be gone.
pub(crate) async fn agent(
    tx: &WriteTx,
    tenant: TenantId,
    name: Option<&AgentName>,
    known: Option<AgentId>,
) -> ServiceResult<Option<AgentId>> {
    let id = match name {
        None => return Ok(None),
        Some(AgentName::Id(id)) => Some(*id),
        // What no agent can be called is not asked of the database, which does not take every text.
        Some(AgentName::Slug(slug)) if slug.chars().any(char::is_control) => None,
        Some(AgentName::Slug(slug)) => store::agents::id_of(tx, tenant, slug).await?,
    };
    match id {
        Some(id) if known == Some(id) || store::agents::keep(tx, tenant, id).await? => Ok(Some(id)),
        _ => Err(unknown("agent_id")),
    }
}

pub(crate) async fn member(
    tx: &WriteTx,
    tenant: TenantId,
    field: &str,
    id: Option<UserId>,
) -> ServiceResult<()> {
    let Some(id) = id else { return Ok(()) };
    let found = store::members::role_of(tx, tenant, id).await?;
    found.map(|_| ()).ok_or_else(|| unknown(field))
}
