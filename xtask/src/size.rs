//! What a page costs over the wire, against the limits: as the first one, and as a further one.

use std::{collections::BTreeSet, fs, path::Path};

use crate::{Result, compress::twin, manifest::Manifest, places::site};

/// Wasm, script and style together, with brotli, for whoever comes for the first time.
const FIRST_PAGE: u64 = 250_000;
/// What a page adds for whoever has seen the home page.
const FURTHER_PAGE: u64 = 80_000;
/// Where everybody begins.
const HOME: &str = "everyday";
/// Prints what each group of pages costs and fails above the limits.
pub fn check() -> Result<()> {
    let root = site()?;
    let pkg = root.join("pkg");
    let manifest = Manifest::read(&root);
    let mut shared = 0;
    for name in [&manifest.css, &manifest.js, &manifest.wasm] {
        let (bytes, plain) = (compressed(&pkg, name)?, fs::metadata(pkg.join(name))?.len());
        println!("{bytes:>9} of {plain:>9} bytes  {name}");
        shared += bytes;
    }
    println!("{shared:>9} bytes that every page shares");
    let mut too_much = false;
    let seen = manifest.groups.get(HOME).cloned().unwrap_or_default();
    for (group, names) in &manifest.groups {
        let own = total(&pkg, names.iter())?;
        let further = total(&pkg, names.iter().filter(|name| !seen.contains(name)))?;
        println!(
            "{:>9} of {FIRST_PAGE} bytes allowed as the first page, {further:>6} of {FURTHER_PAGE} after the home page: {group} ({} files)",
            shared + own,
            names.len()
        );
        too_much |= shared + own > FIRST_PAGE || further > FURTHER_PAGE;
    }
    let pieces: BTreeSet<&String> = manifest.groups.values().flatten().collect();
    println!("{:>9} files beside the first wasm", pieces.len());
    match too_much || shared > FIRST_PAGE {
        true => Err("a page is over its limit".into()),
        false => Ok(()),
    }
}

fn total<'a>(pkg: &Path, names: impl Iterator<Item = &'a String>) -> Result<u64> {
    names.map(|name| compressed(pkg, name)).sum()
}

fn compressed(pkg: &Path, name: &str) -> Result<u64> {
    let twin = twin(&pkg.join(name), "br");
    let found =
        fs::metadata(twin).map_err(|_| "nothing compressed in target/site: run `cargo xtask site` first")?;
    Ok(found.len())
}
