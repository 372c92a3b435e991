//! What an attacker with the database in hand may try, and what an auditor sees of it.
#![allow(clippy::unwrap_used)]

mod checkpoints;
mod erasure;
mod export;
mod format;
mod random;
mod sample;
mod tampering;
