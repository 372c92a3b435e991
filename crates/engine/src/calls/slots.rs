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

/// How long a call waits for room.
const PATIENCE: Duration = Duration::from_secs(5);
/// Rooms that nobody is in are forgotten when there are this many.
const MANY: usize = 1_000;

/// How many there may be at once, as the tenant's limits say now.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    pub of_tool: u32,
    pub of_tenant: u32,
}

pub(crate) struct Slots {
    all: Mutex<HashMap<Uuid, Arc<Seats>>>,
    patience: Duration,
}

impl Default for Slots {
    fn default() -> Self {
        Self { all: Mutex::default(), patience: PATIENCE }
    }
}

/// Room for one call, given back when dropped.
pub(crate) struct Slot {
    _tenant: Seat,
    _tool: Seat,
}

impl Slots {
    pub(crate) async fn enter(&self, tenant: TenantId, tool: ToolId, room: Room) -> ServiceResult<Slot> {
        let (of_tool, of_tenant) = (self.seats(tool.0, room.of_tool), self.seats(tenant.0, room.of_tenant));
        let both = async { Some(Slot { _tool: of_tool.take().await?, _tenant: of_tenant.take().await? }) };
        let full = || {
            let detail = "Too many calls of this tool or organisation are running; wait a little.";
            ServiceError { retry_after: Some(1), ..ServiceError::new(ErrorCode::RateLimited, detail) }
        };
        tokio::time::timeout(self.patience, both).await.ok().flatten().ok_or_else(full)
    }

    fn seats(&self, id: Uuid, wanted: u32) -> Arc<Seats> {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MANY {
            all.retain(|_, seats| Arc::strong_count(seats) > 1);
        }
        let seats = all.entry(id).or_default();
        seats.resize(wanted as usize);
        Arc::clone(seats)
    }
}

/// A semaphore that can shrink while it is in use: seats that are too many go away when they are left.
struct Seats {
    free: Arc<Semaphore>,
    size: Mutex<Size>,
}

#[derive(Default)]
struct Size {
    there: usize,
    wanted: usize,
}

impl Default for Seats {
    fn default() -> Self {
        Self { free: Arc::new(Semaphore::new(0)), size: Mutex::default() }
    }
}

impl Seats {
    fn resize(&self, wanted: usize) {
        let mut size = self.size.lock().unwrap_or_else(PoisonError::into_inner);
        size.wanted = wanted;
        if size.there < wanted {
            self.free.add_permits(wanted - size.there);
            size.there = wanted;
        } else if size.there > wanted {
            size.there -= self.free.forget_permits(size.there - wanted);
        }
    }

    async fn take(self: &Arc<Self>) -> Option<Seat> {
        let permit = Arc::clone(&self.free).acquire_owned().await.ok()?;
        Some(Seat { permit: Some(permit), of: Arc::clone(self) })
    }
}

struct Seat {
    permit: Option<OwnedSemaphorePermit>,
    of: Arc<Seats>,
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut size = self.of.size.lock().unwrap_or_else(PoisonError::into_inner);
        let is_too_many = size.there > size.wanted;
        if let Some(permit) = self.permit.take_if(|_| is_too_many) {
            permit.forget();
            size.there -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn impatient() -> Slots {
        Slots { patience: Duration::from_millis(20), ..Slots::default() }
    }

    async fn enter(slots: &Slots, tenant: TenantId, tool: ToolId, of_tool: u32) -> ServiceResult<Slot> {
        slots.enter(tenant, tool, Room { of_tool, of_tenant: 3 }).await
    }

    #[tokio::test]
    async fn t17_a_tool_and_a_tenant_have_their_room_and_no_more() {
        let (slots, tenant, tool) = (impatient(), TenantId::new(), ToolId::new());
        let (first, _second) =
            (enter(&slots, tenant, tool, 2).await.unwrap(), enter(&slots, tenant, tool, 2).await.unwrap());
        let full = enter(&slots, tenant, tool, 2).await.err().unwrap();
        assert_eq!((full.code, full.retry_after), (ErrorCode::RateLimited, Some(1)));
        let other = ToolId::new();
        let _third = enter(&slots, tenant, other, 2).await.unwrap();
        assert!(enter(&slots, tenant, other, 2).await.is_err(), "the tenant has three");
        assert!(enter(&slots, TenantId::new(), ToolId::new(), 2).await.is_ok(), "another has its own");
        drop(first);
        assert!(enter(&slots, tenant, tool, 2).await.is_ok());
    }

    #[tokio::test]
    async fn t17_a_change_of_the_limit_holds_at_once() {
        let (slots, tenant, tool) = (impatient(), TenantId::new(), ToolId::new());
        let mut inside = vec![enter(&slots, tenant, tool, 1).await.unwrap()];
        assert!(enter(&slots, tenant, tool, 1).await.is_err());
        inside.push(enter(&slots, tenant, tool, 3).await.unwrap());
        inside.push(enter(&slots, tenant, tool, 3).await.unwrap());
        assert!(enter(&slots, tenant, tool, 1).await.is_err());
        inside.truncate(1);
        assert!(enter(&slots, tenant, tool, 1).await.is_err(), "seats that were too many are gone");
        inside.clear();
        let _only = enter(&slots, tenant, tool, 1).await.unwrap();
        assert!(enter(&slots, tenant, tool, 1).await.is_err());
    }
}
