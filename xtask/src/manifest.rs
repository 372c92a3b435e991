//! `target/site/manifest.txt`: which hashed name stands for which file. The server reads it too.

use std::{collections::BTreeMap, fs, path::Path};

use crate::Result;

const FILE: &str = "manifest.txt";

#[derive(Default, PartialEq, Eq)]
pub struct Manifest {
    pub css: String,
    pub js: String,
    pub wasm: String,
    /// The files of further wasm that each group of pages needs; none where the wasm was not cut apart.
    pub groups: BTreeMap<String, Vec<String>>,
    /// What `js` and `wasm` were made from, to see whether that has changed. The server ignores it.
    pub source: String,
}

impl Manifest {
    /// The manifest of the last build; empty when there was none.
    pub fn read(site: &Path) -> Self {
        let mut manifest = Self::default();
        for line in fs::read_to_string(site.join(FILE)).unwrap_or_default().lines() {
            match line.split_once(' ') {
                Some(("css", name)) => manifest.css = name.to_owned(),
                Some(("js", name)) => manifest.js = name.to_owned(),
                Some(("wasm", name)) => manifest.wasm = name.to_owned(),
                Some(("source", hash)) => manifest.source = hash.to_owned(),
                Some(("group", names)) => manifest.add_group(names),
                _ => {}
            }
        }
        manifest
    }

    /// `home alcada.1.bin alcada.2.bin`
    fn add_group(&mut self, line: &str) {
        let mut names = line.split(' ').map(str::to_owned);
        if let Some(group) = names.next() {
            self.groups.insert(group, names.collect());
        }
    }

    /// Every file that it names.
    pub fn files(&self) -> impl Iterator<Item = &String> {
        [&self.css, &self.js, &self.wasm].into_iter().chain(self.groups.values().flatten())
    }

    /// Left alone when it says the same already: a new time on it would rebuild the server.
    pub fn write(&self, site: &Path) -> Result<()> {
        if *self == Self::read(site) {
            return Ok(());
        }
        let Self { css, js, wasm, groups, source } = self;
        let mut text = format!("css {css}\njs {js}\nwasm {wasm}\nsource {source}\n");
        for (group, names) in groups {
            text += &format!("group {group} {}\n", names.join(" "));
        }
        fs::write(site.join(FILE), text)?;
        Ok(())
    }
}
