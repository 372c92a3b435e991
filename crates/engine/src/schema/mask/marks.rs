//! Where a schema says `"writeOnly": true`: on a property, or behind what the property refers to; on arguments that have no
//! property of their own; or on all of them.

use super::{super::references::References, Mask};
use serde_json::{Map, Value};
use std::collections::HashSet;

/// What a value is made of, and what else is asked of it.
const PARTS: &[&str] = &[
    "items",
    "additionalProperties",
    "unevaluatedItems",
    "unevaluatedProperties",
    "contains",
    "propertyNames",
];
const LISTS: &[&str] = &["prefixItems"];
const BY_NAME: &[&str] = &["patternProperties"];
/// Other schemas of the same value. Whether a condition holds is not asked: what may be secret is.
const SAME_VALUE: &[&str] = &["not", "if", "then", "else"];
const SAME_VALUE_LISTS: &[&str] = &["allOf", "anyOf", "oneOf"];
const SAME_VALUE_BY_NAME: &[&str] = &["dependentSchemas", "dependencies"];

pub(super) fn mask_of(schema: &Value) -> Mask {
    let marks = Marks { root: schema, references: References::of(schema) };
    let mut mask = Mask::default();
    marks.collect(schema, &mut mask.write_only);
    let mut others = Others::default();
    others.look(&marks, schema, &mut HashSet::new());
    mask.only_known = others.exempt();
    mask
}

struct Marks<'a> {
    root: &'a Value,
    references: References,
}

impl<'a> Marks<'a> {
    fn collect(&self, schema: &'a Value, names: &mut HashSet<String>) {
        match schema {
            Value::Object(members) => {
                if let Some(Value::Object(properties)) = members.get("properties") {
                    let marked = properties.iter().filter(|(_, of)| self.is_secret(of, &mut HashSet::new()));
                    names.extend(marked.map(|(name, _)| name.clone()));
                }
                members.values().for_each(|value| self.collect(value, names));
            }
            Value::Array(items) => items.iter().for_each(|item| self.collect(item, names)),
            _ => {}
        }
    }

    /// Whether such a value is secret, or holds something secret that has no name of its own.
    fn is_secret(&self, schema: &'a Value, seen: &mut HashSet<*const Value>) -> bool {
        let Value::Object(members) = schema else { return false };
        if !seen.insert(std::ptr::from_ref(schema)) {
            return false;
        }
        let mut parts = below(members, PARTS, LISTS, BY_NAME);
        parts.extend(self.of_same_value(members));
        is_marked(members) || parts.into_iter().any(|part| self.is_secret(part, seen))
    }

    fn of_same_value(&self, members: &'a Map<String, Value>) -> Vec<&'a Value> {
        let mut same = below(members, SAME_VALUE, SAME_VALUE_LISTS, SAME_VALUE_BY_NAME);
        same.extend(self.references.targets(self.root, members));
        same
    }
}

fn is_marked(members: &Map<String, Value>) -> bool {
    members.get("writeOnly") == Some(&Value::Bool(true))
}

/// The schemas under these keywords: one each, a list, or by names.
fn below<'a>(
    members: &'a Map<String, Value>,
    single: &[&str],
    lists: &[&str],
    by_name: &[&str],
) -> Vec<&'a Value> {
    let single = single.iter().filter_map(|name| members.get(*name));
    let lists = lists.iter().filter_map(|name| members.get(*name)?.as_array()).flatten();
    let by_name = by_name.iter().filter_map(|name| members.get(*name)?.as_object()).flat_map(Map::values);
    single.chain(lists).chain(by_name).collect()
}

/// The arguments that have no property of their own.
#[derive(Default)]
struct Others {
    /// Named anywhere.
    known: HashSet<String>,
    /// Those that a rule for all other arguments makes secret, wherever it stands.
    are_secret: bool,
    /// What each rule for others leaves out: the properties beside it, and no others.
    beside: Option<HashSet<String>>,
}

impl Others {
    fn look<'a>(&mut self, marks: &Marks<'a>, schema: &'a Value, seen: &mut HashSet<*const Value>) {
        let Value::Object(members) = schema else { return };
        if !seen.insert(std::ptr::from_ref(schema)) {
            return;
        }
        let named = members.get("properties").and_then(Value::as_object);
        let named: HashSet<String> = named.into_iter().flat_map(Map::keys).cloned().collect();
        let is_secret = |part: &'a Value| marks.is_secret(part, &mut HashSet::new());
        if is_marked(members) {
            self.leave_out(&HashSet::new());
        }
        if members.get("additionalProperties").is_some_and(is_secret) {
            self.leave_out(&named);
        }
        let rest = below(members, &["unevaluatedProperties", "propertyNames"], &[], BY_NAME);
        self.are_secret |= rest.into_iter().any(is_secret);
        self.known.extend(named);
        for schema in marks.of_same_value(members) {
            self.look(marks, schema, seen);
        }
    }

    fn leave_out(&mut self, named: &HashSet<String>) {
        self.beside = Some(match self.beside.take() {
            Some(before) => before.intersection(named).cloned().collect(),
            None => named.clone(),
        });
    }

    /// The names that are not secret by such a rule; nothing when there is none.
    fn exempt(self) -> Option<HashSet<String>> {
        match (self.beside, self.are_secret) {
            (None, false) => None,
            (None, true) => Some(self.known),
            (Some(beside), false) => Some(beside),
            (Some(beside), true) => Some(beside.intersection(&self.known).cloned().collect()),
        }
    }
}
