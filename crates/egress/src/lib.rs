//! The only way out. Everything that a tool fetches passes this one client.
//!
//! Whoever writes a tool chooses the address, so the address is hostile: it may point back into the network that the
//! product runs in (S1), and a name may point somewhere else the second time it is asked (S2). The client therefore
//! looks at the addresses themselves, at the moment it connects, and connects to nothing but what it looked at.
//!
//! It speaks HTTP/1.1 only. One call has one connection at a time: to give up on a call is to close its connection,
//! and no slow answer holds up another caller's.

mod address;
mod allow;
mod attempt;
mod circuit;
mod client;
mod connect;
mod error;
mod headers;
mod message;
mod outcome;
mod policy;
mod resolve;
mod retry;
pub mod rotation;
pub mod signature;
#[cfg(test)]
mod tests;
mod tls;

pub use allow::{AllowList, AllowListError};
pub use attempt::{Attempt, Attempts};
pub use client::Egress;
pub use error::{EgressError, SetupError};
pub use message::{Answer, Outgoing};
pub use resolve::{Resolve, SystemResolver};
pub use retry::{Retry, asked as retry_after};
pub use tls::{Authorities, BadAuthorities};
pub use url::{Url, form_urlencoded};
