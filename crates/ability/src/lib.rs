//! Who may do what.
//!
//! The rules live in a casbin policy (RBAC with tenants as domains). The server compiles them, for one caller in
//! one tenant, into an [`Ability`]: an ordered list of rules in the manner of CASL. The same [`Ability::decide`]
//! runs in the server's rendering and in the browser, so both sides show and allow the same things; the
//! server always decides again on the instance. No rule means no.

mod ability;
mod action;
mod caller;
#[cfg(feature = "casbin")]
pub mod policy;
mod rule;
mod subject;

pub use ability::{Ability, Decision};
pub use action::Action;
pub use caller::*;
pub use rule::{Condition, Effect, Rule};
pub use subject::{Subject, Target};
