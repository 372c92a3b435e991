//! Where everything is constructed, once.

use crate::web::Known;
use ability::policy::{Policy, PolicyError};
use accounts::Accounts;
use assistant::Assistant;
use channels::Channels;
use crm::Crm;
use egress::Egress;
use engine::{Ceilings, Engine, global_tools::GlobalTools};
use ipnet::IpNet;
use items::{Items, sources::Sources};
use limits::Limiter;
use sandbox::{Sandbox, Unsupported};
use std::{ops::Deref, sync::Arc};
use store::{Database, PolicyAdapter, StoreError};
use tokio::sync::watch;
use vault::Vault;

/// What the doors share. Every layer clones it for every request: one counter, not one per part.
#[derive(Clone)]
pub struct Services(Arc<Shared>);

pub struct Shared {
    pub db: Database,
    pub accounts: Accounts,
    pub tools: GlobalTools,
    pub engine: Engine,
    pub crm: Crm,
    pub items: Items,
    pub assistant: Assistant,
    pub channels: Channels,
    pub vault: Vault,
    pub site: Site,
    pub known: Known,
    /// Becomes true when the process is asked to stop: open streams end then.
    pub stopping: watch::Receiver<bool>,
}

/// Where the installation is reached, and through whom.
pub struct Site {
    pub public_url: String,
    pub trusted_proxies: Vec<IpNet>,
}

impl Site {
    pub fn is_https(&self) -> bool {
        self.public_url.starts_with("https://")
    }
}

/// What the engine needs beside the database: the key for secrets, the way out, the counters of rate limits, what
/// tenants may have at most, and who runs code tools.
#[derive(Clone)]
pub struct Outside {
    pub vault: Vault,
    pub egress: Egress,
    pub limiter: Limiter,
    pub ceilings: Ceilings,
    /// Who knows more about what people save.
    pub sources: Sources,
    pub sandbox: Result<Sandbox, Unsupported>,
}

#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Policy(#[from] PolicyError),
}

impl Deref for Services {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl Services {
    /// Migrates, seeds what the product needs, and builds the services.
    pub async fn start(
        db: Database,
        site: Site,
        outside: Outside,
        stopping: watch::Receiver<bool>,
    ) -> Result<Self, StartError> {
        db.migrate().await?;
        store::sync_policy_seed(&db).await?;
        let policy = Arc::new(Policy::load(PolicyAdapter::new(&db)).await?);
        let accounts = Accounts::new(db.clone(), Arc::clone(&policy), &site.public_url);
        let tools = GlobalTools::start(db.clone()).await?;
        let Outside { vault, egress, limiter, ceilings, sources, sandbox } = outside;
        let channels = Channels::new(db.clone(), vault.clone(), egress.clone(), &site.public_url);
        let parts = engine::Parts {
            db: db.clone(),
            vault: vault.clone(),
            egress,
            channels: channels.clone(),
            limiter,
            sources,
            policy,
            ceilings,
            sandbox,
        };
        let engine = Engine::new(parts);
        let crm = Crm::new(db.clone());
        let items = Items::new(db.clone());
        let assistant = Assistant::new(db.clone(), engine.clone(), accounts.clone(), channels.clone());
        Ok(Self(Arc::new(Shared {
            db,
            accounts,
            tools,
            engine,
            crm,
            items,
            assistant,
            channels,
            vault,
            site,
            known: Known::default(),
            stopping,
        })))
    }
}
