//! Tables `tool_hours` and `agent_hours`: counts by tool and hour, and by agent and hour, kept up to date with every call;
//! the history is never scanned.
//!
//! Times are counted in spans, so that percentiles can be told without the single times.

use crate::{
    Moment, StoreResult,
    bulk::{Field, Row, Way},
};
use domain::{AgentId, TenantId, ToolId};
use sea_orm::{
    ConnectionTrait, FromQueryResult, Statement,
    sea_query::{Alias, Expr, ExprTrait, Query},
};
use std::{collections::HashMap, sync::OnceLock};
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
    /// A call of which nobody knows how long it took counts, but in no time.
    pub fn add(&mut self, is_error: bool, milliseconds: Option<i64>, at: Moment) {
        self.executions += 1;
        self.errors += i64::from(is_error);
        self.last_at = std::cmp::max(self.last_at, at.0);
        let Some(milliseconds) = milliseconds else { return };
        self.total_ms += milliseconds;
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

    /// How many calls took a time that is known.
    fn timed(&self) -> i64 {
        self.spans.iter().sum()
    }

    pub fn mean_ms(&self) -> f64 {
        if self.timed() == 0 { 0.0 } else { self.total_ms as f64 / self.timed() as f64 }
    }

    /// The time that this share of the calls stayed under, to within what is possible in its span.
    pub fn percentile_ms(&self, share: f64) -> f64 {
        let wanted = share * self.timed() as f64;
        let mut seen = 0.0;
        for (span, count) in self.spans.iter().enumerate().filter(|(_, count)| **count > 0) {
            let count = *count as f64;
            if seen + count >= wanted {
                let (least, most) = self.possible(span);
                return least + (most - least) * ((wanted - seen) / count).clamp(0.0, 1.0);
            }
            seen += count;
        }
        // Of counts that do not add up.
        self.mean_ms()
    }

    /// The shortest and the longest that a call of this span can have been. All times together are known exactly: what
    /// the calls of other spans took at least is not left for these, and what they took at most is.
    fn possible(&self, span: usize) -> (f64, f64) {
        let (least, most) = bounds(span);
        let (mut others_least, mut others_most) = (0.0, 0.0);
        for (other, count) in
            self.spans.iter().enumerate().filter(|(other, count)| *other != span && **count > 0)
        {
            let (least, most) = bounds(other);
            others_least += least * *count as f64;
            others_most += most * *count as f64;
        }
        let beside = (self.spans[span] - 1) as f64;
        let total = self.total_ms as f64;
        let most = most.min(total - others_least - beside * least).max(least);
        // Nothing beside it takes endlessly long, and nothing times endless is no number.
        let beside_most = if beside > 0.0 { beside * bounds(span).1 } else { 0.0 };
        let least = least.max(total - others_most - beside_most).min(most);
        (least, most)
    }
}

/// The shortest and the longest time of a span, in whole milliseconds.
fn bounds(span: usize) -> (f64, f64) {
    let least = span.checked_sub(1).map_or(0, |before| SPANS[before] + 1);
    (least as f64, SPANS.get(span).map_or(f64::INFINITY, |most| *most as f64))
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
        self.columns()[1]
    }

    fn columns(self) -> &'static [&'static str] {
        match self {
            Self::Tool => &TOOL_COLUMNS,
            Self::Agent => &AGENT_COLUMNS,
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
    /// Nothing, when nobody saw it end.
    pub milliseconds: Option<i64>,
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

/// The columns of both tables, of which only the second differs.
macro_rules! columns {
    ($id:literal) => {
        [
            "tenant_id",
            $id,
            "hour",
            "executions",
            "errors",
            "total_ms",
            "last_at",
            "span_0",
            "span_1",
            "span_2",
            "span_3",
            "span_4",
            "span_5",
            "span_6",
            "span_7",
            "span_8",
            "span_9",
            "span_10",
            "span_11",
            "span_12",
            "span_13",
            "span_14",
            "span_15",
            "span_16",
            "span_17",
            "span_18",
            "span_19",
        ]
    };
}

const TOOL_COLUMNS: [&str; SPAN_COUNT + 7] = columns!("tool_id");
const AGENT_COLUMNS: [&str; SPAN_COUNT + 7] = columns!("agent_id");

/// What is added to one row of the counts.
pub(crate) struct Added<const BY_TOOL: bool> {
    tenant: TenantId,
    id: Uuid,
    counts: Counts,
}

/// Adds to the row, or makes it.
impl<'a, const BY_TOOL: bool> Row<'a> for &'a Added<BY_TOOL> {
    const TABLE: &'static str = if BY_TOOL { "tool_hours" } else { "agent_hours" };
    const COLUMNS: &'static [&'static str] = if BY_TOOL { &TOOL_COLUMNS } else { &AGENT_COLUMNS };

    fn way() -> Way {
        static TEXTS: [OnceLock<String>; 2] = [OnceLock::new(), OnceLock::new()];
        let conflict = TEXTS[usize::from(BY_TOOL)].get_or_init(|| {
            let (keys, sums) = Self::COLUMNS.split_at(3);
            let sum = |name: &&str| match *name {
                "last_at" => "last_at = excluded.last_at".to_owned(),
                name => format!("{name} = {}.{name} + excluded.{name}", Self::TABLE),
            };
            let sums: Vec<String> = sums.iter().map(sum).collect();
            format!("ON CONFLICT ({}) DO UPDATE SET {}", keys.join(", "), sums.join(", "))
        });
        Way::Insert { conflict }
    }

    fn put(self, fields: &mut Vec<Field<'a>>) {
        let Added { tenant, id, counts } = self;
        fields.extend([Field::Uuid(Some(tenant.0)), Field::Uuid(Some(*id))]);
        let numbers = [counts.hour, counts.executions, counts.errors, counts.total_ms, counts.last_at];
        fields.extend(numbers.into_iter().chain(counts.spans).map(|number| Field::Number(Some(number))));
    }
}

/// In the same order everywhere: nobody waits in a circle.
fn added<const BY_TOOL: bool>(sums: &Sums) -> Vec<Added<BY_TOOL>> {
    let mut rows: Vec<_> = sums.iter().collect();
    rows.sort_by_key(|(key, _)| **key);
    let row = |(&(tenant, id, hour), counts): (&(TenantId, Uuid, i64), &Counts)| {
        let counts = Counts { hour, ..counts.clone() };
        Added { tenant, id, counts }
    };
    rows.into_iter().map(row).collect()
}

impl Additions {
    pub(crate) fn rows(&self) -> (Vec<Added<true>>, Vec<Added<false>>) {
        (added(&self.tools), added(&self.agents))
    }
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
        .columns(by.columns().iter().skip(1).copied().map(Alias::new))
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
    rows.iter().map(|row| Ok((row.try_get("", by.key())?, Read::from_query_result(row, "")?.0))).collect()
}

struct Read(Counts);

impl FromQueryResult for Read {
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
            counts.add(ms > 90, Some(ms), Moment(ms));
        }
        assert_eq!((counts.executions, counts.errors, counts.last_at), (100, 10, 100));
        assert!((counts.mean_ms() - 50.5).abs() < 0.01);
        assert!((35.0..=60.0).contains(&counts.percentile_ms(0.5)));
        assert!((90.0..=100.0).contains(&counts.percentile_ms(0.99)));
    }

    fn counted(times: &[i64]) -> Counts {
        let mut counts = Counts::default();
        times.iter().for_each(|ms| counts.add(false, Some(*ms), Moment(1)));
        counts
    }

    #[test]
    fn t18_a_call_that_nobody_saw_end_counts_in_no_time() {
        let mut counts = counted(&[3_000]);
        counts.add(true, None, Moment(2));
        assert_eq!((counts.executions, counts.errors, counts.last_at), (2, 1, 2));
        for figure in [counts.mean_ms(), counts.percentile_ms(0.5), counts.percentile_ms(0.99)] {
            assert_eq!(figure, 3_000.0);
        }
        let mut none = Counts::default();
        none.add(true, None, Moment(1));
        assert_eq!((none.mean_ms(), none.percentile_ms(0.99)), (0.0, 0.0));
    }

    #[test]
    fn t18_one_call_is_every_percentile() {
        for ms in [0, 1, 2, 6_001, 10_001, 123_456] {
            let counts = counted(&[ms]);
            for share in [0.5, 0.95, 0.99] {
                assert_eq!(counts.percentile_ms(share), ms as f64, "{ms} {share}");
            }
        }
        assert_eq!(counted(&[6_001, 6_001, 6_001]).percentile_ms(0.99), 6_001.0, "no room for anything else");
    }

    #[test]
    fn t18_no_percentile_is_beyond_what_is_possible() {
        for (times, least, most) in [
            (&[1, 6_001][..], 6_000.0, 6_002.0),
            (&[5, 5, 5, 90_000], 89_990.0, 90_003.0),
            (&[6_001, 7_000], 6_001.0, 7_000.0),
            (&[20_000, 30_000], 10_001.0, 39_999.0),
        ] {
            let p99 = counted(times).percentile_ms(0.99);
            assert!((least..=most).contains(&p99), "{times:?}: {p99}");
        }
        let mut broken = counted(&[100]);
        broken.total_ms = 0;
        assert!(broken.percentile_ms(0.5).is_finite());
    }
}
