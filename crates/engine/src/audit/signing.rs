//! B4: every few seconds the end of each chain that has grown is signed.
//!
//! What is signed continues what was signed before: that is checked first, so that a rewritten chain gets no signature as long
//! as the signature before it is there. It also makes the signature before it needless: of those of one hour the last is kept.
//! Under load that would mean to read everything again that was just written: then it is signed unread, and the signature before it stays, so
//! that whoever verifies still finds out.

use super::{AT_ONCE, signer};
use crate::Engine;
use domain::{ServiceResult, TenantId};
use ledger::{Checkpoint, Head, Signer};
use store::Moment;

/// Entries since the signature before, a few seconds ago.
const MOST_READ: i64 = 100;
/// Microseconds.
const HOUR: i64 = 3_600_000_000;

impl Engine {
    /// A checkpoint for every chain that has grown. One that cannot be signed keeps no other from it.
    pub(crate) async fn sign_chains(&self) -> ServiceResult<()> {
        let signer = signer(&self.vault);
        for head in store::audit::unsigned_chains(self.db.reader()).await? {
            if let Err(error) = self.sign_chain(&signer, head.tenant.map(TenantId)).await {
                tracing::warn!(chain = ?head.tenant, %error, "a chain of the audit log was not signed");
            }
        }
        Ok(())
    }

    async fn sign_chain(&self, signer: &Signer, tenant: Option<TenantId>) -> ServiceResult<()> {
        let last = store::audit::last_checkpoint(self.db.reader(), tenant).await?;
        // After the checkpoint: another process may be signing, and no checkpoint is beyond the end of its chain.
        let heads = store::audit::chains(self.db.reader(), Some(tenant)).await?;
        let Some(head) = heads.first() else { return Ok(()) };
        let from = last.as_ref().map_or(Head::start(head.tenant), end_of);
        if from == *head {
            return Ok(());
        }
        let is_ours = |last: &Checkpoint| last.is_signed_by(&signer.public_key());
        let is_forged = last.as_ref().is_some_and(|last| last.key_id == signer.key_id() && !is_ours(last));
        let is_much = head.seq - from.seq > MOST_READ;
        if is_forged || !(is_much || self.continues(from, head).await?) {
            let (chain, seq) = (head.tenant, head.seq);
            tracing::error!(?chain, seq, "the audit log is not what was signed: it is not signed any more");
            return Ok(());
        }
        let new = signer.sign(head, Moment::now().0);
        let needless = last.filter(|last| !is_much && last.at / HOUR == new.at / HOUR && is_ours(last));
        let tx = self.db.begin().await?;
        store::audit::put_checkpoint(&tx, &new).await?;
        if let Some(needless) = needless {
            store::audit::remove_checkpoint(&tx, &needless).await?;
        }
        Ok(self.db.commit(tx, &[]).await?)
    }

    /// Whether the entries lead from one end of the chain to the other.
    async fn continues(&self, from: Head, to: &Head) -> ServiceResult<bool> {
        let mut at = from;
        while at.seq < to.seq {
            let tenant = to.tenant.map(TenantId);
            let entries = store::audit::entries_after(self.db.reader(), tenant, at.seq, AT_ONCE).await?;
            let between = entries.iter().take_while(|recorded| recorded.entry.seq <= to.seq);
            let before = at.seq;
            for recorded in between {
                match at.link(&recorded.entry) {
                    Ok(next) if next.hash == recorded.hash => at = next,
                    _ => return Ok(false),
                }
            }
            if at.seq == before {
                return Ok(false);
            }
        }
        Ok(at.hash == to.hash)
    }
}

fn end_of(checkpoint: &Checkpoint) -> Head {
    Head { tenant: checkpoint.tenant, seq: checkpoint.seq, hash: checkpoint.hash }
}
