//! Which work is under way, so that none is begun twice and a stop can wait for all.

use domain::{ServiceResult, TenantId};
use std::{
    collections::HashSet,
    future::Future,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};
use tokio::sync::Notify;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Lane {
    Messages(TenantId),
    Events(TenantId),
}

#[derive(Clone, Default)]
pub(crate) struct Lanes(Arc<Inner>);

#[derive(Default)]
struct Inner {
    busy: Mutex<HashSet<Lane>>,
    is_closed: AtomicBool,
    freed: Notify,
}

impl Lanes {
    /// Does the work, unless this lane is at it already.
    pub fn start(&self, lane: Lane, work: impl Future<Output = ServiceResult<()>> + Send + 'static) {
        let Some(place) = self.enter(lane) else { return };
        tokio::spawn(async move {
            if let Err(error) = work.await {
                tracing::warn!(%error, ?lane, "a delivery was put off");
            }
            drop(place);
        });
    }

    fn enter(&self, lane: Lane) -> Option<Place> {
        let mut busy = self.0.busy.lock().unwrap_or_else(PoisonError::into_inner);
        (!self.is_closed() && busy.insert(lane)).then(|| Place { lane, lanes: self.clone() })
    }

    pub fn close(&self) {
        self.0.is_closed.store(true, Ordering::Release);
    }

    pub fn is_closed(&self) -> bool {
        self.0.is_closed.load(Ordering::Acquire)
    }

    pub async fn until_empty(&self) {
        loop {
            let freed = self.0.freed.notified();
            if self.0.busy.lock().unwrap_or_else(PoisonError::into_inner).is_empty() {
                return;
            }
            freed.await;
        }
    }
}

/// Free again when it is dropped, also after a panic.
struct Place {
    lane: Lane,
    lanes: Lanes,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.lanes.0.busy.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.lane);
        self.lanes.0.freed.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_lane_has_one_at_a_time_and_a_stop_waits_for_it() {
        let (lanes, lane) = (Lanes::default(), Lane::Messages(TenantId::new()));
        let first = lanes.enter(lane);
        assert!(first.is_some() && lanes.enter(lane).is_none());
        lanes.close();
        assert!(lanes.enter(Lane::Messages(TenantId::new())).is_none(), "nothing new");
        let waiting = tokio::spawn({
            let lanes = lanes.clone();
            async move { lanes.until_empty().await }
        });
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished());
        drop(first);
        assert!(waiting.await.is_ok());
    }
}
