//! `/api/v1/contacts`: contacts: the people that a tenant deals with.

use super::{ReadProblems, WriteProblems};
use crate::{
    http::{IdOf, IfMatch, InTenant, Problem, QueryOf, body::JsonBody},
    wiring::Services,
};
use ability::{CreateCrm, DeleteCrm, ReadCrm, UpdateCrm};
use axum::{Json, extract::State};
use domain::{
    ContactId, ListOut,
    crm::{ContactHistoryOut, ContactIn, ContactOut, ContactPatch, ContactQuery, HistoryQuery},
};
use http::StatusCode;
use utoipa_axum::{router::OpenApiRouter, routes};

pub fn documented() -> OpenApiRouter<Services> {
    OpenApiRouter::new()
        .routes(routes!(list_contacts, create_contact))
        .routes(routes!(get_contact, update_contact, delete_contact))
        .routes(routes!(get_contact_history))
}

/// Contacts, newest first.
#[utoipa::path(
    get,
    path = "/api/v1/contacts",
    tag = "crm",
    params(ContactQuery),
    responses((status = 200, body = ListOut<ContactOut>), ReadProblems)
)]
pub async fn list_contacts(
    InTenant(permit): InTenant<ReadCrm>,
    State(services): State<Services>,
    QueryOf(query): QueryOf<ContactQuery>,
) -> Result<Json<ListOut<ContactOut>>, Problem> {
    Ok(Json(services.crm.list_contacts(&permit, query).await?))
}

/// A new contact.
#[utoipa::path(
    post,
    path = "/api/v1/contacts",
    tag = "crm",
    request_body = ContactIn,
    responses((status = 201, body = ContactOut), WriteProblems)
)]
pub async fn create_contact(
    InTenant(permit): InTenant<CreateCrm>,
    State(services): State<Services>,
    JsonBody(input): JsonBody<ContactIn>,
) -> Result<(StatusCode, Json<ContactOut>), Problem> {
    Ok((StatusCode::CREATED, Json(services.crm.create_contact(&permit, input).await?)))
}

/// One contact.
#[utoipa::path(
    get,
    path = "/api/v1/contacts/{id}",
    tag = "crm",
    params(("id" = ContactId, Path)),
    responses((status = 200, body = ContactOut), ReadProblems)
)]
pub async fn get_contact(
    InTenant(permit): InTenant<ReadCrm>,
    State(services): State<Services>,
    IdOf(id): IdOf<ContactId>,
) -> Result<Json<ContactOut>, Problem> {
    Ok(Json(services.crm.find_contact(&permit, id).await?))
}

/// What is absent stays; null clears what may be empty.
#[utoipa::path(
    patch,
    path = "/api/v1/contacts/{id}",
    tag = "crm",
    params(
        ("id" = ContactId, Path),
        ("If-Match" = Option<String>, Header, pattern = r#"^(\*|"?[0-9]{1,18}"?)$"#, description = "The `version` that the change was made from")
    ),
    request_body = ContactPatch,
    responses((status = 200, body = ContactOut), WriteProblems)
)]
pub async fn update_contact(
    InTenant(permit): InTenant<UpdateCrm>,
    State(services): State<Services>,
    IdOf(id): IdOf<ContactId>,
    IfMatch(seen): IfMatch,
    JsonBody(patch): JsonBody<ContactPatch>,
) -> Result<Json<ContactOut>, Problem> {
    Ok(Json(services.crm.update_contact(&permit, id, patch, seen).await?))
}

/// Deals, tasks and conversations stay, without the contact; scheduled messages go with it.
#[utoipa::path(
    delete,
    path = "/api/v1/contacts/{id}",
    tag = "crm",
    params(
        ("id" = ContactId, Path),
        ("If-Match" = Option<String>, Header, pattern = r#"^(\*|"?[0-9]{1,18}"?)$"#, description = "The `version` that was seen")
    ),
    responses((status = 204), WriteProblems)
)]
pub async fn delete_contact(
    InTenant(permit): InTenant<DeleteCrm>,
    State(services): State<Services>,
    IdOf(id): IdOf<ContactId>,
    IfMatch(seen): IfMatch,
) -> Result<StatusCode, Problem> {
    services.crm.delete_contact(&permit, id, seen).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The newest messages, deals and tasks of a contact.
#[utoipa::path(
    get,
    path = "/api/v1/contacts/{id}/history",
    tag = "crm",
    params(("id" = ContactId, Path), HistoryQuery),
    responses((status = 200, body = ContactHistoryOut), ReadProblems)
)]
pub async fn get_contact_history(
    InTenant(permit): InTenant<ReadCrm>,
    State(services): State<Services>,
    IdOf(id): IdOf<ContactId>,
    QueryOf(query): QueryOf<HistoryQuery>,
) -> Result<Json<ContactHistoryOut>, Problem> {
    Ok(Json(services.crm.contact_history(&permit, id, query).await?))
}
