//! Rate limits of agents and of whole tenants, beside those of tools.

use crate::{
    column::{moment, optional_text, text, uuid},
    epoch::{Watched, watch, watch_again},
};
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_table(tenant_limits()).await?;
        let add = Table::alter().table("agents").add_column(optional_text("rate_limit")).to_owned();
        manager.alter_table(add).await?;
        watch(manager, &[LIMITS]).await?;
        watch_again(manager, &[AGENTS]).await
    }
}

const LIMITS: Watched = Watched { epoch: "tools", table: "tenant_limits", columns: "definition" };
const AGENTS: Watched = Watched {
    epoch: "tools",
    table: "agents",
    columns: "slug, name, persona, confirmation_mode, is_active, rate_limit",
};

/// A tenant without a row has the usual limits.
fn tenant_limits() -> TableCreateStatement {
    Table::create()
        .table("tenant_limits")
        .col(uuid("tenant_id").primary_key())
        .col(text("definition"))
        .col(moment("updated_at"))
        .foreign_key(
            ForeignKey::create()
                .from("tenant_limits", "tenant_id")
                .to("tenants", "id")
                .on_delete(ForeignKeyAction::Cascade),
        )
        .to_owned()
}
