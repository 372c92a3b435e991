//! What one commit writes about calls: the rows that they made, their history, their counts and their place in the audit
//! log, in as few statements as the database allows.

use crate::{
    Database, StoreResult, WriteTx,
    audit::Linked,
    bulk::{AsField, Field, Row, Way, Writes},
    crm::tasks::NewTask,
    epochs::Basis,
    executions::Execution,
    statistics::Additions,
};
use domain::execution::ExecutionStatus;
use std::collections::HashSet;
use uuid::Uuid;

#[derive(Default)]
pub struct Calls<'a> {
    pub tasks: Vec<&'a NewTask>,
    pub rows: Vec<&'a Execution>,
    pub counts: Additions,
    pub linked: Linked,
    /// Those of which it is known that the history has them already: they stay there.
    pub in_history: HashSet<Uuid>,
}

impl<'a> Calls<'a> {
    /// Intents among these rows, and what belongs into the history.
    fn divided(&self, rows: &[&'a Execution]) -> (Vec<&'a Execution>, Vec<&'a Execution>) {
        rows.iter().partition(|row| is_intent(row) && !self.in_history.contains(&row.id))
    }
}

/// New rows, and the outcome of known ones.
pub async fn write(tx: &WriteTx, calls: &Calls<'_>) -> StoreResult<()> {
    let (by_tool, by_agent) = calls.counts.rows();
    let (begun, kept) = calls.divided(&calls.rows);
    let mut writes = Writes::default();
    writes.add(calls.tasks.iter().map(|task| task.row()));
    writes.add(kept.iter().copied().map(Forgotten));
    writes.add(kept.iter().copied());
    writes.add(begun.into_iter().map(BegunAgain));
    writes.add(&by_tool);
    writes.add(&by_agent);
    calls.linked.add_to(&mut writes);
    writes.run(tx).await
}

/// The same as a whole transaction, for calls of which it is known what is there: of the first `new` rows nothing, of the
/// others the intent. And the audit log ends where the entries begin. False, and nothing is written, when something of
/// that is not so, or the basis is over.
pub async fn commit(db: &Database, calls: &Calls<'_>, new: usize, basis: Option<Basis>) -> StoreResult<bool> {
    let (by_tool, by_agent) = calls.counts.rows();
    let (new, ended) = calls.rows.split_at(new);
    let (begun, done) = calls.divided(new);
    let mut writes = Writes::default();
    writes.add(ended.iter().copied().map(Over));
    calls.linked.move_heads(&mut writes);
    writes.add(calls.tasks.iter().map(|task| task.row()));
    writes.add(begun.into_iter().map(Begun));
    writes.add(done.into_iter().chain(ended.iter().copied()).map(New));
    calls.linked.add_entries(&mut writes);
    writes.add(&by_tool);
    writes.add(&by_agent);
    db.write_at_once(writes, basis).await
}

/// True for a call that is kept as an intent until it is over. One that was asked about has its row in the history from the
/// start, and stays there.
fn is_intent(row: &Execution) -> bool {
    row.status == ExecutionStatus::Running.as_str() && row.confirmation_id.is_none()
}

/// A call of which it is not known whether it is there. One that has ended is never changed again.
pub(crate) const OUTCOME: &str = "ON CONFLICT (tenant_id, id) DO UPDATE SET status = excluded.status, params = excluded.params, \
    sealed_params = excluded.sealed_params, result = excluded.result, error_code = excluded.error_code, \
    error_message = excluded.error_message, truncated = excluded.truncated, log = excluded.log, \
    circumstances = excluded.circumstances, \
    execution_time_ms = excluded.execution_time_ms, process_id = excluded.process_id, \
    started_at = excluded.started_at, finished_at = excluded.finished_at, audit_seq = excluded.audit_seq \
    WHERE executions.status IN ('pending', 'running')";

/// An intent that another process takes over.
const AGAIN: &str = "ON CONFLICT (tenant_id, id) DO UPDATE SET process_id = excluded.process_id, \
    started_at = excluded.started_at, circumstances = excluded.circumstances";

/// Says how a call is written in other ways than that of its entity.
macro_rules! written {
    ($(#[$said:meta] $name:ident: $table:literal, $way:expr;)*) => {$(
        #[$said]
        struct $name<'a>(&'a Execution);

        impl<'a> Row<'a> for $name<'a> {
            const TABLE: &'static str = $table;
            const COLUMNS: &'static [&'static str] = <&Execution as Row<'_>>::COLUMNS;

            fn way() -> Way {
                $way
            }

            fn put(self, fields: &mut Vec<Field<'a>>) {
                self.0.put(fields);
            }
        }
    )*};
}

written! {
    /// A call that is not in the history.
    New: "executions", Way::Insert { conflict: "" };
    /// A call that begins.
    Begun: "intents", Way::Insert { conflict: "" };
    /// A call that begins, or is begun again.
    BegunAgain: "intents", Way::Insert { conflict: AGAIN };
}

/// Says which intents go.
macro_rules! removed {
    ($(#[$said:meta] $name:ident: $is_there:literal;)*) => {$(
        #[$said]
        struct $name<'a>(&'a Execution);

        impl<'a> Row<'a> for $name<'a> {
            const TABLE: &'static str = "intents";
            const COLUMNS: &'static [&'static str] = &["tenant_id", "id"];

            fn way() -> Way {
                Way::Remove { is_there: $is_there }
            }

            fn put(self, fields: &mut Vec<Field<'a>>) {
                fields.extend([self.0.tenant_id.as_field(), self.0.id.as_field()]);
            }
        }
    )*};
}

removed! {
    /// The intent of a call that runs.
    Over: true;
    /// The intent of a call that may have had one.
    Forgotten: false;
}
