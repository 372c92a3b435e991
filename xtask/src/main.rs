//! Builds the browser's part and the release binary: what cargo alone cannot do, and nothing else.
//! Every output goes to `target/` of the workspace, wherever `CARGO_TARGET_DIR` points.

#![allow(clippy::print_stdout, reason = "a build tool talks to the person in front of it")]

mod binary;
mod browser_dependencies;
mod bundle;
mod compress;
mod manifest;
mod places;
mod site;
mod size;
mod split;
mod style;
mod wasm;

use std::{env, process::ExitCode};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

const USAGE: &str = "usage: cargo xtask COMMAND
  site [--dev]  compile the browser's part into target/site (--dev: quick, neither shrunk nor compressed)
  build         site, then the release binary target/release/alcada with the site inside
  wasm-deps     fail when a server-only crate reaches the browser
  size          print what the first page and each further one cost over the wire; fail above the limits";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["site"] => site::build(site::Mode::Release),
        ["site", "--dev"] => site::build(site::Mode::Dev),
        ["build"] => binary::build(),
        ["wasm-deps"] => browser_dependencies::check(),
        ["size"] => size::check(),
        _ => Err(USAGE.into()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::FAILURE
        }
    }
}
