//! What was called, what was asked of people before, what came of it; and the audit log as a chain.

use crate::column::{flag, id, moment, optional_moment, optional_text, optional_uuid, text, uuid};
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let tables = [
            executions(),
            idempotency_keys(),
            confirmations(),
            tool_hours(),
            processes(),
            heads(),
            checkpoints(),
        ];
        for table in tables {
            manager.create_table(table).await?;
        }
        for index in indexes() {
            manager.create_index(index).await?;
        }
        let running = "CREATE INDEX executions_running ON executions (process_id) WHERE status = 'running'";
        manager.get_connection().execute_unprepared(running).await?;
        for column in [
            ColumnDef::new("chain_seq").big_integer().null().take(),
            ColumnDef::new("hash").blob().null().take(),
            ColumnDef::new("salt").blob().null().take(),
        ] {
            manager.alter_table(Table::alter().table("audit_entries").add_column(column).to_owned()).await?;
        }
        let chain = Index::create()
            .unique()
            .name("audit_entries_chain")
            .table("audit_entries")
            .col("tenant_id")
            .col("chain_seq")
            .to_owned();
        manager.create_index(chain).await
    }
}

fn number(name: &'static str) -> ColumnDef {
    ColumnDef::new(name).big_integer().not_null().default(0).take()
}

fn blob(name: &'static str) -> ColumnDef {
    ColumnDef::new(name).blob().null().take()
}

fn executions() -> TableCreateStatement {
    Table::create()
        .table("executions")
        .col(id("id"))
        .col(uuid("tenant_id"))
        .col(uuid("tool_id"))
        .col(text("tool_name"))
        .col(number("tool_version"))
        .col(optional_uuid("agent_id"))
        .col(optional_text("conversation_id"))
        .col(text("actor_kind"))
        .col(optional_uuid("actor_id"))
        .col(text("actor_name"))
        .col(text("status"))
        // With secrets masked; what has to run later is sealed beside it.
        .col(text("params"))
        .col(blob("sealed_params"))
        .col(optional_text("result"))
        .col(optional_text("error_code"))
        .col(optional_text("error_message"))
        .col(flag("truncated", false))
        .col(flag("test_mode", false))
        .col(ColumnDef::new("execution_time_ms").big_integer().null())
        .col(optional_uuid("confirmation_id"))
        .col(optional_uuid("process_id"))
        .col(moment("executed_at"))
        .col(optional_moment("started_at"))
        .col(optional_moment("finished_at"))
        .to_owned()
}

fn idempotency_keys() -> TableCreateStatement {
    Table::create()
        .table("idempotency_keys")
        .col(uuid("tenant_id"))
        .col(uuid("actor_id"))
        .col(text("key"))
        .col(text("request_hash"))
        .col(uuid("execution_id"))
        .col(moment("expires_at"))
        .primary_key(Index::create().col("tenant_id").col("actor_id").col("key"))
        .to_owned()
}

fn confirmations() -> TableCreateStatement {
    Table::create()
        .table("confirmations")
        .col(id("id"))
        .col(uuid("tenant_id"))
        .col(uuid("execution_id"))
        .col(uuid("tool_id"))
        .col(text("tool_name"))
        .col(optional_uuid("agent_id"))
        .col(text("status"))
        .col(text("binding"))
        .col(text("params"))
        .col(optional_text("edited_params"))
        .col(optional_text("plan"))
        .col(text("reason"))
        .col(text("requested_by_kind"))
        .col(optional_uuid("requested_by_id"))
        .col(text("requested_by"))
        .col(flag("second_person", false))
        .col(optional_text("decided_by"))
        .col(optional_moment("decided_at"))
        .col(optional_text("note"))
        .col(moment("expires_at"))
        .col(moment("created_at"))
        .to_owned()
}

/// Counts by the hour; hour 0 holds the sum of all. The times are kept as how many fell into which span.
fn tool_hours() -> TableCreateStatement {
    let mut table = Table::create();
    table
        .table("tool_hours")
        .col(uuid("tenant_id"))
        .col(uuid("tool_id"))
        .col(number("hour"))
        .col(number("executions"))
        .col(number("errors"))
        .col(number("total_ms"))
        .col(number("last_at"));
    for span in 0..20 {
        table.col(ColumnDef::new(format!("span_{span}")).big_integer().not_null().default(0));
    }
    table.primary_key(Index::create().col("tenant_id").col("tool_id").col("hour")).to_owned()
}

/// Who runs: an execution whose process is gone was left behind.
fn processes() -> TableCreateStatement {
    Table::create()
        .table("processes")
        .col(id("id"))
        .col(text("host"))
        .col(number("pid"))
        .col(number("started"))
        .col(moment("seen_at"))
        .to_owned()
}

/// The end of each chain; the platform's own is under the nil id.
fn heads() -> TableCreateStatement {
    Table::create()
        .table("audit_heads")
        .col(uuid("chain").primary_key())
        .col(number("seq"))
        .col(ColumnDef::new("hash").blob().not_null())
        .to_owned()
}

fn checkpoints() -> TableCreateStatement {
    Table::create()
        .table("audit_checkpoints")
        .col(uuid("chain"))
        .col(number("seq"))
        .col(ColumnDef::new("hash").blob().not_null())
        .col(moment("at"))
        .col(text("key_id"))
        .col(text("signature"))
        .primary_key(Index::create().col("chain").col("seq"))
        .to_owned()
}

/// Ids are made in the order of time: each way of reading the history is one index that ends in the id.
fn indexes() -> Vec<IndexCreateStatement> {
    let by = |name: &'static str, table: &'static str, columns: &[&'static str]| {
        let mut index = Index::create().name(name).table(table).to_owned();
        columns.iter().for_each(|column| {
            index.col(*column);
        });
        index.to_owned()
    };
    vec![
        by("executions_tenant", "executions", &["tenant_id", "id"]),
        by("executions_tool", "executions", &["tenant_id", "tool_id", "id"]),
        by("executions_agent", "executions", &["tenant_id", "agent_id", "id"]),
        by("executions_status", "executions", &["tenant_id", "status", "id"]),
        by("idempotency_keys_expiry", "idempotency_keys", &["expires_at"]),
        by("confirmations_status", "confirmations", &["tenant_id", "status", "id"]),
        by("confirmations_execution", "confirmations", &["execution_id"]),
        by("confirmations_expiry", "confirmations", &["status", "expires_at"]),
    ]
}
