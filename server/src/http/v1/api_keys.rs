//! `/api/v1/api-keys`: who may call from outside.

use super::{ReadProblems, WriteProblems};
use crate::{
    http::{IdOf, InTenant, PartQuery, Problem, QueryOf, body::JsonBody},
    wiring::Services,
};
use ability::ManageMembers;
use axum::{Json, extract::State};
use domain::{
    ApiKeyId, ListOut, ServiceError,
    api_key::{ApiKeyIn, ApiKeyOut},
};
use http::StatusCode;
use utoipa_axum::{router::OpenApiRouter, routes};

pub fn documented() -> OpenApiRouter<Services> {
    OpenApiRouter::new().routes(routes!(list_api_keys, create_api_key)).routes(routes!(revoke_api_key))
}

/// Newest first; revoked ones too.
#[utoipa::path(
    get, path = "/api/v1/api-keys", tag = "api keys", params(PartQuery),
    responses((status = 200, body = ListOut<ApiKeyOut>), ReadProblems)
)]
pub async fn list_api_keys(
    InTenant(permit): InTenant<ManageMembers>,
    State(services): State<Services>,
    QueryOf(query): QueryOf<PartQuery>,
) -> Result<Json<ListOut<ApiKeyOut>>, Problem> {
    let part = query.parse()?;
    let keys = services.accounts.list_tenant_keys(&permit).await?;
    Ok(Json(part.of(keys, |key| key.id.to_string()).map_err(ServiceError::from)?))
}

/// The answer has the key, once.
#[utoipa::path(
    post, path = "/api/v1/api-keys", tag = "api keys", request_body = ApiKeyIn,
    responses((status = 201, body = ApiKeyOut), WriteProblems)
)]
pub async fn create_api_key(
    InTenant(permit): InTenant<ManageMembers>,
    State(services): State<Services>,
    JsonBody(input): JsonBody<ApiKeyIn>,
) -> Result<(StatusCode, Json<ApiKeyOut>), Problem> {
    let agent = match &input.agent_id {
        Some(name) => Some(services.engine.find_agent(permit.tenant(), name).await?),
        None => None,
    };
    Ok((StatusCode::CREATED, Json(services.accounts.create_tenant_key(&permit, input, agent).await?)))
}

/// Dead at once; stays in the list.
#[utoipa::path(
    delete, path = "/api/v1/api-keys/{id}", tag = "api keys", params(("id" = ApiKeyId, Path)),
    responses((status = 204), ReadProblems)
)]
pub async fn revoke_api_key(
    InTenant(permit): InTenant<ManageMembers>,
    State(services): State<Services>,
    IdOf(id): IdOf<ApiKeyId>,
) -> Result<StatusCode, Problem> {
    services.accounts.revoke_tenant_key(&permit, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
