//! Where a schema says `"writeOnly": true`: on a property, or behind what the property refers to.

use super::Mask;
use serde_json::{Map, Value};
use std::collections::HashSet;

/// What a value of a property is made of.
const PARTS: &[&str] =
    &["items", "additionalProperties", "unevaluatedItems", "unevaluatedProperties", "contains"];
const LISTS: &[&str] = &["allOf", "anyOf", "oneOf", "prefixItems"];
/// Other schemas of the same value.
const SAME_VALUE: &[&str] = &["allOf", "anyOf", "oneOf"];

pub(super) fn mask_of(schema: &Value) -> Mask {
    let mut mask = Mask::default();
    collect(schema, schema, &mut mask.write_only);
    let others = Others::of(schema);
    mask.only_known = others.are_secret.then_some(others.known);
    mask
}

fn collect(root: &Value, schema: &Value, names: &mut HashSet<String>) {
    match schema {
        Value::Object(members) => {
            if let Some(Value::Object(properties)) = members.get("properties") {
                let marked = properties.iter().filter(|(_, of)| is_secret(root, of, &mut HashSet::new()));
                names.extend(marked.map(|(name, _)| name.clone()));
            }
            members.values().for_each(|value| collect(root, value, names));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(root, item, names)),
        _ => {}
    }
}

/// Whether such a value is secret, or holds something secret that has no name of its own.
fn is_secret(root: &Value, schema: &Value, seen: &mut HashSet<*const Value>) -> bool {
    let Value::Object(members) = schema else { return false };
    if !seen.insert(std::ptr::from_ref(schema)) {
        return false;
    }
    members.get("writeOnly") == Some(&Value::Bool(true))
        || parts(root, members).into_iter().any(|part| is_secret(root, part, seen))
}

fn parts<'a>(root: &'a Value, members: &'a Map<String, Value>) -> Vec<&'a Value> {
    let lists = LISTS.iter().filter_map(|name| members.get(*name)?.as_array()).flatten();
    let patterns = members.get("patternProperties").and_then(Value::as_object);
    let parts = PARTS.iter().filter_map(|name| members.get(*name));
    let parts = parts.chain(lists).chain(patterns.into_iter().flat_map(Map::values));
    parts.chain(target(root, members)).collect()
}

/// Local pointers and anchors; a schema has no others.
fn target<'a>(root: &'a Value, members: &Map<String, Value>) -> Option<&'a Value> {
    let name = members.get("$ref").or_else(|| members.get("$dynamicRef"))?.as_str()?.strip_prefix('#')?;
    if name.is_empty() || name.starts_with('/') { root.pointer(name) } else { anchored(root, name) }
}

fn anchored<'a>(schema: &'a Value, name: &str) -> Option<&'a Value> {
    match schema {
        Value::Object(members) => {
            let is_it =
                ["$anchor", "$dynamicAnchor"].iter().any(|key| members.get(*key).is_some_and(|a| a == name));
            if is_it { Some(schema) } else { members.values().find_map(|value| anchored(value, name)) }
        }
        Value::Array(items) => items.iter().find_map(|item| anchored(item, name)),
        _ => None,
    }
}

/// The arguments that have no property of their own.
#[derive(Default)]
struct Others {
    known: HashSet<String>,
    are_secret: bool,
}

impl Others {
    fn of(schema: &Value) -> Self {
        let mut others = Self::default();
        others.look(schema, schema, &mut HashSet::new());
        others
    }

    fn look<'a>(&mut self, root: &'a Value, schema: &'a Value, seen: &mut HashSet<*const Value>) {
        let Value::Object(members) = schema else { return };
        if !seen.insert(std::ptr::from_ref(schema)) {
            return;
        }
        let named = members.get("properties").and_then(Value::as_object);
        self.known.extend(named.into_iter().flat_map(Map::keys).cloned());
        let patterns = members.get("patternProperties").and_then(Value::as_object);
        let rest =
            ["additionalProperties", "unevaluatedProperties"].iter().filter_map(|name| members.get(*name));
        let mut rest = rest.chain(patterns.into_iter().flat_map(Map::values));
        self.are_secret |= rest.any(|schema| is_secret(root, schema, &mut HashSet::new()));
        let lists = SAME_VALUE.iter().filter_map(|name| members.get(*name)?.as_array()).flatten();
        for schema in lists.chain(target(root, members)) {
            self.look(root, schema, seen);
        }
    }
}
