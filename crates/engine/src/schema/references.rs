//! Where the references of a schema lead: to local pointers and anchors; it has no others.

use serde_json::{Map, Value};
use std::collections::HashMap;

const REFERENCES: [&str; 2] = ["$ref", "$dynamicRef"];
const ANCHORS: [&str; 2] = ["$anchor", "$dynamicAnchor"];

/// The places of each anchor, as pointers. What only looks like a schema, such as an example, may name one too: which of
/// several is meant is not decided here, and whoever asks gets all of them.
pub(super) struct References(HashMap<String, Vec<String>>);

impl References {
    pub(super) fn of(schema: &Value) -> Self {
        let mut anchors = HashMap::new();
        collect(schema, "", &mut anchors);
        Self(anchors)
    }

    pub(super) fn is_keyword(name: &str) -> bool {
        REFERENCES.contains(&name)
    }

    /// Whatever a schema with these members refers to.
    pub(super) fn targets<'a>(&self, root: &'a Value, members: &Map<String, Value>) -> Vec<&'a Value> {
        let references = REFERENCES.iter().filter_map(|name| members.get(*name)?.as_str());
        references.flat_map(|reference| self.target(root, reference)).collect()
    }

    fn target<'a>(&self, root: &'a Value, reference: &str) -> Vec<&'a Value> {
        let Some(name) = reference.strip_prefix('#').and_then(percent_decoded) else { return Vec::new() };
        if name.is_empty() || name.starts_with('/') {
            return root.pointer(&name).into_iter().collect();
        }
        let places = self.0.get(&name).into_iter().flatten();
        places.filter_map(|place| root.pointer(place)).collect()
    }
}

fn collect(value: &Value, at: &str, anchors: &mut HashMap<String, Vec<String>>) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                if let (true, Value::String(anchor)) = (ANCHORS.contains(&name.as_str()), value) {
                    anchors.entry(anchor.clone()).or_default().push(at.to_owned());
                }
                let name = name.replace('~', "~0").replace('/', "~1");
                collect(value, &format!("{at}/{name}"), anchors);
            }
        }
        Value::Array(items) => {
            for (place, item) in items.iter().enumerate() {
                collect(item, &format!("{at}/{place}"), anchors);
            }
        }
        _ => {}
    }
}

/// A fragment may write any letter as `%41`.
fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
        let (high, low) = (digit(rest.next())?, digit(rest.next())?);
        bytes.push(u8::try_from(high * 16 + low).ok()?);
    }
    String::from_utf8(bytes).ok()
}
