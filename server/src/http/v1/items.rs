//! `/api/v1/items`: what the caller saved. Saving is the work of the tools `save_…`, by the assistant or by hand.

use super::{ReadProblems, WriteProblems};
use crate::{
    http::{IdOf, InTenant, Problem, QueryOf, body::JsonBody},
    wiring::Services,
};
use ability::{DeleteOwnContent, ReadOwnContent, UpdateOwnContent};
use axum::{
    Json,
    body::Body,
    extract::State,
    response::{IntoResponse, Response},
};
use domain::{
    ItemId, ListOut, ServiceError,
    item::{ItemOut, ItemPatch, ItemQuery},
};
use futures::{StreamExt, stream};
use http::{StatusCode, header};
use utoipa_axum::{router::OpenApiRouter, routes};

pub fn documented() -> OpenApiRouter<Services> {
    OpenApiRouter::new()
        .routes(routes!(list_items))
        .routes(routes!(export_items))
        .routes(routes!(get_item, update_item, delete_item))
        .routes(routes!(restore_item))
}

/// The caller's own, newest first; with `q` the best first.
#[utoipa::path(
    get, path = "/api/v1/items", tag = "items", params(ItemQuery),
    responses((status = 200, body = ListOut<ItemOut>), ReadProblems)
)]
pub async fn list_items(
    InTenant(permit): InTenant<ReadOwnContent>,
    State(services): State<Services>,
    QueryOf(query): QueryOf<ItemQuery>,
) -> Result<Json<ListOut<ItemOut>>, Problem> {
    Ok(Json(services.items.list(&permit, query).await?))
}

/// Everything that the caller saved, as JSON lines.
#[utoipa::path(
    get, path = "/api/v1/items/export", tag = "items",
    responses((status = 200, body = String, content_type = "application/jsonl"), ReadProblems)
)]
pub async fn export_items(
    InTenant(permit): InTenant<ReadOwnContent>,
    State(services): State<Services>,
) -> Result<Response, Problem> {
    let (first, next) = services.items.export(&permit, None).await?;
    // Part by part: somebody may have a million. A failure on the way cuts the file off, and the browser says so.
    let rest = stream::try_unfold((services, permit, next), |(services, permit, next)| async move {
        let Some(next) = next else { return Ok::<_, ServiceError>(None) };
        let (lines, next) = services.items.export(&permit, Some(next)).await?;
        Ok(Some((lines, (services, permit, next))))
    });
    let body = Body::from_stream(stream::once(async { Ok(first) }).chain(rest));
    let file = "attachment; filename=\"alcada-items.jsonl\"";
    let headers = [(header::CONTENT_TYPE, "application/jsonl"), (header::CONTENT_DISPOSITION, file)];
    Ok((headers, body).into_response())
}

/// One saved item.
#[utoipa::path(
    get, path = "/api/v1/items/{id}", tag = "items", params(("id" = ItemId, Path)),
    responses((status = 200, body = ItemOut), ReadProblems)
)]
pub async fn get_item(
    InTenant(permit): InTenant<ReadOwnContent>,
    State(services): State<Services>,
    IdOf(id): IdOf<ItemId>,
) -> Result<Json<ItemOut>, Problem> {
    Ok(Json(services.items.find(&permit, id).await?))
}

/// What is absent stays; null clears the text.
#[utoipa::path(
    patch, path = "/api/v1/items/{id}", tag = "items", params(("id" = ItemId, Path)), request_body = ItemPatch,
    responses((status = 200, body = ItemOut), WriteProblems)
)]
pub async fn update_item(
    InTenant(permit): InTenant<UpdateOwnContent>,
    State(services): State<Services>,
    IdOf(id): IdOf<ItemId>,
    JsonBody(patch): JsonBody<ItemPatch>,
) -> Result<Json<ItemOut>, Problem> {
    Ok(Json(services.items.update(&permit, id, patch).await?))
}

/// It can be restored for thirty days; then it is gone.
#[utoipa::path(
    delete, path = "/api/v1/items/{id}", tag = "items", params(("id" = ItemId, Path)),
    responses((status = 204), ReadProblems)
)]
pub async fn delete_item(
    InTenant(permit): InTenant<DeleteOwnContent>,
    State(services): State<Services>,
    IdOf(id): IdOf<ItemId>,
) -> Result<StatusCode, Problem> {
    services.items.delete(&permit, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Takes a deletion back. 409 `already_exists` when the same was saved again meanwhile.
#[utoipa::path(
    post, path = "/api/v1/items/{id}/restore", tag = "items", params(("id" = ItemId, Path)),
    responses((status = 200, body = ItemOut), WriteProblems)
)]
pub async fn restore_item(
    InTenant(permit): InTenant<DeleteOwnContent>,
    State(services): State<Services>,
    IdOf(id): IdOf<ItemId>,
) -> Result<Json<ItemOut>, Problem> {
    Ok(Json(services.items.restore(&permit, id).await?))
}
