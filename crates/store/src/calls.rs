//! What one commit writes about calls: the rows that they made, their history, their counts and their place in the audit
//! log, in as few statements as the database allows.

use crate::{
    Database, StoreResult, WriteTx,
    audit::Linked,
    bulk::{Field, Row, Way, Writes, change},
    crm::tasks::NewTask,
    epochs::Basis,
    executions::Execution,
    statistics::Additions,
};

#[derive(Default)]
pub struct Calls<'a> {
    pub tasks: Vec<&'a NewTask>,
    pub rows: Vec<&'a Execution>,
    pub counts: Additions,
    pub linked: Linked,
}

/// New rows, and the outcome of known ones.
pub async fn write(tx: &WriteTx, calls: &Calls<'_>) -> StoreResult<()> {
    let (by_tool, by_agent) = calls.counts.rows();
    let mut writes = Writes::default();
    writes.add(calls.tasks.iter().map(|task| task.row()));
    writes.add(calls.rows.iter().copied());
    writes.add(&by_tool);
    writes.add(&by_agent);
    calls.linked.add_to(&mut writes);
    writes.run(tx).await
}

/// The same as a whole transaction, for calls of which it is known what is there: the first `new` rows are not, the
/// others run. And the audit log ends where the entries begin. False, and nothing is written, when something of that
/// is not so, or the basis is over.
pub async fn commit(db: &Database, calls: &Calls<'_>, new: usize, basis: Option<Basis>) -> StoreResult<bool> {
    let (by_tool, by_agent) = calls.counts.rows();
    let (new, ended) = calls.rows.split_at(new);
    let mut writes = Writes::default();
    match db.is_sqlite() {
        true => writes.add(ended.iter().copied().map(End)),
        false => writes.add(ended.iter().copied().map(Outcome)),
    }
    calls.linked.move_heads(&mut writes);
    writes.add(calls.tasks.iter().map(|task| task.row()));
    writes.add(new.iter().copied().map(New));
    calls.linked.add_entries(&mut writes);
    writes.add(&by_tool);
    writes.add(&by_agent);
    db.write_at_once(writes, basis).await
}

/// A call of which it is not known whether it is there. One that has ended is never changed again.
pub(crate) const OUTCOME: &str = "ON CONFLICT (tenant_id, id) DO UPDATE SET status = excluded.status, params = excluded.params, \
    sealed_params = excluded.sealed_params, result = excluded.result, error_code = excluded.error_code, \
    error_message = excluded.error_message, truncated = excluded.truncated, log = excluded.log, \
    circumstances = excluded.circumstances, \
    execution_time_ms = excluded.execution_time_ms, process_id = excluded.process_id, \
    started_at = excluded.started_at, finished_at = excluded.finished_at, audit_seq = excluded.audit_seq \
    WHERE executions.status IN ('pending', 'running')";

/// A call that is not there.
struct New<'a>(&'a Execution);

impl<'a> Row<'a> for New<'a> {
    const TABLE: &'static str = <&Execution as Row<'_>>::TABLE;
    const COLUMNS: &'static [&'static str] = <&Execution as Row<'_>>::COLUMNS;

    fn put(self, fields: &mut Vec<Field<'a>>) {
        self.0.put(fields);
    }
}

/// What came of a call that is there and has not ended, for PostgreSQL. An `UPDATE` would be shorter; but planned while the
/// table is small it may go by any index that begins with the tenant, and stays with it. This one goes by the key.
struct Outcome<'a>(&'a Execution);

impl<'a> Row<'a> for Outcome<'a> {
    const TABLE: &'static str = <&Execution as Row<'_>>::TABLE;
    const COLUMNS: &'static [&'static str] = <&Execution as Row<'_>>::COLUMNS;

    fn way() -> Way {
        Way::Settle { conflict: OUTCOME }
    }

    fn put(self, fields: &mut Vec<Field<'a>>) {
        self.0.put(fields);
    }
}

// The same for SQLite, which takes the `UPDATE` in two thirds of the time. It is asked for the state in a way that no index
// answers, so that it goes by the key as well.
change!(
    End,
    Execution,
    "executions",
    [tenant_id, id],
    [
        status,
        params,
        sealed_params,
        result,
        error_code,
        error_message,
        truncated,
        log,
        circumstances,
        execution_time_ms,
        process_id,
        started_at,
        finished_at,
        audit_seq,
    ],
    "executions.tenant_id = new.tenant_id AND executions.id = new.id \
     AND CASE WHEN executions.status IN ('pending', 'running') THEN true ELSE false END"
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s21_an_end_changes_the_same_on_both_databases() {
        let Way::Change { set, .. } = End::way() else { panic!("an end is a change") };
        assert!(OUTCOME.contains(&set.replace("new.", "excluded.")), "{set}");
    }
}
