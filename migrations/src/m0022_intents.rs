//! Calls that have begun and not ended, in a small table of their own. The history is written once for each call, when it is
//! over: a call to the outside took two rounds through all its indexes. `all_executions` shows both as one.
//!
//! A call that was asked about has its row in the history from the start, and stays there while it runs. So do calls that an
//! older version has begun: it may be there still, and end them.

use crate::{
    column::{flag, moment, optional_moment, optional_text, optional_uuid, text, uuid},
    wall,
};
use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let conn = manager.get_connection();
        match manager.get_database_backend() {
            // Found by its key alone: one tree instead of two.
            DbBackend::Sqlite => {
                let table = intents().to_string(SqliteQueryBuilder);
                conn.execute_unprepared(&format!("{table} WITHOUT ROWID")).await?;
            }
            _ => manager.create_table(intents()).await?,
        }
        let columns: Vec<String> = intents().get_columns().iter().map(ColumnDef::get_column_name).collect();
        let columns = columns.join(", ");
        let both = format!("SELECT {columns} FROM executions UNION ALL SELECT {columns} FROM intents");
        conn.execute_unprepared(&format!("CREATE VIEW all_executions AS {both}")).await?;
        if manager.get_database_backend() == DbBackend::Postgres {
            for text in [AS_WHO_ASKS, OFTEN_EMPTIED] {
                conn.execute_unprepared(text).await?;
            }
        }
        wall::around_all(manager).await
    }
}

/// The wall between tenants is that of whoever asks, not of whoever made the view. Before version 15 the two have to be one.
const AS_WHO_ASKS: &str = "DO $$ BEGIN \
    EXECUTE 'ALTER VIEW all_executions SET (security_invoker = true)'; \
    EXCEPTION WHEN invalid_parameter_value THEN NULL; \
    END $$";

/// As many rows go as come.
const OFTEN_EMPTIED: &str =
    "ALTER TABLE intents SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000)";

/// The same columns as `executions`.
fn intents() -> TableCreateStatement {
    let number = |name: &'static str| ColumnDef::new(name).big_integer().null().take();
    Table::create()
        .table("intents")
        .col(uuid("id"))
        .col(uuid("tenant_id"))
        .col(uuid("tool_id"))
        .col(text("tool_name"))
        .col(ColumnDef::new("tool_version").big_integer().not_null())
        .col(optional_uuid("agent_id"))
        .col(optional_text("conversation_id"))
        .col(text("actor_kind"))
        .col(optional_uuid("actor_id"))
        .col(text("actor_name"))
        .col(text("status"))
        .col(text("params"))
        .col(ColumnDef::new("sealed_params").blob().null())
        .col(optional_text("result"))
        .col(optional_text("error_code"))
        .col(optional_text("error_message"))
        .col(flag("truncated", false))
        .col(flag("test_mode", false))
        .col(number("execution_time_ms"))
        .col(optional_uuid("confirmation_id"))
        .col(optional_uuid("process_id"))
        .col(moment("executed_at"))
        .col(optional_moment("started_at"))
        .col(optional_moment("finished_at"))
        .col(optional_text("log"))
        .col(optional_text("circumstances"))
        .col(number("audit_seq"))
        .primary_key(Index::create().col("tenant_id").col("id"))
        .to_owned()
}
