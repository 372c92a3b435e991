//! One wasm file cut into a first one and one per group of pages (`app/src/chunk.rs`), and the script that joins them.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use wasm_split_cli_support::{Options, transform};

use crate::Result;

const LINK: &str = "./__wasm_split.js";
/// Begins the line of a group in that script; the group's name follows.
pub const LOADER: &str = "export const __wasm_split_load_";

/// What was cut out.
pub struct Cut {
    /// The file that wasm-bindgen reads.
    pub main: PathBuf,
    /// The script that loads the others.
    pub link: PathBuf,
    /// Every other file, under the name that the script knows it by.
    pub pieces: Vec<PathBuf>,
    /// The names of the files that a group of pages needs beside the first.
    pub groups: BTreeMap<String, Vec<String>>,
}

/// Cuts the wasm apart and leaves the pieces in `out`.
pub fn cut(wasm: &Path, out: &Path) -> Result<Cut> {
    if out.exists() {
        fs::remove_dir_all(out)?;
    }
    let input = fs::read(wasm)?;
    let main = out.join("main.wasm");
    let mut options = Options::new(&input);
    options.output_dir = out;
    options.main_out_path = &main;
    options.link_name = LINK;
    let made = transform(options)?;
    let link = out.join(LINK);
    Ok(Cut { main, link, pieces: made.split_modules, groups: made.prefetch_map.into_iter().collect() })
}

/// One script of two: that of wasm-bindgen, and the one that loads the pieces. They import each other, which leaves no
/// order to give them names with their hashes in.
pub fn join_scripts(glue: &str, link: &str) -> Result<String> {
    let (imports, glue): (Vec<&str>, Vec<&str>) = glue.lines().partition(|line| is_link_import(line));
    let names: Vec<&str> = imports.iter().filter_map(|line| line.split_whitespace().nth(3)).collect();
    if names.is_empty() {
        return Err("wasm-bindgen's script does not import the pieces".into());
    }
    let loaders: Vec<&str> = link.lines().filter_map(loader).collect();
    let link: Vec<&str> = link.lines().filter(|line| !line.starts_with("import ")).collect();
    let link = link.join("\n").replace("export const", "const");
    let pieces = format!("const pieces = {{ {} }};", loaders.join(", "));
    let names: Vec<String> = names.iter().map(|name| format!("const {name} = pieces;")).collect();
    Ok(format!("{}\n{link}\n{pieces}\n{}\n", glue.join("\n"), names.join("\n")))
}

/// Without what only people read: each line counts for everybody who opens a page.
pub fn without_comments(script: &str) -> String {
    let is_comment = |line: &str| line.starts_with("//") || line.starts_with("/*") || line.starts_with('*');
    let lines = script.lines().map(str::trim).filter(|line| !line.is_empty() && !is_comment(line));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// `import * as import1 from "./__wasm_split.js"`, once for each group.
fn is_link_import(line: &str) -> bool {
    line.starts_with("import * as ") && line.contains(LINK)
}

/// `export const __wasm_split_load_home = …` → `__wasm_split_load_home`
fn loader(line: &str) -> Option<&str> {
    line.strip_prefix("export const ")?.split_whitespace().next()
}

#[cfg(test)]
mod tests {
    use super::{join_scripts, without_comments};

    #[test]
    fn two_scripts_that_import_each_other_become_one() {
        let glue = "import * as i1 from \"./__wasm_split.js\"\nimport * as i2 from \"./__wasm_split.js\"\nuse(i1, i2);";
        let link = "import { initSync } from \"./main.js\";\nexport const load_home = initSync;\n";
        let joined = join_scripts(glue, link).unwrap();
        assert!(!joined.contains("import ") && !joined.contains("export "), "{joined}");
        assert!(
            joined.contains("const pieces = { load_home };\nconst i1 = pieces;\nconst i2 = pieces;"),
            "{joined}"
        );
    }

    #[test]
    fn a_script_is_sent_without_its_comments() {
        let script = "/**\n * Says.\n */\nfunction say() {\n    // Loudly.\n    return `a // b`;\n\n}\n";
        assert_eq!(without_comments(script), "function say() {\nreturn `a // b`;\n}\n");
    }
}
