//! What a call writes, in fewer trees. Calls and tasks are found by their tenant and id together, so that one key serves
//! where an id and an index of both stood; tasks of no contact and no deal have no place in the indexes of these. And a
//! call knows the entry of the audit log that covers it: calls that are written together share one.

use sea_orm_migration::{
    prelude::*,
    sea_orm::{DbBackend, Statement},
};

#[derive(DeriveMigrationName)]
pub struct Migration;

/// A table whose rows have a tenant, and the index that its new key takes the place of.
const TABLES: [(&str, &str); 2] = [("executions", "executions_tenant"), ("tasks", "tasks_tenant_id_id")];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    /// SQLite makes the tables anew: all of it, or nothing.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let is_sqlite = manager.get_database_backend() == DbBackend::Sqlite;
        let conn = manager.get_connection();
        for (table, index) in TABLES {
            conn.execute_unprepared(&format!("DROP INDEX {index}")).await?;
            match is_sqlite {
                true => key_on_sqlite(conn, table).await?,
                false => key_on_postgres(conn, table).await?,
            }
        }
        for column in ["contact_id", "deal_id"] {
            let partial = format!(
                "DROP INDEX tasks_{column}; CREATE INDEX tasks_{column} ON tasks ({column}) WHERE {column} IS NOT NULL"
            );
            conn.execute_unprepared(&partial).await?;
        }
        let covered = ColumnDef::new("audit_seq").big_integer().null().take();
        manager.alter_table(Table::alter().table("executions").add_column(covered).to_owned()).await
    }
}

async fn key_on_postgres(conn: &SchemaManagerConnection<'_>, table: &str) -> Result<(), DbErr> {
    let key = format!("ALTER TABLE {table} DROP CONSTRAINT {table}_pkey, ADD PRIMARY KEY (tenant_id, id)");
    conn.execute_unprepared(&key).await.map(drop)
}

/// SQLite cannot change a key: the rows move into a table that is the same but for it.
async fn key_on_sqlite(conn: &SchemaManagerConnection<'_>, table: &str) -> Result<(), DbErr> {
    let made = texts(conn, &format!("type = 'table' AND name = '{table}'")).await?.concat();
    let indexes = texts(conn, &format!("type = 'index' AND tbl_name = '{table}'")).await?;
    let (old_key, name) = ("\"id\" uuid_text NOT NULL PRIMARY KEY", format!("CREATE TABLE \"{table}\""));
    let columns = made.strip_prefix(&name).filter(|columns| columns.contains(old_key));
    let body = columns.and_then(|columns| columns.trim_end().strip_suffix(')'));
    let body = body.ok_or_else(|| DbErr::Migration(format!("the table {table} is not as it was made")))?;
    let body = body.replace(old_key, "\"id\" uuid_text NOT NULL");
    let anew = format!(
        "CREATE TABLE anew {body}, PRIMARY KEY (\"tenant_id\", \"id\")); \
         INSERT INTO anew SELECT * FROM {table}; DROP TABLE {table}; ALTER TABLE anew RENAME TO {table}; {}",
        indexes.join("; ")
    );
    conn.execute_unprepared(&anew).await.map(drop)
}

/// How tables and indexes were made, as SQLite remembers it. An index that belongs to a key has no text.
async fn texts(conn: &SchemaManagerConnection<'_>, which: &str) -> Result<Vec<String>, DbErr> {
    let question = format!("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND {which}");
    let rows = conn.query_all_raw(Statement::from_string(DbBackend::Sqlite, question)).await?;
    rows.iter().map(|row| row.try_get_by_index(0)).collect()
}
