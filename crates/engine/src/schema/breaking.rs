//! T4: would calls that fit yesterday's parameters still fit today's? Reports what may break, not what surely does.

use serde_json::{Map, Value};

/// What agents may stumble over; empty when everything that was accepted still is.
pub fn breaks(before: &Value, after: &Value) -> Vec<String> {
    let mut reasons = Vec::new();
    compare("", before, after, &mut reasons);
    reasons
}

fn compare(path: &str, before: &Value, after: &Value, reasons: &mut Vec<String>) {
    let empty = Map::new();
    let properties = |schema: &Value| schema["properties"].as_object().unwrap_or(&empty).clone();
    let (old, new) = (properties(before), properties(after));
    for (name, was) in &old {
        let path = join(path, name);
        match new.get(name) {
            None => reasons.push(format!("{path} was removed")),
            Some(now) => compare_property(&path, was, now, reasons),
        }
    }
    let (old_required, new_required) = (required(before), required(after));
    for name in new_required.iter().filter(|name| !old_required.contains(name)) {
        reasons.push(format!("{} is now required", join(path, name)));
    }
    let here = if path.is_empty() { "params" } else { path };
    if after["additionalProperties"] == Value::Bool(false)
        && before["additionalProperties"] != Value::Bool(false)
    {
        reasons.push(format!("{here} no longer accepts other fields"));
    }
    if path.is_empty() {
        // Elsewhere these are compared with what else a property says.
        compare_bounds(here, before, after, reasons);
    }
    for keyword in UNREADABLE {
        if !after[*keyword].is_null() && after[*keyword] != before[*keyword] {
            reasons.push(format!("{here} has another {keyword}, which may refuse more"));
        }
    }
}

/// Whether these accept less than before is not for us to find out: a change is told.
const UNREADABLE: &[&str] = &[
    "$ref",
    "$dynamicRef",
    "$defs",
    "definitions",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "contains",
    "prefixItems",
    "propertyNames",
    "patternProperties",
    "dependentRequired",
    "dependentSchemas",
    "unevaluatedItems",
    "unevaluatedProperties",
];

fn compare_property(path: &str, was: &Value, now: &Value, reasons: &mut Vec<String>) {
    if !names(&was["type"]).iter().all(|name| accepts(now, name)) {
        reasons.push(format!("{path} changed its type"));
    }
    if let Some(choices) = now["enum"].as_array() {
        match was["enum"].as_array() {
            Some(old) if old.iter().all(|choice| choices.contains(choice)) => {}
            Some(_) => reasons.push(format!("{path} lost some of its values")),
            None => reasons.push(format!("{path} is now limited to some values")),
        }
    }
    compare_bounds(path, was, now, reasons);
    for keyword in ["pattern", "format", "const", "multipleOf"] {
        if !now[keyword].is_null() && now[keyword] != was[keyword] {
            reasons.push(format!("{path} has another {keyword}"));
        }
    }
    if now["uniqueItems"] == Value::Bool(true) && was["uniqueItems"] != Value::Bool(true) {
        reasons.push(format!("{path} no longer accepts an item twice"));
    }
    compare(path, was, now, reasons);
    if now["items"].is_object() {
        compare_property(&format!("{path}[]"), &was["items"], &now["items"], reasons);
    }
}

fn compare_bounds(path: &str, was: &Value, now: &Value, reasons: &mut Vec<String>) {
    for (keyword, is_tighter) in BOUNDS {
        if let Some(bound) = now[*keyword].as_f64()
            && was[*keyword].as_f64().is_none_or(|old| is_tighter(old, bound))
        {
            reasons.push(format!("{path} has a tighter {keyword}"));
        }
    }
}

type Tighter = fn(f64, f64) -> bool;

const BOUNDS: &[(&str, Tighter)] = &[
    ("minimum", |old, new| new > old),
    ("minLength", |old, new| new > old),
    ("minItems", |old, new| new > old),
    ("minProperties", |old, new| new > old),
    ("minContains", |old, new| new > old),
    ("exclusiveMinimum", |old, new| new > old),
    ("maximum", |old, new| new < old),
    ("maxLength", |old, new| new < old),
    ("maxItems", |old, new| new < old),
    ("maxProperties", |old, new| new < old),
    ("maxContains", |old, new| new < old),
    ("exclusiveMaximum", |old, new| new < old),
];

fn names(types: &Value) -> Vec<&str> {
    match types {
        Value::String(name) => vec![name],
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
        _ => vec!["any"],
    }
}

fn accepts(schema: &Value, name: &str) -> bool {
    let accepted = names(&schema["type"]);
    accepted.contains(&name) || accepted == ["any"] || (name == "integer" && accepted.contains(&"number"))
}

fn required(schema: &Value) -> Vec<&str> {
    schema["required"]
        .as_array()
        .map(|names| names.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default()
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn t4_what_can_break_calls_is_named() {
        let before = json!({ "type": "object", "properties": {
            "a": { "type": "string" }, "b": { "type": "string", "enum": ["x", "y"] }, "c": { "type": "integer" } } });
        let after = json!({ "type": "object", "properties": {
            "b": { "type": "string", "enum": ["x"] }, "c": { "type": "string", "maxLength": 3 },
            "d": { "type": "string" } },
            "required": ["d"], "additionalProperties": false });
        let reasons = breaks(&before, &after);
        for reason in [
            "a was removed",
            "b lost some of its values",
            "c changed its type",
            "d is now required",
            "c has a tighter maxLength",
            "params no longer accepts other fields",
        ] {
            assert!(reasons.iter().any(|found| found == reason), "{reason}: {reasons:?}");
        }
    }

    #[test]
    fn t4_every_keyword_that_can_refuse_more_is_told() {
        let before = json!({ "type": "object", "properties": { "n": { "type": "number" }, "l": { "type": "array" },
            "o": { "type": "object" }, "r": { "$ref": "#/$defs/a" } }, "$defs": { "a": { "type": "string" } } });
        let with = |pointer: &str, value: Value| {
            let mut after = before.clone();
            let (at, name) = pointer.rsplit_once('/').unwrap();
            after.pointer_mut(at).unwrap()[name] = value;
            breaks(&before, &after)
        };
        for (pointer, value, reason) in [
            ("/properties/n/exclusiveMinimum", json!(1), "n has a tighter exclusiveMinimum"),
            ("/properties/n/exclusiveMaximum", json!(1), "n has a tighter exclusiveMaximum"),
            ("/properties/n/multipleOf", json!(2), "n has another multipleOf"),
            ("/properties/l/uniqueItems", json!(true), "l no longer accepts an item twice"),
            ("/properties/o/minProperties", json!(1), "o has a tighter minProperties"),
            ("/properties/o/maxProperties", json!(1), "o has a tighter maxProperties"),
            ("/minProperties", json!(1), "params has a tighter minProperties"),
            ("/properties/n/not", json!({ "const": 1 }), "n has another not, which may refuse more"),
            ("/oneOf", json!([{ "required": ["n"] }]), "params has another oneOf, which may refuse more"),
            ("/properties/r/$ref", json!("#/$defs/b"), "r has another $ref, which may refuse more"),
            ("/$defs/a/maxLength", json!(1), "params has another $defs, which may refuse more"),
        ] {
            assert_eq!(with(pointer, value), [reason]);
        }
        let mut without = before.clone();
        without["properties"]["n"]["multipleOf"] = json!(2);
        assert_eq!(breaks(&without, &before), Vec::<String>::new(), "what was taken away refuses nothing");
    }

    #[test]
    fn t4_what_only_widens_breaks_nothing() {
        let before = json!({ "type": "object", "properties": { "n": { "type": "integer", "maximum": 5 } },
            "required": ["n"] });
        let after = json!({ "type": "object", "properties": { "n": { "type": "number", "maximum": 9 },
            "more": { "type": "string" } } });
        assert_eq!(breaks(&before, &after), Vec::<String>::new());
    }
}
