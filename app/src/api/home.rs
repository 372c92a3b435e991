//! The first page after signing in.

use super::{ApiError, Form};
use domain::{ToolId, global_tool::AvailableToolOut};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HomeOut {
    pub tools: Vec<AvailableToolOut>,
    /// What those who manage tools should know of this machine, in their language.
    pub notice: Option<String>,
}

/// What happens in the organisation, each part for those who may see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OverviewOut {
    /// Questions that wait, at most 100.
    pub waiting: Option<u64>,
    pub day: Option<DayOut>,
    pub off: Option<OffOut>,
}

/// The last 24 hours.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DayOut {
    pub calls: i64,
    pub errors: i64,
    /// Oldest first, each hour.
    pub hours: Vec<HourCount>,
    pub busiest: Vec<ToolCount>,
    /// By the 95th percentile, in milliseconds.
    pub slowest: Vec<ToolCount>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HourCount {
    pub calls: i64,
    pub errors: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolCount {
    pub tool_id: ToolId,
    pub tool_name: String,
    pub value: i64,
}

/// Tools that cannot be called now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OffOut {
    pub count: u64,
    /// The first of them.
    pub names: Vec<String>,
}

/// The global tools that the person may use now: what is switched off is absent.
#[server(prefix = "/fn", endpoint = "list_available_tools", input = Form)]
pub async fn list_available_tools() -> Result<HomeOut, ApiError> {
    use ability::{Action, Subject};
    let visitor = crate::request::visitor();
    visitor.user()?;
    let (backend, ability) = (crate::request::backend(), visitor.ability());
    let manages = ability.can(Action::Update, Subject::ToolManagement);
    let texts = crate::texts::Texts::of(visitor.language);
    Ok(HomeOut {
        notice: backend
            .engine
            .code_unavailable()
            .filter(|_| manages)
            .map(|reason| texts.code_unavailable(reason)),
        tools: backend.tools.available_to(&ability, visitor.language).await?,
    })
}

#[server(prefix = "/fn", endpoint = "get_overview", input = Form)]
pub async fn get_overview() -> Result<OverviewOut, ApiError> {
    let visitor = crate::request::visitor();
    visitor.user()?;
    let engine = crate::request::backend().engine;
    Ok(OverviewOut {
        waiting: super::confirmations::server::waiting(&engine, &visitor).await?,
        day: server::day(&engine, &visitor).await?,
        off: server::off(&engine, &visitor).await?,
    })
}

#[cfg(feature = "ssr")]
mod server {
    use super::{DayOut, HourCount, OffOut, ToolCount};
    use crate::request::Visitor;
    use ability::{ReadAnalytics, ReadTools};
    use domain::ServiceResult;
    use engine::{Engine, Moment, ToolStatisticsOut, seconds_of};

    const HOURS: usize = 24;
    const SHOWN: usize = 5;

    pub async fn day(engine: &Engine, visitor: &Visitor) -> ServiceResult<Option<DayOut>> {
        let Ok(permit) = visitor.tenant_permit::<ReadAnalytics>() else { return Ok(None) };
        let day = engine.last_day(&permit).await?;
        let this_hour = Moment::now().seconds() / 3600;
        let mut hours = vec![HourCount { calls: 0, errors: 0 }; HOURS];
        for hour in &day.hours {
            let ago = usize::try_from(this_hour - seconds_of(&hour.hour) / 3600).unwrap_or(HOURS);
            if let Some(at) = (HOURS - 1).checked_sub(ago).and_then(|at| hours.get_mut(at)) {
                *at = HourCount { calls: hour.counts.executions, errors: hour.counts.errors };
            }
        }
        Ok(Some(DayOut {
            calls: hours.iter().map(|hour| hour.calls).sum(),
            errors: hours.iter().map(|hour| hour.errors).sum(),
            hours,
            busiest: first(&day.tools, |tool| tool.counts.executions),
            slowest: first(&day.tools, |tool| tool.counts.p95_ms.round() as i64),
        }))
    }

    fn first(tools: &[ToolStatisticsOut], by: fn(&ToolStatisticsOut) -> i64) -> Vec<ToolCount> {
        let count = |tool: &ToolStatisticsOut| ToolCount {
            tool_id: tool.tool_id,
            tool_name: tool.tool_name.clone(),
            value: by(tool),
        };
        let mut counts: Vec<ToolCount> = tools.iter().map(count).filter(|count| count.value > 0).collect();
        counts.sort_by(|a, b| b.value.cmp(&a.value).then_with(|| a.tool_name.cmp(&b.tool_name)));
        counts.truncate(SHOWN);
        counts
    }

    pub async fn off(engine: &Engine, visitor: &Visitor) -> ServiceResult<Option<OffOut>> {
        let Ok(permit) = visitor.tenant_permit::<ReadTools>() else { return Ok(None) };
        let catalogue = engine.catalogue(permit.tenant()).await?;
        let is_off = |known: &&std::sync::Arc<engine::KnownTool>| {
            !known.tool.is_active || catalogue.switch_against(&known.tool).is_some()
        };
        let off: Vec<_> = catalogue.tools().iter().filter(is_off).collect();
        let names = off.iter().take(SHOWN).map(|known| known.tool.definition.name.to_string()).collect();
        Ok(Some(OffOut { count: u64::try_from(off.len()).unwrap_or(u64::MAX), names }))
    }
}
