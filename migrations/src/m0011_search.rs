//! Searching the history by tool, agent and end at once. Each of the other indexes finds one of them and then looks at
//! every row that has it: among millions of calls, thousands for one page. This one goes to the page.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let index = Index::create()
            .name("executions_search")
            .table("executions")
            .col("tenant_id")
            .col("tool_id")
            .col("agent_id")
            .col("status")
            .col("id")
            .to_owned();
        manager.create_index(index).await
    }
}
