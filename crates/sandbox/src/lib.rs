//! Other people's JavaScript, where it cannot hurt anyone.
//!
//! A script runs in a process of its own, made for this one call, that the kernel has cut off from everything but a
//! socket to the server. QuickJS has limits too, but they are a comfort, not the boundary: an engine of that size has
//! faults, and some of its functions never look at the clock.
//!
//! Three processes take part. The server ([`Sandbox`]) starts one zygote (our own program again, see [`worker::main`])
//! which gives up every right and then forks a child for each call. The server holds a pidfd of each child and
//! kills it at the deadline. Why a fork, and what each wall is for: `docs/adr/0020-one-process-per-code-call.md`.
//!
//! Where the kernel cannot enforce all of it, [`Sandbox::start`] says why and nothing runs.

mod confine;
mod fault;
mod mask;
#[cfg(feature = "probe")]
pub mod probe;
pub mod protocol;
mod script;
mod server;
mod sys;
pub mod worker;

pub use fault::{Fault, FaultKind};
pub use mask::Mask;
pub use script::{Context, FetchRequest, FetchResponse, Finished, Limits, Outside, Script};
pub use server::{Config, Histogram, Metrics, Privileges, Sandbox, Unsupported};
