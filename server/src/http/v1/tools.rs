//! `/api/v1/tools`: the tools of a tenant (T1–T6).

use super::{ReadProblems, WriteProblems};
use crate::{
    http::{IfMatch, InTenant, PartQuery, Problem, QueryOf, ToolOf, body::JsonBody, problem::ProblemOut},
    wiring::Services,
};
use ability::{CreateTools, DeleteTools, ReadTools, UpdateTools};
use axum::{
    Json,
    extract::{Path, State, rejection::PathRejection},
};
use domain::{
    ErrorCode, ListOut, Part, ServiceError, ToolId,
    tool::{ToolIn, ToolOut, ToolType, ToolVersionOut},
};
use engine::ToolFilter;
use http::StatusCode;
use serde::Deserialize;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        RefOr, Schema,
        schema::{SchemaType, Type},
    },
};
use utoipa_axum::{router::OpenApiRouter, routes};

pub fn documented() -> OpenApiRouter<Services> {
    OpenApiRouter::new()
        .routes(routes!(list_tools, create_tool))
        .routes(routes!(get_tool, update_tool, delete_tool))
        .routes(routes!(toggle_tool))
        .routes(routes!(list_tool_versions))
        .routes(routes!(restore_tool))
        .routes(routes!(rotate_tool_secret))
}

/// The body of a new tool, for the OpenAPI document: [`ToolIn`], of which a new one cannot do without these. The tool itself
/// says so, with a code for each field.
struct NewTool;

impl PartialSchema for NewTool {
    fn schema() -> RefOr<Schema> {
        match ToolIn::schema() {
            RefOr::T(Schema::Object(mut tool)) => {
                tool.description = Some("A new tool. What is absent is as usual.".to_owned());
                // A new one replaces nothing.
                tool.properties.remove("expected_version");
                for needed in ["name", "description"] {
                    tool.required.push(needed.to_owned());
                    if let Some(RefOr::T(Schema::Object(field))) = tool.properties.get_mut(needed) {
                        field.schema_type = SchemaType::Type(Type::String);
                    }
                }
                tool.into()
            }
            other => other,
        }
    }
}

impl ToSchema for NewTool {}

#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct ToolQuery {
    r#type: Option<ToolType>,
    is_active: Option<bool>,
    /// Id or slug: only what this agent was given.
    agent_id: Option<String>,
    /// Part of a name or description.
    q: Option<String>,
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u64>,
    /// `next_cursor` of the page before.
    cursor: Option<String>,
}

/// The tools of the organisation, by name.
#[utoipa::path(
    get, path = "/api/v1/tools", tag = "tools", params(ToolQuery),
    responses((status = 200, body = ListOut<ToolOut>), ReadProblems)
)]
pub async fn list_tools(
    InTenant(permit): InTenant<ReadTools>,
    State(services): State<Services>,
    QueryOf(query): QueryOf<ToolQuery>,
) -> Result<Json<ListOut<ToolOut>>, Problem> {
    let ToolQuery { r#type, is_active, agent_id: agent, q: search, limit, cursor } = query;
    let part = Part::parse(limit, cursor).map_err(ServiceError::from)?;
    let filter = ToolFilter { r#type, is_active, agent, search };
    let tools = services.engine.list_tools(&permit, &filter).await?;
    Ok(Json(part.of(tools, |tool| tool.id.to_string()).map_err(ServiceError::from)?))
}

/// A new tool. A webhook tool's answer has the secret that signs its calls, once.
#[utoipa::path(
    post, path = "/api/v1/tools", tag = "tools", request_body = NewTool,
    responses((status = 201, body = ToolOut), WriteProblems)
)]
pub async fn create_tool(
    InTenant(permit): InTenant<CreateTools>,
    State(services): State<Services>,
    JsonBody(input): JsonBody<ToolIn>,
) -> Result<(StatusCode, Json<ToolOut>), Problem> {
    Ok((StatusCode::CREATED, Json(services.engine.create_tool(&permit, input).await?)))
}

/// One tool with its definition and its counts.
#[utoipa::path(
    get, path = "/api/v1/tools/{id}", tag = "tools", params(("id" = ToolId, Path)),
    responses((status = 200, body = ToolOut), ReadProblems)
)]
pub async fn get_tool(
    InTenant(permit): InTenant<ReadTools>,
    State(services): State<Services>,
    ToolOf(id): ToolOf,
) -> Result<Json<ToolOut>, Problem> {
    Ok(Json(services.engine.get_tool(&permit, id).await?))
}

/// Changes what the body names. `breaking_change` in the answer tells which agents may stumble over new parameters.
#[utoipa::path(
    put, path = "/api/v1/tools/{id}", tag = "tools",
    params(
        ("id" = ToolId, Path),
        ("If-Match" = Option<String>, Header, pattern = r#"^(\*|"?[0-9]{1,18}"?)$"#, description = "The `version` that the change was made from")
    ),
    request_body = ToolIn,
    responses((status = 200, body = ToolOut), WriteProblems)
)]
pub async fn update_tool(
    InTenant(permit): InTenant<UpdateTools>,
    State(services): State<Services>,
    ToolOf(id): ToolOf,
    seen: IfMatch,
    JsonBody(mut input): JsonBody<ToolIn>,
) -> Result<Json<ToolOut>, Problem> {
    input.expected_version = seen.or(input.expected_version)?;
    Ok(Json(services.engine.update_tool(&permit, id, input).await?))
}

#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct DeleteQuery {
    /// Also while agents use it.
    #[serde(default)]
    force: bool,
}

/// Removes a tool. Its versions and calls stay on the record.
#[utoipa::path(
    delete, path = "/api/v1/tools/{id}", tag = "tools", 
    params(
        ("id" = ToolId, Path),
        DeleteQuery,
        ("If-Match" = Option<String>, Header, pattern = r#"^(\*|"?[0-9]{1,18}"?)$"#, description = "The `version` that was seen")
    ),
    responses(
        (status = 204),
        (status = 409, description = "`tool_in_use` with `agents`, `system_tool` or `conflict`", body = ProblemOut, content_type = "application/problem+json"),
        ReadProblems
    )
)]
pub async fn delete_tool(
    InTenant(permit): InTenant<DeleteTools>,
    State(services): State<Services>,
    ToolOf(id): ToolOf,
    QueryOf(query): QueryOf<DeleteQuery>,
    IfMatch(seen): IfMatch,
) -> Result<StatusCode, Problem> {
    services.engine.delete_tool(&permit, id, query.force, seen).await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ToggleIn {
    is_active: bool,
}

/// Switches a tool on or off; it holds for the next call.
#[utoipa::path(
    patch, path = "/api/v1/tools/{id}/toggle", tag = "tools",
    params(
        ("id" = ToolId, Path),
        ("If-Match" = Option<String>, Header, pattern = r#"^(\*|"?[0-9]{1,18}"?)$"#, description = "The `version` that the change was made from")
    ),
    request_body = ToggleIn,
    responses((status = 200, body = ToolOut), WriteProblems)
)]
pub async fn toggle_tool(
    InTenant(permit): InTenant<UpdateTools>,
    State(services): State<Services>,
    ToolOf(id): ToolOf,
    IfMatch(seen): IfMatch,
    JsonBody(input): JsonBody<ToggleIn>,
) -> Result<Json<ToolOut>, Problem> {
    let switch = engine::ToolSwitch { is_active: input.is_active, expected_version: seen, since: None };
    Ok(Json(services.engine.toggle_tool(&permit, id, switch).await?.tool))
}

/// Every definition the tool ever had, newest first, each with what it changed.
#[utoipa::path(
    get, path = "/api/v1/tools/{id}/versions", tag = "tools", params(("id" = ToolId, Path), PartQuery),
    responses((status = 200, body = ListOut<ToolVersionOut>), ReadProblems)
)]
pub async fn list_tool_versions(
    InTenant(permit): InTenant<ReadTools>,
    State(services): State<Services>,
    ToolOf(id): ToolOf,
    QueryOf(query): QueryOf<PartQuery>,
) -> Result<Json<ListOut<ToolVersionOut>>, Problem> {
    let part = query.parse()?;
    let versions = services.engine.tool_versions(&permit, id).await?;
    Ok(Json(part.of(versions, |version| version.version.to_string()).map_err(ServiceError::from)?))
}

/// An old definition becomes the newest version. `breaking_change` as with any other change.
#[utoipa::path(
    post, path = "/api/v1/tools/{id}/versions/{version}/restore", tag = "tools",
    params(
        ("id" = ToolId, Path),
        ("version" = i64, Path),
        ("If-Match" = Option<String>, Header, pattern = r#"^(\*|"?[0-9]{1,18}"?)$"#, description = "The `version` that the change was made from")
    ),
    responses((status = 200, body = ToolOut), WriteProblems)
)]
pub async fn restore_tool(
    InTenant(permit): InTenant<UpdateTools>,
    State(services): State<Services>,
    path: Result<Path<(String, String)>, PathRejection>,
    IfMatch(seen): IfMatch,
) -> Result<Json<ToolOut>, Problem> {
    let (id, version) = super::two(path, ErrorCode::ToolNotFound)?;
    Ok(Json(services.engine.restore_tool(&permit, id, version, seen).await?))
}

/// A new signing secret, shown once; the old one signs beside it for a day.
#[utoipa::path(
    post, path = "/api/v1/tools/{id}/rotate-secret", tag = "tools", params(("id" = ToolId, Path)),
    responses((status = 200, body = ToolOut), WriteProblems)
)]
pub async fn rotate_tool_secret(
    InTenant(permit): InTenant<UpdateTools>,
    State(services): State<Services>,
    ToolOf(id): ToolOf,
) -> Result<Json<ToolOut>, Problem> {
    Ok(Json(services.engine.rotate_tool_secret(&permit, id).await?))
}
