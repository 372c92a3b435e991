//! `/api/v1/assistant`: a message, a menu, a choice, a tool (G9). And the way in for gateways.

use super::{ReadProblems, WriteProblems, problems::CallProblems};
use crate::{
    http::{
        IdOf, InTenant, Problem,
        body::{self, JsonBody, JsonBytes},
    },
    wiring::Services,
};
use ability::UseAssistant;
use axum::{
    Json,
    extract::State,
    response::{IntoResponse, Response},
};
use channels::Signed;
use domain::{
    AssistantConversationId, ErrorCode, Language, ServiceError,
    assistant::{
        AssistantAnswer, AssistantConversationOut, AssistantMessageIn, InboundAnswer, InboundMessageIn,
        LinkCodeOut,
    },
};
use egress::signature;
use http::{HeaderMap, HeaderValue};
use utoipa_axum::{router::OpenApiRouter, routes};

pub fn documented() -> OpenApiRouter<Services> {
    OpenApiRouter::new()
        .routes(routes!(send_assistant_message))
        .routes(routes!(get_assistant_conversation))
        .routes(routes!(create_link_code))
        .routes(routes!(receive_assistant_message))
}

/// Says something to the assistant. In the language of `Accept-Language`: `pt-BR` or `en`.
#[utoipa::path(
    post, path = "/api/v1/assistant/messages", tag = "assistant", request_body = AssistantMessageIn,
    responses((status = 200, body = AssistantAnswer), CallProblems)
)]
pub async fn send_assistant_message(
    InTenant(permit): InTenant<UseAssistant>,
    State(services): State<Services>,
    language: Option<axum::Extension<Language>>,
    JsonBody(input): JsonBody<AssistantMessageIn>,
) -> Result<Json<AssistantAnswer>, Problem> {
    let language = language.map(|axum::Extension(language)| language).unwrap_or_default();
    Ok(Json(services.assistant.hear(&permit, input, language).await?))
}

/// A conversation with what was said last, and what can be chosen.
#[utoipa::path(
    get, path = "/api/v1/assistant/conversations/{id}", tag = "assistant",
    params(("id" = AssistantConversationId, Path)),
    responses((status = 200, body = AssistantConversationOut), ReadProblems)
)]
pub async fn get_assistant_conversation(
    InTenant(permit): InTenant<UseAssistant>,
    State(services): State<Services>,
    language: Option<axum::Extension<Language>>,
    IdOf(id): IdOf<AssistantConversationId>,
) -> Result<Json<AssistantConversationOut>, Problem> {
    let language = language.map(|axum::Extension(language)| language).unwrap_or_default();
    let missing = || ServiceError::new(ErrorCode::NotFound, "There is no such conversation.");
    Ok(Json(services.assistant.look(&permit, Some(id), language).await?.ok_or_else(missing)?))
}

/// A code that its person sends from their phone: from then on what comes from there is theirs. It holds for ten
/// minutes, once, and voids the one before.
#[utoipa::path(
    post, path = "/api/v1/assistant/link-codes", tag = "assistant",
    responses((status = 200, body = LinkCodeOut), WriteProblems)
)]
pub async fn create_link_code(
    InTenant(permit): InTenant<UseAssistant>,
    State(services): State<Services>,
) -> Result<Json<LinkCodeOut>, Problem> {
    Ok(Json(services.assistant.new_link_code(&permit).await?))
}

/// For gateways: a message that somebody sent them. Signed as Standard Webhooks asks, with the secret of the channel
/// `inbound`; `tenant` is its id or slug. The same `webhook-id` gets the same answer and does nothing twice.
#[utoipa::path(
    post, path = "/api/v1/assistant/inbound/{tenant}", tag = "assistant",
    params(
        ("tenant" = String, Path),
        ("webhook-id" = String, Header),
        ("webhook-timestamp" = String, Header),
        ("webhook-signature" = String, Header),
    ),
    request_body = InboundMessageIn,
    responses((status = 200, body = InboundAnswer), CallProblems),
    security(())
)]
pub async fn receive_assistant_message(
    State(services): State<Services>,
    IdOf(tenant): IdOf<String>,
    headers: HeaderMap,
    JsonBytes(body): JsonBytes,
) -> Result<Response, Problem> {
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let signed = Signed {
        id: header(signature::ID),
        timestamp: header(signature::TIMESTAMP),
        signature: header(signature::SIGNATURE),
        body: &body,
    };
    let delivered = services.assistant.receive(&tenant, signed, body::parse::<InboundMessageIn>).await?;
    let mut response = Json(delivered.answer).into_response();
    if delivered.is_replay {
        response.headers_mut().insert("idempotent-replayed", HeaderValue::from_static("true"));
    }
    Ok(response)
}
