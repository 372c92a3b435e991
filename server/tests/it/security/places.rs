//! S5: the places in the sources from which a tool can be called.

use std::{collections::BTreeSet, fs, path::Path};

/// Every call names its tool by `CalledTool`, and every question is decided by `approve`: a file that begins to is a new
/// door, and has to be asked in `refusals.rs`.
#[test]
fn s5_b7_no_door_is_unheard_of() {
    let known = [
        "app/src/api/confirmations.rs", // approve_confirmation
        "app/src/api/executions.rs",    // run_again
        "app/src/api/explain.rs",
        "app/src/api/tools/trial.rs", // try_tool
        "crates/assistant/src/outcome.rs",
        "crates/engine/src/calls.rs",
        "crates/engine/src/calls/idempotency.rs", // what was asked under a key
        "crates/engine/src/demo.rs",              // `seed --demo`
        "crates/engine/src/enrichment.rs",
        "crates/engine/src/explain.rs",
        "server/src/http/v1/confirmations.rs",
        "server/src/http/v1/decisions.rs",
        "server/src/http/v1/executions.rs",
    ];
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = BTreeSet::new();
    for folder in ["app/src", "server/src", "crates"] {
        sources(&root.join(folder), &mut |path, text| {
            if text.contains("CalledTool::") || text.contains("engine.approve(") {
                found.insert(path.strip_prefix(&root).unwrap().display().to_string());
            }
        });
    }
    assert_eq!(found, known.map(str::to_owned).into());
}

fn sources(folder: &Path, look: &mut impl FnMut(&Path, &str)) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, look);
        } else if path.extension().is_some_and(|kind| kind == "rs") {
            look(&path, &fs::read_to_string(&path).unwrap());
        }
    }
}
