//! `/api/v1/tasks`: tasks.

use super::{ReadProblems, WriteProblems};
use crate::{
    http::{IdOf, IfMatch, InTenant, Problem, QueryOf, body::JsonBody},
    wiring::Services,
};
use ability::{CreateCrm, DeleteCrm, ReadCrm, UpdateCrm};
use axum::{Json, extract::State};
use domain::{
    ListOut, TaskId,
    crm::{TaskIn, TaskOut, TaskPatch, TaskQuery},
};
use http::StatusCode;
use utoipa_axum::{router::OpenApiRouter, routes};

pub fn documented() -> OpenApiRouter<Services> {
    OpenApiRouter::new().routes(routes!(list_tasks, create_task)).routes(routes!(
        get_task,
        update_task,
        delete_task
    ))
}

/// Tasks, newest first.
#[utoipa::path(
    get,
    path = "/api/v1/tasks",
    tag = "crm",
    params(TaskQuery),
    responses((status = 200, body = ListOut<TaskOut>), ReadProblems)
)]
pub async fn list_tasks(
    InTenant(permit): InTenant<ReadCrm>,
    State(services): State<Services>,
    QueryOf(query): QueryOf<TaskQuery>,
) -> Result<Json<ListOut<TaskOut>>, Problem> {
    Ok(Json(services.crm.list_tasks(&permit, query).await?))
}

/// A new task.
#[utoipa::path(
    post,
    path = "/api/v1/tasks",
    tag = "crm",
    request_body = TaskIn,
    responses((status = 201, body = TaskOut), WriteProblems)
)]
pub async fn create_task(
    InTenant(permit): InTenant<CreateCrm>,
    State(services): State<Services>,
    JsonBody(input): JsonBody<TaskIn>,
) -> Result<(StatusCode, Json<TaskOut>), Problem> {
    Ok((StatusCode::CREATED, Json(services.crm.create_task(&permit, input).await?)))
}

/// One task.
#[utoipa::path(
    get,
    path = "/api/v1/tasks/{id}",
    tag = "crm",
    params(("id" = TaskId, Path)),
    responses((status = 200, body = TaskOut), ReadProblems)
)]
pub async fn get_task(
    InTenant(permit): InTenant<ReadCrm>,
    State(services): State<Services>,
    IdOf(id): IdOf<TaskId>,
) -> Result<Json<TaskOut>, Problem> {
    Ok(Json(services.crm.find_task(&permit, id).await?))
}

/// What is absent stays; null clears what may be empty.
#[utoipa::path(
    patch,
    path = "/api/v1/tasks/{id}",
    tag = "crm",
    params(
        ("id" = TaskId, Path),
        ("If-Match" = Option<String>, Header, pattern = r#"^(\*|"?[0-9]{1,18}"?)$"#, description = "The `version` that the change was made from")
    ),
    request_body = TaskPatch,
    responses((status = 200, body = TaskOut), WriteProblems)
)]
pub async fn update_task(
    InTenant(permit): InTenant<UpdateCrm>,
    State(services): State<Services>,
    IdOf(id): IdOf<TaskId>,
    IfMatch(seen): IfMatch,
    JsonBody(patch): JsonBody<TaskPatch>,
) -> Result<Json<TaskOut>, Problem> {
    Ok(Json(services.crm.update_task(&permit, id, patch, seen).await?))
}

/// Removes a task.
#[utoipa::path(
    delete,
    path = "/api/v1/tasks/{id}",
    tag = "crm",
    params(
        ("id" = TaskId, Path),
        ("If-Match" = Option<String>, Header, pattern = r#"^(\*|"?[0-9]{1,18}"?)$"#, description = "The `version` that was seen")
    ),
    responses((status = 204), WriteProblems)
)]
pub async fn delete_task(
    InTenant(permit): InTenant<DeleteCrm>,
    State(services): State<Services>,
    IdOf(id): IdOf<TaskId>,
    IfMatch(seen): IfMatch,
) -> Result<StatusCode, Problem> {
    services.crm.delete_task(&permit, id, seen).await?;
    Ok(StatusCode::NO_CONTENT)
}
