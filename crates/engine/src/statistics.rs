//! T18: how often, how fast, how well. Read from counts that every call keeps up to date.

use crate::{
    Engine,
    tools::{no_agent, no_tool},
};
use ability::{ReadAnalytics, TenantPermit};
use domain::{AgentId, FieldCode, ServiceError, ServiceResult, Timestamp, ToolId};
use serde::Serialize;
use std::collections::BTreeMap;
use store::{
    Moment,
    statistics::{Counts, hour_of, start_of},
};
use time::Duration;

const LONGEST: Duration = Duration::days(92);

#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct StatisticsOut {
    pub executions: i64,
    pub errors: i64,
    /// Between 0 and 1.
    pub error_rate: f64,
    pub mean_ms: f64,
    pub p50_ms: f64,
    pub p95_ms: f64,
    pub p99_ms: f64,
    pub last_executed_at: Option<Timestamp>,
}

#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct ToolStatisticsOut {
    pub tool_id: ToolId,
    pub tool_name: String,
    #[serde(flatten)]
    pub counts: StatisticsOut,
}

#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct AgentStatisticsOut {
    pub agent_id: AgentId,
    pub agent_name: String,
    #[serde(flatten)]
    pub counts: StatisticsOut,
}

/// Whose calls are counted. Counts are kept by tool and by agent, not by both at once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum CountsOf {
    #[default]
    All,
    Tool(ToolId),
    /// Id or slug.
    Agent(String),
}

/// A span of time; a day until now when nobody says.
#[derive(Clone, Copy, Debug, Default)]
pub struct Span {
    pub from: Option<Moment>,
    pub to: Option<Moment>,
}

impl Span {
    /// The last so many steps of so many hours, the one that is not over among them.
    pub fn last(steps: u16, step: u8) -> Self {
        let (now, step) = (Moment::now(), i64::from(step.max(1)));
        let first = hour_of(now) / step - i64::from(steps) + 1;
        Self { from: Some(start_of(first * step)), to: Some(now) }
    }

    fn checked(self) -> ServiceResult<(Moment, Moment)> {
        let to = self.to.unwrap_or_else(Moment::now);
        let from = self.from.unwrap_or_else(|| to.plus(-Duration::DAY));
        if from > to || to > from.plus(LONGEST) {
            return Err(ServiceError::field("from", FieldCode::Invalid));
        }
        Ok((from, to))
    }
}

#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct HourOut {
    /// When the hour began.
    pub hour: Timestamp,
    #[serde(flatten)]
    pub counts: StatisticsOut,
}

/// The last day: hour by hour, and tool by tool.
#[derive(Clone, Debug)]
pub struct LastDay {
    pub hours: Vec<HourOut>,
    /// Those that were called.
    pub tools: Vec<ToolStatisticsOut>,
}

impl Engine {
    /// One look for both: what happened in the last 24 hours.
    pub async fn last_day(&self, permit: &TenantPermit<ReadAnalytics>) -> ServiceResult<LastDay> {
        let tenant = permit.tenant();
        let catalogue = self.catalogue(tenant).await?;
        let to = Moment::now();
        let conn = self.db.reader_of(tenant).await?;
        let rows = store::statistics::hours(&conn, tenant, None, to.plus(-Duration::hours(23)), to).await?;
        let (mut hours, mut tools) = (BTreeMap::<i64, Counts>::new(), BTreeMap::<ToolId, Counts>::new());
        for (tool, counts) in rows {
            hours.entry(counts.hour).or_default().merge(&counts);
            tools.entry(tool).or_default().merge(&counts);
        }
        let of_tool = |(id, counts): (ToolId, Counts)| {
            let name = catalogue.tool(id)?.tool.definition.name.to_string();
            Some(ToolStatisticsOut { tool_id: id, tool_name: name, counts: view(&counts) })
        };
        let of_hour =
            |(hour, counts): (i64, Counts)| HourOut { hour: start_of(hour).into(), counts: view(&counts) };
        Ok(LastDay {
            hours: hours.into_iter().map(of_hour).collect(),
            tools: tools.into_iter().filter_map(of_tool).collect(),
        })
    }

    /// Since the beginning, tool by tool.
    pub async fn tool_statistics(
        &self,
        permit: &TenantPermit<ReadAnalytics>,
    ) -> ServiceResult<Vec<ToolStatisticsOut>> {
        let catalogue = self.catalogue(permit.tenant()).await?;
        let totals =
            store::statistics::totals(&self.db.reader_of(permit.tenant()).await?, permit.tenant()).await?;
        let none = Counts::default();
        let of = |known: &crate::KnownTool| ToolStatisticsOut {
            tool_id: known.tool.id,
            tool_name: known.tool.definition.name.to_string(),
            counts: view(totals.get(&known.tool.id).unwrap_or(&none)),
        };
        Ok(catalogue.tools().iter().map(|known| of(known)).collect())
    }

    /// The same within a span of time; tools without a call in it are absent. The busiest come first.
    pub async fn tool_statistics_within(
        &self,
        permit: &TenantPermit<ReadAnalytics>,
        span: Span,
    ) -> ServiceResult<Vec<ToolStatisticsOut>> {
        let (from, to) = span.checked()?;
        let catalogue = self.catalogue(permit.tenant()).await?;
        let reader = self.db.reader_of(permit.tenant()).await?;
        let rows = store::statistics::hours(&reader, permit.tenant(), None, from, to).await?;
        let name = |id: ToolId| {
            catalogue.tool(id).map_or_else(|| id.to_string(), |known| known.tool.definition.name.to_string())
        };
        let out = |(id, counts): (ToolId, Counts)| ToolStatisticsOut {
            tool_id: id,
            tool_name: name(id),
            counts: view(&counts),
        };
        Ok(busiest_first(rows).into_iter().map(out).collect())
    }

    /// Agent by agent within a span of time; calls without an agent are not among them. The busiest come first.
    pub async fn agent_statistics(
        &self,
        permit: &TenantPermit<ReadAnalytics>,
        span: Span,
    ) -> ServiceResult<Vec<AgentStatisticsOut>> {
        let (from, to) = span.checked()?;
        let catalogue = self.catalogue(permit.tenant()).await?;
        let reader = self.db.reader_of(permit.tenant()).await?;
        let rows = store::statistics::agent_hours(&reader, permit.tenant(), None, from, to).await?;
        let name = |id: AgentId| {
            catalogue.agent(&id.to_string()).map_or_else(|| id.to_string(), |agent| agent.name.clone())
        };
        let out = |(id, counts): (AgentId, Counts)| AgentStatisticsOut {
            agent_id: id,
            agent_name: name(id),
            counts: view(&counts),
        };
        Ok(busiest_first(rows).into_iter().map(out).collect())
    }

    /// Hour by hour, oldest first; hours without a call are absent.
    pub async fn hourly_statistics(
        &self,
        permit: &TenantPermit<ReadAnalytics>,
        of: CountsOf,
        span: Span,
    ) -> ServiceResult<Vec<HourOut>> {
        let hours = self.counted_hours(permit, of, span).await?;
        let out =
            |(hour, counts): (i64, Counts)| HourOut { hour: start_of(hour).into(), counts: view(&counts) };
        Ok(hours.into_iter().map(out).collect())
    }

    /// The same in longer steps, each so many hours, counted from midnight in UTC; steps without a call are among them.
    pub async fn stepped_statistics(
        &self,
        permit: &TenantPermit<ReadAnalytics>,
        of: CountsOf,
        span: Span,
        step: u8,
    ) -> ServiceResult<Vec<HourOut>> {
        let (from, to) = span.checked()?;
        let step = i64::from(step.max(1));
        let hours = self.counted_hours(permit, of, span).await?;
        let mut steps: BTreeMap<i64, Counts> = BTreeMap::new();
        for start in (hour_of(from) / step)..=(hour_of(to) / step) {
            steps.insert(start, Counts::default());
        }
        for (hour, counts) in hours {
            steps.entry(hour / step).or_default().merge(&counts);
        }
        let out = |(start, counts): (i64, Counts)| HourOut {
            hour: start_of(start * step).into(),
            counts: view(&counts),
        };
        Ok(steps.into_iter().map(out).collect())
    }

    async fn counted_hours(
        &self,
        permit: &TenantPermit<ReadAnalytics>,
        of: CountsOf,
        span: Span,
    ) -> ServiceResult<BTreeMap<i64, Counts>> {
        let (from, to) = span.checked()?;
        let (tenant, catalogue) = (permit.tenant(), self.catalogue(permit.tenant()).await?);
        let reader = self.db.reader_of(tenant).await?;
        let rows: Vec<Counts> = match of {
            CountsOf::Agent(name) => {
                let agent = catalogue.agent(&name).ok_or_else(no_agent)?.id;
                let rows = store::statistics::agent_hours(&reader, tenant, Some(agent), from, to).await?;
                rows.into_iter().map(|(_, counts)| counts).collect()
            }
            CountsOf::Tool(id) => {
                catalogue.tool(id).ok_or_else(no_tool)?;
                let rows = store::statistics::hours(&reader, tenant, Some(id), from, to).await?;
                rows.into_iter().map(|(_, counts)| counts).collect()
            }
            CountsOf::All => {
                let rows = store::statistics::hours(&reader, tenant, None, from, to).await?;
                rows.into_iter().map(|(_, counts)| counts).collect()
            }
        };
        let mut hours: BTreeMap<i64, Counts> = BTreeMap::new();
        for counts in rows {
            hours.entry(counts.hour).or_default().merge(&counts);
        }
        Ok(hours)
    }
}

fn busiest_first<K: Ord + Copy>(rows: Vec<(K, Counts)>) -> Vec<(K, Counts)> {
    let mut sums: BTreeMap<K, Counts> = BTreeMap::new();
    for (id, counts) in rows {
        sums.entry(id).or_default().merge(&counts);
    }
    let mut sums: Vec<_> = sums.into_iter().collect();
    sums.sort_by_key(|(_, counts)| std::cmp::Reverse(counts.executions));
    sums
}

fn view(counts: &Counts) -> StatisticsOut {
    let rounded = |ms: f64| (ms * 100.0).round() / 100.0;
    let percentile = |share| if counts.executions == 0 { 0.0 } else { rounded(counts.percentile_ms(share)) };
    StatisticsOut {
        executions: counts.executions,
        errors: counts.errors,
        error_rate: if counts.executions == 0 {
            0.0
        } else {
            counts.errors as f64 / counts.executions as f64
        },
        mean_ms: rounded(counts.mean_ms()),
        p50_ms: percentile(0.5),
        p95_ms: percentile(0.95),
        p99_ms: percentile(0.99),
        last_executed_at: (counts.last_at > 0).then(|| Moment(counts.last_at).into()),
    }
}
