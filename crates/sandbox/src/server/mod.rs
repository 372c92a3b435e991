//! The server's side: workers that wait, calls that wait, and the conversation with the worker of a call.

mod answer;
mod call;
mod config;
mod gate;
mod keeper;
mod metrics;
mod pool;
mod prepared;
mod sandbox;
mod worker;
mod zygote;

pub use config::{Config, Privileges, Unsupported};
pub use metrics::{Histogram, Metrics};
pub use sandbox::Sandbox;
