//! What stood around a call: what the agent said, what the gate said, how an address outside was tried. One short text.

use crate::column::optional_text;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let column = optional_text("circumstances");
        manager.alter_table(Table::alter().table("executions").add_column(column).to_owned()).await
    }
}
