//! Tables `tool_hours` and `agent_hours`: counts by tool and hour, and by agent and hour, kept up to date with every call;
//! the history is never scanned.
//!
//! Times are counted in spans, so that percentiles can be told without the single times.

use crate::{Moment, StoreResult};
use domain::{AgentId, TenantId, ToolId};
use sea_orm::{
    ConnectionTrait, FromQueryResult, Statement, Value,
    sea_query::{Alias, Expr, ExprTrait, OnConflict, Query},
};
use std::collections::HashMap;
use uuid::Uuid;

/// The upper ends of the spans in milliseconds; the last is open.
pub const SPANS: [i64; 19] =
    [1, 2, 3, 5, 8, 13, 20, 35, 60, 100, 170, 280, 470, 780, 1_300, 2_200, 3_600, 6_000, 10_000];

const SPAN_COUNT: usize = SPANS.len() + 1;
const HOUR: i64 = 60 * 60 * 1_000_000;
/// The row that holds the sum of all hours.
const ALL_TIME: i64 = 0;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub hour: i64,
    pub executions: i64,
    pub errors: i64,
    pub total_ms: i64,
    pub last_at: i64,
    pub spans: [i64; SPAN_COUNT],
}

impl Counts {
    pub fn add(&mut self, is_error: bool, milliseconds: i64, at: Moment) {
        self.executions += 1;
        self.errors += i64::from(is_error);
        self.total_ms += milliseconds;
        self.last_at = std::cmp::max(self.last_at, at.0);
        let span = SPANS.iter().position(|end| milliseconds <= *end).unwrap_or(SPANS.len());
        self.spans[span] += 1;
    }

    pub fn merge(&mut self, other: &Self) {
        self.executions += other.executions;
        self.errors += other.errors;
        self.total_ms += other.total_ms;
        self.last_at = std::cmp::max(self.last_at, other.last_at);
        self.spans.iter_mut().zip(other.spans).for_each(|(sum, more)| *sum += more);
    }

    pub fn mean_ms(&self) -> f64 {
        if self.executions == 0 { 0.0 } else { self.total_ms as f64 / self.executions as f64 }
    }

    /// The time that this share of the calls stayed under, to within its span.
    pub fn percentile_ms(&self, share: f64) -> f64 {
        let wanted = share * self.executions as f64;
        let (mut seen, mut start) = (0.0, 0.0);
        for (count, end) in self.spans.iter().zip(SPANS.iter().chain([&30_000])) {
            let count = *count as f64;
            if count > 0.0 && seen + count >= wanted {
                return start + (*end as f64 - start) * ((wanted - seen) / count).clamp(0.0, 1.0);
            }
            seen += count;
            start = *end as f64;
        }
        start
    }
}

/// Whose counts.
#[derive(Clone, Copy)]
enum By {
    Tool,
    Agent,
}

impl By {
    fn table(self) -> Alias {
        Alias::new(match self {
            Self::Tool => "tool_hours",
            Self::Agent => "agent_hours",
        })
    }

    fn key(self) -> &'static str {
        match self {
            Self::Tool => "tool_id",
            Self::Agent => "agent_id",
        }
    }
}

/// What one commit adds: by tenant, tool or agent, and hour.
#[derive(Default)]
pub struct Additions {
    tools: Sums,
    agents: Sums,
}

type Sums = HashMap<(TenantId, Uuid, i64), Counts>;

/// A call that has ended.
#[derive(Clone, Copy, Debug)]
pub struct Ended {
    pub tenant: TenantId,
    pub tool: ToolId,
    pub agent: Option<AgentId>,
    pub is_error: bool,
    pub milliseconds: i64,
    pub at: Moment,
}

impl Additions {
    pub fn add(&mut self, call: Ended) {
        let Ended { tenant, tool, agent, is_error, milliseconds, at } = call;
        let hour = at.0 / HOUR;
        for hour in [ALL_TIME, hour] {
            self.tools.entry((tenant, tool.0, hour)).or_default().add(is_error, milliseconds, at);
        }
        if let Some(agent) = agent {
            self.agents.entry((tenant, agent.0, hour)).or_default().add(is_error, milliseconds, at);
        }
    }
}

const NAMES: [&str; 4] = ["executions", "errors", "total_ms", "last_at"];

fn counted() -> Vec<String> {
    NAMES
        .iter()
        .map(|name| (*name).to_owned())
        .chain((0..SPAN_COUNT).map(|span| format!("span_{span}")))
        .collect()
}

pub async fn add_all(tx: &impl ConnectionTrait, additions: Additions) -> StoreResult<()> {
    add_to(tx, By::Tool, additions.tools).await?;
    add_to(tx, By::Agent, additions.agents).await
}

/// Adds to the rows, or makes them; all in one statement, in the same order everywhere.
async fn add_to(tx: &impl ConnectionTrait, by: By, sums: Sums) -> StoreResult<()> {
    let mut rows: Vec<_> = sums.into_iter().collect();
    if rows.is_empty() {
        return Ok(());
    }
    rows.sort_by_key(|(key, _)| *key);
    let mut insert = Query::insert();
    let keys = ["tenant_id", by.key(), "hour"].map(str::to_owned);
    insert.into_table(by.table()).columns(keys.iter().cloned().chain(counted()).map(Alias::new));
    for ((tenant, id, hour), counts) in rows {
        let numbers = [counts.executions, counts.errors, counts.total_ms, counts.last_at];
        let values = [Value::from(tenant.0), id.into(), hour.into()]
            .into_iter()
            .chain(numbers.into_iter().chain(counts.spans).map(Value::from));
        insert.values_panic(values.map(Expr::value));
    }
    let mut sum = OnConflict::columns(keys.map(Alias::new));
    for name in counted().into_iter().filter(|name| name != "last_at") {
        let total = Expr::col((by.table(), Alias::new(&name)))
            .add(Expr::col((Alias::new("excluded"), Alias::new(&name))));
        sum.value(Alias::new(name), total);
    }
    sum.update_column(Alias::new("last_at"));
    insert.on_conflict(sum);
    tx.execute(&insert).await?;
    Ok(())
}

/// The sums of all time, by tool.
pub async fn totals(conn: &impl ConnectionTrait, tenant: TenantId) -> StoreResult<HashMap<ToolId, Counts>> {
    let rows = read(conn, By::Tool, tenant, None, (ALL_TIME, ALL_TIME)).await?;
    Ok(rows.into_iter().map(|(id, counts)| (ToolId(id), counts)).collect())
}

/// The sums of these tools only: one page of many.
pub async fn totals_of(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    tools: &[ToolId],
) -> StoreResult<HashMap<ToolId, Counts>> {
    if tools.is_empty() {
        return Ok(HashMap::new());
    }
    let ids: Vec<Uuid> = tools.iter().map(|tool| tool.0).collect();
    let rows = read(conn, By::Tool, tenant, Some(&ids), (ALL_TIME, ALL_TIME)).await?;
    Ok(rows.into_iter().map(|(id, counts)| (ToolId(id), counts)).collect())
}

/// Hour by hour, oldest first; of one tool or of all.
pub async fn hours(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    tool: Option<ToolId>,
    from: Moment,
    to: Moment,
) -> StoreResult<Vec<(ToolId, Counts)>> {
    let rows = read(
        conn,
        By::Tool,
        tenant,
        tool.map(|tool| tool.0).as_ref().map(std::slice::from_ref),
        span(from, to),
    )
    .await?;
    Ok(rows.into_iter().map(|(id, counts)| (ToolId(id), counts)).collect())
}

/// The same of one agent, or of all; calls without an agent are not among them.
pub async fn agent_hours(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    agent: Option<AgentId>,
    from: Moment,
    to: Moment,
) -> StoreResult<Vec<(AgentId, Counts)>> {
    let rows = read(
        conn,
        By::Agent,
        tenant,
        agent.map(|agent| agent.0).as_ref().map(std::slice::from_ref),
        span(from, to),
    )
    .await?;
    Ok(rows.into_iter().map(|(id, counts)| (AgentId(id), counts)).collect())
}

fn span(from: Moment, to: Moment) -> (i64, i64) {
    (std::cmp::max(1, hour_of(from)), hour_of(to))
}

/// Hours are counted from 1970.
pub fn hour_of(at: Moment) -> i64 {
    at.0 / HOUR
}

pub fn start_of(hour: i64) -> Moment {
    Moment(hour * HOUR)
}

async fn read(
    conn: &impl ConnectionTrait,
    by: By,
    tenant: TenantId,
    ids: Option<&[Uuid]>,
    (from, to): (i64, i64),
) -> StoreResult<Vec<(Uuid, Counts)>> {
    let hour = || Expr::col(Alias::new("hour"));
    let mut select = Query::select();
    select
        .columns([by.key().to_owned(), "hour".to_owned()].into_iter().chain(counted()).map(Alias::new))
        .from(by.table())
        .and_where(Expr::col(Alias::new("tenant_id")).eq(tenant.0))
        .and_where(hour().gte(from))
        .and_where(hour().lte(to))
        .order_by(Alias::new("hour"), sea_orm::Order::Asc);
    if let Some(ids) = ids {
        select.and_where(Expr::col(Alias::new(by.key())).is_in(ids.iter().copied()));
    }
    let statement: Statement = conn.get_database_backend().build(&select);
    let rows = conn.query_all_raw(statement).await?;
    rows.iter().map(|row| Ok((row.try_get("", by.key())?, Row::from_query_result(row, "")?.0))).collect()
}

struct Row(Counts);

impl FromQueryResult for Row {
    fn from_query_result(row: &sea_orm::QueryResult, _: &str) -> Result<Self, sea_orm::DbErr> {
        let number = |name: &str| row.try_get::<i64>("", name);
        let mut counts = Counts {
            hour: number("hour")?,
            executions: number("executions")?,
            errors: number("errors")?,
            total_ms: number("total_ms")?,
            last_at: number("last_at")?,
            ..Counts::default()
        };
        for (span, count) in counts.spans.iter_mut().enumerate() {
            *count = number(&format!("span_{span}"))?;
        }
        Ok(Self(counts))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t18_percentiles_come_out_of_the_spans() {
        let mut counts = Counts::default();
        for ms in 1..=100 {
            counts.add(ms > 90, ms, Moment(ms));
        }
        assert_eq!((counts.executions, counts.errors, counts.last_at), (100, 10, 100));
        assert!((counts.mean_ms() - 50.5).abs() < 0.01);
        assert!((35.0..=60.0).contains(&counts.percentile_ms(0.5)));
        assert!((90.0..=100.0).contains(&counts.percentile_ms(0.99)));
    }
}
