//! `/api/v1/products`: products, with full-text search.

use super::{ReadProblems, WriteProblems};
use crate::{
    http::{IdOf, IfMatch, InTenant, Problem, QueryOf, body::JsonBody},
    wiring::Services,
};
use ability::{CreateCrm, DeleteCrm, ReadCrm, UpdateCrm};
use axum::{Json, extract::State};
use domain::{
    ListOut, ProductId,
    crm::{ProductIn, ProductOut, ProductPatch, ProductQuery},
};
use http::StatusCode;
use utoipa_axum::{router::OpenApiRouter, routes};

pub fn documented() -> OpenApiRouter<Services> {
    OpenApiRouter::new().routes(routes!(list_products, create_product)).routes(routes!(
        get_product,
        update_product,
        delete_product
    ))
}

/// Products, newest first; with `q`, the best matches first on a single page.
#[utoipa::path(
    get,
    path = "/api/v1/products",
    tag = "crm",
    params(ProductQuery),
    responses((status = 200, body = ListOut<ProductOut>), ReadProblems)
)]
pub async fn list_products(
    InTenant(permit): InTenant<ReadCrm>,
    State(services): State<Services>,
    QueryOf(query): QueryOf<ProductQuery>,
) -> Result<Json<ListOut<ProductOut>>, Problem> {
    Ok(Json(services.crm.list_products(&permit, query).await?))
}

/// A new product.
#[utoipa::path(
    post,
    path = "/api/v1/products",
    tag = "crm",
    request_body = ProductIn,
    responses((status = 201, body = ProductOut), WriteProblems)
)]
pub async fn create_product(
    InTenant(permit): InTenant<CreateCrm>,
    State(services): State<Services>,
    JsonBody(input): JsonBody<ProductIn>,
) -> Result<(StatusCode, Json<ProductOut>), Problem> {
    Ok((StatusCode::CREATED, Json(services.crm.create_product(&permit, input).await?)))
}

/// One product.
#[utoipa::path(
    get,
    path = "/api/v1/products/{id}",
    tag = "crm",
    params(("id" = ProductId, Path)),
    responses((status = 200, body = ProductOut), ReadProblems)
)]
pub async fn get_product(
    InTenant(permit): InTenant<ReadCrm>,
    State(services): State<Services>,
    IdOf(id): IdOf<ProductId>,
) -> Result<Json<ProductOut>, Problem> {
    Ok(Json(services.crm.find_product(&permit, id).await?))
}

/// What is absent stays; null clears what may be empty.
#[utoipa::path(
    patch,
    path = "/api/v1/products/{id}",
    tag = "crm",
    params(
        ("id" = ProductId, Path),
        ("If-Match" = Option<String>, Header, pattern = r#"^(\*|"?[0-9]{1,18}"?)$"#, description = "The `version` that the change was made from")
    ),
    request_body = ProductPatch,
    responses((status = 200, body = ProductOut), WriteProblems)
)]
pub async fn update_product(
    InTenant(permit): InTenant<UpdateCrm>,
    State(services): State<Services>,
    IdOf(id): IdOf<ProductId>,
    IfMatch(seen): IfMatch,
    JsonBody(patch): JsonBody<ProductPatch>,
) -> Result<Json<ProductOut>, Problem> {
    Ok(Json(services.crm.update_product(&permit, id, patch, seen).await?))
}

/// Removes a product.
#[utoipa::path(
    delete,
    path = "/api/v1/products/{id}",
    tag = "crm",
    params(
        ("id" = ProductId, Path),
        ("If-Match" = Option<String>, Header, pattern = r#"^(\*|"?[0-9]{1,18}"?)$"#, description = "The `version` that was seen")
    ),
    responses((status = 204), WriteProblems)
)]
pub async fn delete_product(
    InTenant(permit): InTenant<DeleteCrm>,
    State(services): State<Services>,
    IdOf(id): IdOf<ProductId>,
    IfMatch(seen): IfMatch,
) -> Result<StatusCode, Problem> {
    services.crm.delete_product(&permit, id, seen).await?;
    Ok(StatusCode::NO_CONTENT)
}
