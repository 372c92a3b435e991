//! The ways to the outside of a tenant, the events that wait for delivery, and what the sender of scheduled messages
//! has to remember.

use crate::column::{id, moment, optional_moment, optional_text, optional_uuid, text, uuid};
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_table(channels()).await?;
        manager.create_table(outbox()).await?;
        let by_time =
            Index::create().name("outbox_next_attempt_at").table("outbox").col("next_attempt_at").take();
        manager.create_index(by_time).await?;
        for column in [optional_moment("next_attempt_at"), optional_text("via"), optional_uuid("process_id")]
        {
            let add = Table::alter().table("scheduled_messages").add_column(column).to_owned();
            manager.alter_table(add).await?;
        }
        Ok(())
    }
}

fn channels() -> TableCreateStatement {
    Table::create()
        .table("channels")
        .col(uuid("tenant_id"))
        .col(text("kind"))
        // Without secrets; those are sealed beside it.
        .col(text("definition"))
        .col(ColumnDef::new("secrets").blob().null())
        .col(moment("created_at"))
        .col(moment("updated_at"))
        .primary_key(Index::create().col("tenant_id").col("kind"))
        .foreign_key(&mut of_tenant("channels"))
        .to_owned()
}

/// A row is gone when it was delivered, or when it is too late for it.
fn outbox() -> TableCreateStatement {
    Table::create()
        .table("outbox")
        .col(id("id"))
        .col(uuid("tenant_id"))
        .col(text("body"))
        .col(ColumnDef::new("attempts").integer().not_null().default(0))
        .col(moment("next_attempt_at"))
        .col(optional_text("last_error"))
        .col(moment("created_at"))
        .foreign_key(&mut of_tenant("outbox"))
        .to_owned()
}

fn of_tenant(table: &'static str) -> ForeignKeyCreateStatement {
    ForeignKey::create()
        .from(table, "tenant_id")
        .to("tenants", "id")
        .on_delete(ForeignKeyAction::Cascade)
        .to_owned()
}
