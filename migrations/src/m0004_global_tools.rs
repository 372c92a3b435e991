//! G3: the flags for everybody. No column names a person: who switched is in the audit log.

use crate::column::{flag, id, moment, text, unique_text};
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let table = Table::create()
            .table("global_tools")
            .col(id("id"))
            .col(unique_text("tool_name"))
            .col(flag("enabled", true))
            .col(text("category"))
            .col(ColumnDef::new("version").big_integer().not_null().default(0))
            .col(moment("created_at"))
            .col(moment("updated_at"))
            .to_owned();
        manager.create_table(table).await
    }
}
