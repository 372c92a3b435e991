//! T18: the hours of a tenant are found by their time, however many tools and years it has.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for (name, table) in [("tool_hours_time", "tool_hours"), ("agent_hours_time", "agent_hours")] {
            let index = Index::create().name(name).table(table).col("tenant_id").col("hour").to_owned();
            manager.create_index(index).await?;
        }
        Ok(())
    }
}
