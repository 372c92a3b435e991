//! The interface: rendered by the server, made alive in the browser.
//!
//! Knows no table and decides nothing that matters: the server decides again behind every server function.

#![recursion_limit = "256"]

pub mod api;
mod app;
mod browser;
pub mod chunk;
mod components;
mod form;
mod live;
mod load;
mod location;
mod pages;
pub mod preferences;
#[cfg(feature = "ssr")]
mod records;
#[cfg(feature = "ssr")]
pub mod request;
pub mod route;
mod session;
#[cfg(feature = "ssr")]
pub mod shell;
mod texts;

pub use app::App;
#[cfg(not(feature = "ssr"))]
pub use browser::is_ready;
pub use preferences::Preferences;
#[cfg(feature = "ssr")]
pub use shell::{Assets, ShellOptions, shell};
