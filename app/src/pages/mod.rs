//! One file per page, a folder per area.

pub mod account;
pub mod admin;
pub mod agents;
pub mod analytics;
pub mod assistant;
pub mod audit;
pub mod confirmations;
pub mod executions;
pub mod explain;
pub mod home;
pub mod invitation;
pub mod items;
pub mod login;
pub mod members;
pub mod not_found;
pub mod records;
pub mod settings;
pub mod setup;
pub mod tools;
