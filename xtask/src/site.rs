//! The site: everything the browser loads, under names that carry a hash of the content.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};

use crate::{
    Result, compress,
    manifest::Manifest,
    places::{cargo_target, site, workspace},
    style, wasm,
};

/// Changes when the steps below do, so that files made by older steps are made again.
const RECIPE: &str = "1";

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Dev,
    Release,
}

/// Brings `target/site` up to date.
pub fn build(mode: Mode) -> Result<()> {
    let root = site()?;
    let pkg = root.join("pkg");
    fs::create_dir_all(&pkg)?;

    let mut manifest = Manifest::read(&root);
    build_wasm(mode, &pkg, &mut manifest)?;
    let bundle = style::bundle(&workspace()?.join("style/main.css"))?;
    manifest.css = write_hashed(&pkg, "css", bundle.as_bytes())?;

    let kept = [&manifest.css, &manifest.js, &manifest.wasm].map(|name| pkg.join(name));
    remove_others(&pkg, &kept)?;
    if mode == Mode::Release {
        for file in files_in(&pkg)?.iter().filter(|file| !is_compressed(file)) {
            compress::write_twins(file)?;
        }
    }
    manifest.write(&root)
}

/// Compiles; binds and shrinks only when cargo's wasm is another than last time.
fn build_wasm(mode: Mode, pkg: &Path, manifest: &mut Manifest) -> Result<()> {
    let compiled = wasm::compile(mode)?;
    let optimiser = if mode == Mode::Release { wasm::optimiser()? } else { None };
    if mode == Mode::Release && optimiser.is_none() {
        println!("left out: wasm-opt (needs node and npm); pages work, but load about twice as much wasm");
    }
    let source = source_hash(&compiled, mode, optimiser.is_some())?;
    let made = [&manifest.js, &manifest.wasm].iter().all(|name| !name.is_empty() && pkg.join(name).exists());
    if made && manifest.source == source {
        return Ok(());
    }

    let out = cargo_target()?.join("xtask");
    wasm::bind(&compiled, &out, mode)?;
    if let Some(program) = optimiser {
        wasm::optimise(&program, &out.join("alcada_bg.wasm"))?;
    }
    manifest.js = write_hashed(pkg, "js", &fs::read(out.join("alcada.js"))?)?;
    manifest.wasm = write_hashed(pkg, "wasm", &fs::read(out.join("alcada_bg.wasm"))?)?;
    manifest.source = source;
    copy_snippets(&out.join("snippets"), &pkg.join("snippets"))
}

fn source_hash(compiled: &Path, mode: Mode, optimised: bool) -> Result<String> {
    let mut content = fs::read(compiled)?;
    content.extend_from_slice(&fs::read(workspace()?.join("tools/package.json"))?);
    content.extend_from_slice(format!("{RECIPE} {} {optimised}", mode == Mode::Dev).as_bytes());
    Ok(hash(&content))
}

/// Writes `alcada.<hash>.<extension>` and returns that name.
fn write_hashed(pkg: &Path, extension: &str, content: &[u8]) -> Result<String> {
    let name = format!("alcada.{}.{extension}", hash(content));
    let file = pkg.join(&name);
    if !file.exists() {
        fs::write(file, content)?;
    }
    Ok(name)
}

/// The first 16 hexadecimal digits of the SHA-256.
fn hash(content: &[u8]) -> String {
    Sha256::digest(content).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// Scripts that crates bring along. The glue imports them by relative paths, so they keep their names.
fn copy_snippets(from: &Path, to: &Path) -> Result<()> {
    if to.exists() {
        fs::remove_dir_all(to)?;
    }
    if !from.exists() {
        return Ok(());
    }
    for file in files_in(from)? {
        let copy = to.join(file.strip_prefix(from)?);
        fs::create_dir_all(copy.parent().unwrap_or(to))?;
        fs::copy(&file, copy)?;
    }
    Ok(())
}

/// Removes what earlier builds left: the server embeds everything that lies here.
fn remove_others(pkg: &Path, kept: &[PathBuf]) -> Result<()> {
    let twins = kept.iter().flat_map(|file| ["br", "gz"].map(|encoding| compress::twin(file, encoding)));
    let kept: BTreeSet<PathBuf> = kept.iter().cloned().chain(twins).collect();
    let snippets = pkg.join("snippets");
    for file in files_in(pkg)? {
        if !kept.contains(&file) && !file.starts_with(&snippets) {
            fs::remove_file(file)?;
        }
    }
    Ok(())
}

fn is_compressed(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "br" || extension == "gz")
}

/// Every file below a folder.
pub fn files_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(files_in(&path)?);
        } else {
            files.push(path);
        }
    }
    Ok(files)
}
