//! What a tenant knows about its customers, one file per table. Every function takes the tenant; only the sender of
//! scheduled messages looks across tenants.
//!
//! What is written was checked by the service: these functions take the checked `…In` and answer with the `…Out`.

pub mod contacts;
pub mod conversations;
pub mod deals;
pub(crate) mod fold;
pub mod messages;
mod owned;
pub mod pipelines;
pub mod products;
pub mod scheduled_messages;
pub mod tasks;

pub use owned::Hold;
