//! `/api/v1/secrets`: what an organisation entrusts to its code tools. Values go in and never come out.

use super::{ReadProblems, WriteProblems};
use crate::{
    http::{IdOf, InTenant, Problem, body::JsonBody},
    wiring::Services,
};
use ability::{ManageIntegrations, ReadIntegrations};
use axum::{Json, extract::State};
use domain::{
    ListOut,
    secret::{SecretIn, SecretOut},
};
use http::StatusCode;
use utoipa_axum::{router::OpenApiRouter, routes};

pub fn documented() -> OpenApiRouter<Services> {
    OpenApiRouter::new().routes(routes!(list_secrets)).routes(routes!(get_secret, put_secret, delete_secret))
}

/// Their names, and which tools use them. No value is ever shown.
#[utoipa::path(
    get, path = "/api/v1/secrets", tag = "secrets", responses((status = 200, body = ListOut<SecretOut>), ReadProblems)
)]
pub async fn list_secrets(
    InTenant(permit): InTenant<ReadIntegrations>,
    State(services): State<Services>,
) -> Result<Json<ListOut<SecretOut>>, Problem> {
    Ok(Json(services.engine.list_secrets(&permit).await?.into()))
}

/// That a secret is there, and since when; never its value.
#[utoipa::path(
    get, path = "/api/v1/secrets/{name}", tag = "secrets", params(("name" = String, Path)),
    responses((status = 200, body = SecretOut), ReadProblems)
)]
pub async fn get_secret(
    InTenant(permit): InTenant<ReadIntegrations>,
    State(services): State<Services>,
    IdOf(name): IdOf<String>,
) -> Result<Json<SecretOut>, Problem> {
    Ok(Json(services.engine.get_secret(&permit, &name).await?))
}

/// Makes or replaces it. Calls that begin from now on get the new value.
#[utoipa::path(
    put, path = "/api/v1/secrets/{name}", tag = "secrets", params(("name" = String, Path)), request_body = SecretIn,
    responses((status = 200, body = SecretOut), (status = 201, body = SecretOut), WriteProblems)
)]
pub async fn put_secret(
    InTenant(permit): InTenant<ManageIntegrations>,
    State(services): State<Services>,
    IdOf(name): IdOf<String>,
    JsonBody(input): JsonBody<SecretIn>,
) -> Result<(StatusCode, Json<SecretOut>), Problem> {
    let (secret, is_new) = services.engine.put_secret(&permit, &name, input).await?;
    Ok((if is_new { StatusCode::CREATED } else { StatusCode::OK }, Json(secret)))
}

/// Also while tools name it: their calls fail from then on.
#[utoipa::path(
    delete, path = "/api/v1/secrets/{name}", tag = "secrets", params(("name" = String, Path)),
    responses((status = 204), ReadProblems)
)]
pub async fn delete_secret(
    InTenant(permit): InTenant<ManageIntegrations>,
    State(services): State<Services>,
    IdOf(name): IdOf<String>,
) -> Result<StatusCode, Problem> {
    services.engine.delete_secret(&permit, &name).await?;
    Ok(StatusCode::NO_CONTENT)
}
