//! The server's side: workers that wait, calls that wait, and the conversation with the worker of a call.

mod answer;
mod call;
mod gate;
mod keeper;
mod metrics;
mod pool;
mod sandbox;
mod worker;
mod zygote;

pub use metrics::{Histogram, Metrics};
pub use sandbox::{Config, Privileges, Sandbox, Unsupported};
