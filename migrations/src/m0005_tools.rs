//! The tools and agents of tenants, and two counters that tell whether what somebody knows is still so.

use crate::{
    column::{flag, id, moment, optional_text, optional_uuid, text, uuid},
    epoch::{Watched, watch},
};
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in [tools(), tool_versions(), agents(), agent_tools(), epochs()] {
            manager.create_table(table).await?;
        }
        for index in indexes() {
            manager.create_index(index).await?;
        }
        manager
            .alter_table(Table::alter().table("api_keys").add_column(optional_uuid("agent_id")).to_owned())
            .await?;
        let start = "INSERT INTO epochs (name, value) VALUES ('rights', 0), ('tools', 0)";
        manager.get_connection().execute_unprepared(start).await?;
        watch(manager, WATCHED).await
    }
}

/// What people and keys may do, and what the gate decides by. Columns that only note a use are not among them.
const WATCHED: &[Watched] = &[
    Watched { epoch: "rights", table: "users", columns: "email, name, is_platform_admin, disabled_at" },
    Watched { epoch: "rights", table: "tenants", columns: "slug, name" },
    Watched { epoch: "rights", table: "memberships", columns: "role" },
    Watched { epoch: "rights", table: "sessions", columns: "user_id, data, expires_at" },
    Watched {
        epoch: "rights",
        table: "api_keys",
        columns: "name, tenant_id, role, is_platform_admin, expires_at, revoked_at, agent_id",
    },
    Watched { epoch: "tools", table: "global_tools", columns: "enabled" },
    Watched { epoch: "tools", table: "tools", columns: "name, definition, secrets, version, is_active" },
    Watched { epoch: "tools", table: "agents", columns: "slug, name, persona, confirmation_mode, is_active" },
    Watched { epoch: "tools", table: "agent_tools", columns: "tool_id" },
];

fn tools() -> TableCreateStatement {
    Table::create()
        .table("tools")
        .col(id("id"))
        .col(uuid("tenant_id"))
        .col(text("name"))
        .col(text("kind"))
        .col(text("execution_type"))
        .col(text("definition"))
        .col(ColumnDef::new("secrets").blob().null())
        .col(ColumnDef::new("version").big_integer().not_null())
        .col(flag("is_active", true))
        .col(flag("is_system", false))
        .col(moment("created_at"))
        .col(moment("updated_at"))
        .foreign_key(ForeignKey::create().from("tools", "tenant_id").to("tenants", "id"))
        .to_owned()
}

/// Every definition that a tool ever had; they outlive the tool, because executions name them.
fn tool_versions() -> TableCreateStatement {
    Table::create()
        .table("tool_versions")
        .col(uuid("tool_id"))
        .col(ColumnDef::new("version").big_integer().not_null())
        .col(uuid("tenant_id"))
        .col(text("definition"))
        .col(text("changed_by"))
        .col(optional_text("note"))
        .col(moment("at"))
        .primary_key(Index::create().col("tool_id").col("version"))
        .to_owned()
}

fn agents() -> TableCreateStatement {
    Table::create()
        .table("agents")
        .col(id("id"))
        .col(uuid("tenant_id"))
        .col(text("slug"))
        .col(text("name"))
        .col(text("description"))
        .col(text("persona"))
        .col(text("confirmation_mode"))
        .col(flag("is_active", true))
        .col(moment("created_at"))
        .col(moment("updated_at"))
        .foreign_key(ForeignKey::create().from("agents", "tenant_id").to("tenants", "id"))
        .to_owned()
}

fn agent_tools() -> TableCreateStatement {
    Table::create()
        .table("agent_tools")
        .col(uuid("agent_id"))
        .col(uuid("tool_id"))
        .col(uuid("tenant_id"))
        .primary_key(Index::create().col("agent_id").col("tool_id"))
        .foreign_key(
            ForeignKey::create()
                .from("agent_tools", "agent_id")
                .to("agents", "id")
                .on_delete(ForeignKeyAction::Cascade),
        )
        .foreign_key(
            ForeignKey::create()
                .from("agent_tools", "tool_id")
                .to("tools", "id")
                .on_delete(ForeignKeyAction::Cascade),
        )
        .to_owned()
}

fn epochs() -> TableCreateStatement {
    Table::create()
        .table("epochs")
        .col(text("name").primary_key())
        .col(ColumnDef::new("value").big_integer().not_null())
        .to_owned()
}

fn indexes() -> Vec<IndexCreateStatement> {
    let unique = |name: &'static str, table: &'static str, column: &'static str| {
        Index::create().unique().name(name).table(table).col("tenant_id").col(column).to_owned()
    };
    vec![
        unique("tools_name", "tools", "name"),
        unique("agents_slug", "agents", "slug"),
        Index::create().name("agent_tools_tenant").table("agent_tools").col("tenant_id").to_owned(),
        Index::create().name("agent_tools_tool").table("agent_tools").col("tool_id").to_owned(),
    ]
}
