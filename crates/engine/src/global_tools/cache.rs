//! G7: reads are cached for five minutes, and never a moment longer than the next switch.

use super::AUDIT_KIND;
use std::{
    collections::HashMap,
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};
use store::{Database, Signal, Signals, StoreResult, Version, audit::Recorded, global_tools::Flag};
use tokio::sync::broadcast::error::RecvError;

const LIFETIME: Duration = Duration::from_secs(5 * 60);

/// The flags and who used each last, as of one moment.
pub struct Snapshot {
    pub flags: HashMap<String, Flag>,
    pub last_switches: HashMap<String, Recorded>,
}

struct Kept {
    generation: u64,
    version: Option<Version>,
    at: Instant,
    snapshot: Arc<Snapshot>,
}

#[derive(Default)]
pub struct FlagCache {
    /// Counts the switches: what was read before the last one is void, even if the reading ends after it.
    generation: AtomicU64,
    kept: RwLock<Option<Kept>>,
}

impl FlagCache {
    pub async fn read(&self, db: &Database) -> StoreResult<Arc<Snapshot>> {
        let generation = self.generation.load(Ordering::Acquire);
        let version = db.version().await;
        // SQLite tells by its version whether anybody wrote; between PostgreSQL's processes, signals do.
        if (version.is_some() || db.signals().are_reliable())
            && let Some(snapshot) = self.fresh(generation, version)
        {
            return Ok(snapshot);
        }
        let snapshot = Arc::new(load(db).await?);
        let kept = Kept { generation, version, at: Instant::now(), snapshot: Arc::clone(&snapshot) };
        *self.kept.write().unwrap_or_else(PoisonError::into_inner) = Some(kept);
        Ok(snapshot)
    }

    pub fn empty(&self) {
        self.generation.fetch_add(1, Ordering::AcqRel);
    }

    fn fresh(&self, generation: u64, version: Option<Version>) -> Option<Arc<Snapshot>> {
        let kept = self.kept.read().unwrap_or_else(PoisonError::into_inner);
        let is_fresh = |kept: &&Kept| {
            kept.generation == generation && kept.version == version && kept.at.elapsed() < LIFETIME
        };
        kept.as_ref().filter(is_fresh).map(|kept| Arc::clone(&kept.snapshot))
    }
}

async fn load(db: &Database) -> StoreResult<Snapshot> {
    let flags = store::global_tools::all(db.reader()).await?;
    let last_switches = store::audit::latest_by_subject(db.reader(), AUDIT_KIND).await?;
    Ok(Snapshot {
        flags: flags.into_iter().map(|flag| (flag.tool_name.clone(), flag)).collect(),
        last_switches,
    })
}

/// Runs as long as somebody can send news.
pub async fn empty_on_news(cache: Arc<FlagCache>, signals: Signals) {
    let mut news = signals.subscribe();
    loop {
        match news.recv().await {
            Ok(Signal::Rights(_)) => {}
            Ok(Signal::GlobalTools | Signal::Resync) | Err(RecvError::Lagged(_)) => cache.empty(),
            Err(RecvError::Closed) => return,
        }
    }
}
