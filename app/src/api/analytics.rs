//! How often, how fast, how well (T18). The server draws the charts: the browser gets shapes, not arithmetic.

use super::{ApiError, Form};
use domain::Timestamp;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AnalyticsOut {
    /// Whose calls these are, when they are one tool's or one agent's.
    pub about: Option<String>,
    pub totals: Vec<FactOut>,
    pub charts: Vec<ChartOut>,
    /// The columns of the tables after the first.
    pub columns: Vec<String>,
    pub steps: Vec<StepRow>,
    pub tools: Vec<CountRow>,
    pub agents: Vec<CountRow>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FactOut {
    pub label: String,
    pub value: String,
}

/// A drawing of 720 by 220.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ChartOut {
    pub title: String,
    pub legend: Vec<LegendOut>,
    pub bars: Vec<BarOut>,
    pub lines: Vec<LineOut>,
    pub heights: Vec<HeightOut>,
    pub moments: Vec<MomentOut>,
}

/// A tone is one of the style sheet's.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LegendOut {
    pub tone: String,
    pub label: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BarOut {
    pub tone: String,
    pub x: i64,
    pub y: i64,
    pub width: i64,
    pub height: i64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LineOut {
    pub tone: String,
    /// As SVG writes them.
    pub points: String,
}

/// A mark at the side.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct HeightOut {
    pub y: i64,
    pub label: String,
}

/// A mark below.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MomentOut {
    pub x: i64,
    pub at: Timestamp,
    pub label: String,
    pub kind: MarkKind,
}

/// What a mark names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MarkKind {
    /// In the person's own zone.
    Hour,
    /// The day on which its hours begin, in the person's own zone.
    Day,
    /// A whole day: counted in UTC, and named so.
    WholeDay,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StepRow {
    pub at: Timestamp,
    /// The day, where a step is one.
    pub day: Option<String>,
    pub cells: Vec<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CountRow {
    pub id: String,
    pub name: String,
    pub cells: Vec<String>,
}

/// `range` is `24h`, `7d`, `30d` or `90d`; `tool` an id, `agent` an id or slug, one of them at most.
#[server(prefix = "/fn", endpoint = "get_analytics", input = Form)]
pub async fn get_analytics(
    #[server(default)] range: String,
    #[server(default)] tool: String,
    #[server(default)] agent: String,
) -> Result<AnalyticsOut, ApiError> {
    let visitor = crate::request::visitor();
    let (permit, engine) = (visitor.tenant_permit()?, crate::request::backend().engine);
    let asked = drawn::Asked::parse(&range, &tool, &agent)?;
    let steps = engine.stepped_statistics(&permit, asked.of.clone(), asked.span, asked.step).await?;
    let tools = engine.tool_statistics_within(&permit, asked.span).await?;
    let agents = engine.agent_statistics(&permit, asked.span).await?;
    Ok(drawn::view(crate::texts::Texts::of(visitor.language), &asked, steps, tools, agents))
}

#[cfg(feature = "ssr")]
#[path = "analytics_drawn.rs"]
mod drawn;
