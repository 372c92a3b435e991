//! Native code in the worker's place, for the tests of this crate: see `sandbox::probe`.

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    sandbox::probe::main()
}
