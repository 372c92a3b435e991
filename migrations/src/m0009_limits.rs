//! Limits of agents and of whole tenants, beside those of tools; versions of agents; and who made a key.

use crate::{
    column::{moment, optional_text, optional_uuid, text, uuid},
    epoch::{Watched, watch, watch_again},
};
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_table(tenant_limits()).await?;
        for (table, column) in [
            ("agents", optional_text("rate_limit")),
            ("agents", ColumnDef::new("version").big_integer().not_null().default(1).take()),
            // Unknown for keys of the command line, and for those that are older than this.
            ("api_keys", optional_uuid("created_by")),
        ] {
            manager.alter_table(Table::alter().table(table).add_column(column).to_owned()).await?;
        }
        watch(manager, &[LIMITS]).await?;
        watch_again(manager, &[AGENTS]).await
    }
}

const LIMITS: Watched = Watched { epoch: "tools", table: "tenant_limits", columns: "definition" };
const AGENTS: Watched = Watched {
    epoch: "tools",
    table: "agents",
    columns: "slug, name, persona, confirmation_mode, is_active, rate_limit, version",
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
