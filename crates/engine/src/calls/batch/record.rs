//! What the audit log says of calls. Those of one caller that are written together share one entry: a link of the chain
//! costs as much as the call itself, and covers a hundred as well as one (ADR 0025).

use super::actor_of;
use crate::{audit::digest, calls::is_final};
use domain::{TenantId, execution::ExecutionStatus};
use ledger::Hash;
use serde::Serialize;
use store::{
    StoreError, StoreResult,
    audit::{Author, Entry, Linked, NewEntry},
    confirmations::Confirmation,
    executions::Execution,
};
use uuid::Uuid;

/// Arguments and results enter it by their hashes: the history has them, and may forget them one day.
#[derive(Serialize)]
struct Recorded<'a> {
    /// Where several calls share an entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    execution_id: Option<Uuid>,
    tool: &'a str,
    tool_id: Uuid,
    version: i64,
    agent_id: Option<Uuid>,
    status: &'a str,
    error: Option<&'a str>,
    ms: Option<i64>,
    test_mode: bool,
    params_sha256: Hash,
    result_sha256: Option<Hash>,
    /// Of everything else that the history has of it.
    call_sha256: Hash,
    #[serde(skip_serializing_if = "Option::is_none")]
    question: Option<Asked>,
}

/// The question that a call waits for, before anybody has seen it.
#[derive(Serialize)]
struct Asked {
    confirmation_id: Uuid,
    asked_sha256: Hash,
}

/// The entries of one commit: notes first, then what came of calls.
pub(super) struct Record {
    pub entries: Vec<NewEntry>,
    /// For each of the last entries the calls that share it, by their places among the rows.
    pub shared: Vec<Vec<usize>>,
}

impl Record {
    pub(super) fn of(
        notes: Vec<NewEntry>,
        rows: &[&Execution],
        questions: &[Confirmation],
    ) -> StoreResult<Self> {
        let shared = by_caller(rows);
        let mut entries = notes;
        for calls in &shared {
            entries.push(entry(rows, calls, questions)?);
        }
        Ok(Self { entries, shared })
    }
}

/// Which call is covered by the entry at which place: each is told.
pub(super) fn covered<'a>(
    shared: &'a [Vec<usize>],
    linked: &'a Linked,
) -> impl Iterator<Item = (usize, i64)> + 'a {
    let places = &linked.places[linked.places.len() - shared.len()..];
    shared.iter().zip(places).flat_map(|(calls, place)| calls.iter().map(|at| (*at, *place)))
}

fn by_caller(rows: &[&Execution]) -> Vec<Vec<usize>> {
    let mut shared: Vec<Vec<usize>> = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        if row.status == ExecutionStatus::Running.as_str() {
            continue;
        }
        match shared.iter_mut().find(|calls| may_share(rows[calls[0]], row)) {
            Some(calls) => calls.push(at),
            None => shared.push(vec![at]),
        }
    }
    shared
}

/// A call that waits for a person has an entry of its own: another one follows when it ends.
fn may_share(one: &Execution, other: &Execution) -> bool {
    is_final(one)
        && is_final(other)
        && one.tenant_id == other.tenant_id
        && one.actor_id == other.actor_id
        && one.actor_kind == other.actor_kind
        && one.actor_name == other.actor_name
}

fn entry(rows: &[&Execution], calls: &[usize], questions: &[Confirmation]) -> StoreResult<NewEntry> {
    let first = rows[calls[0]];
    let entry = Entry {
        tenant: Some(TenantId(first.tenant_id)),
        action: "execution.record",
        subject_kind: "execution",
        subject_id: first.id.to_string(),
        before: None,
        after: None,
        reason: None,
    };
    let entry = NewEntry::new(Author { actor: actor_of(first), name: &first.actor_name }, entry);
    let after = after(rows, calls, questions);
    Ok(entry.after(after.map_err(|error| StoreError::Corrupt(error.to_string()))?))
}

fn after(rows: &[&Execution], calls: &[usize], questions: &[Confirmation]) -> serde_json::Result<String> {
    #[derive(Serialize)]
    struct Several<'a> {
        calls: Vec<Recorded<'a>>,
    }
    match calls {
        [one] => {
            let row = rows[*one];
            let question = questions.iter().find(|question| question.execution_id == row.id).map(asked);
            serde_json::to_string(&Recorded { question, ..recorded(row, None) })
        }
        many => {
            let calls = many.iter().map(|at| recorded(rows[*at], Some(rows[*at].id))).collect();
            serde_json::to_string(&Several { calls })
        }
    }
}

fn recorded(row: &Execution, execution_id: Option<Uuid>) -> Recorded<'_> {
    Recorded {
        execution_id,
        tool: &row.tool_name,
        tool_id: row.tool_id,
        version: row.tool_version,
        agent_id: row.agent_id,
        status: &row.status,
        error: row.error_code.as_deref(),
        ms: row.execution_time_ms,
        test_mode: row.test_mode,
        params_sha256: digest::of_text(&row.params),
        result_sha256: row.result.as_deref().map(digest::of_text),
        call_sha256: digest::of_call(row),
        question: None,
    }
}

fn asked(question: &Confirmation) -> Asked {
    Asked { confirmation_id: question.id, asked_sha256: digest::of_asked(question) }
}
