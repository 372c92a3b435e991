//! What the first page costs over the wire, against the budget.

use std::fs;

use crate::{Result, places::site, site::files_in};

/// 200 KB for wasm, script and style together, with brotli.
const BUDGET: u64 = 200_000;

/// Prints each file's compressed size and fails above the budget.
pub fn check() -> Result<()> {
    let pkg = site()?.join("pkg");
    let mut total = 0;
    for file in
        files_in(&pkg)?.iter().filter(|file| file.extension().is_some_and(|extension| extension == "br"))
    {
        let (compressed, plain) = (fs::metadata(file)?.len(), fs::metadata(file.with_extension(""))?.len());
        total += compressed;
        println!(
            "{compressed:>9} of {plain:>9} bytes  {}",
            file.strip_prefix(&pkg)?.with_extension("").display()
        );
    }
    println!("{total:>9} of {BUDGET:>9} bytes allowed");
    match total {
        0 => Err("nothing compressed in target/site: run `cargo xtask site` first".into()),
        1..=BUDGET => Ok(()),
        _ => Err("the first page is over its budget".into()),
    }
}
