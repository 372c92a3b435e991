//! `/api/admin/tools`: the switches for everybody (G10).

use super::{IdOf, Permitted, Problem, body::JsonBody, problem::ProblemOut};
use crate::wiring::Services;
use ability::ManageAdminPanel;
use axum::{Extension, Json, extract::State};
use domain::{Language, global_tool::GlobalToolOut};
use engine::global_tools::Switch;
use serde::{Deserialize, Serialize};

#[derive(Serialize, utoipa::ToSchema)]
pub struct GlobalToolList {
    data: Vec<GlobalToolOut>,
    /// The list is short and always whole.
    next_cursor: Option<String>,
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SwitchIn {
    enabled: bool,
    /// Why, for the record.
    reason: Option<String>,
    /// The `version` that the caller saw: a switch by somebody else since then answers 409 `conflict`.
    version: Option<i64>,
}

/// All global tools with their flags.
#[utoipa::path(
    get,
    path = "/api/admin/tools",
    tag = "administration",
    responses(
        (status = 200, body = GlobalToolList),
        (status = 401, body = ProblemOut, content_type = "application/problem+json"),
        (status = 403, body = ProblemOut, content_type = "application/problem+json"),
        (status = 422, description = "`validation_failed`", body = ProblemOut, content_type = "application/problem+json"),
        (status = 503, body = ProblemOut, content_type = "application/problem+json"),
    )
)]
pub async fn list_global_tools(
    Permitted(permit): Permitted<ManageAdminPanel>,
    State(services): State<Services>,
    Extension(language): Extension<Language>,
) -> Result<Json<GlobalToolList>, Problem> {
    Ok(Json(GlobalToolList { data: services.tools.list(&permit, language).await?, next_cursor: None }))
}

/// Switches one global tool on or off for everybody, at once.
#[utoipa::path(
    patch,
    path = "/api/admin/tools/{tool_name}",
    tag = "administration",
    params(("tool_name" = String, Path, description = "Exact name, such as `save_note`")),
    request_body = SwitchIn,
    responses(
        (status = 200, body = GlobalToolOut),
        (status = 400, description = "`invalid_body`", body = ProblemOut, content_type = "application/problem+json"),
        (status = 401, body = ProblemOut, content_type = "application/problem+json"),
        (status = 403, body = ProblemOut, content_type = "application/problem+json"),
        (status = 404, description = "`tool_not_found`", body = ProblemOut, content_type = "application/problem+json"),
        (status = 409, description = "`system_tool` or `conflict`", body = ProblemOut, content_type = "application/problem+json"),
        (status = 413, description = "`body_too_large`", body = ProblemOut, content_type = "application/problem+json"),
        (status = 415, description = "`unsupported_media_type`", body = ProblemOut, content_type = "application/problem+json"),
        (status = 422, description = "`validation_failed`", body = ProblemOut, content_type = "application/problem+json"),
        (status = 503, body = ProblemOut, content_type = "application/problem+json"),
    )
)]
pub async fn switch_global_tool(
    Permitted(permit): Permitted<ManageAdminPanel>,
    State(services): State<Services>,
    Extension(language): Extension<Language>,
    IdOf(tool_name): IdOf<String>,
    JsonBody(wanted): JsonBody<SwitchIn>,
) -> Result<Json<GlobalToolOut>, Problem> {
    let SwitchIn { enabled, reason, version: seen_version } = wanted;
    let switch = Switch { tool_name, enabled, reason, seen_version };
    Ok(Json(services.tools.switch(&permit, switch, language).await?))
}
