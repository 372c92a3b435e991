//! How many calls to the outside run at once, for each tenant and each tool: one tenant's slow address does not take
//! the room of another.

use domain::{ErrorCode, ServiceError, ServiceResult, TenantId, ToolId};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use uuid::Uuid;

const PER_TENANT: usize = 128;
const PER_TOOL: usize = 64;
/// How long a call waits for room.
const PATIENCE: Duration = Duration::from_secs(5);
/// Rooms that nobody is in are forgotten when there are this many.
const MANY: usize = 1_000;

#[derive(Default)]
pub(crate) struct Slots(Mutex<HashMap<Uuid, Arc<Semaphore>>>);

/// Room for one call, given back when dropped.
pub(crate) struct Slot {
    _tenant: OwnedSemaphorePermit,
    _tool: OwnedSemaphorePermit,
}

impl Slots {
    pub(crate) async fn enter(&self, tenant: TenantId, tool: ToolId) -> ServiceResult<Slot> {
        let (of_tool, of_tenant) = (self.room(tool.0, PER_TOOL), self.room(tenant.0, PER_TENANT));
        let both = async {
            Some(Slot {
                _tool: of_tool.acquire_owned().await.ok()?,
                _tenant: of_tenant.acquire_owned().await.ok()?,
            })
        };
        let full = || {
            let detail = "Too many calls of this tool or organisation are running; wait a little.";
            ServiceError { retry_after: Some(1), ..ServiceError::new(ErrorCode::RateLimited, detail) }
        };
        tokio::time::timeout(PATIENCE, both).await.ok().flatten().ok_or_else(full)
    }

    fn room(&self, id: Uuid, size: usize) -> Arc<Semaphore> {
        let mut rooms = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if rooms.len() >= MANY {
            rooms.retain(|_, room| Arc::strong_count(room) > 1);
        }
        Arc::clone(rooms.entry(id).or_insert_with(|| Arc::new(Semaphore::new(size))))
    }
}
