//! One file per table; nothing outside this crate names one.

pub mod api_keys;
pub mod audit_entries;
pub mod casbin_rules;
pub mod epochs;
pub mod global_tools;
pub mod invitations;
pub mod memberships;
pub mod sessions;
pub mod settings;
pub mod tenants;
pub mod users;
