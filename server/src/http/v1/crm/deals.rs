//! `/api/v1/deals`: deals.

use super::{ReadProblems, WriteProblems};
use crate::{
    http::{IdOf, IfMatch, InTenant, Problem, QueryOf, body::JsonBody},
    wiring::Services,
};
use ability::{CreateCrm, DeleteCrm, ReadCrm, UpdateCrm};
use axum::{Json, extract::State};
use domain::{
    DealId, ListOut,
    crm::{DealIn, DealOut, DealPatch, DealQuery},
};
use http::StatusCode;
use utoipa_axum::{router::OpenApiRouter, routes};

pub fn documented() -> OpenApiRouter<Services> {
    OpenApiRouter::new().routes(routes!(list_deals, create_deal)).routes(routes!(
        get_deal,
        update_deal,
        delete_deal
    ))
}

/// Deals, newest first.
#[utoipa::path(
    get,
    path = "/api/v1/deals",
    tag = "crm",
    params(DealQuery),
    responses((status = 200, body = ListOut<DealOut>), ReadProblems)
)]
pub async fn list_deals(
    InTenant(permit): InTenant<ReadCrm>,
    State(services): State<Services>,
    QueryOf(query): QueryOf<DealQuery>,
) -> Result<Json<ListOut<DealOut>>, Problem> {
    Ok(Json(services.crm.list_deals(&permit, query).await?))
}

/// A new deal in a stage of a pipeline.
#[utoipa::path(
    post,
    path = "/api/v1/deals",
    tag = "crm",
    request_body = DealIn,
    responses((status = 201, body = DealOut), WriteProblems)
)]
pub async fn create_deal(
    InTenant(permit): InTenant<CreateCrm>,
    State(services): State<Services>,
    JsonBody(input): JsonBody<DealIn>,
) -> Result<(StatusCode, Json<DealOut>), Problem> {
    Ok((StatusCode::CREATED, Json(services.crm.create_deal(&permit, input).await?)))
}

/// One deal.
#[utoipa::path(
    get,
    path = "/api/v1/deals/{id}",
    tag = "crm",
    params(("id" = DealId, Path)),
    responses((status = 200, body = DealOut), ReadProblems)
)]
pub async fn get_deal(
    InTenant(permit): InTenant<ReadCrm>,
    State(services): State<Services>,
    IdOf(id): IdOf<DealId>,
) -> Result<Json<DealOut>, Problem> {
    Ok(Json(services.crm.find_deal(&permit, id).await?))
}

/// What is absent stays; null clears what may be empty.
#[utoipa::path(
    patch,
    path = "/api/v1/deals/{id}",
    tag = "crm",
    params(
        ("id" = DealId, Path),
        ("If-Match" = Option<String>, Header, pattern = r#"^(\*|"?[0-9]{1,18}"?)$"#, description = "The `version` that the change was made from")
    ),
    request_body = DealPatch,
    responses((status = 200, body = DealOut), WriteProblems)
)]
pub async fn update_deal(
    InTenant(permit): InTenant<UpdateCrm>,
    State(services): State<Services>,
    IdOf(id): IdOf<DealId>,
    IfMatch(seen): IfMatch,
    JsonBody(patch): JsonBody<DealPatch>,
) -> Result<Json<DealOut>, Problem> {
    Ok(Json(services.crm.update_deal(&permit, id, patch, seen).await?))
}

/// Removes a deal.
#[utoipa::path(
    delete,
    path = "/api/v1/deals/{id}",
    tag = "crm",
    params(
        ("id" = DealId, Path),
        ("If-Match" = Option<String>, Header, pattern = r#"^(\*|"?[0-9]{1,18}"?)$"#, description = "The `version` that was seen")
    ),
    responses((status = 204), WriteProblems)
)]
pub async fn delete_deal(
    InTenant(permit): InTenant<DeleteCrm>,
    State(services): State<Services>,
    IdOf(id): IdOf<DealId>,
    IfMatch(seen): IfMatch,
) -> Result<StatusCode, Problem> {
    services.crm.delete_deal(&permit, id, seen).await?;
    Ok(StatusCode::NO_CONTENT)
}
