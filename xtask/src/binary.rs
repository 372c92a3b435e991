//! The release binary, always at `target/release/alcada`.

use std::fs;

use crate::{
    Result,
    places::{cargo, cargo_target, run, workspace},
    site::{self, Mode},
};

/// Builds the site, then the server around it.
pub fn build() -> Result<()> {
    site::build(Mode::Release)?;
    run(cargo()?.args(["build", "--release", "--package", "server"]))?;

    let built = cargo_target()?.join("release/alcada");
    let promised = workspace()?.join("target/release/alcada");
    if promised.canonicalize().ok() != built.canonicalize().ok() {
        fs::create_dir_all(workspace()?.join("target/release"))?;
        // Removed first: a running server keeps the old file, which cannot be written to.
        fs::remove_file(&promised).ok();
        fs::copy(&built, &promised)?;
    }
    println!("built target/release/alcada");
    Ok(())
}
