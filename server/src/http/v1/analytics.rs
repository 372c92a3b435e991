//! `/api/v1/analytics`: how often, how fast, how well (T18).

use super::ReadProblems;
use crate::{
    http::{InTenant, Problem, QueryOf},
    wiring::Services,
};
use ability::ReadAnalytics;
use axum::{Json, extract::State};
use domain::{FieldCode, ListOut, ServiceError, Timestamp, ToolId};
use engine::{AgentStatisticsOut, CountsOf, HourOut, Span, ToolStatisticsOut};
use serde::Deserialize;
use utoipa_axum::{router::OpenApiRouter, routes};

pub fn documented() -> OpenApiRouter<Services> {
    OpenApiRouter::new()
        .routes(routes!(list_tool_statistics))
        .routes(routes!(list_agent_statistics))
        .routes(routes!(list_hourly_statistics))
}

#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct ToolSpanQuery {
    /// A day before `to` when only that is given; at most 92 days before it.
    #[param(value_type = Option<String>, format = DateTime)]
    from: Option<Timestamp>,
    /// Now when only `from` is given.
    #[param(value_type = Option<String>, format = DateTime)]
    to: Option<Timestamp>,
}

/// Since the beginning, tool by tool. Within a span of time the busiest first, without those that were not called.
#[utoipa::path(
    get, path = "/api/v1/analytics/tools", tag = "analytics", params(ToolSpanQuery),
    responses((status = 200, body = ListOut<ToolStatisticsOut>), ReadProblems)
)]
pub async fn list_tool_statistics(
    InTenant(permit): InTenant<ReadAnalytics>,
    State(services): State<Services>,
    QueryOf(query): QueryOf<ToolSpanQuery>,
) -> Result<Json<ListOut<ToolStatisticsOut>>, Problem> {
    let tools = match span(query.from, query.to)? {
        Span { from: None, to: None } => services.engine.tool_statistics(&permit).await?,
        span => services.engine.tool_statistics_within(&permit, span).await?,
    };
    Ok(Json(tools.into()))
}

#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct SpanQuery {
    /// A day before `to` when absent; at most 92 days before it.
    #[param(value_type = Option<String>, format = DateTime)]
    from: Option<Timestamp>,
    /// Now when absent.
    #[param(value_type = Option<String>, format = DateTime)]
    to: Option<Timestamp>,
}

/// Within a span of time, agent by agent, the busiest first. Calls without an agent are not among them.
#[utoipa::path(
    get, path = "/api/v1/analytics/agents", tag = "analytics", params(SpanQuery),
    responses((status = 200, body = ListOut<AgentStatisticsOut>), ReadProblems)
)]
pub async fn list_agent_statistics(
    InTenant(permit): InTenant<ReadAnalytics>,
    State(services): State<Services>,
    QueryOf(query): QueryOf<SpanQuery>,
) -> Result<Json<ListOut<AgentStatisticsOut>>, Problem> {
    let span = span(query.from, query.to)?;
    Ok(Json(services.engine.agent_statistics(&permit, span).await?.into()))
}

#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct HoursQuery {
    /// Not together with `agent_id`: calls are counted by tool and by agent.
    tool_id: Option<ToolId>,
    /// Id or slug.
    agent_id: Option<String>,
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
    let of = match (query.tool_id, query.agent_id) {
        (None, None) => CountsOf::All,
        (Some(tool), None) => CountsOf::Tool(tool),
        (None, Some(agent)) => CountsOf::Agent(agent),
        (Some(_), Some(_)) => return Err(ServiceError::field("agent_id", FieldCode::Invalid).into()),
    };
    let span = span(query.from, query.to)?;
    Ok(Json(services.engine.hourly_statistics(&permit, of, span).await?.into()))
}

fn span(from: Option<Timestamp>, to: Option<Timestamp>) -> Result<Span, ServiceError> {
    Ok(Span { from: super::moment("from", from)?, to: super::moment("to", to)? })
}
