//! What calls write on PostgreSQL, in one statement and with less work for each row.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

#[derive(DeriveMigrationName)]
pub struct Migration;

/// What a statement of many parts relies on: when it is not so, nothing of it is done.
const EXPECT: &str = "CREATE FUNCTION alcada_expect(is_so boolean) RETURNS boolean LANGUAGE plpgsql AS $$ \
    BEGIN \
        IF is_so THEN RETURN true; END IF; \
        RAISE EXCEPTION 'what this statement relies on has changed; it is done again, step by step' \
            USING ERRCODE = 'serialization_failure'; \
    END $$";

/// Tasks go with their tenant as before. But that the tenant is there was asked for each task, and cost as much as the
/// task: whoever writes one acts for a tenant that is there.
const TASKS: &str = "ALTER TABLE tasks DROP CONSTRAINT tasks_tenant_id_fkey; \
    CREATE FUNCTION alcada_remove_tasks() RETURNS trigger LANGUAGE plpgsql AS $$ \
    BEGIN DELETE FROM tasks WHERE tenant_id = OLD.id; RETURN OLD; END $$; \
    CREATE TRIGGER tenants_tasks AFTER DELETE ON tenants FOR EACH ROW EXECUTE FUNCTION alcada_remove_tasks()";

/// An entry about many calls is long. The old way to press such texts takes longer than all the rest of the entry; where
/// the server was built without the new one, it stays.
const AFTER: &str = "DO $$ BEGIN \
    EXECUTE 'ALTER TABLE audit_entries ALTER COLUMN after SET COMPRESSION lz4'; \
    EXCEPTION WHEN feature_not_supported OR syntax_error THEN NULL; \
    END $$";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        if manager.get_database_backend() != DbBackend::Postgres {
            return Ok(());
        }
        for text in [EXPECT, TASKS, AFTER] {
            manager.get_connection().execute_unprepared(text).await?;
        }
        Ok(())
    }
}
