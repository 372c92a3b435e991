//! `/api/v1/pipelines`: pipelines and their stages.

use super::{ReadProblems, WriteProblems};
use crate::{
    http::{IdOf, IfMatch, InTenant, Problem, QueryOf, body::JsonBody},
    wiring::Services,
};
use ability::{CreateCrm, DeleteCrm, ReadCrm, UpdateCrm};
use axum::{Json, extract::State};
use domain::{
    ListOut, PipelineId,
    crm::{PipelineIn, PipelineOut, PipelinePatch, PipelineQuery},
};
use http::StatusCode;
use utoipa_axum::{router::OpenApiRouter, routes};

pub fn documented() -> OpenApiRouter<Services> {
    OpenApiRouter::new().routes(routes!(list_pipelines, create_pipeline)).routes(routes!(
        get_pipeline,
        update_pipeline,
        delete_pipeline
    ))
}

/// Pipelines, newest first.
#[utoipa::path(
    get,
    path = "/api/v1/pipelines",
    tag = "crm",
    params(PipelineQuery),
    responses((status = 200, body = ListOut<PipelineOut>), ReadProblems)
)]
pub async fn list_pipelines(
    InTenant(permit): InTenant<ReadCrm>,
    State(services): State<Services>,
    QueryOf(query): QueryOf<PipelineQuery>,
) -> Result<Json<ListOut<PipelineOut>>, Problem> {
    Ok(Json(services.crm.list_pipelines(&permit, query).await?))
}

/// A new pipeline with its stages.
#[utoipa::path(
    post,
    path = "/api/v1/pipelines",
    tag = "crm",
    request_body = PipelineIn,
    responses((status = 201, body = PipelineOut), WriteProblems)
)]
pub async fn create_pipeline(
    InTenant(permit): InTenant<CreateCrm>,
    State(services): State<Services>,
    JsonBody(input): JsonBody<PipelineIn>,
) -> Result<(StatusCode, Json<PipelineOut>), Problem> {
    Ok((StatusCode::CREATED, Json(services.crm.create_pipeline(&permit, input).await?)))
}

/// One pipeline with its stages.
#[utoipa::path(
    get,
    path = "/api/v1/pipelines/{id}",
    tag = "crm",
    params(("id" = PipelineId, Path)),
    responses((status = 200, body = PipelineOut), ReadProblems)
)]
pub async fn get_pipeline(
    InTenant(permit): InTenant<ReadCrm>,
    State(services): State<Services>,
    IdOf(id): IdOf<PipelineId>,
) -> Result<Json<PipelineOut>, Problem> {
    Ok(Json(services.crm.find_pipeline(&permit, id).await?))
}

/// What is absent stays; null clears what may be empty. Leaving out a stage that has deals is a `conflict`.
#[utoipa::path(
    patch,
    path = "/api/v1/pipelines/{id}",
    tag = "crm",
    params(
        ("id" = PipelineId, Path),
        ("If-Match" = Option<String>, Header, pattern = r#"^(\*|"?[0-9]{1,18}"?)$"#, description = "The `version` that the change was made from")
    ),
    request_body = PipelinePatch,
    responses((status = 200, body = PipelineOut), WriteProblems)
)]
pub async fn update_pipeline(
    InTenant(permit): InTenant<UpdateCrm>,
    State(services): State<Services>,
    IdOf(id): IdOf<PipelineId>,
    IfMatch(seen): IfMatch,
    JsonBody(patch): JsonBody<PipelinePatch>,
) -> Result<Json<PipelineOut>, Problem> {
    Ok(Json(services.crm.update_pipeline(&permit, id, patch, seen).await?))
}

/// A pipeline that has deals is a `conflict`.
#[utoipa::path(
    delete,
    path = "/api/v1/pipelines/{id}",
    tag = "crm",
    params(
        ("id" = PipelineId, Path),
        ("If-Match" = Option<String>, Header, pattern = r#"^(\*|"?[0-9]{1,18}"?)$"#, description = "The `version` that was seen")
    ),
    responses((status = 204), WriteProblems)
)]
pub async fn delete_pipeline(
    InTenant(permit): InTenant<DeleteCrm>,
    State(services): State<Services>,
    IdOf(id): IdOf<PipelineId>,
    IfMatch(seen): IfMatch,
) -> Result<StatusCode, Problem> {
    services.crm.delete_pipeline(&permit, id, seen).await?;
    Ok(StatusCode::NO_CONTENT)
}
