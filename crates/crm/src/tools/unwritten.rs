//! Rows that calls add, kept until something has to see them: the calls of one transaction then share a statement.

use sea_orm::ConnectionTrait;
use store::{
    StoreResult,
    crm::tasks::{self, NewTask},
};

#[derive(Default)]
pub struct Unwritten {
    pub(super) tasks: Vec<NewTask>,
}

impl Unwritten {
    pub async fn write(&mut self, tx: &impl ConnectionTrait) -> StoreResult<()> {
        tasks::insert_all(tx, std::mem::take(&mut self.tasks)).await
    }
}
