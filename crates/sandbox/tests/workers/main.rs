//! The sandbox as the server uses it, with real processes and the kernel's real walls.
#![allow(clippy::expect_used, clippy::unwrap_used)]

mod contract;
mod hostile;
mod life;
mod probe;
mod processes;
mod support;
