//! S16: what approvals were bound to was a hash that needs no key, of arguments with their secrets. Questions that are still
//! open have to be asked again.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.get_connection().execute_unprepared("UPDATE confirmations SET binding = ''").await?;
        Ok(())
    }
}
