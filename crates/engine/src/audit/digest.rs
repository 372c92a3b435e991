//! B4: what the record says of rows that the history keeps, so that whoever changes one later is found out.

use ledger::Hash;
use serde::Serialize;
use sha2::{Digest, Sha256};
use store::{confirmations::Confirmation, executions::Execution};

pub(crate) fn of_text(text: impl AsRef<[u8]>) -> Hash {
    Hash(Sha256::digest(text).into())
}

/// Of an ended or waiting call, all that the entry does not say in words, arguments and result aside: those have hashes of
/// their own, because somebody may have to prove one of them without showing the other.
pub(crate) fn of_call(row: &Execution) -> Hash {
    of_values(&(
        (&row.conversation_id, &row.actor_kind, row.actor_id, &row.actor_name),
        (&row.error_message, row.truncated, &row.log, &row.circumstances),
        (row.executed_at, row.started_at, row.finished_at, row.confirmation_id),
    ))
}

/// Of a question, what was asked of whom: no decision changes it.
pub(crate) fn of_asked(row: &Confirmation) -> Hash {
    of_values(&asked(row))
}

/// Of a question that was decided or closed, everything.
pub(crate) fn of_question(row: &Confirmation) -> Hash {
    let decision = (&row.status, &row.edited_params, &row.decided_by, row.decided_at, &row.note);
    of_values(&(asked(row), decision))
}

fn asked(row: &Confirmation) -> impl Serialize {
    (
        (row.execution_id, row.tool_id, &row.tool_name, row.agent_id),
        (&row.binding, &row.params, &row.plan, &row.reason),
        (&row.requested_by_kind, row.requested_by_id, &row.requested_by, row.second_person),
        (row.expires_at, row.created_at),
    )
}

/// As JSON: where one value ends and the next begins is never in doubt.
fn of_values(values: &impl Serialize) -> Hash {
    of_text(serde_json::to_vec(values).unwrap_or_default())
}
