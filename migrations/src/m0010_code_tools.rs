//! Code tools: the secrets that a tenant gives them, and what their scripts said.

use crate::column::{moment, optional_text, text, uuid};
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_table(tenant_secrets()).await?;
        let log = Table::alter().table("executions").add_column(optional_text("log")).to_owned();
        manager.alter_table(log).await
    }
}

fn tenant_secrets() -> TableCreateStatement {
    Table::create()
        .table("tenant_secrets")
        .col(uuid("tenant_id"))
        .col(text("name"))
        // Sealed, bound to tenant and name.
        .col(ColumnDef::new("value").blob().not_null())
        .col(moment("created_at"))
        .col(moment("updated_at"))
        .primary_key(Index::create().col("tenant_id").col("name"))
        .foreign_key(
            ForeignKey::create()
                .from("tenant_secrets", "tenant_id")
                .to("tenants", "id")
                .on_delete(ForeignKeyAction::Cascade),
        )
        .to_owned()
}
