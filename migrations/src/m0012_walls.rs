//! A second wall between tenants, on PostgreSQL (S9).

use crate::wall;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        wall::around_all(manager).await
    }
}
