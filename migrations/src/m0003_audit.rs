//! The audit log: who changed what, before and after. Rows are only ever added.

use crate::column::{moment, optional_text, optional_uuid, sequence, text, uuid};
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_table(audit_entries()).await?;
        let by_subject = Index::create()
            .name("audit_entries_subject")
            .table("audit_entries")
            .col("subject_kind")
            .col("subject_id")
            .col("seq")
            .to_owned();
        manager.create_index(by_subject).await
    }
}

fn audit_entries() -> TableCreateStatement {
    Table::create()
        .table("audit_entries")
        .col(sequence("seq"))
        .col(uuid("id").unique_key())
        .col(optional_uuid("tenant_id"))
        .col(moment("at"))
        .col(text("actor_kind"))
        .col(optional_uuid("actor_id"))
        .col(text("actor_name"))
        .col(text("action"))
        .col(text("subject_kind"))
        .col(text("subject_id"))
        .col(optional_text("before"))
        .col(optional_text("after"))
        .col(optional_text("reason"))
        .to_owned()
}
