//! The schema, step by step. The same steps run on SQLite and on PostgreSQL.
//!
//! Steps add first and remove a release later: an older process keeps working beside a newer one while they change
//! places. Moments are microseconds since 1970 in UTC (`bigint`): they sort and compare alike on both databases.

mod column;
mod epoch;
mod m0001_accounts;
mod m0002_policy;
mod m0003_audit;
mod m0004_global_tools;
mod m0005_tools;
mod m0006_executions;
mod m0007_crm;
mod m0008_channels;
mod m0009_limits;
mod m0010_code_tools;
mod m0011_search;
mod m0012_walls;
mod m0013_audit_reading;
mod m0014_items;
mod m0015_agent_hours;
mod m0016_own_titles;
mod m0017_circumstances;
mod m0018_lighter_calls;
mod m0019_makers_of_keys;
mod m0020_values_of_versions;
mod m0021_at_once;
mod m0022_intents;
mod m0023_hours;
mod m0024_bindings;
mod wall;

pub use sea_orm_migration::MigratorTrait;
use sea_orm_migration::{MigrationTrait, async_trait};

pub struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(m0001_accounts::Migration),
            Box::new(m0002_policy::Migration),
            Box::new(m0003_audit::Migration),
            Box::new(m0004_global_tools::Migration),
            Box::new(m0005_tools::Migration),
            Box::new(m0006_executions::Migration),
            Box::new(m0007_crm::Migration),
            Box::new(m0008_channels::Migration),
            Box::new(m0009_limits::Migration),
            Box::new(m0010_code_tools::Migration),
            Box::new(m0011_search::Migration),
            Box::new(m0012_walls::Migration),
            Box::new(m0013_audit_reading::Migration),
            Box::new(m0014_items::Migration),
            Box::new(m0015_agent_hours::Migration),
            Box::new(m0016_own_titles::Migration),
            Box::new(m0017_circumstances::Migration),
            Box::new(m0018_lighter_calls::Migration),
            Box::new(m0019_makers_of_keys::Migration),
            Box::new(m0020_values_of_versions::Migration),
            Box::new(m0021_at_once::Migration),
            Box::new(m0022_intents::Migration),
            Box::new(m0023_hours::Migration),
            Box::new(m0024_bindings::Migration),
        ]
    }
}
