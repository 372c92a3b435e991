//! `alcada`: see `alcada --help`.

use clap::Parser;
use server::commands::{Cli, run};
use std::process::ExitCode;

/// Rendering a page makes thousands of small allocations; the system's allocator takes a third of that time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // Before there is anything that a worker must not have: threads, a log, settings.
    if std::env::args_os().nth(1).is_some_and(|command| command == "js-worker") {
        return sandbox::worker::main();
    }
    without_huge_pages();
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

/// The allocator asks for huge pages, and each is resident as a whole: 20 MiB more for a server at rest. Where the
/// kernel does not know the wish, nothing is lost.
fn without_huge_pages() {
    #[cfg(target_os = "linux")]
    let _unknown = rustix::thread::disable_transparent_huge_pages(true);
}
