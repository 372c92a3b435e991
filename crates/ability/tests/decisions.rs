//! D4: one decision table, answered three ways: casbin, `Ability` natively, `Ability` in wasm.
#![cfg(feature = "casbin")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod table;

use ability::{
    Ability, Role,
    policy::{Policy, Principal},
};
use std::{
    path::PathBuf,
    process::{Command, Stdio},
};
use table::{ME, OWN_TENANT, Row};

fn principal(role: &str) -> Principal {
    let role = Role::from_name(role).unwrap();
    let mut roles = vec![role];
    if role != Role::Agent && role != Role::Person {
        roles.push(Role::Person);
    }
    Principal { id: ME.parse().unwrap(), tenant: Some(OWN_TENANT.parse().unwrap()), roles }
}

fn ability(policy: &Policy, row: &Row) -> Ability {
    policy.ability_for(&principal(row.role))
}

#[test]
fn d4_the_compiled_ability_answers_as_the_table() {
    let policy = Policy::from_seed().unwrap();
    for row in table::rows() {
        let decision = ability(&policy, &row).decide(row.action, &row.target).is_allowed();
        assert_eq!(decision, row.answer, "{}", row.text);
    }
}

#[tokio::test]
async fn d4_casbin_answers_as_the_table() {
    let policy = Policy::from_seed().unwrap();
    let rows = table::rows();
    for role in Role::ALL.map(Role::as_str) {
        let referee = policy.referee(&principal(role)).await.unwrap();
        let of_role: Vec<_> = rows.iter().filter(|row| row.role == role).collect();
        assert!(!of_role.is_empty(), "no row for {role}");
        for row in of_role {
            assert_eq!(referee.allows(row.action, &row.target).unwrap(), row.answer, "{}", row.text);
        }
    }
}

#[test]
fn d4_the_browser_s_wasm_answers_as_the_table() {
    let policy = Policy::from_seed().unwrap();
    let rows = table::rows();
    let rules: Vec<Ability> = rows.iter().map(|row| ability(&policy, row)).collect();
    let answers = ask_wasm(&rules);
    assert_eq!(answers.len(), rows.len());
    for (row, answer) in rows.iter().zip(answers) {
        assert_eq!(answer, row.answer, "{}", row.text);
    }
}

/// `examples/decide_in_wasm.rs`, built for the browser's target and run by Node, which has a browser's engine.
fn ask_wasm(rules: &[Ability]) -> Vec<bool> {
    let mut node = Command::new("node")
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/decide_in_wasm.mjs"))
        .arg(build_wasm())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("node runs the module");
    serde_json::to_writer(node.stdin.take().unwrap(), rules).unwrap();
    let output = node.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", output.status);
    serde_json::from_slice(&output.stdout).unwrap()
}

fn build_wasm() -> PathBuf {
    let target = "wasm32-unknown-unknown";
    let built = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--package", "ability", "--example", "decide_in_wasm", "--target", target])
        .args(["--message-format", "json"])
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let messages = String::from_utf8(built.stdout).unwrap();
    let found = messages
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .find_map(|message| {
            message["filenames"][0]
                .as_str()
                .filter(|name| name.ends_with("decide_in_wasm.wasm"))
                .map(PathBuf::from)
        });
    found.expect("cargo names the module that it built")
}
