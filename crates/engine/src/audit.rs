//! B4: the audit log is signed now and then, verified on demand, and exported whole.

mod calls;
pub(crate) mod digest;
mod questions;
mod signing;

use crate::Engine;
use ability::{ReadAuditLog, TenantPermit};
use calls::Calls;
use domain::{ErrorCode, ServiceError, ServiceResult, TenantId};
use ledger::{Checkpoint, Report, Signer, Unverified};
use sea_orm::DatabaseConnection;
use std::{future::Future, io::Write};
use store::{Database, Moment, StoreError, TenantReader};
use tokio::sync::mpsc;
use vault::Vault;

const KEY: &str = "audit_log";
const AT_ONCE: u64 = 500;

/// The key that signs checkpoints; it comes from the master key.
pub fn signer(vault: &Vault) -> Signer {
    Signer::from_seed(vault.signing_seed(KEY))
}

impl Engine {
    pub async fn export_audit_log(&self, tenant: Option<TenantId>, out: impl Write) -> ServiceResult<()> {
        export(&self.db, &self.vault, tenant, out).await
    }

    /// The same in parts, as they are read: the record may be larger than the memory. A part that cannot be read ends
    /// it.
    pub fn stream_audit_log(
        &self,
        permit: &TenantPermit<ReadAuditLog>,
    ) -> mpsc::Receiver<ServiceResult<Vec<u8>>> {
        let (parts, receiver) = mpsc::channel(2);
        let (engine, tenant) = (self.clone(), permit.tenant());
        tokio::spawn(async move {
            let out = Parts { gathered: Vec::new(), parts: parts.clone() };
            if let Err(error) = export_to(&engine.db, &engine.vault, Some(tenant), out).await {
                // Nobody may be there any more.
                let _ = parts.send(Err(error)).await;
            }
        });
        receiver
    }
}

/// What holds: the chains, and the history beside them.
#[derive(Clone, Debug)]
pub struct Verified {
    pub report: Report,
    /// Calls whose rows are as the record tells them.
    pub calls: u64,
    /// Recorded calls that the history has no more.
    pub missing_calls: u64,
}

/// Walks every chain, or one, and compares the calls that it tells of with the history. The error says where and what.
/// `kept` are checkpoints from elsewhere: those of the database may have been deleted together with what they cover.
pub async fn verify(
    db: &Database,
    vault: &Vault,
    tenant: Option<Option<TenantId>>,
    kept: &[Checkpoint],
) -> Result<Verified, Unverified<StoreError>> {
    let conn = db.reader();
    let mut verifier = ledger::Verifier::new(&[signer(vault).public_key()]);
    let unreadable = Unverified::Unreadable;
    let signed = store::audit::checkpoints(conn, tenant).await.map_err(unreadable)?;
    for checkpoint in signed.iter().chain(kept) {
        verifier.checkpoint(*checkpoint).map_err(Unverified::Fault)?;
    }
    // Asked before the chains: a tenant that is made meanwhile has its chain by then.
    let tenants = expected(conn, tenant).await.map_err(unreadable)?;
    let heads = store::audit::chains(conn, tenant).await.map_err(Unverified::Unreadable)?;
    // Making a tenant is its first entry: there is none without a chain.
    if let Some(lost) = tenants.iter().find(|id| heads.iter().all(|head| head.tenant != Some(id.0))) {
        let wrong = ledger::Wrong::NoChain;
        return Err(Unverified::Fault(ledger::Fault { tenant: Some(lost.0), seq: 0, wrong }));
    }
    let (mut compared, mut missing_calls) = (0, 0);
    for head in heads {
        let calls = verify_chain(conn, &mut verifier, &head).await?;
        compared += calls.as_ref().map_or(0, |calls| calls.compared);
        missing_calls += calls.as_ref().map_or(0, |calls| calls.missing);
    }
    let report = verifier.finish(ledger::Trust::GivenKeys).map_err(Unverified::Fault)?;
    Ok(Verified { report, calls: compared, missing_calls })
}

/// The tenants that must have a chain.
async fn expected(
    conn: &DatabaseConnection,
    tenant: Option<Option<TenantId>>,
) -> Result<Vec<TenantId>, StoreError> {
    match tenant {
        None => store::tenants::ids(conn).await,
        Some(one) => Ok(one.into_iter().collect()),
    }
}

/// From its first entry to its last. The platform's own chain tells of no calls.
async fn verify_chain(
    conn: &DatabaseConnection,
    verifier: &mut ledger::Verifier,
    head: &ledger::Head,
) -> Result<Option<Calls>, Unverified<StoreError>> {
    let chain = head.tenant.map(TenantId);
    let mut calls = match chain {
        Some(tenant) => Some(Calls::of(conn, tenant).await?),
        None => None,
    };
    let mut seq = walk(conn, verifier, head, &mut calls, 0).await?;
    // The head says how far the chain goes: entries cut from its end are missed here.
    if seq < head.seq {
        return Err(Unverified::Fault(fault(head, head.seq, ledger::Wrong::CutOff)));
    }
    seq = settle(conn, verifier, head, &mut calls, seq).await?;
    if let Some(calls) = &calls {
        calls.finish(seq)?;
    }
    // The chain may have grown since; then its head has, too.
    let now = store::audit::chains(conn, Some(chain)).await.map_err(Unverified::Unreadable)?;
    if now.first().is_none_or(|now| now.seq < seq) {
        return Err(Unverified::Fault(fault(head, seq, ledger::Wrong::Inserted)));
    }
    Ok(calls)
}

/// Every entry behind that one, in parts; the last one's place.
async fn walk(
    conn: &DatabaseConnection,
    verifier: &mut ledger::Verifier,
    head: &ledger::Head,
    calls: &mut Option<Calls>,
    mut seq: i64,
) -> Result<i64, Unverified<StoreError>> {
    loop {
        let entries = store::audit::entries_after(conn, head.tenant.map(TenantId), seq, AT_ONCE).await;
        let entries = entries.map_err(Unverified::Unreadable)?;
        let Some(last) = entries.last().map(|recorded| recorded.entry.seq) else { return Ok(seq) };
        for recorded in &entries {
            verifier.entry(recorded).map_err(Unverified::Fault)?;
            is_the_end(head, recorded).map_err(Unverified::Fault)?;
            calls.iter_mut().for_each(|calls| calls.hear(recorded));
        }
        if let Some(calls) = calls {
            calls.compare(conn).await?;
        }
        seq = last;
    }
}

/// Reads on for as long as the history is ahead of what was read; a fault when no more entries come.
async fn settle(
    conn: &DatabaseConnection,
    verifier: &mut ledger::Verifier,
    head: &ledger::Head,
    calls: &mut Option<Calls>,
    mut seq: i64,
) -> Result<i64, Unverified<StoreError>> {
    loop {
        let ahead = match calls {
            Some(calls) => calls.unsettled(conn).await?,
            None => None,
        };
        let Some(ahead) = ahead else { return Ok(seq) };
        let last = walk(conn, verifier, head, calls, seq).await?;
        if last == seq {
            return Err(Unverified::Fault(ahead));
        }
        seq = last;
    }
}

/// What comes next is linked to the head: another hash there would break the chain.
fn is_the_end(head: &ledger::Head, recorded: &ledger::Recorded) -> Result<(), ledger::Fault> {
    if recorded.entry.seq == head.seq && recorded.hash != head.hash {
        return Err(fault(head, head.seq, ledger::Wrong::Changed));
    }
    Ok(())
}

fn fault(head: &ledger::Head, seq: i64, wrong: ledger::Wrong) -> ledger::Fault {
    ledger::Fault { tenant: head.tenant, seq, wrong }
}

/// The chain of one tenant as JSON lines, up to the entry that was its last; checkpoints come first, and one for this
/// export with them.
pub async fn export(
    db: &Database,
    vault: &Vault,
    tenant: Option<TenantId>,
    out: impl Write,
) -> ServiceResult<()> {
    export_to(db, vault, tenant, Whole(out)).await
}

/// Where an export goes. Lines are gathered, and handed on after each look into the database.
trait Out {
    fn lines(&mut self) -> impl Write;
    fn hand_on(&mut self) -> impl Future<Output = ServiceResult<()>> + Send;
}

struct Whole<W>(W);

impl<W: Write> Out for Whole<W> {
    fn lines(&mut self) -> impl Write {
        &mut self.0
    }

    fn hand_on(&mut self) -> impl Future<Output = ServiceResult<()>> + Send {
        std::future::ready(self.0.flush().map_err(|error| failed(error.to_string())))
    }
}

struct Parts {
    gathered: Vec<u8>,
    parts: mpsc::Sender<ServiceResult<Vec<u8>>>,
}

impl Out for Parts {
    fn lines(&mut self) -> impl Write {
        &mut self.gathered
    }

    async fn hand_on(&mut self) -> ServiceResult<()> {
        let part = std::mem::take(&mut self.gathered);
        self.parts.send(Ok(part)).await.map_err(|_| failed("Nobody reads the export any more.".to_owned()))
    }
}

async fn export_to(
    db: &Database,
    vault: &Vault,
    tenant: Option<TenantId>,
    mut out: impl Out,
) -> ServiceResult<()> {
    let written = |error: ledger::export::WriteError| failed(error.to_string());
    let (signer, now) = (signer(vault), Moment::now().0);
    let checkpoints = store::audit::checkpoints(&reader_of(db, tenant).await?, Some(tenant)).await?;
    // Asked for after the checkpoints: none of them is beyond it.
    let head = store::audit::chains(&reader_of(db, tenant).await?, Some(tenant)).await?.into_iter().next();
    let mut writer =
        ledger::export::Writer::new(out.lines(), &[signer.public_key()], now).map_err(written)?;
    let seal = head.as_ref().map(|head| signer.sign(head, now));
    for checkpoint in checkpoints.iter().chain(&seal) {
        writer.checkpoint(checkpoint).map_err(written)?;
    }
    drop(writer);
    let (mut seq, end) = (0, head.map_or(0, |head| head.seq));
    while seq < end {
        out.hand_on().await?;
        let entries =
            store::audit::entries_after(&reader_of(db, tenant).await?, tenant, seq, AT_ONCE).await?;
        let Some(last) = entries.last().map(|recorded| recorded.entry.seq) else { break };
        let mut writer = ledger::export::Writer::further(out.lines());
        for recorded in entries.iter().filter(|recorded| recorded.entry.seq <= end) {
            writer.entry(recorded).map_err(written)?;
        }
        seq = last;
    }
    out.hand_on().await
}

/// The platform's own chain belongs to no tenant.
async fn reader_of(db: &Database, tenant: Option<TenantId>) -> ServiceResult<TenantReader> {
    Ok(match tenant {
        Some(tenant) => db.reader_of(tenant).await?,
        None => db.reader_of_all(),
    })
}

fn failed(error: String) -> ServiceError {
    ServiceError::new(ErrorCode::Internal, error)
}
