//! Keys that keys made: the first of such a line is remembered with each of them, so that all of them count as one where
//! two have to decide. Nothing where a person is behind it, or the command line: such a key counts as itself.

use crate::column::optional_uuid;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let made_by = optional_uuid("made_by");
        manager.alter_table(Table::alter().table("api_keys").add_column(made_by).to_owned()).await
    }
}
