//! What the keywords of a schema have to do with each other.

use serde_json::Value;
use std::cmp::Ordering;

/// They refuse nothing.
const ANNOTATIONS: &[&str] = &[
    "$comment",
    "$schema",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
    "default",
    "deprecated",
    "description",
    "example",
    "examples",
    "nullable",
    "readOnly",
    "title",
    "writeOnly",
];

/// Their members have names that somebody chose.
const BY_NAME: &[&str] = &[
    "$defs",
    "definitions",
    "dependencies",
    "dependentRequired",
    "dependentSchemas",
    "patternProperties",
    "properties",
];

/// Compared one by one; or, like the last four, of no effect unless something refers to them.
const COMPARED: &[&str] = &[
    "type",
    "enum",
    "const",
    "uniqueItems",
    "required",
    "properties",
    "additionalProperties",
    "items",
    "$defs",
    "definitions",
    "$anchor",
    "$dynamicAnchor",
];

/// What the first let through, the second judges when the first is gone.
pub(super) const RELIED_ON: &[(&str, &str)] =
    &[("prefixItems", "items"), ("patternProperties", "additionalProperties"), ("minContains", "contains")];

/// Beyond this, a number and its neighbour may look alike.
pub(super) const EXACT: f64 = 9_007_199_254_740_992.0;

/// Each with what counts where it is not given, and how a tighter one compares.
pub(super) const BOUNDS: &[(&str, Option<f64>, Ordering)] = &[
    ("minimum", None, Ordering::Greater),
    ("minLength", Some(0.0), Ordering::Greater),
    ("minItems", Some(0.0), Ordering::Greater),
    ("minProperties", Some(0.0), Ordering::Greater),
    ("minContains", Some(1.0), Ordering::Greater),
    ("exclusiveMinimum", None, Ordering::Greater),
    ("maximum", None, Ordering::Less),
    ("maxLength", None, Ordering::Less),
    ("maxItems", None, Ordering::Less),
    ("maxProperties", None, Ordering::Less),
    ("maxContains", None, Ordering::Less),
    ("exclusiveMaximum", None, Ordering::Less),
];

pub(super) fn is_compared(keyword: &str) -> bool {
    COMPARED.contains(&keyword)
        || BOUNDS.iter().any(|(bound, ..)| *bound == keyword)
        || keyword.starts_with("x-")
}

pub(super) fn is_reference(keyword: &str) -> bool {
    matches!(keyword, "$ref" | "$dynamicRef")
}

/// The schema without its annotations.
pub(super) fn plain(schema: &Value) -> Value {
    match schema {
        Value::Object(rules) => rules
            .iter()
            .filter(|(keyword, _)| !ANNOTATIONS.contains(&keyword.as_str()))
            .map(|(keyword, rule)| (keyword.clone(), plain_rule(keyword, rule)))
            .collect(),
        Value::Array(schemas) => schemas.iter().map(plain).collect(),
        other => other.clone(),
    }
}

fn plain_rule(keyword: &str, rule: &Value) -> Value {
    match rule {
        Value::Object(by_name) if BY_NAME.contains(&keyword) => {
            by_name.iter().map(|(name, schema)| (name.clone(), plain(schema))).collect()
        }
        _ if matches!(keyword, "enum" | "const") => rule.clone(),
        _ => plain(rule),
    }
}

pub(super) fn references(rule: &Value) -> Vec<&str> {
    match rule {
        Value::Object(rules) => rules
            .iter()
            .flat_map(|(keyword, rule)| match rule.as_str() {
                Some(reference) if is_reference(keyword) => vec![reference],
                _ => references(rule),
            })
            .collect(),
        Value::Array(schemas) => schemas.iter().flat_map(references).collect(),
        _ => Vec::new(),
    }
}
