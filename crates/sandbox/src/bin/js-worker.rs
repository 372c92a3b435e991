//! The worker alone, for the tests of this crate: `alcada js-worker` without the rest of `alcada`.

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    sandbox::worker::main()
}
