//! What happens to a tool: which exist, and the switches that everybody obeys.

pub mod global_tools;
pub mod registry;
pub mod schema;
