//! Keeps server-only crates out of the browser: one of them can double what a page loads.

use crate::{Result, places::cargo};

const SERVER_ONLY: [&str; 7] = ["sea-orm", "sqlx", "axum", "casbin", "argon2", "reqwest", "mio"];

const TREE: [&str; 7] = [
    "tree",
    "--package",
    "frontend",
    "--target",
    "wasm32-unknown-unknown",
    "--edges",
    "normal,no-proc-macro",
];

/// Fails with the names of the crates that must not be there.
pub fn check() -> Result<()> {
    let answer = cargo()?.args(TREE).args(["--prefix", "none", "--format", "{p}"]).output()?;
    if !answer.status.success() {
        return Err(String::from_utf8_lossy(&answer.stderr).into_owned().into());
    }
    let tree = String::from_utf8(answer.stdout)?;
    let found = intruders(&tree);
    if found.is_empty() {
        println!("no server-only crate reaches the browser");
        return Ok(());
    }
    let hint = format!("cargo {} --invert {}", TREE.join(" "), found[0]);
    Err(format!("server-only crates reach the browser: {}\n{hint}", found.join(", ")).into())
}

/// A name on the list, or one of its family (`sqlx-core`).
fn intruders(tree: &str) -> Vec<&str> {
    let is_server_only = |name: &&str| {
        SERVER_ONLY.iter().any(|barred| {
            name.strip_prefix(barred).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        })
    };
    let mut found: Vec<&str> =
        tree.lines().filter_map(|line| line.split(' ').next()).filter(is_server_only).collect();
    found.sort_unstable();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::intruders;

    #[test]
    fn finds_crates_and_their_families_but_not_lookalikes() {
        let tree =
            "frontend v0.1.0\nsqlx-core v0.9.0\nmio v1.2.4\nmiow v0.6.0\nmio v1.2.4 (*)\nserde v1.0.0\n";
        assert_eq!(intruders(tree), ["mio", "sqlx-core"]);
    }
}
