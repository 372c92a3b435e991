//! `/api/v1/agents`: who calls tools, and which (T14, C7, C8).

use super::{ReadProblems, WriteProblems};
use crate::{
    http::{IdOf, IfMatch, InTenant, PartQuery, Problem, QueryOf, body::JsonBody, problem::ProblemOut},
    wiring::Services,
};
use ability::{ManageAgents, ReadAgents};
use axum::{
    Json,
    extract::State,
    response::{IntoResponse, Response},
};
use domain::{
    ListOut, ServiceError,
    agent::{AgentIn, AgentOut, AgentPatch, AgentToolsIn},
};
use engine::{Discovered, Format, ToolsNow};
use http::StatusCode;
use serde::Deserialize;
use utoipa_axum::{router::OpenApiRouter, routes};

pub fn documented() -> OpenApiRouter<Services> {
    OpenApiRouter::new()
        .routes(routes!(list_agents, create_agent))
        .routes(routes!(get_agent, update_agent, delete_agent))
        .routes(routes!(list_agent_tools, set_agent_tools))
}

/// The agents of the organisation.
#[utoipa::path(
    get, path = "/api/v1/agents", tag = "agents", params(PartQuery),
    responses((status = 200, body = ListOut<AgentOut>), ReadProblems)
)]
pub async fn list_agents(
    InTenant(permit): InTenant<ReadAgents>,
    State(services): State<Services>,
    QueryOf(query): QueryOf<PartQuery>,
) -> Result<Json<ListOut<AgentOut>>, Problem> {
    let part = query.parse()?;
    let agents = services.engine.list_agents(&permit).await?;
    Ok(Json(part.of(agents, |agent| agent.id.to_string()).map_err(ServiceError::from)?))
}

/// A new agent, with the tools that it is given.
#[utoipa::path(
    post, path = "/api/v1/agents", tag = "agents", request_body = AgentIn,
    responses((status = 201, body = AgentOut), WriteProblems)
)]
pub async fn create_agent(
    InTenant(permit): InTenant<ManageAgents>,
    State(services): State<Services>,
    JsonBody(input): JsonBody<AgentIn>,
) -> Result<(StatusCode, Json<AgentOut>), Problem> {
    Ok((StatusCode::CREATED, Json(services.engine.create_agent(&permit, input).await?)))
}

/// One agent, by id or slug.
#[utoipa::path(
    get, path = "/api/v1/agents/{id}", tag = "agents", params(("id" = String, Path, description = "Id or slug")),
    responses((status = 200, body = AgentOut), ReadProblems)
)]
pub async fn get_agent(
    InTenant(permit): InTenant<ReadAgents>,
    State(services): State<Services>,
    IdOf(name): IdOf<String>,
) -> Result<Json<AgentOut>, Problem> {
    Ok(Json(services.engine.get_agent(&permit, &name).await?))
}

/// Changes what is given, and leaves the rest.
#[utoipa::path(
    patch, path = "/api/v1/agents/{id}", tag = "agents",
    params(
        ("id" = String, Path, description = "Id or slug"),
        ("If-Match" = Option<String>, Header, pattern = r#"^(\*|"?[0-9]{1,18}"?)$"#, description = "The `version` that the change was made from")
    ),
    request_body = AgentPatch, responses((status = 200, body = AgentOut), WriteProblems)
)]
pub async fn update_agent(
    InTenant(permit): InTenant<ManageAgents>,
    State(services): State<Services>,
    IdOf(name): IdOf<String>,
    seen: IfMatch,
    JsonBody(mut patch): JsonBody<AgentPatch>,
) -> Result<Json<AgentOut>, Problem> {
    patch.expected_version = seen.or(patch.expected_version)?;
    Ok(Json(services.engine.update_agent(&permit, &name, patch).await?))
}

/// Removes an agent, and its keys with it. Its calls stay in the history.
#[utoipa::path(
    delete, path = "/api/v1/agents/{id}", tag = "agents",
    params(
        ("id" = String, Path, description = "Id or slug"),
        ("If-Match" = Option<String>, Header, pattern = r#"^(\*|"?[0-9]{1,18}"?)$"#, description = "The `version` that was seen")
    ),
    responses(
        (status = 204),
        (status = 409, description = "`conflict`", body = ProblemOut, content_type = "application/problem+json"),
        ReadProblems
    )
)]
pub async fn delete_agent(
    InTenant(permit): InTenant<ManageAgents>,
    State(services): State<Services>,
    IdOf(name): IdOf<String>,
    IfMatch(seen): IfMatch,
) -> Result<StatusCode, Problem> {
    services.engine.delete_agent(&permit, &name, seen).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// T14: exactly these tools, and when people are asked.
#[utoipa::path(
    put, path = "/api/v1/agents/{id}/tools", tag = "agents",
    params(
        ("id" = String, Path, description = "Id or slug"),
        ("If-Match" = Option<String>, Header, pattern = r#"^(\*|"?[0-9]{1,18}"?)$"#, description = "The `version` that the change was made from")
    ),
    request_body = AgentToolsIn, responses((status = 200, body = AgentOut), WriteProblems)
)]
pub async fn set_agent_tools(
    InTenant(permit): InTenant<ManageAgents>,
    State(services): State<Services>,
    IdOf(name): IdOf<String>,
    seen: IfMatch,
    JsonBody(mut input): JsonBody<AgentToolsIn>,
) -> Result<Json<AgentOut>, Problem> {
    input.expected_version = seen.or(input.expected_version)?;
    Ok(Json(services.engine.set_agent_tools(&permit, &name, input).await?))
}

#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct FormatQuery {
    /// `prompt` answers with plain text.
    #[param(inline)]
    format: Option<Format>,
}

/// C8: what this agent may call now, in the words of its model.
#[utoipa::path(
    get, path = "/api/v1/agents/{id}/tools", tag = "agents",
    params(("id" = String, Path, description = "Id or slug"), FormatQuery),
    responses(
        (status = 200, description = "With `prompt`: text/plain", content((ToolsNow = "application/json"), (String = "text/plain"))),
        ReadProblems
    )
)]
pub async fn list_agent_tools(
    InTenant(permit): InTenant<ReadAgents>,
    State(services): State<Services>,
    IdOf(name): IdOf<String>,
    QueryOf(query): QueryOf<FormatQuery>,
) -> Result<Response, Problem> {
    Ok(match services.engine.discover(&permit, &name, query.format.unwrap_or_default()).await? {
        Discovered::Tools(now) => Json(now).into_response(),
        Discovered::Prompt(text) => text.into_response(),
    })
}
