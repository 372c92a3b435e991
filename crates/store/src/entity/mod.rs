//! One file per table; nothing outside this crate names one.

pub mod agent_tools;
pub mod agents;
pub mod api_keys;
pub mod audit_checkpoints;
pub mod audit_entries;
pub mod audit_heads;
pub mod casbin_rules;
pub mod confirmations;
pub mod epochs;
pub mod executions;
pub mod global_tools;
pub mod idempotency_keys;
pub mod invitations;
pub mod memberships;
pub mod processes;
pub mod sessions;
pub mod settings;
pub mod tenants;
pub mod tool_versions;
pub mod tools;
pub mod users;
