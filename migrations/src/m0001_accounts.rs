//! People, tenants, memberships, sessions, invitations, API keys, and the settings of the installation.

use crate::column::{
    flag, id, moment, optional_moment, optional_text, optional_uuid, text, unique_text, uuid,
};
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_table(settings()).await?;
        manager.create_table(users()).await?;
        manager.create_table(tenants()).await?;
        manager.create_table(memberships()).await?;
        manager.create_table(sessions()).await?;
        manager.create_table(invitations()).await?;
        manager.create_table(api_keys()).await?;
        for (table, column) in INDEXES {
            let name = format!("{table}_{column}");
            manager.create_index(Index::create().name(name).table(*table).col(*column).to_owned()).await?;
        }
        Ok(())
    }
}

const INDEXES: &[(&str, &str)] = &[
    ("memberships", "user_id"),
    ("sessions", "user_id"),
    ("sessions", "expires_at"),
    ("invitations", "tenant_id"),
];

fn settings() -> TableCreateStatement {
    Table::create().table("settings").col(text("name").primary_key()).col(text("value")).to_owned()
}

fn users() -> TableCreateStatement {
    Table::create()
        .table("users")
        .col(id("id"))
        .col(unique_text("email"))
        .col(text("name"))
        .col(text("password_hash"))
        .col(flag("is_platform_admin", false))
        .col(optional_moment("disabled_at"))
        .col(moment("created_at"))
        .col(optional_moment("last_seen_at"))
        .to_owned()
}

fn tenants() -> TableCreateStatement {
    Table::create()
        .table("tenants")
        .col(id("id"))
        .col(unique_text("slug"))
        .col(text("name"))
        .col(moment("created_at"))
        .to_owned()
}

fn memberships() -> TableCreateStatement {
    Table::create()
        .table("memberships")
        .col(uuid("tenant_id"))
        .col(uuid("user_id"))
        .col(text("role"))
        .col(moment("created_at"))
        .primary_key(Index::create().col("tenant_id").col("user_id"))
        .foreign_key(&mut belongs_to("memberships", "tenant_id", "tenants"))
        .foreign_key(&mut belongs_to("memberships", "user_id", "users"))
        .to_owned()
}

fn sessions() -> TableCreateStatement {
    Table::create()
        .table("sessions")
        .col(id("id"))
        .col(unique_text("secret_hash"))
        .col(optional_uuid("user_id"))
        .col(text("data"))
        .col(moment("expires_at"))
        .col(moment("created_at"))
        .col(moment("last_seen_at"))
        .col(optional_text("address"))
        .col(optional_text("user_agent"))
        .foreign_key(&mut belongs_to("sessions", "user_id", "users"))
        .to_owned()
}

fn invitations() -> TableCreateStatement {
    Table::create()
        .table("invitations")
        .col(id("id"))
        .col(uuid("tenant_id"))
        .col(text("email"))
        .col(text("role"))
        .col(unique_text("token_hash"))
        .col(text("invited_by"))
        .col(moment("created_at"))
        .col(moment("expires_at"))
        .col(optional_moment("accepted_at"))
        .col(optional_moment("revoked_at"))
        .foreign_key(&mut belongs_to("invitations", "tenant_id", "tenants"))
        .to_owned()
}

fn api_keys() -> TableCreateStatement {
    Table::create()
        .table("api_keys")
        .col(id("id"))
        .col(text("name"))
        .col(text("prefix"))
        .col(unique_text("key_hash"))
        .col(optional_uuid("tenant_id"))
        .col(optional_text("role"))
        .col(flag("is_platform_admin", false))
        .col(moment("created_at"))
        .col(optional_moment("expires_at"))
        .col(optional_moment("revoked_at"))
        .col(optional_moment("last_used_at"))
        .foreign_key(&mut belongs_to("api_keys", "tenant_id", "tenants"))
        .to_owned()
}

fn belongs_to(table: &'static str, column: &'static str, owner: &'static str) -> ForeignKeyCreateStatement {
    ForeignKey::create().from(table, column).to(owner, "id").on_delete(ForeignKeyAction::Cascade).to_owned()
}
