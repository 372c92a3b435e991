//! Who writes to the SQLite file. Writers queue here, in the order in which they came, instead of failing with "busy".

use crate::{StoreError, StoreResult};
use sea_orm::{ConnAcquireErr, DbErr};
use std::{sync::Arc, time::Duration};
use tokio::sync::{Mutex, OwnedMutexGuard};

/// Over when it is dropped.
pub(crate) type Turn = OwnedMutexGuard<()>;

/// PostgreSQL lets everybody write at the same time: there are none.
#[derive(Clone, Default)]
pub(crate) struct Turns(Option<Arc<Mutex<()>>>);

impl Turns {
    pub(crate) fn one_after_the_other() -> Self {
        Self(Some(Arc::default()))
    }

    pub(crate) async fn take(&self, patience: Duration) -> StoreResult<Option<Turn>> {
        let Some(turns) = &self.0 else { return Ok(None) };
        match tokio::time::timeout(patience, Arc::clone(turns).lock_owned()).await {
            Ok(turn) => Ok(Some(turn)),
            Err(_) => Err(StoreError::Unavailable(DbErr::ConnectionAcquire(ConnAcquireErr::Timeout))),
        }
    }
}
