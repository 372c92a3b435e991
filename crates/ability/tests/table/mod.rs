//! The one decision table, and the world that its words stand for. Shared by the native tests and the wasm module.

use ability::{Action, Subject, Target};

pub const ME: &str = "0193e3a0-0000-7000-8000-000000000001";
pub const OWN_TENANT: &str = "0193e3a0-0000-7000-8000-00000000000a";
pub const OTHER_TENANT: &str = "0193e3a0-0000-7000-8000-00000000000b";

pub struct Row {
    pub text: &'static str,
    pub role: &'static str,
    pub action: Action,
    pub target: Target,
    pub answer: bool,
}

pub fn rows() -> Vec<Row> {
    let lines = include_str!("../decisions.csv").lines();
    lines.filter(|line| !line.starts_with('#') && !line.is_empty()).map(parse).collect()
}

fn parse(text: &'static str) -> Row {
    let cells: Vec<&str> = text.split(',').map(str::trim).collect();
    let [role, tenant, action, subject, attributes, answer] = cells[..] else {
        panic!("not six cells: {text}")
    };
    let subject = Subject::from_name(subject).unwrap();
    let mut target = match tenant {
        "any" => Target::any(subject),
        "own" => Target::one(subject).with("tenant_id", OWN_TENANT),
        "other" => Target::one(subject).with("tenant_id", OTHER_TENANT),
        "-" => Target::one(subject),
        strange => panic!("not a tenant: {strange}"),
    };
    for (name, value) in attributes.split_whitespace().map(|pair| pair.split_once('=').unwrap()) {
        target = target.with(name, if value == "me" { ME } else { value });
    }
    Row { text, role, action: Action::from_name(action).unwrap(), target, answer: answer == "yes" }
}
