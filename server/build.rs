//! A release build embeds `target/site`: a new site makes a new binary.

use std::{env, fs, io, path::Path};

fn main() -> io::Result<()> {
    let site = "../target/site";
    // Debug builds read the folder at run time, from a path that is resolved now: it has to exist.
    fs::create_dir_all(Path::new(site))?;
    println!("cargo:rerun-if-changed=build.rs");
    if env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        println!("cargo:rerun-if-changed={site}");
    }
    Ok(())
}
