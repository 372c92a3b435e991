//! What one commit writes about calls: the rows that they made, their history, their counts and their place in the audit
//! log, in as few statements as the database allows.

use crate::{
    StoreResult, WriteTx, audit::Linked, bulk::Writes, crm::tasks::NewTask, executions::Execution,
    statistics::Additions,
};

#[derive(Default)]
pub struct Calls {
    pub tasks: Vec<NewTask>,
    /// New rows, and the outcome of known ones.
    pub rows: Vec<Execution>,
    pub counts: Additions,
    pub linked: Linked,
}

pub async fn write(tx: &WriteTx, calls: &Calls) -> StoreResult<()> {
    let (by_tool, by_agent) = calls.counts.rows();
    let mut writes = Writes::default();
    writes.add(calls.tasks.iter().map(NewTask::row));
    writes.add(&calls.rows);
    writes.add(&by_tool);
    writes.add(&by_agent);
    calls.linked.add_to(&mut writes);
    writes.run(tx).await
}
