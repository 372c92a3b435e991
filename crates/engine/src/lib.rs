//! What happens to a tool: which exist, who may call it, what a call does, what is recorded.
//!
//! One service, [`Engine`]; each file holds one area of it. Every door asks the same [`gate`].

mod agent_rights;
mod agents;
pub mod audit;
mod audit_reading;
mod calls;
mod catalogue;
mod code;
mod confirmations;
pub mod danger;
mod demo;
mod discovery;
mod enrichment;
mod executors;
mod explain;
pub mod gate;
pub mod global_tools;
mod history;
mod limits;
mod own_tools;
pub mod registry;
pub mod schema;
mod secrets;
mod statistics;
mod tools;

pub use self::limits::Ceilings;
pub use agents::{AssignmentChange, AssignmentPlan};
pub use audit_reading::{AuditEntryOut, AuditFilter, ChainOut, CheckpointOut, VerificationOut};
pub use calls::{Call, CallPermit, Called, CalledTool};
pub use catalogue::{Catalogue, KnownTool};
pub use confirmations::Decided;
pub use discovery::{Discovered, Format, FunctionDefinition, Later, ToolsNow};
pub use explain::AskedCall;
pub use history::{HistoryFilter, Pulse};
pub use statistics::{
    AgentStatisticsOut, CountsOf, HourOut, LastDay, Span, StatisticsOut, ToolStatisticsOut,
};
pub use tools::{BuiltIn, ChangedTool, LimitRange, ToolFilter, ToolPage, ToolSwitch};

use ::limits::Limiter;
use ability::policy::Policy;
use catalogue::Catalogues;
use channels::Channels;
use domain::{ErrorCode, ServiceResult, TenantId};
use egress::Egress;
use items::sources::Sources;
use sandbox::{Sandbox, Unsupported};
use std::{ops::Deref, sync::Arc};
use store::Database;
pub use store::{Moment, audit::Recorded as AuditEntry};
use tokio::sync::Semaphore;
use vault::Vault;

/// Cheap to clone.
#[derive(Clone)]
pub struct Engine(Arc<Shared>);

/// What the engine is made of.
pub struct Parts {
    pub db: Database,
    pub vault: Vault,
    pub egress: Egress,
    pub channels: Channels,
    pub limiter: Limiter,
    /// Who knows more about what people save.
    pub sources: Sources,
    pub policy: Arc<Policy>,
    pub ceilings: Ceilings,
    /// Or why code tools do not run on this machine.
    pub sandbox: Result<Sandbox, Unsupported>,
}

pub struct Shared {
    parts: Parts,
    /// Tells one policy from another: an approval holds under the policy that it was given under.
    policy_version: String,
    catalogues: Catalogues,
    agent_rights: agent_rights::AgentRights,
    /// Walking a chain takes a processor: not everybody's at once.
    verifying: Semaphore,
    calls: calls::Desk,
}

impl Deref for Shared {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.parts
    }
}

impl Deref for Engine {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl Engine {
    pub fn new(parts: Parts) -> Self {
        let calls = calls::Desk::start(&parts.db);
        let policy_version = parts.policy.fingerprint();
        let (catalogues, agent_rights) = Default::default();
        Self(Arc::new(Shared {
            parts,
            policy_version,
            catalogues,
            agent_rights,
            verifying: Semaphore::new(2),
            calls,
        }))
    }

    pub async fn catalogue(&self, tenant: TenantId) -> ServiceResult<Arc<Catalogue>> {
        let known = self.catalogues.of(&self.db, tenant).await?;
        if self.has_system_tools(&known) {
            return Ok(known);
        }
        match self.add_system_tools(tenant).await {
            // Somebody else was faster.
            Err(error) if error.code == ErrorCode::AlreadyExists => {}
            done => done?,
        }
        self.catalogues.of(&self.db, tenant).await
    }
}

/// A moment of the wire in seconds since 1970; 0 when it is none.
pub fn seconds_of(at: &domain::Timestamp) -> i64 {
    store::Moment::try_from(at).map_or(0, store::Moment::seconds)
}
