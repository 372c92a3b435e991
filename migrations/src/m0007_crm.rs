//! What a tenant knows about its customers, and what the system tools work on: contacts, pipelines, deals, tasks,
//! products, conversations, messages, scheduled messages. Every table names its tenant.

mod search;
mod tables;

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in tables::all() {
            manager.create_table(table).await?;
        }
        for (table, columns) in INDEXES {
            manager.create_index(index(table, columns)).await?;
        }
        for (table, column) in UNIQUE_IN_TENANT {
            manager.create_index(index(table, &["tenant_id", column]).unique().to_owned()).await?;
        }
        search::create(manager).await
    }
}

const UNIQUE_IN_TENANT: &[(&str, &str)] = &[
    ("contacts", "external_id"),
    ("deals", "external_id"),
    ("products", "sku"),
    ("conversations", "external_id"),
];

/// Lists go by tenant and id; the others serve a contact's history, a deletion, and the sender.
const INDEXES: &[(&str, &[&str])] = &[
    ("contacts", &["tenant_id", "id"]),
    ("pipelines", &["tenant_id", "id"]),
    ("deals", &["tenant_id", "id"]),
    ("deals", &["contact_id"]),
    ("deals", &["pipeline_id", "stage"]),
    ("tasks", &["tenant_id", "id"]),
    ("tasks", &["contact_id"]),
    ("tasks", &["deal_id"]),
    ("products", &["tenant_id", "id"]),
    ("conversations", &["tenant_id", "id"]),
    ("conversations", &["contact_id"]),
    ("messages", &["conversation_id", "id"]),
    ("scheduled_messages", &["tenant_id", "id"]),
    ("scheduled_messages", &["contact_id"]),
    ("scheduled_messages", &["status", "send_at"]),
];

fn index(table: &'static str, columns: &[&'static str]) -> IndexCreateStatement {
    let mut index = Index::create();
    index.name(format!("{table}_{}", columns.join("_"))).table(table);
    for column in columns {
        index.col(*column);
    }
    index.to_owned()
}
