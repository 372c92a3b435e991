//! The site: everything the browser loads, under names that carry a hash of the content.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};

use crate::{
    Result,
    bundle::{self, Names},
    compress,
    manifest::Manifest,
    places::{cargo_target, site, workspace},
    split::{self, Cut},
    style, wasm,
};

/// Changes when the steps below do, so that files made by older steps are made again.
const RECIPE: &str = "4";

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

    let kept: Vec<PathBuf> = manifest.files().map(|name| pkg.join(name)).collect();
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
    let made = manifest.files().skip(1).all(|name| !name.is_empty() && pkg.join(name).exists());
    if made && manifest.source == source {
        return Ok(());
    }

    let out = cargo_target()?.join("xtask");
    let shrink = |wasm: &Path| optimiser.as_ref().map_or(Ok(()), |program| wasm::optimise(program, wasm));
    let cut = match mode {
        Mode::Dev => None,
        Mode::Release => Some(split::cut(&compiled, &cargo_target()?.join("xtask-cut"))?),
    };
    wasm::bind(cut.as_ref().map_or(&compiled, |cut| &cut.main), &out, mode)?;
    shrink(&out.join("alcada_bg.wasm"))?;
    let mut script = fs::read_to_string(out.join("alcada.js"))?;
    manifest.groups = BTreeMap::new();
    if let Some(cut) = cut {
        let (link, groups) = write_pieces(pkg, &cut, shrink)?;
        script = split::without_comments(&split::join_scripts(&script, &link)?);
        manifest.groups = groups;
    }
    manifest.js = write_hashed(pkg, "js", script.as_bytes())?;
    manifest.wasm = write_hashed(pkg, "wasm", &fs::read(out.join("alcada_bg.wasm"))?)?;
    manifest.source = source;
    copy_snippets(&out.join("snippets"), &pkg.join("snippets"))
}

/// Writes what was cut out as a few files; the script that loads them, and the names of those that a group needs.
fn write_pieces(
    pkg: &Path,
    cut: &Cut,
    shrink: impl Fn(&Path) -> Result<()>,
) -> Result<(String, BTreeMap<String, Vec<String>>)> {
    let script = fs::read_to_string(&cut.link)?;
    let mut pieces = BTreeMap::new();
    for piece in &cut.pieces {
        let stem = piece.file_stem().and_then(|stem| stem.to_str()).ok_or("a piece without a name")?;
        // Where nothing is in it, the script does not load it.
        if script.contains(&format!("./{stem}.wasm")) {
            shrink(piece)?;
            pieces.insert(stem.to_owned(), fs::read(piece)?);
        }
    }
    let bundles = bundle::gather(&cut.groups, &pieces);
    let shared = write_hashed(pkg, "bin", &bundles.shared.bytes)?;
    let mut own = BTreeMap::new();
    for (group, bundle) in &bundles.own {
        own.insert(group.clone(), write_hashed(pkg, "bin", &bundle.bytes)?);
    }
    let names = Names { shared, own };
    let script = bundle::link(&script, &bundles, &names)?;
    let both = |own: &String| vec![names.shared.clone(), own.clone()];
    let groups = names.own.iter().map(|(group, own)| (group.clone(), both(own))).collect();
    Ok((script, groups))
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
