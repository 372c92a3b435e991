//! T18: counts by agent and hour, beside those by tool. What was called before this step is not counted.

use crate::{column::uuid, wall};
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_table(agent_hours()).await?;
        wall::around_all(manager).await
    }
}

fn agent_hours() -> TableCreateStatement {
    let mut table = Table::create();
    table.table("agent_hours").col(uuid("tenant_id")).col(uuid("agent_id"));
    let counted = ["hour", "executions", "errors", "total_ms", "last_at"].map(str::to_owned);
    for name in counted.into_iter().chain((0..20).map(|span| format!("span_{span}"))) {
        table.col(ColumnDef::new(name).big_integer().not_null().default(0));
    }
    table.primary_key(Index::create().col("tenant_id").col("agent_id").col("hour")).to_owned()
}
