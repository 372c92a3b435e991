//! T17: how much of everything a tenant allows itself. Kept with the catalogue: a call asks no database for it.

use crate::{Engine, calls::Found};
use ::limits::{Limit, Wait};
use ability::{ReadTools, TenantPermit, UpdateTools};
use domain::{
    ErrorCode, LimitOf, ServiceError, ServiceResult, TenantId,
    limits::{TenantLimits, TenantLimitsIn},
    tool::RateLimit,
};

use serde_json::json;
use std::time::Duration;
use store::audit::{self, Entry};

impl Engine {
    pub async fn tenant_limits(&self, permit: &TenantPermit<ReadTools>) -> ServiceResult<TenantLimits> {
        Ok(self.catalogue(permit.tenant()).await?.limits)
    }

    /// What is absent stays as it is; null brings back the usual.
    pub async fn set_tenant_limits(
        &self,
        permit: &TenantPermit<UpdateTools>,
        input: TenantLimitsIn,
    ) -> ServiceResult<TenantLimits> {
        let tenant = permit.tenant();
        let tx = self.db.begin().await?;
        let before = store::tenant_limits::hold(&tx, tenant).await?;
        let after = changed(before, input)?;
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

fn changed(before: TenantLimits, input: TenantLimitsIn) -> ServiceResult<TenantLimits> {
    let rate_limit = match input.rate_limit {
        Some(given) => given.map(RateLimit::checked).transpose()?,
        None => before.rate_limit,
    };
    Ok(TenantLimits { rate_limit })
}

/// Everything that one call counts against.
pub(crate) fn counters(tenant: TenantId, found: &Found) -> Vec<(String, Limit)> {
    let tool = &found.tool.tool;
    let agent = found.agent.as_ref().and_then(|agent| Some((agent.id, agent.rate_limit?)));
    let all = [
        tool.definition.rate_limit.map(|limit| (format!("tool:{tenant}:{}", tool.id), limit)),
        agent.map(|(agent, limit)| (format!("agent:{tenant}:{agent}"), limit)),
        found.catalogue.limits.rate_limit.map(|limit| (format!("tenant:{tenant}"), limit)),
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
