//! T17: how much of everything a tenant allows itself. Kept with the catalogue: a call asks no database for it.

use crate::{
    Catalogue, Engine,
    calls::{Found, Room},
};
use ::limits::{Limit, Wait};
use ability::{ReadTools, TenantPermit, UpdateTools};
use domain::{
    ErrorCode, FieldError, LimitOf, ServiceError, ServiceResult, TenantId,
    limits::{TenantLimits, TenantLimitsIn},
    tool::RateLimit,
};
use serde_json::json;
use std::{ops::RangeInclusive, time::Duration};
use store::{
    agents::Agent,
    audit::{self, Entry},
    tools::Tool,
};

const CONFIRMATION_SECONDS: RangeInclusive<u32> = 60..=7 * 24 * 60 * 60;

impl Engine {
    pub async fn tenant_limits(&self, permit: &TenantPermit<ReadTools>) -> ServiceResult<TenantLimits> {
        Ok(self.ceilings.over(self.catalogue(permit.tenant()).await?.limits))
    }

    /// What is absent stays as it is; null brings back the usual.
    pub async fn set_tenant_limits(
        &self,
        permit: &TenantPermit<UpdateTools>,
        input: TenantLimitsIn,
    ) -> ServiceResult<TenantLimits> {
        let tenant = permit.tenant();
        let tx = self.db.begin_for(tenant).await?;
        let before = self.ceilings.over(store::tenant_limits::hold(&tx, tenant).await?);
        let after = self.ceilings.change(before, input)?;
        store::tenant_limits::put(&tx, tenant, &after).await?;
        let entry = Entry {
            tenant: Some(tenant),
            action: "limits.update",
            subject_kind: "limits",
            subject_id: tenant.to_string(),
            before: Some(json!(before)),
            after: Some(json!(after)),
            reason: None,
        };
        audit::append(&tx, permit.caller(), entry).await?;
        self.db.commit(tx, &[]).await?;
        Ok(after)
    }
}

/// What the operator lets tenants have at most. A limit that was set before the operator lowered it counts as this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ceilings {
    pub concurrent_calls_per_tool: u32,
    pub concurrent_calls_per_tenant: u32,
    /// Of one call of a code tool.
    pub code_time_ms: u32,
    pub code_memory_mb: u32,
    pub code_output_bytes: u32,
    pub code_fetches: u32,
}

impl Default for Ceilings {
    fn default() -> Self {
        Self {
            concurrent_calls_per_tool: 256,
            concurrent_calls_per_tenant: 512,
            code_time_ms: 60_000,
            code_memory_mb: 256,
            code_output_bytes: 10 * 1024 * 1024,
            code_fetches: 100,
        }
    }
}

impl Ceilings {
    pub(crate) fn over(self, limits: TenantLimits) -> TenantLimits {
        let (tool, tenant) = (limits.concurrent_calls_per_tool, limits.concurrent_calls_per_tenant);
        TenantLimits {
            concurrent_calls_per_tool: tool.min(self.concurrent_calls_per_tool),
            concurrent_calls_per_tenant: tenant.min(self.concurrent_calls_per_tenant),
            ..limits
        }
    }

    fn change(self, before: TenantLimits, input: TenantLimitsIn) -> ServiceResult<TenantLimits> {
        let usual = self.over(TenantLimits::default());
        let choose =
            |given: Option<Option<u32>>, usual, before| given.map_or(before, |it| it.unwrap_or(usual));
        let after = TenantLimits {
            rate_limit: input.rate_limit.unwrap_or(before.rate_limit),
            confirmation_lifetime_seconds: choose(
                input.confirmation_lifetime_seconds,
                usual.confirmation_lifetime_seconds,
                before.confirmation_lifetime_seconds,
            ),
            concurrent_calls_per_tool: choose(
                input.concurrent_calls_per_tool,
                usual.concurrent_calls_per_tool,
                before.concurrent_calls_per_tool,
            ),
            concurrent_calls_per_tenant: choose(
                input.concurrent_calls_per_tenant,
                usual.concurrent_calls_per_tenant,
                before.concurrent_calls_per_tenant,
            ),
        };
        self.check(&after)?;
        Ok(after)
    }

    fn check(self, limits: &TenantLimits) -> ServiceResult<()> {
        let (tool, tenant) = (self.concurrent_calls_per_tool, self.concurrent_calls_per_tenant);
        let numbers = [
            ("confirmation_lifetime_seconds", limits.confirmation_lifetime_seconds, CONFIRMATION_SECONDS),
            ("concurrent_calls_per_tool", limits.concurrent_calls_per_tool, 1..=tool),
            ("concurrent_calls_per_tenant", limits.concurrent_calls_per_tenant, 1..=tenant),
        ];
        let wrong = numbers
            .into_iter()
            .filter_map(|(field, number, range)| FieldError::within(field, number, range).err());
        let rate = limits.rate_limit.and_then(|limit| limit.checked().err());
        let errors: Vec<_> = rate.into_iter().chain(wrong).collect();
        if errors.is_empty() { Ok(()) } else { Err(ServiceError::fields(errors)) }
    }
}

impl Engine {
    /// How many calls of the tool, and of its tenant, may be at the outside at once.
    pub(crate) fn room_for(&self, found: &Found) -> Room {
        let limits = self.ceilings.over(found.catalogue.limits);
        Room { of_tool: limits.concurrent_calls_per_tool, of_tenant: limits.concurrent_calls_per_tenant }
    }
}

/// Everything that one call counts against; of no tool in particular, what every call of the agent does.
pub(crate) fn counters(
    tenant: TenantId,
    catalogue: &Catalogue,
    agent: Option<&Agent>,
    tool: Option<&Tool>,
) -> Vec<(String, Limit)> {
    let agent = agent.and_then(|agent| Some((agent.id, agent.rate_limit?)));
    let tool = tool.and_then(|tool| Some((tool.id, tool.definition.rate_limit?)));
    let all = [
        tool.map(|(tool, limit)| (format!("tool:{tenant}:{tool}"), limit)),
        agent.map(|(agent, limit)| (format!("agent:{tenant}:{agent}"), limit)),
        catalogue.limits.rate_limit.map(|limit| (format!("tenant:{tenant}"), limit)),
    ];
    all.into_iter().flatten().map(|(key, limit)| (key, paced(limit))).collect()
}

fn paced(limit: RateLimit) -> Limit {
    Limit { count: limit.limit, window: Duration::from_secs(limit.window_seconds.into()) }
}

/// Says whose limit it was: waiting helps with each, but only its owner can raise it.
pub(crate) fn too_often(wait: &Wait) -> ServiceError {
    let (exceeded, detail) = match wait.key.split(':').next() {
        Some("agent") => (LimitOf::Agent, "This agent has called tools too often; wait a little."),
        Some("tenant") => (LimitOf::Tenant, "This organisation has called tools too often; wait a little."),
        _ => (LimitOf::Tool, "This tool has been called too often; wait a little."),
    };
    let seconds = wait.retry_after.as_secs_f64().ceil() as u64;
    ServiceError {
        retry_after: Some(seconds.max(1)),
        exceeded: Some(exceeded),
        ..ServiceError::new(ErrorCode::RateLimited, detail)
    }
}
