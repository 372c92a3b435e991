//! The database: connections, entities, and the questions that are asked of them.
//!
//! No rule of the business lives here, and no HTTP. What belongs to a tenant is only reached through functions that
//! take that tenant's id.

pub mod agents;
pub mod api_keys;
pub mod assistant;
pub mod audit;
mod bulk;
pub mod calls;
pub mod channels;
mod checkpoints;
pub mod circumstances;
pub mod confirmations;
pub mod crm;
mod database;
mod entity;
pub mod epochs;
mod error;
pub mod executions;
mod fresh;
pub mod global_tools;
pub mod idempotency;
pub mod invitations;
pub mod items;
pub mod members;
mod moment;
mod nowhere;
pub mod outbox;
mod policy_adapter;
pub mod processes;
mod session_store;
pub mod sessions;
pub mod settings;
mod signals;
pub mod statistics;
pub mod tenant_limits;
pub mod tenant_secrets;
pub mod tenants;
mod thread;
pub mod tools;
mod transaction;
mod turns;
pub mod users;
mod version;
mod wall;

pub use database::Database;
pub use error::{StoreError, StoreResult};
pub use fresh::Fresh;
pub use moment::Moment;
pub use nowhere::Nowhere;
pub use policy_adapter::{PolicyAdapter, sync_policy_seed};
pub use session_store::{SESSION_LIFETIME, SESSION_USER, SeaOrmSessionStore};
pub use signals::{Signal, Signals};
pub use thread::on_own_thread;
pub use transaction::WriteTx;
pub use version::{Epoch, Now, Version};
pub use wall::TenantReader;
