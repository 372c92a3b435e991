//! The binary `alcada`: the doors (REST and pages), the commands, and where everything is put together.

#![recursion_limit = "256"]

pub mod commands;
pub mod http;
pub mod logging;
pub mod settings;
pub mod web;
pub mod wiring;
