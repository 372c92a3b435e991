//! The pages of platform administrators: all behind `manage AdminPanel`, on both sides.

pub mod explain;
pub mod tenants;
pub mod tools;
pub mod users;
