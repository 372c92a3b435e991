//! Server functions: the browser's door. Each one extracts, authorises, calls one service and maps the answer.
//!
//! They are public HTTP endpoints under `/fn`: no rule of the business lives here, and none is reached without
//! a permit. All are POST; forms reach them without JavaScript too.

pub mod account;
pub mod admin_explain;
pub mod admin_tenants;
pub mod admin_tools;
pub mod admin_users;
pub mod agents;
pub mod analytics;
pub mod api_keys;
pub mod arguments;
pub mod assistant;
pub mod audit;
pub mod channels;
pub mod confirmations;
pub mod described;
mod error;
pub mod executions;
pub mod explain;
pub mod find;
mod form;
pub mod home;
pub mod invitation;
pub mod items;
pub mod limits;
pub mod members;
pub mod preferences;
pub mod records;
pub mod secrets;
pub mod session;
pub mod setup;
pub mod suggestions;
pub mod tools;
pub mod undo;

pub use error::ApiError;
pub use form::Form;

/// Rows to pass over and to show, for a page that counts from 0.
#[cfg(feature = "ssr")]
fn span(page: i64, per_page: i64) -> (usize, usize) {
    let count = |number: i64| usize::try_from(number).unwrap_or(0);
    (count(page.saturating_mul(per_page)), count(per_page))
}
