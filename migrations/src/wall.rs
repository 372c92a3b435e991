//! Row-level security on PostgreSQL: a table with a `tenant_id` shows and takes only rows of the tenant that the session
//! or the transaction names in `alcada.tenant`. `*` is the product itself; nothing is nobody.

use sea_orm_migration::{
    prelude::*,
    sea_orm::{DbBackend, Statement},
};

/// The text of a policy is the same everywhere: tests compare it.
const OWN_ROWS: &str = "current_setting('alcada.tenant', true) = '*' \
    OR tenant_id::text = current_setting('alcada.tenant', true)";

/// Puts it around every table with a `tenant_id` that has none yet. A step that adds such a table calls this at its end.
pub async fn around_all(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    if manager.get_database_backend() != DbBackend::Postgres {
        return Ok(());
    }
    let open = "SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id' \
        WHERE c.relkind IN ('r', 'p') AND c.relnamespace = current_schema()::regnamespace \
        AND NOT a.attisdropped AND NOT c.relforcerowsecurity";
    let conn = manager.get_connection();
    for row in conn.query_all_raw(Statement::from_string(DbBackend::Postgres, open)).await? {
        let table: String = row.try_get_by_index(0)?;
        let statements = format!(
            "ALTER TABLE \"{table}\" ENABLE ROW LEVEL SECURITY; ALTER TABLE \"{table}\" FORCE ROW LEVEL SECURITY; \
             CREATE POLICY own_rows ON \"{table}\" USING ({OWN_ROWS})"
        );
        conn.execute_unprepared(&statements).await?;
    }
    Ok(())
}
