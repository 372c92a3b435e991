//! `/api/v1/analytics`: how often, how fast, how well (T18).

use super::ReadProblems;
use crate::{
    http::{InTenant, Problem, QueryOf},
    wiring::Services,
};
use ability::ReadAnalytics;
use axum::{Json, extract::State};
use domain::{ListOut, Timestamp, ToolId};
use engine::{HourOut, ToolStatisticsOut};
use serde::Deserialize;
use utoipa_axum::{router::OpenApiRouter, routes};

pub fn documented() -> OpenApiRouter<Services> {
    OpenApiRouter::new().routes(routes!(list_tool_statistics)).routes(routes!(list_hourly_statistics))
}

/// Since the beginning, tool by tool.
#[utoipa::path(
    get, path = "/api/v1/analytics/tools", tag = "analytics",
    responses((status = 200, body = ListOut<ToolStatisticsOut>), ReadProblems)
)]
pub async fn list_tool_statistics(
    InTenant(permit): InTenant<ReadAnalytics>,
    State(services): State<Services>,
) -> Result<Json<ListOut<ToolStatisticsOut>>, Problem> {
    Ok(Json(services.engine.tool_statistics(&permit).await?.into()))
}

#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct HoursQuery {
    tool_id: Option<ToolId>,
    /// A day before `to` when absent; at most 92 days before it.
    #[param(value_type = Option<String>, format = DateTime)]
    from: Option<Timestamp>,
    /// Now when absent.
    #[param(value_type = Option<String>, format = DateTime)]
    to: Option<Timestamp>,
}

/// Hour by hour, oldest first; hours without a call are absent.
#[utoipa::path(
    get, path = "/api/v1/analytics/hours", tag = "analytics", params(HoursQuery),
    responses((status = 200, body = ListOut<HourOut>), ReadProblems)
)]
pub async fn list_hourly_statistics(
    InTenant(permit): InTenant<ReadAnalytics>,
    State(services): State<Services>,
    QueryOf(query): QueryOf<HoursQuery>,
) -> Result<Json<ListOut<HourOut>>, Problem> {
    let (from, to) = (super::moment("from", query.from)?, super::moment("to", query.to)?);
    Ok(Json(services.engine.hourly_statistics(&permit, query.tool_id, from, to).await?.into()))
}
