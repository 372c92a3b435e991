//! `/api/v1/conversations`: conversations and their messages.

use super::{ReadProblems, WriteProblems};
use crate::{
    http::{IdOf, IfMatch, InTenant, Problem, QueryOf, body::JsonBody},
    wiring::Services,
};
use ability::{CreateCrm, DeleteCrm, ReadCrm, UpdateCrm};
use axum::{Json, extract::State};
use domain::{
    ConversationId, ListOut,
    crm::{
        ConversationIn, ConversationOut, ConversationPatch, ConversationQuery, MessageIn, MessageOut,
        MessageQuery,
    },
};
use http::StatusCode;
use utoipa_axum::{router::OpenApiRouter, routes};

pub fn documented() -> OpenApiRouter<Services> {
    OpenApiRouter::new()
        .routes(routes!(list_conversations, create_conversation))
        .routes(routes!(get_conversation, update_conversation, delete_conversation))
        .routes(routes!(list_messages, add_message))
}

/// Conversations, newest first.
#[utoipa::path(
    get,
    path = "/api/v1/conversations",
    tag = "crm",
    params(ConversationQuery),
    responses((status = 200, body = ListOut<ConversationOut>), ReadProblems)
)]
pub async fn list_conversations(
    InTenant(permit): InTenant<ReadCrm>,
    State(services): State<Services>,
    QueryOf(query): QueryOf<ConversationQuery>,
) -> Result<Json<ListOut<ConversationOut>>, Problem> {
    Ok(Json(services.crm.list_conversations(&permit, query).await?))
}

/// A new conversation.
#[utoipa::path(
    post,
    path = "/api/v1/conversations",
    tag = "crm",
    request_body = ConversationIn,
    responses((status = 201, body = ConversationOut), WriteProblems)
)]
pub async fn create_conversation(
    InTenant(permit): InTenant<CreateCrm>,
    State(services): State<Services>,
    JsonBody(input): JsonBody<ConversationIn>,
) -> Result<(StatusCode, Json<ConversationOut>), Problem> {
    Ok((StatusCode::CREATED, Json(services.crm.create_conversation(&permit, input).await?)))
}

/// One conversation, without its messages.
#[utoipa::path(
    get,
    path = "/api/v1/conversations/{id}",
    tag = "crm",
    params(("id" = ConversationId, Path)),
    responses((status = 200, body = ConversationOut), ReadProblems)
)]
pub async fn get_conversation(
    InTenant(permit): InTenant<ReadCrm>,
    State(services): State<Services>,
    IdOf(id): IdOf<ConversationId>,
) -> Result<Json<ConversationOut>, Problem> {
    Ok(Json(services.crm.find_conversation(&permit, id).await?))
}

/// What is absent stays; null clears what may be empty.
#[utoipa::path(
    patch,
    path = "/api/v1/conversations/{id}",
    tag = "crm",
    params(
        ("id" = ConversationId, Path),
        ("If-Match" = Option<String>, Header, pattern = r#"^(\*|"?[0-9]{1,18}"?)$"#, description = "The `version` that the change was made from")
    ),
    request_body = ConversationPatch,
    responses((status = 200, body = ConversationOut), WriteProblems)
)]
pub async fn update_conversation(
    InTenant(permit): InTenant<UpdateCrm>,
    State(services): State<Services>,
    IdOf(id): IdOf<ConversationId>,
    IfMatch(seen): IfMatch,
    JsonBody(patch): JsonBody<ConversationPatch>,
) -> Result<Json<ConversationOut>, Problem> {
    Ok(Json(services.crm.update_conversation(&permit, id, patch, seen).await?))
}

/// With its messages.
#[utoipa::path(
    delete,
    path = "/api/v1/conversations/{id}",
    tag = "crm",
    params(
        ("id" = ConversationId, Path),
        ("If-Match" = Option<String>, Header, pattern = r#"^(\*|"?[0-9]{1,18}"?)$"#, description = "The `version` that was seen")
    ),
    responses((status = 204), WriteProblems)
)]
pub async fn delete_conversation(
    InTenant(permit): InTenant<DeleteCrm>,
    State(services): State<Services>,
    IdOf(id): IdOf<ConversationId>,
    IfMatch(seen): IfMatch,
) -> Result<StatusCode, Problem> {
    services.crm.delete_conversation(&permit, id, seen).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The messages of a conversation, newest first.
#[utoipa::path(
    get,
    path = "/api/v1/conversations/{id}/messages",
    tag = "crm",
    params(("id" = ConversationId, Path), MessageQuery),
    responses((status = 200, body = ListOut<MessageOut>), ReadProblems)
)]
pub async fn list_messages(
    InTenant(permit): InTenant<ReadCrm>,
    State(services): State<Services>,
    IdOf(id): IdOf<ConversationId>,
    QueryOf(query): QueryOf<MessageQuery>,
) -> Result<Json<ListOut<MessageOut>>, Problem> {
    Ok(Json(services.crm.list_messages(&permit, id, query).await?))
}

/// Records a message; nothing is sent.
#[utoipa::path(
    post,
    path = "/api/v1/conversations/{id}/messages",
    tag = "crm",
    params(("id" = ConversationId, Path)),
    request_body = MessageIn,
    responses((status = 201, body = MessageOut), WriteProblems)
)]
pub async fn add_message(
    InTenant(permit): InTenant<CreateCrm>,
    State(services): State<Services>,
    IdOf(id): IdOf<ConversationId>,
    JsonBody(input): JsonBody<MessageIn>,
) -> Result<(StatusCode, Json<MessageOut>), Problem> {
    Ok((StatusCode::CREATED, Json(services.crm.add_message(&permit, id, input).await?)))
}
