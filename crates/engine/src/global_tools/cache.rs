//! G7: reads are cached for five minutes, and never a moment longer than the next switch, in whatever process.

use super::AUDIT_KIND;
use std::{collections::HashMap, sync::Arc, time::Duration};
use store::{Database, Epoch, Fresh, StoreResult, audit::Recorded, global_tools::Flag};

const LIFETIME: Duration = Duration::from_secs(5 * 60);

/// The flags and who used each last, as of one moment.
pub struct Snapshot {
    pub flags: HashMap<String, Flag>,
    pub last_switches: HashMap<String, Recorded>,
}

pub struct FlagCache(Fresh<Epoch, (), Arc<Snapshot>>);

impl Default for FlagCache {
    fn default() -> Self {
        Self(Fresh::new(1, LIFETIME))
    }
}

impl FlagCache {
    pub async fn read(&self, db: &Database) -> StoreResult<Arc<Snapshot>> {
        let epoch = db.now().await.map(|now| now.tools);
        if let Some(kept) = epoch.and_then(|epoch| self.0.get(epoch, &())) {
            return Ok(kept);
        }
        let snapshot = Arc::new(load(db).await?);
        if let Some(epoch) = epoch {
            self.0.put(epoch, (), Arc::clone(&snapshot));
        }
        Ok(snapshot)
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
