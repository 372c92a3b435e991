//! `alcada`: see `alcada --help`.

use clap::Parser;
use server::commands::{Cli, run};
use std::process::ExitCode;

/// Rendering a page makes thousands of small allocations; the system's allocator takes a third of that time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let cli = Cli::parse();
    match run(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // One line, on the error stream: whoever started the program reads it there.
            eprintln!("alcada: {failure}");
            ExitCode::FAILURE
        }
    }
}
