//! What a page costs over the wire, against the limits: as the first one, and as a further one.

use std::{collections::BTreeSet, fs, path::Path};

use crate::{Result, compress::twin, manifest::Manifest, places::site};

/// Wasm, script and style together, with brotli, for whoever comes for the first time.
const FIRST_PAGE: u64 = 250_000;
/// What a page adds for whoever has all that.
const FURTHER_PAGE: u64 = 80_000;

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
    for (group, names) in &manifest.groups {
        let own = names
            .iter()
            .try_fold(0, |sum, name| Ok::<_, Box<dyn std::error::Error>>(sum + compressed(&pkg, name)?))?;
        println!(
            "{:>9} of {FIRST_PAGE} bytes allowed as the first page, {own:>6} of {FURTHER_PAGE} as a further one: {group} ({} files)",
            shared + own,
            names.len()
        );
        too_much |= shared + own > FIRST_PAGE || own > FURTHER_PAGE;
    }
    let pieces: BTreeSet<&String> = manifest.groups.values().flatten().collect();
    println!("{:>9} files beside the first wasm", pieces.len());
    match too_much || shared > FIRST_PAGE {
        true => Err("a page is over its limit".into()),
        false => Ok(()),
    }
}

fn compressed(pkg: &Path, name: &str) -> Result<u64> {
    let twin = twin(&pkg.join(name), "br");
    let found =
        fs::metadata(twin).map_err(|_| "nothing compressed in target/site: run `cargo xtask site` first")?;
    Ok(found.len())
}
