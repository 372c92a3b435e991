//! `/api/v1/settings`: what an organisation allows itself (T17).

use super::{ReadProblems, WriteProblems};
use crate::{
    http::{InTenant, Problem, body::JsonBody},
    wiring::Services,
};
use ability::{ReadTools, UpdateTools};
use axum::{Json, extract::State};
use domain::limits::{TenantLimits, TenantLimitsIn};
use utoipa_axum::{router::OpenApiRouter, routes};

pub fn documented() -> OpenApiRouter<Services> {
    OpenApiRouter::new().routes(routes!(get_limits, put_limits))
}

/// The limits of the organisation.
#[utoipa::path(
    get, path = "/api/v1/settings/limits", tag = "settings", responses((status = 200, body = TenantLimits), ReadProblems)
)]
pub async fn get_limits(
    InTenant(permit): InTenant<ReadTools>,
    State(services): State<Services>,
) -> Result<Json<TenantLimits>, Problem> {
    Ok(Json(services.engine.tenant_limits(&permit).await?))
}

/// What is absent stays as it is; null brings back the usual.
#[utoipa::path(
    put, path = "/api/v1/settings/limits", tag = "settings", request_body = TenantLimitsIn,
    responses((status = 200, body = TenantLimits), WriteProblems)
)]
pub async fn put_limits(
    InTenant(permit): InTenant<UpdateTools>,
    State(services): State<Services>,
    JsonBody(input): JsonBody<TenantLimitsIn>,
) -> Result<Json<TenantLimits>, Problem> {
    Ok(Json(services.engine.set_tenant_limits(&permit, input).await?))
}
