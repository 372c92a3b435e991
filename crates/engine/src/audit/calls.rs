//! B4: the record and the history tell the same. An entry has the hashes of a call's arguments and result, and how it
//! ended: whoever changes, adds or removes a row of the history is found out by the chain. The same holds for the
//! questions before calls (`questions.rs`).
//!
//! The history may be shortened one day, from its oldest calls on. So rows that are missing at its beginning are
//! counted and told; one that is missing behind a call that is still there, or the newest of all, is a fault.

use super::{
    digest,
    questions::{Asked, Questions},
};
use domain::{TenantId, execution::ExecutionStatus};
use ledger::{Content, Fault, Hash, Recorded, Unverified, Wrong};
use sea_orm::ConnectionTrait;
use serde::Deserialize;
use std::collections::HashMap;
use store::{
    StoreError,
    audit::{Beside, kept_calls},
    executions::Execution,
};
use uuid::Uuid;

/// Rows that are read at once: each may have a large result.
pub(super) const AT_ONCE: usize = 100;

/// What an entry says of one call.
#[derive(Clone, Debug, Deserialize)]
struct Told {
    /// Where several calls share an entry.
    execution_id: Option<Uuid>,
    tool: String,
    tool_id: Uuid,
    version: i64,
    agent_id: Option<Uuid>,
    status: String,
    error: Option<String>,
    ms: Option<i64>,
    test_mode: bool,
    params_sha256: Hash,
    result_sha256: Option<Hash>,
    /// Entries of earlier versions have none.
    call_sha256: Option<Hash>,
    question: Option<Asked>,
}

#[derive(Deserialize)]
struct Several {
    calls: Vec<Told>,
}

/// What an entry says of a question: about which call, and how it was decided.
#[derive(Deserialize)]
struct Ruled {
    execution_id: Uuid,
    status: Option<String>,
    call_sha256: Option<Hash>,
}

/// What an entry says of a call that was stopped while it waited for a person.
#[derive(Default, Deserialize)]
struct Stopped {
    call_sha256: Option<Hash>,
}

/// A call whose end no entry has told yet.
struct Open {
    seq: i64,
    told: Told,
    is_approved: bool,
}

struct Ended {
    id: Uuid,
    /// The entry that describes it, and the one that ended it.
    seq: i64,
    ended_by: i64,
    told: Told,
}

/// The comparison of one tenant's calls, entry by entry. Only calls that wait for their end are kept in mind.
pub(super) struct Calls {
    tenant: TenantId,
    questions: Questions,
    open: HashMap<Uuid, Open>,
    ended: Vec<Ended>,
    /// What there was before the first entry was read: nothing that comes meanwhile makes up for what no entry tells.
    before: Beside,
    told_before: u64,
    pub compared: u64,
    pub missing: u64,
    newest_missing: Option<(Uuid, i64)>,
    oldest_kept: Option<Uuid>,
    /// Entries whose texts are gone may have told of any call: what no entry tells is no fault then.
    is_blind: bool,
}

pub(super) type Checked<T> = Result<T, Unverified<StoreError>>;

impl Calls {
    pub async fn of(conn: &impl ConnectionTrait, tenant: TenantId) -> Checked<Self> {
        let before = store::audit::beside(conn, tenant).await.map_err(Unverified::Unreadable)?;
        Ok(Self {
            tenant,
            questions: Questions::of(tenant, before),
            open: HashMap::new(),
            ended: Vec::new(),
            before,
            told_before: 0,
            compared: 0,
            missing: 0,
            newest_missing: None,
            oldest_kept: None,
            is_blind: false,
        })
    }

    /// A later entry about a call takes the place of an earlier one.
    pub fn hear(&mut self, recorded: &Recorded) {
        self.questions.hear(recorded);
        let entry = &recorded.entry;
        let understood = match (entry.action.as_str(), &entry.content) {
            (
                "execution.record" | "execution.cancel" | "confirmation.decide" | "confirmation.expire",
                Content::Erased(_),
            ) => None,
            ("execution.cancel", Content::Kept(texts)) => {
                let stopped = match texts.after.as_deref() {
                    None => Some(Stopped::default()),
                    Some(after) => serde_json::from_str(after).ok(),
                };
                let both = entry.subject_id.parse().ok().zip(stopped);
                both.map(|(id, stopped)| self.stop(id, entry.seq, stopped.call_sha256))
            }
            ("execution.record", Content::Kept(texts)) => {
                let told = texts.after.as_deref().and_then(|after| calls_of(after, &entry.subject_id));
                told.map(|told| told.into_iter().for_each(|(id, told)| self.tell(id, entry.seq, told)))
            }
            ("confirmation.decide" | "confirmation.expire", Content::Kept(texts)) => {
                let ruled = texts.after.as_deref().and_then(|after| serde_json::from_str(after).ok());
                ruled.map(|ruled: Ruled| self.rule(entry.seq, &ruled))
            }
            _ => Some(()),
        };
        self.is_blind |= understood.is_none();
    }

    fn tell(&mut self, id: Uuid, seq: i64, told: Told) {
        if ExecutionStatus::from_name(&told.status).is_some_and(ExecutionStatus::is_final) {
            self.open.remove(&id);
            self.ended.push(Ended { id, seq, ended_by: seq, told });
        } else {
            if let Some(asked) = told.question {
                self.questions.ask(id, seq, asked);
            }
            self.open.insert(id, Open { seq, told, is_approved: false });
        }
    }

    fn rule(&mut self, seq: i64, ruled: &Ruled) {
        let (id, hash) = (ruled.execution_id, ruled.call_sha256);
        match ruled.status.as_deref() {
            Some("approved") => {
                if let Some(open) = self.open.get_mut(&id) {
                    open.is_approved = true;
                }
            }
            Some("refused") => self.close(id, seq, ExecutionStatus::Refused, hash),
            _ => self.close(id, seq, ExecutionStatus::Expired, hash),
        }
    }

    /// Whether it waited or ran may have stood in an entry whose texts are gone.
    fn stop(&mut self, id: Uuid, seq: i64, call_sha256: Option<Hash>) {
        if self.is_blind {
            self.open.remove(&id);
        } else {
            self.close(id, seq, ExecutionStatus::Cancelled, call_sha256);
        }
    }

    /// Of a call that runs, its own entry tells the end.
    fn close(&mut self, id: Uuid, ended_by: i64, status: ExecutionStatus, call_sha256: Option<Hash>) {
        if self.open.get(&id).is_none_or(|open| open.is_approved) {
            return;
        }
        if let Some(Open { seq, told, .. }) = self.open.remove(&id) {
            let told = Told { status: status.as_str().to_owned(), call_sha256, ..told };
            self.ended.push(Ended { id, seq, ended_by, told });
        }
    }

    /// Compares what was heard of with the rows. A row and its entry are committed together: whoever read the one
    /// finds the other.
    pub async fn compare(&mut self, conn: &impl ConnectionTrait) -> Checked<()> {
        let ended = std::mem::take(&mut self.ended);
        for some in ended.chunks(AT_ONCE) {
            let ids: Vec<Uuid> = some.iter().map(|call| call.id).collect();
            let kept = self.kept(conn, &ids).await?;
            for Ended { id, seq, ended_by, told } in some {
                match kept.get(id) {
                    Some(row) if is_as_told(row, told) => self.note_kept(*id, *ended_by),
                    Some(_) => return Err(self.fault(*seq, Wrong::OtherCall(*id))),
                    None => self.note_missing(*id, *seq),
                }
            }
        }
        self.questions.compare(conn).await
    }

    async fn kept(&self, conn: &impl ConnectionTrait, ids: &[Uuid]) -> Checked<HashMap<Uuid, Execution>> {
        let rows = kept_calls(conn, self.tenant, ids).await.map_err(Unverified::Unreadable)?;
        Ok(rows.into_iter().map(|row| (row.id, row)).collect())
    }

    fn note_kept(&mut self, id: Uuid, ended_by: i64) {
        self.compared += 1;
        self.told_before += u64::from(ended_by <= self.before.seq);
        self.oldest_kept = Some(self.oldest_kept.map_or(id, |oldest| oldest.min(id)));
    }

    fn note_missing(&mut self, id: Uuid, seq: i64) {
        self.missing += 1;
        self.newest_missing = self.newest_missing.max(Some((id, seq)));
    }

    /// A call that has ended by its row and not by any entry yet. It may have ended since the last one was read: then
    /// there are more entries now, and one of them tells.
    pub async fn unsettled(&self, conn: &impl ConnectionTrait) -> Checked<Option<Fault>> {
        let open: Vec<Uuid> = self.open.keys().copied().collect();
        for ids in open.chunks(AT_ONCE) {
            for (id, row) in self.kept(conn, ids).await? {
                let Some(open) = self.open.get(&id) else { continue };
                let is_fine = match ExecutionStatus::from_name(&row.status) {
                    Some(ExecutionStatus::Pending) => !open.is_approved && is_as_told(&row, &open.told),
                    // The arguments may have been corrected with the approval.
                    Some(ExecutionStatus::Running) => open.is_approved,
                    _ => false,
                };
                if !is_fine && !self.is_blind {
                    return Ok(Some(self.at(open.seq, Wrong::OtherCall(id))));
                }
            }
        }
        self.questions.unsettled(conn).await
    }

    /// After the last entry.
    pub fn finish(&self, last: i64) -> Checked<()> {
        if let Some((id, seq)) = self.newest_missing
            && self.oldest_kept.is_none_or(|oldest| oldest < id)
        {
            return Err(self.fault(seq, Wrong::LostCall(id)));
        }
        if self.told_before < self.before.ended && !self.is_blind {
            return Err(self.fault(last, Wrong::UntoldCalls(self.before.ended - self.told_before)));
        }
        self.questions.finish(last)
    }

    fn at(&self, seq: i64, wrong: Wrong) -> Fault {
        Fault { tenant: Some(self.tenant.0), seq, wrong }
    }

    fn fault(&self, seq: i64, wrong: Wrong) -> Unverified<StoreError> {
        Unverified::Fault(self.at(seq, wrong))
    }
}

/// The calls that an entry is about: one, by its subject, or several.
fn calls_of(after: &str, subject: &str) -> Option<Vec<(Uuid, Told)>> {
    if after.starts_with("{\"calls\":") {
        let several: Several = serde_json::from_str(after).ok()?;
        return several.calls.into_iter().map(|told| Some((told.execution_id?, told))).collect();
    }
    Some(vec![(subject.parse().ok()?, serde_json::from_str(after).ok()?)])
}

fn is_as_told(row: &Execution, told: &Told) -> bool {
    row.status == told.status
        && row.tool_name == told.tool
        && row.tool_id == told.tool_id
        && row.tool_version == told.version
        && row.agent_id == told.agent_id
        && row.error_code == told.error
        && row.test_mode == told.test_mode
        && row.execution_time_ms == told.ms
        && digest::of_text(&row.params) == told.params_sha256
        && row.result.as_deref().map(digest::of_text) == told.result_sha256
        && told.call_sha256.is_none_or(|hash| hash == digest::of_call(row))
}
