//! What people save, the words to find it by, and their conversations with the assistant.

mod search;

use crate::{
    column::{id, moment, optional_moment, optional_text, sequence, text, uuid},
    wall,
};
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in [items(), conversations(), messages(), senders(), codes(), inbound()] {
            manager.create_table(table).await?;
        }
        for (name, table, columns) in INDEXES {
            let mut index = Index::create();
            index.name(*name).table(*table);
            columns.iter().for_each(|column| {
                index.col(*column);
            });
            manager.create_index(index).await?;
        }
        // The same thing is saved once; what was deleted stands in nobody's way.
        let once = "CREATE UNIQUE INDEX items_same_as ON items (tenant_id, owner_id, same_as) \
                    WHERE deleted_at IS NULL";
        manager.get_connection().execute_unprepared(once).await?;
        search::create(manager).await?;
        wall::around_all(manager).await
    }
}

const INDEXES: &[(&str, &str, &[&str])] = &[
    ("items_owner", "items", &["tenant_id", "owner_id", "id"]),
    ("items_kind", "items", &["tenant_id", "owner_id", "kind", "id"]),
    ("items_next_attempt_at", "items", &["next_attempt_at"]),
    ("items_deleted_at", "items", &["deleted_at"]),
    ("assistant_conversations_owner", "assistant_conversations", &["tenant_id", "owner_id", "id"]),
    ("assistant_conversations_updated_at", "assistant_conversations", &["updated_at"]),
    ("assistant_messages_conversation", "assistant_messages", &["conversation_id", "id"]),
    ("assistant_inbound_received_at", "assistant_inbound", &["received_at"]),
];

/// `seq` is for the index of words: it names rows by a number, and only an explicit one survives a VACUUM.
fn items() -> TableCreateStatement {
    Table::create()
        .table("items")
        .col(sequence("seq"))
        .col(uuid("id").unique_key())
        .col(uuid("tenant_id"))
        // A person or a key.
        .col(uuid("owner_id"))
        .col(text("kind"))
        .col(text("title"))
        .col(optional_text("text"))
        .col(optional_text("url"))
        .col(optional_text("same_as"))
        .col(text("tags"))
        .col(text("details"))
        .col(text("enrichment"))
        .col(optional_text("reason"))
        .col(optional_text("matches"))
        .col(ColumnDef::new("attempts").integer().not_null().default(0))
        .col(optional_moment("next_attempt_at"))
        .col(text("search_title"))
        .col(text("search_text"))
        .col(optional_moment("deleted_at"))
        .col(moment("created_at"))
        .col(moment("updated_at"))
        .foreign_key(&mut of_tenant("items"))
        .to_owned()
}

fn conversations() -> TableCreateStatement {
    Table::create()
        .table("assistant_conversations")
        .col(id("id"))
        .col(uuid("tenant_id"))
        .col(uuid("owner_id"))
        .col(text("state"))
        // Moves with every change: of two at once, one wins.
        .col(ColumnDef::new("version").big_integer().not_null())
        .col(text("memory"))
        .col(moment("expires_at"))
        .col(moment("created_at"))
        .col(moment("updated_at"))
        .foreign_key(&mut of_tenant("assistant_conversations"))
        .to_owned()
}

/// Added and never changed.
fn messages() -> TableCreateStatement {
    Table::create()
        .table("assistant_messages")
        .col(id("id"))
        .col(uuid("tenant_id"))
        .col(uuid("conversation_id"))
        .col(ColumnDef::new("is_mine").boolean().not_null())
        .col(text("text"))
        .col(moment("at"))
        .foreign_key(&mut of_tenant("assistant_messages"))
        .foreign_key(
            ForeignKey::create()
                .from("assistant_messages", "conversation_id")
                .to("assistant_conversations", "id")
                .on_delete(ForeignKeyAction::Cascade),
        )
        .to_owned()
}

/// Whose a phone is, after it was proven.
fn senders() -> TableCreateStatement {
    Table::create()
        .table("assistant_senders")
        .col(uuid("tenant_id"))
        .col(text("address"))
        .col(uuid("user_id"))
        .col(ColumnDef::new("conversation_id").uuid().null())
        .col(moment("created_at"))
        .primary_key(Index::create().col("tenant_id").col("address"))
        .foreign_key(&mut of_tenant("assistant_senders"))
        .foreign_key(&mut of_user("assistant_senders"))
        .to_owned()
}

/// A code is kept as its hash, once for each person.
fn codes() -> TableCreateStatement {
    Table::create()
        .table("assistant_codes")
        .col(uuid("tenant_id"))
        .col(uuid("user_id"))
        .col(text("code_hash"))
        .col(moment("expires_at"))
        .primary_key(Index::create().col("tenant_id").col("user_id"))
        .foreign_key(&mut of_tenant("assistant_codes"))
        .foreign_key(&mut of_user("assistant_codes"))
        .to_owned()
}

/// S18: what came in, so that the same message twice is answered twice and done once.
fn inbound() -> TableCreateStatement {
    Table::create()
        .table("assistant_inbound")
        .col(uuid("tenant_id"))
        .col(text("message_id"))
        .col(text("body_hash"))
        .col(optional_text("answer"))
        .col(moment("received_at"))
        .primary_key(Index::create().col("tenant_id").col("message_id"))
        .foreign_key(&mut of_tenant("assistant_inbound"))
        .to_owned()
}

fn of_tenant(table: &'static str) -> ForeignKeyCreateStatement {
    refers(table, "tenant_id", "tenants")
}

fn of_user(table: &'static str) -> ForeignKeyCreateStatement {
    refers(table, "user_id", "users")
}

fn refers(table: &'static str, column: &'static str, owner: &'static str) -> ForeignKeyCreateStatement {
    ForeignKey::create().from(table, column).to(owner, "id").on_delete(ForeignKeyAction::Cascade).to_owned()
}
