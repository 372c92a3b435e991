//! `/api/v1/scheduled-messages`: messages that wait for their time.

use super::{ReadProblems, WriteProblems};
use crate::{
    http::{IdOf, InTenant, Problem, QueryOf, body::JsonBody},
    wiring::Services,
};
use ability::{CreateCrm, ReadCrm, UpdateCrm};
use axum::{Json, extract::State};
use domain::{
    ListOut, ScheduledMessageId,
    crm::{ScheduledMessageIn, ScheduledMessageOut, ScheduledMessageQuery},
};
use http::StatusCode;
use utoipa_axum::{router::OpenApiRouter, routes};

pub fn documented() -> OpenApiRouter<Services> {
    OpenApiRouter::new()
        .routes(routes!(list_scheduled_messages, schedule_message))
        .routes(routes!(get_scheduled_message))
        .routes(routes!(cancel_scheduled_message))
}

/// Scheduled messages, the ones made last first.
#[utoipa::path(
    get,
    path = "/api/v1/scheduled-messages",
    tag = "crm",
    params(ScheduledMessageQuery),
    responses((status = 200, body = ListOut<ScheduledMessageOut>), ReadProblems)
)]
pub async fn list_scheduled_messages(
    InTenant(permit): InTenant<ReadCrm>,
    State(services): State<Services>,
    QueryOf(query): QueryOf<ScheduledMessageQuery>,
) -> Result<Json<ListOut<ScheduledMessageOut>>, Problem> {
    Ok(Json(services.crm.list_scheduled_messages(&permit, query).await?))
}

/// A message that leaves at its time, once.
#[utoipa::path(
    post,
    path = "/api/v1/scheduled-messages",
    tag = "crm",
    request_body = ScheduledMessageIn,
    responses((status = 201, body = ScheduledMessageOut), WriteProblems)
)]
pub async fn schedule_message(
    InTenant(permit): InTenant<CreateCrm>,
    State(services): State<Services>,
    JsonBody(input): JsonBody<ScheduledMessageIn>,
) -> Result<(StatusCode, Json<ScheduledMessageOut>), Problem> {
    Ok((StatusCode::CREATED, Json(services.crm.schedule_message(&permit, input).await?)))
}

/// One scheduled message, and what became of it.
#[utoipa::path(
    get,
    path = "/api/v1/scheduled-messages/{id}",
    tag = "crm",
    params(("id" = ScheduledMessageId, Path)),
    responses((status = 200, body = ScheduledMessageOut), ReadProblems)
)]
pub async fn get_scheduled_message(
    InTenant(permit): InTenant<ReadCrm>,
    State(services): State<Services>,
    IdOf(id): IdOf<ScheduledMessageId>,
) -> Result<Json<ScheduledMessageOut>, Problem> {
    Ok(Json(services.crm.find_scheduled_message(&permit, id).await?))
}

/// Only while it is `scheduled`; `conflict` otherwise.
#[utoipa::path(
    post,
    path = "/api/v1/scheduled-messages/{id}/cancel",
    tag = "crm",
    params(("id" = ScheduledMessageId, Path)),
    responses((status = 200, body = ScheduledMessageOut), WriteProblems)
)]
pub async fn cancel_scheduled_message(
    InTenant(permit): InTenant<UpdateCrm>,
    State(services): State<Services>,
    IdOf(id): IdOf<ScheduledMessageId>,
) -> Result<Json<ScheduledMessageOut>, Problem> {
    Ok(Json(services.crm.cancel_scheduled_message(&permit, id).await?))
}
