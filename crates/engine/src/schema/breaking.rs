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
    if after["additionalProperties"] == Value::Bool(false)
        && before["additionalProperties"] != Value::Bool(false)
    {
        reasons.push(format!(
            "{} no longer accepts other fields",
            if path.is_empty() { "params" } else { path }
        ));
    }
}

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
    for (keyword, is_tighter) in BOUNDS {
        if let Some(bound) = now[*keyword].as_f64()
            && was[*keyword].as_f64().is_none_or(|old| is_tighter(old, bound))
        {
            reasons.push(format!("{path} has a tighter {keyword}"));
        }
    }
    for keyword in ["pattern", "format", "const"] {
        if !now[keyword].is_null() && now[keyword] != was[keyword] {
            reasons.push(format!("{path} has another {keyword}"));
        }
    }
    compare(path, was, now, reasons);
    if now["items"].is_object() {
        compare_property(&format!("{path}[]"), &was["items"], &now["items"], reasons);
    }
}

type Tighter = fn(f64, f64) -> bool;

const BOUNDS: &[(&str, Tighter)] = &[
    ("minimum", |old, new| new > old),
    ("minLength", |old, new| new > old),
    ("minItems", |old, new| new > old),
    ("maximum", |old, new| new < old),
    ("maxLength", |old, new| new < old),
    ("maxItems", |old, new| new < old),
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
    fn t4_what_only_widens_breaks_nothing() {
        let before = json!({ "type": "object", "properties": { "n": { "type": "integer", "maximum": 5 } },
            "required": ["n"] });
        let after = json!({ "type": "object", "properties": { "n": { "type": "number", "maximum": 9 },
            "more": { "type": "string" } } });
        assert_eq!(breaks(&before, &after), Vec::<String>::new());
    }
}
