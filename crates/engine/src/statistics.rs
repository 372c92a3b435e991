//! T18: how often, how fast, how well. Read from counts that every call keeps up to date.

use crate::{Engine, tools::no_tool};
use ability::{ReadAnalytics, TenantPermit};
use domain::{FieldCode, ServiceError, ServiceResult, Timestamp, ToolId};
use serde::Serialize;
use std::collections::BTreeMap;
use store::{
    Moment,
    statistics::{Counts, start_of},
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
pub struct HourOut {
    /// When the hour began.
    pub hour: Timestamp,
    #[serde(flatten)]
    pub counts: StatisticsOut,
}

impl Engine {
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

    /// Hour by hour, oldest first; hours without a call are absent.
    pub async fn hourly_statistics(
        &self,
        permit: &TenantPermit<ReadAnalytics>,
        tool: Option<ToolId>,
        from: Option<Moment>,
        to: Option<Moment>,
    ) -> ServiceResult<Vec<HourOut>> {
        if let Some(id) = tool {
            self.catalogue(permit.tenant()).await?.tool(id).ok_or_else(no_tool)?;
        }
        let to = to.unwrap_or_else(Moment::now);
        let from = from.unwrap_or_else(|| to.plus(-Duration::DAY));
        if from > to || to > from.plus(LONGEST) {
            return Err(ServiceError::field("from", FieldCode::Invalid));
        }
        let rows = store::statistics::hours(
            &self.db.reader_of(permit.tenant()).await?,
            permit.tenant(),
            tool,
            from,
            to,
        )
        .await?;
        let mut hours: BTreeMap<i64, Counts> = BTreeMap::new();
        for (_, counts) in rows {
            hours.entry(counts.hour).or_default().merge(&counts);
        }
        let out =
            |(hour, counts): (i64, Counts)| HourOut { hour: start_of(hour).into(), counts: view(&counts) };
        Ok(hours.into_iter().map(out).collect())
    }
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
