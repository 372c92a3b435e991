//! From the crate `frontend` to a wasm file and its script: cargo, wasm-bindgen, wasm-opt.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use wasm_bindgen_cli_support::Bindgen;

use crate::{
    Result,
    places::{cargo, cargo_target, run, workspace},
    site::Mode,
};

const TARGET: &str = "wasm32-unknown-unknown";

/// What rustc 1.95 and wasm-bindgen emit, and no more: `--all-features` would let the optimiser write what
/// browsers do not read yet.
const FEATURES: [&str; 8] = [
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-call-indirect-overlong",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// Compiles the crate and returns cargo's wasm file. A release is compiled to be cut apart.
pub fn compile(mode: Mode) -> Result<PathBuf> {
    let (profile, folder) = match mode {
        Mode::Dev => ("dev", "debug"),
        Mode::Release => ("wasm-release", "wasm-release"),
    };
    let common = ["rustc", "--package", "frontend", "--lib", "--crate-type", "cdylib", "--target", TARGET];
    let mut command = cargo()?;
    command.args(common).args(["--profile", profile]);
    if mode == Mode::Release {
        command.args(["--features", "split", "--", "-Clink-args=--emit-relocs"]);
    }
    run(&mut command)?;
    Ok(cargo_target()?.join(TARGET).join(folder).join("frontend.wasm"))
}

/// Writes `alcada.js`, `alcada_bg.wasm` and, when a crate brings inline scripts, `snippets/` into `out`.
pub fn bind(wasm: &Path, out: &Path, mode: Mode) -> Result<()> {
    let release = mode == Mode::Release;
    if out.exists() {
        fs::remove_dir_all(out)?;
    }
    Bindgen::new()
        .input_path(wasm)
        .web(true)?
        .typescript(false)
        .out_name("alcada")
        // The page says where the wasm is: its name carries a hash that the script cannot know.
        .omit_default_module_path(true)
        // What was cut apart finds itself again by the linker's names.
        .keep_lld_exports(release)
        .demangle(!release)
        .remove_name_section(release)
        .remove_producers_section(release)
        .generate(out)?;
    Ok(())
}

/// The optimiser that `npm ci` in `tools/` installed.
pub fn optimiser() -> Result<Option<PathBuf>> {
    let program = workspace()?.join("tools/node_modules/.bin/wasm-opt");
    let works = Command::new(&program).arg("--version").output().is_ok_and(|answer| answer.status.success());
    Ok(works.then_some(program))
}

/// Shrinks a wasm file in place.
pub fn optimise(program: &Path, wasm: &Path) -> Result<()> {
    run(Command::new(program).arg("-Oz").args(FEATURES).arg(wasm).arg("-o").arg(wasm))
}
