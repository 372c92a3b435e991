//! B4: the questions that were put to people, beside what the record says of them: what was asked, when they were asked;
//! and everything, when they were decided.

use super::{
    calls::{AT_ONCE, Checked},
    digest,
};
use domain::{TenantId, execution::ConfirmationStatus};
use ledger::{Content, Fault, Hash, Recorded, Unverified, Wrong};
use sea_orm::ConnectionTrait;
use serde::Deserialize;
use std::collections::{HashMap, HashSet};
use store::{
    StoreResult,
    audit::{Beside, calls_that_are_there, kept_questions, questions_of},
    confirmations::Confirmation,
};
use uuid::Uuid;

/// What the entry of a waiting call says of the question that it waits for. Entries of earlier versions have none.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) struct Asked {
    confirmation_id: Uuid,
    asked_sha256: Hash,
}

/// What an entry says of the question that it closed.
#[derive(Deserialize)]
struct Said {
    execution_id: Uuid,
    /// Where the entry is about something else.
    confirmation_id: Option<Uuid>,
    status: Option<String>,
    decided_by: Option<String>,
    /// Entries of earlier versions have none: what they say in words is compared.
    question_sha256: Option<Hash>,
}

/// Asked, and not closed by any entry yet.
struct Open {
    seq: i64,
    asked: Asked,
}

struct Closed {
    id: Uuid,
    seq: i64,
    call: Uuid,
    status: String,
    decided_by: Option<String>,
    question: Option<Hash>,
    asked: Option<Hash>,
}

pub(super) struct Questions {
    tenant: TenantId,
    /// By their calls: each has one at most.
    open: HashMap<Uuid, Open>,
    closed: Vec<Closed>,
    /// Calls that were stopped by an entry that does not say whether a question of before went with them.
    stopped: Vec<(Uuid, i64)>,
    /// Calls whose question was closed by some entry.
    settled: HashSet<Uuid>,
    before: Beside,
    told_before: u64,
    /// Entries whose texts are gone may have told of any question.
    is_blind: bool,
}

impl Questions {
    pub fn of(tenant: TenantId, before: Beside) -> Self {
        let (open, closed, stopped, settled) = Default::default();
        Self { tenant, open, closed, stopped, settled, before, told_before: 0, is_blind: false }
    }

    pub fn ask(&mut self, call: Uuid, seq: i64, asked: Asked) {
        self.open.insert(call, Open { seq, asked });
    }

    pub fn hear(&mut self, recorded: &Recorded) {
        let entry = &recorded.entry;
        if !["confirmation.decide", "confirmation.expire", "execution.cancel"].contains(&&*entry.action) {
            return;
        }
        let after = match &entry.content {
            Content::Kept(texts) => texts.after.as_deref(),
            Content::Erased(_) => return self.is_blind = true,
        };
        let Ok(subject) = entry.subject_id.parse() else { return self.is_blind = true };
        let said: Option<Said> = after.and_then(|after| serde_json::from_str(after).ok());
        match (entry.action.as_str(), after, said) {
            ("execution.cancel", None, _) => self.stop(subject, entry.seq),
            (
                "execution.cancel",
                _,
                Some(Said { confirmation_id: Some(id), execution_id, question_sha256, .. }),
            ) => {
                self.close(id, entry.seq, execution_id, (None, None), question_sha256);
            }
            ("confirmation.decide", _, Some(said)) => {
                let ruling = (said.status, said.decided_by);
                self.close(subject, entry.seq, said.execution_id, ruling, said.question_sha256);
            }
            ("confirmation.expire", _, Some(said)) => {
                self.close(subject, entry.seq, said.execution_id, (None, None), said.question_sha256);
            }
            _ => self.is_blind = true,
        }
    }

    /// Without a ruling, it was closed by nobody's word.
    fn close(
        &mut self,
        id: Uuid,
        seq: i64,
        call: Uuid,
        (status, decided_by): (Option<String>, Option<String>),
        question: Option<Hash>,
    ) {
        let status = status.unwrap_or_else(|| ConfirmationStatus::Expired.as_str().to_owned());
        self.settled.insert(call);
        let asked = self.open.remove(&call).map(|open| open.asked.asked_sha256);
        self.closed.push(Closed { id, seq, call, status, decided_by, question, asked });
    }

    /// Earlier versions did not say which question a cancellation closed. One that was approved has an entry of its own.
    fn stop(&mut self, call: Uuid, seq: i64) {
        let question = self.open.get(&call).map(|open| open.asked.confirmation_id);
        match question {
            // It may have been approved by an entry whose texts are gone.
            _ if self.is_blind => drop(self.open.remove(&call)),
            Some(id) => self.close(id, seq, call, (None, None), None),
            None if self.settled.insert(call) => self.stopped.push((call, seq)),
            None => {}
        }
    }

    pub async fn compare(&mut self, conn: &impl ConnectionTrait) -> Checked<()> {
        let (closed, stopped) = (std::mem::take(&mut self.closed), std::mem::take(&mut self.stopped));
        for some in closed.chunks(AT_ONCE) {
            let ids: Vec<Uuid> = some.iter().map(|closed| closed.id).collect();
            let kept = self.kept(conn, &ids).await?;
            for closed in some.iter().filter(|closed| kept.contains_key(&closed.id)) {
                if !is_as_told(&kept[&closed.id], closed) {
                    return Err(self.fault(closed.seq, Wrong::OtherQuestion(closed.id)));
                }
                self.note_kept(closed.seq);
            }
            let lost = some.iter().filter(|closed| !kept.contains_key(&closed.id)).collect();
            self.went_with_their_calls(conn, lost).await?;
        }
        for some in stopped.chunks(AT_ONCE) {
            self.note_stopped(conn, some).await?;
        }
        Ok(())
    }

    async fn kept(&self, conn: &impl ConnectionTrait, ids: &[Uuid]) -> Checked<HashMap<Uuid, Confirmation>> {
        let rows = read(kept_questions(conn, self.tenant, ids).await)?;
        Ok(rows.into_iter().map(|row| (row.id, row)).collect())
    }

    fn note_kept(&mut self, closed_by: i64) {
        self.told_before += u64::from(closed_by <= self.before.seq);
    }

    /// The history may be shortened one day, and the questions with it.
    async fn went_with_their_calls(&self, conn: &impl ConnectionTrait, lost: Vec<&Closed>) -> Checked<()> {
        if lost.is_empty() {
            return Ok(());
        }
        let ids: Vec<Uuid> = lost.iter().map(|closed| closed.call).collect();
        let calls = read(calls_that_are_there(conn, self.tenant, &ids).await)?;
        match lost.iter().find(|closed| calls.contains(&closed.call)) {
            Some(closed) => Err(self.fault(closed.seq, Wrong::LostQuestion(closed.id))),
            None => Ok(()),
        }
    }

    async fn note_stopped(&mut self, conn: &impl ConnectionTrait, stopped: &[(Uuid, i64)]) -> Checked<()> {
        let calls: HashMap<Uuid, i64> = stopped.iter().copied().collect();
        let ids: Vec<Uuid> = calls.keys().copied().collect();
        for row in read(questions_of(conn, self.tenant, &ids).await)? {
            if row.status == ConfirmationStatus::Expired.as_str() {
                self.note_kept(calls[&row.execution_id]);
            }
        }
        Ok(())
    }

    /// A question that no longer waits as it was asked, and no entry tells why yet.
    pub async fn unsettled(&self, conn: &impl ConnectionTrait) -> Checked<Option<Fault>> {
        if self.is_blind {
            return Ok(None);
        }
        let open: Vec<&Open> = self.open.values().collect();
        for some in open.chunks(AT_ONCE) {
            let ids: Vec<Uuid> = some.iter().map(|open| open.asked.confirmation_id).collect();
            let kept = self.kept(conn, &ids).await?;
            for Open { seq, asked: Asked { confirmation_id: id, asked_sha256 } } in some {
                let wrong = match kept.get(id) {
                    Some(row) if waits_as_asked(row, *asked_sha256) => continue,
                    Some(_) => Wrong::OtherQuestion(*id),
                    None => Wrong::LostQuestion(*id),
                };
                return Ok(Some(self.at(*seq, wrong)));
            }
        }
        Ok(None)
    }

    /// After the last entry.
    pub fn finish(&self, last: i64) -> Checked<()> {
        if self.told_before < self.before.decided && !self.is_blind {
            return Err(self.fault(last, Wrong::UntoldQuestions(self.before.decided - self.told_before)));
        }
        Ok(())
    }

    fn at(&self, seq: i64, wrong: Wrong) -> Fault {
        Fault { tenant: Some(self.tenant.0), seq, wrong }
    }

    fn fault(&self, seq: i64, wrong: Wrong) -> Unverified<store::StoreError> {
        Unverified::Fault(self.at(seq, wrong))
    }
}

fn read<T>(rows: StoreResult<T>) -> Checked<T> {
    rows.map_err(Unverified::Unreadable)
}

fn is_as_told(row: &Confirmation, closed: &Closed) -> bool {
    closed.status == row.status
        && closed.decided_by.as_ref().is_none_or(|by| Some(by) == row.decided_by.as_ref())
        && closed.question.is_none_or(|hash| hash == digest::of_question(row))
        && closed.asked.is_none_or(|hash| hash == digest::of_asked(row))
}

fn waits_as_asked(row: &Confirmation, asked: Hash) -> bool {
    row.status == ConfirmationStatus::Pending.as_str() && digest::of_asked(row) == asked
}

#[cfg(test)]
mod tests;
