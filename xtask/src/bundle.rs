//! The pieces in a few files. What was cut apart finely is brought together again: dozens of small files compress worse
//! than one, by a fifth. What most groups need is one file, and each group has one with the rest of its own. A piece that
//! a few groups share lies in the file of each; the browser takes it from whichever it has.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
};

use crate::{Result, split::LOADER};

/// What this many groups need, every page brings.
const SHARED_BY: usize = 8;

/// A file of pieces, one behind the other.
#[derive(Default)]
pub struct Bundle {
    pub bytes: Vec<u8>,
    /// The pieces in their order, with their lengths.
    pieces: Vec<(String, usize)>,
}

impl Bundle {
    fn of<'a>(stems: impl Iterator<Item = &'a String>, pieces: &BTreeMap<String, Vec<u8>>) -> Self {
        let mut bundle = Self::default();
        for (stem, bytes) in stems.filter_map(|stem| pieces.get_key_value(stem)) {
            bundle.pieces.push((stem.clone(), bytes.len()));
            bundle.bytes.extend_from_slice(bytes);
        }
        bundle
    }
}

/// What is shared, and what each group has beside it.
pub struct Bundles {
    pub shared: Bundle,
    pub own: BTreeMap<String, Bundle>,
}

pub fn gather(groups: &BTreeMap<String, Vec<String>>, pieces: &BTreeMap<String, Vec<u8>>) -> Bundles {
    let mut users: BTreeMap<&String, usize> = BTreeMap::new();
    groups.values().flatten().for_each(|stem| *users.entry(stem).or_default() += 1);
    let is_shared = |stem: &&String| users.get(stem).is_some_and(|count| *count >= SHARED_BY);
    let mut seen = BTreeSet::new();
    let shared = groups.values().flatten().filter(is_shared).filter(|stem| seen.insert(*stem));
    let shared = Bundle::of(shared, pieces);
    let own = |stems: &Vec<String>| Bundle::of(stems.iter().filter(|stem| !is_shared(stem)), pieces);
    let own = groups.iter().map(|(group, stems)| (group.clone(), own(stems))).collect();
    Bundles { shared, own }
}

/// The names of the files that were written.
pub struct Names {
    pub shared: String,
    pub own: BTreeMap<String, String>,
}

/// The script that loaded each piece from a file of its own takes them from the bundles.
pub fn link(script: &str, bundles: &Bundles, names: &Names) -> Result<String> {
    let mut parts = script.split(LOADER);
    let mut linked = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (group, rest) = part.split_once(' ').ok_or("a loader without a name")?;
        // Asked for first: the files that its pieces are in.
        let rest = rest.replacen("\n, [", &format!("\n, [() => bring({group:?}), "), 1);
        write!(linked, "{LOADER}{group} {rest}")?;
    }
    let linked = linked
        .replace("fetch(new URL(\"./", "piece(\"")
        .replace(".wasm\", import.meta.url))", "\")")
        .replace(
            "WebAssembly.instantiateStreaming(src, imports)",
            "WebAssembly.instantiate(await src, imports)",
        );
    if linked.contains("import.meta.url") || !linked.contains("bring(") || !linked.contains("await src") {
        return Err("the script that loads the pieces is not as it was".into());
    }
    Ok(format!("{}{linked}", prelude(bundles, names)))
}

fn prelude(bundles: &Bundles, names: &Names) -> String {
    let own = names.own.iter().filter_map(|(group, name)| Some((name, bundles.own.get(group)?)));
    let all: Vec<(&String, &Bundle)> = [(&names.shared, &bundles.shared)].into_iter().chain(own).collect();
    let lengths: BTreeMap<_, _> =
        all.iter().flat_map(|(_, bundle)| &bundle.pieces).map(|(stem, length)| (stem, length)).collect();
    let contents: BTreeMap<_, Vec<_>> = all
        .iter()
        .map(|(name, bundle)| (name, bundle.pieces.iter().map(|(stem, _)| stem).collect()))
        .collect();
    // Maps, lists, texts and numbers look in the script as they do here.
    format!(
        "const shared = {:?};\nconst groups = {:?};\nconst contents = {contents:?};\nconst lengths = {lengths:?};\n{}",
        names.shared,
        names.own,
        include_str!("bundle.js")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As many as make a piece one that every page brings; all but the last share another one.
    const GROUPS: [&str; SHARED_BY] = ["a", "b", "c", "d", "e", "f", "g", "h"];

    fn groups() -> BTreeMap<String, Vec<String>> {
        let stems = |names: &[&str]| -> Vec<String> { names.iter().map(|name| (*name).to_owned()).collect() };
        let own = |group: &str| stems(&["all", if group < "h" { "some" } else { group }]);
        GROUPS.map(|group| (group.to_owned(), own(group))).into()
    }

    fn bundles() -> Bundles {
        let piece = |name: &str| (name.to_owned(), name.as_bytes().to_vec());
        gather(&groups(), &["all", "some", "h"].map(piece).into())
    }

    #[test]
    fn what_most_need_is_in_one_file_and_the_rest_in_each_one_s_own() {
        let bundles = bundles();
        assert_eq!(bundles.shared.bytes, b"all");
        let own: Vec<&[u8]> = bundles.own.values().map(|bundle| &bundle.bytes[..]).collect();
        let (last, others) = own.split_last().unwrap();
        assert_eq!(*last, b"h");
        assert!(others.len() == SHARED_BY - 1 && others.iter().all(|own| own == b"some"), "{others:?}");
    }

    #[test]
    fn pieces_are_taken_from_the_bundles_that_a_group_brings() {
        let names = Names {
            shared: "alcada.1.bin".to_owned(),
            own: [("a".to_owned(), "alcada.2.bin".to_owned())].into(),
        };
        let script = "const __chunk_1 = makeLoad(() => {\n    const src = fetch(new URL(\"./all.wasm\", import.meta.url));\n\
            return async (imports) => (WebAssembly.instantiateStreaming(src, imports));\n}\n, []);\n\
            export const __wasm_split_load_a = wrapAsyncCb(makeLoad(() => {\n}\n, [__chunk_1]));\n";
        let linked = link(script, &bundles(), &names).unwrap();
        assert!(linked.contains("const src = piece(\"all\");"), "{linked}");
        assert!(linked.contains("\n, [() => bring(\"a\"), __chunk_1]));"), "{linked}");
        assert!(
            linked.contains("\"alcada.2.bin\": [\"some\"]") && linked.contains("\"some\": 4"),
            "{linked}"
        );
        assert!(link("another script", &bundles(), &names).is_err());
    }
}
