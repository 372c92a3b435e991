//! Where a person is signed in, and ending that.

use crate::{Accounts, not_found};
use domain::{ServiceResult, SessionId, UserId, account::SessionOut};
use store::Signal;

impl Accounts {
    /// `current` is the hash of the asking session's secret.
    pub async fn list_sessions(
        &self,
        user: UserId,
        current: Option<String>,
    ) -> ServiceResult<Vec<SessionOut>> {
        Ok(store::sessions::list(self.db.reader(), user, current.as_deref()).await?)
    }

    pub async fn revoke_session(&self, user: UserId, id: SessionId) -> ServiceResult<()> {
        let tx = self.db.begin().await?;
        if !store::sessions::revoke(&tx, user, id).await? {
            return Err(not_found("session"));
        }
        Ok(self.db.commit(tx, &[Signal::Rights(user)]).await?)
    }

    pub async fn revoke_other_sessions(&self, user: UserId, current: Option<String>) -> ServiceResult<()> {
        let tx = self.db.begin().await?;
        store::sessions::revoke_all(&tx, user, current.as_deref()).await?;
        Ok(self.db.commit(tx, &[Signal::Rights(user)]).await?)
    }
}
