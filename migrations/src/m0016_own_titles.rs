//! Titles that a person gave: what is found about an item later does not replace them. And a way to find the few items
//! that wait for a reason, which is looked for every minute.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let own = ColumnDef::new("has_own_title").boolean().not_null().default(false).to_owned();
        manager.alter_table(Table::alter().table("items").add_column(own).to_owned()).await?;
        let reason = "CREATE INDEX items_reason ON items (reason) WHERE reason IS NOT NULL";
        manager.get_connection().execute_unprepared(reason).await?;
        Ok(())
    }
}
