//! What a page costs over the wire, against the limits: as the first one, and as a further one.

use std::{collections::BTreeSet, fs, path::Path};

use crate::{Result, compress::twin, manifest::Manifest, places::site};

/// Wasm, script and style together, with brotli, for whoever comes for the first time.
const FIRST_PAGE: u64 = 250_000;
/// What a page adds for whoever has seen the home page.
const FURTHER_PAGE: u64 = 80_000;
/// Where everybody begins.
const HOME: &str = "everyday";
/// Over both limits, and not to grow: forms of tools, with an editor, a console and a schema in two shapes; and those of
/// agents and settings, by little.
const TOO_LARGE: [(&str, u64, u64); 2] = [("tools", 281_000, 115_000), ("setting_up", 256_000, 83_000)];

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
        let (first_limit, further_limit) = limits_of(group);
        println!(
            "{:>9} of {first_limit} bytes allowed as the first page, {further:>6} of {further_limit} after the home page: {group} ({} files)",
            shared + own,
            names.len()
        );
        too_much |= shared + own > first_limit || further > further_limit;
    }
    let pieces: BTreeSet<&String> = manifest.groups.values().flatten().collect();
    println!("{:>9} files beside the first wasm", pieces.len());
    match too_much || shared > FIRST_PAGE {
        true => Err("a page is over its limit".into()),
        false => Ok(()),
    }
}

fn limits_of(group: &str) -> (u64, u64) {
    let own = TOO_LARGE.iter().find(|(name, ..)| *name == group);
    own.map_or((FIRST_PAGE, FURTHER_PAGE), |(_, first, further)| (*first, *further))
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
