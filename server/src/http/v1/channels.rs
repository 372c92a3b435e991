//! `/api/v1/channels`: a tenant's ways to the outside: its mail server, its WhatsApp number, and who is told things.

use super::{ReadProblems, WriteProblems};
use crate::{
    http::{IdOf, IfMatch, InTenant, Problem, body::JsonBody},
    wiring::Services,
};
use ability::{ManageIntegrations, ReadIntegrations};
use axum::{Json, extract::State};
use domain::{
    ListOut,
    channel::{ChannelIn, ChannelKind, ChannelOut, ChannelTestIn, ChannelTestOut},
};
use http::StatusCode;
use utoipa_axum::{router::OpenApiRouter, routes};

pub fn documented() -> OpenApiRouter<Services> {
    OpenApiRouter::new()
        .routes(routes!(list_channels))
        .routes(routes!(get_channel, put_channel, delete_channel))
        .routes(routes!(rotate_channel_secret))
        .routes(routes!(test_channel))
}

/// Those that are set up. Secrets read `***`.
#[utoipa::path(
    get, path = "/api/v1/channels", tag = "channels", responses((status = 200, body = ListOut<ChannelOut>), ReadProblems)
)]
pub async fn list_channels(
    InTenant(permit): InTenant<ReadIntegrations>,
    State(services): State<Services>,
) -> Result<Json<ListOut<ChannelOut>>, Problem> {
    Ok(Json(services.channels.list(&permit).await?.into()))
}

/// How a channel is set up; its secrets are never told.
#[utoipa::path(
    get, path = "/api/v1/channels/{kind}", tag = "channels", params(("kind" = inline(ChannelKind), Path)),
    responses((status = 200, body = ChannelOut), ReadProblems)
)]
pub async fn get_channel(
    InTenant(permit): InTenant<ReadIntegrations>,
    State(services): State<Services>,
    IdOf(kind): IdOf<ChannelKind>,
) -> Result<Json<ChannelOut>, Problem> {
    Ok(Json(services.channels.get(&permit, kind).await?))
}

/// Makes or replaces it. A new `webhook` or `events` answers with the secret that signs what is sent, once. A secret
/// that reads `***` stays, unless the channel now leads elsewhere.
#[utoipa::path(
    put, path = "/api/v1/channels/{kind}", tag = "channels",
    params(
        ("kind" = inline(ChannelKind), Path),
        ("If-Match" = Option<String>, Header, pattern = r#"^(\*|"?[0-9]{1,18}"?)$"#, description = "The `version` that the change was made from; 0: there was none")
    ), request_body = ChannelIn,
    responses((status = 200, body = ChannelOut), (status = 201, body = ChannelOut), WriteProblems)
)]
pub async fn put_channel(
    InTenant(permit): InTenant<ManageIntegrations>,
    State(services): State<Services>,
    IdOf(kind): IdOf<ChannelKind>,
    IfMatch(seen): IfMatch,
    JsonBody(input): JsonBody<ChannelIn>,
) -> Result<(StatusCode, Json<ChannelOut>), Problem> {
    let (channel, is_new) = services.channels.put(&permit, kind, &input, seen).await?;
    Ok((if is_new { StatusCode::CREATED } else { StatusCode::OK }, Json(channel)))
}

/// Takes a channel away: nothing leaves through it any more.
#[utoipa::path(
    delete, path = "/api/v1/channels/{kind}", tag = "channels",
    params(
        ("kind" = inline(ChannelKind), Path),
        ("If-Match" = Option<String>, Header, pattern = r#"^(\*|"?[0-9]{1,18}"?)$"#, description = "The `version` that was seen")
    ),
    responses((status = 204), WriteProblems)
)]
pub async fn delete_channel(
    InTenant(permit): InTenant<ManageIntegrations>,
    State(services): State<Services>,
    IdOf(kind): IdOf<ChannelKind>,
    IfMatch(seen): IfMatch,
) -> Result<StatusCode, Problem> {
    services.channels.delete(&permit, kind, seen).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A new signing secret, shown once; the old one signs beside it for a day.
#[utoipa::path(
    post, path = "/api/v1/channels/{kind}/rotate-secret", tag = "channels", params(("kind" = inline(ChannelKind), Path)),
    responses((status = 200, body = ChannelOut), WriteProblems)
)]
pub async fn rotate_channel_secret(
    InTenant(permit): InTenant<ManageIntegrations>,
    State(services): State<Services>,
    IdOf(kind): IdOf<ChannelKind>,
) -> Result<Json<ChannelOut>, Problem> {
    Ok(Json(services.channels.rotate_secret(&permit, kind).await?))
}

/// Sends a test message and tells how that went; a failure of the other side is an answer too.
#[utoipa::path(
    post, path = "/api/v1/channels/{kind}/test", tag = "channels", params(("kind" = inline(ChannelKind), Path)),
    request_body = ChannelTestIn, responses((status = 200, body = ChannelTestOut), WriteProblems)
)]
pub async fn test_channel(
    InTenant(permit): InTenant<ManageIntegrations>,
    State(services): State<Services>,
    IdOf(kind): IdOf<ChannelKind>,
    JsonBody(input): JsonBody<ChannelTestIn>,
) -> Result<Json<ChannelTestOut>, Problem> {
    Ok(Json(services.channels.test(&permit, kind, &input).await?))
}
