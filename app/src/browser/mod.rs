//! Everything that only a browser can do, behind one door.
//!
//! On the server the same names exist and do nothing: components call them from event handlers and effects, which
//! never run there.

#[cfg(not(feature = "ssr"))]
mod drafts;
#[cfg(not(feature = "ssr"))]
mod json;
#[cfg(not(feature = "ssr"))]
mod keys;
#[cfg(not(feature = "ssr"))]
mod live;
#[cfg(not(feature = "ssr"))]
mod navigation;
#[cfg(not(feature = "ssr"))]
mod page;
#[cfg(not(feature = "ssr"))]
mod schema;
#[cfg(not(feature = "ssr"))]
mod sending;
#[cfg(not(feature = "ssr"))]
pub use {
    drafts::*,
    json::read_json,
    keys::*,
    live::listen,
    navigation::*,
    page::*,
    schema::{add_param, read_params, show_params, write_params},
    sending::{fetch_text, fetch_then, send_form},
};

#[cfg(feature = "ssr")]
mod server;
#[cfg(feature = "ssr")]
pub use server::*;
