//! The casbin policy. `origin` tells the repository's lines (`seed`), which an upgrade replaces, from an operator's.

use crate::column::{sequence, text};
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut table =
            Table::create().table("casbin_rules").col(sequence("id")).col(text("ptype")).to_owned();
        for cell in ["v0", "v1", "v2", "v3", "v4", "v5", "v6"] {
            table.col(text(cell));
        }
        manager.create_table(table.col(text("origin")).to_owned()).await
    }
}
