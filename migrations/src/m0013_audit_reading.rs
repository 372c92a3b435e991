//! Reading the record by what it is about. Calls are nearly all of it: they have no place in this index, so writing them
//! costs nothing more, and whoever looks for them finds them in the chain itself.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let index = "CREATE INDEX audit_entries_kind ON audit_entries (tenant_id, subject_kind, chain_seq) \
                     WHERE subject_kind <> 'execution'";
        manager.get_connection().execute_unprepared(index).await?;
        Ok(())
    }
}
