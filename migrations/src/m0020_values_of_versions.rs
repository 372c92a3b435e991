//! Each version of a tool keeps the values of its headers, sealed: a difference can tell that one changed, and an old
//! version comes back with the values that it had.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let secrets = ColumnDef::new("secrets").blob().null().take();
        manager.alter_table(Table::alter().table("tool_versions").add_column(secrets).to_owned()).await
    }
}
