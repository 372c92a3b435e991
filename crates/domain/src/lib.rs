//! What crosses the wire, in types: ids, names that were checked once, views, error codes.
//!
//! Compiles to wasm and knows neither a database nor HTTP: the browser and the server share every line of it.

pub mod account;
#[cfg(feature = "server")]
pub mod agent;
pub mod api_key;
pub mod assistant;
#[cfg(feature = "server")]
pub mod channel;
pub mod crm;
pub mod decision;
pub mod email;
pub mod error;
#[cfg(feature = "server")]
pub mod exact;
#[cfg(feature = "server")]
pub mod execution;
pub mod global_tool;
pub mod id;
pub mod item;
pub mod language;
#[cfg(feature = "server")]
pub mod limits;
pub mod list;
pub mod role;
pub mod secret;
pub mod slug;
pub mod status;
pub mod tenant;
pub mod text;
pub mod timestamp;
#[cfg(feature = "server")]
pub mod tool;
pub mod tool_effect;
pub mod tool_words;
#[cfg(feature = "server")]
pub mod version;

pub use email::Email;
pub use error::{
    AgentRef, ErrorCode, FieldCode, FieldError, LimitOf, SchemaRule, ServiceError, ServiceResult,
};
pub use id::*;
pub use language::{Language, Theme};
pub use list::{ListOut, Page, Part};
pub use role::TenantRole;
pub use slug::Slug;
pub use timestamp::Timestamp;
pub use tool_effect::ToolEffect;
