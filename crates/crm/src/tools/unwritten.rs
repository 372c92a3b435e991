//! Rows that calls add, kept until something has to see them: the calls of one transaction then share a statement.

use store::{
    StoreResult, WriteTx,
    crm::tasks::{self, NewTask},
};

#[derive(Clone, Debug, Default)]
pub struct Unwritten {
    pub(super) tasks: Vec<NewTask>,
}

impl Unwritten {
    pub async fn write(&mut self, tx: &WriteTx) -> StoreResult<()> {
        tasks::insert_all(tx, std::mem::take(&mut self.tasks)).await
    }

    pub fn add(&mut self, more: &Self) {
        self.tasks.extend_from_slice(&more.tasks);
    }

    pub fn tasks(&self) -> &[NewTask] {
        &self.tasks
    }
}
