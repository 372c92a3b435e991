#![allow(clippy::unwrap_used)]

use super::super::Schema;
use proptest::{
    prelude::{ProptestConfig, Strategy},
    prop_assert, proptest,
    sample::select,
};
use serde_json::{Value, json};

/// As it is told over REST.
fn breaks(before: &Value, after: &Value) -> Vec<String> {
    super::breaks(before, after).iter().map(ToString::to_string).collect()
}

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
        ("/properties/n/multipleOf", json!(2), "n has another multipleOf, which may refuse more"),
        ("/properties/l/uniqueItems", json!(true), "l no longer accepts an item twice"),
        ("/properties/o/minProperties", json!(1), "o has a tighter minProperties"),
        ("/properties/o/maxProperties", json!(1), "o has a tighter maxProperties"),
        ("/minProperties", json!(1), "params has a tighter minProperties"),
        ("/properties/n/not", json!({ "const": 1 }), "n has another not, which may refuse more"),
        ("/oneOf", json!([{ "required": ["n"] }]), "params has another oneOf, which may refuse more"),
        ("/properties/r/$ref", json!("#/$defs/b"), "r has another $ref, which may refuse more"),
        ("/$defs/a/maxLength", json!(1), "r has a tighter maxLength"),
        ("/properties/n", json!(false), "n is no longer accepted"),
        ("/properties/l/items", json!(false), "l[] is no longer accepted"),
        ("/properties/l/items", json!({ "type": "string" }), "l[] changed its type"),
        ("/properties/l/contains", json!({}), "l has another contains, which may refuse more"),
        ("/properties/l/prefixItems", json!([false]), "l has another prefixItems, which may refuse more"),
        (
            "/properties/l/unevaluatedItems",
            json!(false),
            "l has another unevaluatedItems, which may refuse more",
        ),
        ("/properties/o/additionalProperties", json!({ "type": "string" }), "o.* changed its type"),
        ("/dependencies", json!({ "n": ["o"] }), "params has another dependencies, which may refuse more"),
        ("/if", json!({ "required": ["n"] }), "params has another if, which may refuse more"),
    ] {
        assert_eq!(with(pointer, value), [reason]);
    }
    let mut without = before.clone();
    without["properties"]["n"]["multipleOf"] = json!(2);
    assert_eq!(breaks(&without, &before), Vec::<String>::new(), "what was taken away refuses nothing");
}

/// An object with one field `c` and, beside it, what else is said.
fn object(field: Value, mut beside: Value) -> Value {
    beside["type"] = json!("object");
    beside["properties"] = json!({ "c": field });
    beside
}

#[test]
fn t4_what_a_change_reaches_by_a_detour_is_told() {
    let list = |more: Value| object(more, json!({}));
    let beside = |more: Value| object(json!({}), more);
    let with_more = |beside: Value| {
        let mut schema = object(json!({}), beside);
        schema["properties"]["more"] = json!({ "type": "string" });
        schema
    };
    let referring = |place: &str, target: Value| {
        object(json!({ "$ref": format!("#/{place}/k") }), json!({ place: { "k": target } }))
    };
    let anchored = |kind: &str| {
        object(json!({ "$ref": "#k" }), json!({ "$defs": { "k": { "$anchor": "k", "type": kind } } }))
    };
    // What refuses a text is met less often: more passes there, and less at the door.
    let refusing = |target: Value| {
        object(json!({ "not": { "$ref": "#/$defs/k" } }), json!({ "$defs": { "k": target } }))
    };
    for (before, after) in [
        (referring("x-foo", json!({ "type": "string" })), referring("x-foo", json!({ "type": "integer" }))),
        (referring("definitions", json!({})), referring("definitions", json!(false))),
        (anchored("string"), anchored("integer")),
        (refusing(json!({ "maxLength": 1 })), refusing(json!({ "maxLength": 2 }))),
        (
            beside(json!({ "additionalProperties": { "type": ["string", "integer"] } })),
            beside(json!({ "additionalProperties": { "type": "string" } })),
        ),
        (
            beside(json!({ "additionalProperties": false, "patternProperties": { "^x": {} } })),
            beside(json!({ "additionalProperties": false })),
        ),
        (
            list(json!({ "prefixItems": [{}], "items": { "type": "string" } })),
            list(json!({ "items": { "type": "string" } })),
        ),
        (
            list(json!({ "contains": { "const": 1 }, "minContains": 0 })),
            list(json!({ "contains": { "const": 1 } })),
        ),
        (list(json!({ "contains": true, "minContains": 0 })), list(json!({ "contains": true }))),
        (json!({ "type": "object" }), object(json!({ "type": "string" }), json!({}))),
        (beside(json!({ "additionalProperties": true })), with_more(json!({ "additionalProperties": true }))),
        (beside(json!({ "required": ["more"] })), with_more(json!({ "required": ["more"] }))),
        (
            beside(json!({ "if": { "required": ["more"] } })),
            with_more(json!({ "if": { "required": ["more"] } })),
        ),
        (list(json!({ "enum": ["a", "b"] })), list(json!({ "const": "a" }))),
        (
            list(json!({ "maximum": 9_007_199_254_740_993_u64 })),
            list(json!({ "maximum": 9_007_199_254_740_992_u64 })),
        ),
    ] {
        assert!(!breaks(&before, &after).is_empty(), "{before} {after}");
    }
}

#[test]
fn t4_what_only_widens_breaks_nothing() {
    let closed = json!({ "additionalProperties": false });
    let beside = |more: Value| object(json!({}), more);
    let mut optional = object(json!({}), closed.clone());
    optional["properties"]["more"] = json!({ "type": "string", "enum": ["x"] });
    let with_defs = |most: u8, title: &str| {
        let target = json!({ "type": "string", "maxLength": most, "title": title });
        object(json!({ "$ref": "#/$defs/k" }), json!({ "$defs": { "k": target } }))
    };
    let tree = |most: u8| {
        json!({ "type": "object", "properties": { "name": { "maxLength": most },
            "children": { "type": "array", "items": { "$ref": "#" } } } })
    };
    let told = |text: &str| {
        let branch = json!({ "type": "string", "description": text, "examples": [text] });
        object(json!({ "anyOf": [branch, { "type": "null" }], "$comment": text }), json!({ "x-order": text }))
    };
    let field = |more: Value| object(more, json!({}));
    let mut named = field(json!({}));
    named["properties"]["more"] = json!({ "type": "string" });
    for (before, after) in [
        (field(json!({})), named),
        (
            object(json!({ "type": "integer", "maximum": 5 }), json!({ "required": ["c"] })),
            object(json!({ "type": "number", "maximum": 9 }), json!({})),
        ),
        (object(json!({}), closed.clone()), optional),
        (beside(closed), beside(json!({ "additionalProperties": { "type": "string" } }))),
        (field(json!({ "enum": ["a"] })), field(json!({ "enum": ["a", "b"] }))),
        (field(json!({ "const": "a" })), field(json!({ "enum": ["a", "b"] }))),
        (field(json!({ "type": "string" })), field(json!({ "type": ["string", "null"], "minLength": 0 }))),
        (field(json!(false)), field(json!({ "type": "string" }))),
        (with_defs(5, "A"), with_defs(6, "B")),
        (tree(5), tree(6)),
        (told("one"), told("two")),
    ] {
        assert_eq!(breaks(&before, &after), Vec::<String>::new(), "{before} {after}");
    }
}

/// Parts of a schema, each there or not: two fields, other fields, what `$ref` leads to, and the rest.
type Parts = [Option<Value>; 5];

fn schema_of([a, b, others, target, rest]: &Parts) -> Value {
    let mut schema = rest.clone().unwrap_or(json!({}));
    schema["type"] = json!("object");
    schema["$defs"]["k"] = target.clone().unwrap_or(json!(true));
    for (name, field) in [("a", a), ("b", b)] {
        if let Some(field) = field {
            schema["properties"][name] = field.clone();
        }
    }
    if let Some(others) = others {
        schema["additionalProperties"] = others.clone();
    }
    schema
}

fn parts() -> impl Strategy<Value = Parts> {
    let fields = vec![
        json!(true),
        json!(false),
        json!({ "type": "string" }),
        json!({ "type": ["string", "integer"] }),
        json!({ "type": "number", "minimum": 1 }),
        json!({ "exclusiveMinimum": 1 }),
        json!({ "enum": ["a", 1] }),
        json!({ "const": "a" }),
        json!({ "maxLength": 1 }),
        json!({ "not": { "type": "integer" } }),
        json!({ "not": { "$ref": "#/$defs/k" } }),
        json!({ "$ref": "#/$defs/k" }),
        json!({ "items": { "$ref": "#/$defs/k" } }),
        json!({ "items": { "type": "integer" } }),
        json!({ "prefixItems": [{ "type": "string" }] }),
        json!({ "prefixItems": [true], "items": false }),
        json!({ "contains": { "const": 1 } }),
        json!({ "contains": { "const": 1 }, "minContains": 0 }),
        json!({ "contains": true }),
        json!({ "contains": true, "minContains": 0 }),
        json!({ "additionalProperties": { "type": "string" } }),
    ];
    let rest = vec![
        json!({ "required": ["a"] }),
        json!({ "minProperties": 1 }),
        json!({ "patternProperties": { "^a": { "type": "string" } } }),
        json!({ "patternProperties": { "": true } }),
        json!({ "dependentRequired": { "a": ["b"] } }),
        json!({ "propertyNames": { "maxLength": 0 } }),
        json!({ "unevaluatedProperties": false }),
        json!({ "if": { "required": ["a"] }, "then": { "required": ["b"] } }),
        json!({ "anyOf": [{ "properties": { "a": { "$ref": "#/$defs/k" } } }, { "required": ["c"] }] }),
        json!({ "not": { "properties": { "a": { "$ref": "#/$defs/k" } } } }),
    ];
    let field = || proptest::option::of(select(fields.clone()));
    (field(), field(), field(), field(), proptest::option::of(select(rest)))
        .prop_map(|(a, b, others, target, rest)| [a, b, others, target, rest])
}

/// Arguments of every small kind.
fn calls() -> Vec<Value> {
    let values =
        [json!(1), json!(0.5), json!("a"), json!("ab"), json!([1]), json!(["a", 1]), json!({ "x": 1 })];
    let maybe: Vec<Option<&Value>> = std::iter::once(None).chain(values.iter().map(Some)).collect();
    let mut calls = Vec::new();
    for a in &maybe {
        for other in &maybe {
            for name in ["b", "c"] {
                let given = [("a", a), (name, other)];
                let given = given.into_iter().filter_map(|(name, value)| Some((name, (*value)?.clone())));
                calls.push(given.collect());
            }
        }
    }
    calls
}

/// Whether an agent would have sent it: not a parameter that is new, where the others had their names.
fn is_known(call: &Value, old: &Value, new: &Value) -> bool {
    let speaks_of_more = ["additionalProperties", "patternProperties", "dependentRequired"]
        .into_iter()
        .chain(["propertyNames", "unevaluatedProperties", "if", "anyOf", "not"])
        .any(|keyword| old.get(keyword).is_some());
    let is_required =
        |name: &str| old["required"].as_array().is_some_and(|names| names.contains(&json!(name)));
    let is_new = |name: &String| {
        let now = new["properties"].get(name);
        old["properties"].get(name).is_none()
            && now.is_some_and(|rule| *rule != json!(false))
            && !is_required(name)
    };
    speaks_of_more || old.get("properties").is_none() || !call.as_object().unwrap().keys().any(is_new)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn t4_what_refuses_a_call_of_before_is_told(before in parts(), other in parts(), place in 0..5_usize) {
        let mut after = before.clone();
        after[place] = other[place].clone();
        let (old, new) = (schema_of(&before), schema_of(&after));
        // A field may be told to be what it refers to: that is no schema.
        let (Ok(was), Ok(now)) = (Schema::compile(&old), Schema::compile(&new)) else { return Ok(()) };
        if breaks(&old, &new).is_empty() {
            for call in calls().iter().filter(|call| is_known(call, &old, &new)) {
                let is_fine = was.check(call).is_err() || now.check(call).is_ok();
                prop_assert!(is_fine, "{old} {new} {call}");
            }
        }
    }
}
