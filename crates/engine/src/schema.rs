//! JSON Schema (2020-12): what a tool's parameters may be, and whether arguments fit.
//!
//! A schema comes from a tenant and runs on the server: it is bounded in size and depth, refers to nothing outside
//! itself, and its patterns run in linear time. How much work it makes of an argument is counted first.

mod breaking;
mod expansion;
mod mask;
mod references;
mod unfit;

pub use breaking::breaks;
pub use mask::{MASKED, Mask};

use domain::{ErrorCode, FieldCode, FieldError, ServiceError};
use expansion::Expansion;
use jsonschema::{Draft, PatternOptions, ValidationError, Validator};
use serde_json::Value;

const MAX_BYTES: usize = 64 * 1024;
const MAX_DEPTH: usize = 32;
const MAX_ERRORS: usize = 20;
const DIALECT: &str = "https://json-schema.org/draft/2020-12/";

/// A schema that was understood.
pub struct Schema {
    validator: Validator,
    /// For one that can multiply the work of an argument.
    expansion: Option<Expansion>,
}

impl Schema {
    /// Refuses what is not a schema of an object, is too large or too deep, or points elsewhere.
    pub fn compile(schema: &Value) -> Result<Self, FieldError> {
        let refused = |message: &str| refused_at(&[], message);
        if schema.get("type").and_then(Value::as_str) != Some("object") {
            return Err(refused("must be a JSON Schema with \"type\": \"object\""));
        }
        if schema.to_string().len() > MAX_BYTES {
            return Err(refused("is larger than 64 KiB"));
        }
        let mut path = Vec::new();
        contained(schema, &mut path).map_err(|why| refused_at(&path, why))?;
        let expansion = Expansion::of(schema);
        if expansion.as_ref().is_some_and(|expansion| expansion.check_schema().is_err()) {
            return Err(refused("refers to itself without end, or combines too many schemas for one value"));
        }
        let built = jsonschema::options()
            .with_draft(Draft::Draft202012)
            .should_validate_formats(true)
            .with_pattern_options(PatternOptions::regex().size_limit(1 << 20).dfa_size_limit(1 << 20))
            .offline()
            .build(schema);
        let wrong = |error: ValidationError<'_>| {
            let why = format!("is not a valid JSON Schema: {}", error.masked());
            refused_at(&parts_of(error.instance_path().as_str()), &why)
        };
        Ok(Self { validator: built.map_err(wrong)?, expansion })
    }

    /// Every field that does not fit, by its name.
    pub fn check(&self, params: &Value) -> Result<(), ServiceError> {
        if self.expansion.as_ref().is_some_and(|expansion| expansion.check(params).is_err()) {
            let message = "is too large or too deep for what the schema asks of it".to_owned();
            return Err(unfit(vec![FieldError { message, ..FieldError::new("params", FieldCode::TooLong) }]));
        }
        if self.validator.is_valid(params) {
            return Ok(());
        }
        let errors = self.validator.iter_errors(params).take(MAX_ERRORS);
        let fields =
            errors.flat_map(|error| unfit::field_errors(&error, params, MAX_ERRORS)).take(MAX_ERRORS);
        Err(unfit(fields.collect()))
    }
}

fn unfit(errors: Vec<FieldError>) -> ServiceError {
    let detail = "The arguments do not fit the tool's parameters.";
    ServiceError { errors, ..ServiceError::new(ErrorCode::InvalidParams, detail) }
}

/// Local references only, and not too deep. On a refusal `path` leads to what is refused.
fn contained(schema: &Value, path: &mut Vec<String>) -> Result<(), &'static str> {
    if path.len() >= MAX_DEPTH {
        return Err("is nested too deeply");
    }
    match schema {
        Value::Object(members) => members.iter().try_for_each(|(name, value)| {
            path.push(name.clone());
            leads_out(name, value).map_or(Ok(()), Err)?;
            contained(value, path)?;
            path.pop();
            Ok(())
        }),
        Value::Array(items) => items.iter().enumerate().try_for_each(|(place, item)| {
            path.push(place.to_string());
            contained(item, path)?;
            path.pop();
            Ok(())
        }),
        _ => Ok(()),
    }
}

fn leads_out(name: &str, value: &Value) -> Option<&'static str> {
    let text = value.as_str()?;
    match name {
        "$ref" | "$dynamicRef" if !text.starts_with('#') => Some("refers to something outside the schema"),
        "$id" => Some("gives the schema another address, which references could leave it by"),
        "$schema" if !text.starts_with(DIALECT) => {
            Some("names another dialect: only JSON Schema 2020-12 is understood")
        }
        _ => None,
    }
}

/// Names the place inside the schema as the list of versions does: `parameters.properties.stage.enum`.
fn refused_at(path: &[String], message: &str) -> FieldError {
    let message = message.to_owned();
    FieldError { message, ..FieldError::new(&field_of("parameters", path), FieldCode::Invalid) }
}

/// The parts of a JSON pointer.
fn parts_of(pointer: &str) -> Vec<String> {
    pointer.split('/').skip(1).map(|part| part.replace("~1", "/").replace("~0", "~")).collect()
}

fn field_of(root: &str, path: &[String]) -> String {
    if path.is_empty() { root.to_owned() } else { format!("{root}.{}", path.join(".")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn stage() -> Value {
        json!({
            "type": "object",
            "properties": {
                "contact_id": { "type": "string", "maxLength": 5 },
                "stage": { "type": "string", "enum": ["lead", "proposta"] },
                "amount": { "type": "integer", "minimum": 0 }
            },
            "required": ["contact_id"],
            "additionalProperties": false
        })
    }

    #[test]
    fn t3_errors_name_the_field_and_never_the_value() {
        let schema = Schema::compile(&stage()).unwrap();
        let error = schema.check(&json!({ "stage": "hunter2", "amount": -1, "x": 1 })).unwrap_err();
        assert_eq!(error.code, ErrorCode::InvalidParams);
        let fields: Vec<&str> = error.errors.iter().map(|error| error.field.as_str()).collect();
        for field in ["params.contact_id", "params.stage", "params.amount", "params.x"] {
            assert!(fields.contains(&field), "{fields:?}");
        }
        assert!(error.errors.iter().all(|error| !format!("{error:?}").contains("hunter2")));
        assert!(schema.check(&json!({ "contact_id": "a" })).is_ok());
        assert!(schema.check(&json!([])).is_err());
    }

    #[test]
    fn t3_errors_name_the_rule_of_the_schema_and_each_unknown_field() {
        let schema = Schema::compile(&stage()).unwrap();
        let wrong = json!({ "contact_id": "longer", "stage": "x", "amount": "1", "b": 1, "c": 1 });
        let error = schema.check(&wrong).unwrap_err();
        let told: Vec<_> = error
            .errors
            .iter()
            .map(|error| {
                let rule = error.rule.as_ref().unwrap();
                (error.field.as_str(), rule.keyword.as_str(), rule.expected.as_deref())
            })
            .collect();
        for expected in [
            ("params.contact_id", "maxLength", Some("5")),
            ("params.stage", "enum", Some(r#""lead", "proposta""#)),
            ("params.amount", "type", Some("integer")),
            ("params.b", "additionalProperties", None),
            ("params.c", "additionalProperties", None),
        ] {
            assert!(told.contains(&expected), "{expected:?}: {told:?}");
        }
    }

    /// An error that repeated all names for each of them would fill the memory.
    #[test]
    fn t3_a_hundred_thousand_unknown_fields_make_a_short_answer() {
        let schema = Schema::compile(&stage()).unwrap();
        let many: serde_json::Map<String, Value> =
            (0..100_000).map(|n| (format!("k{n}"), json!(1))).collect();
        let error = schema.check(&Value::Object(many)).unwrap_err();
        assert!((2..=MAX_ERRORS).contains(&error.errors.len()), "{}", error.errors.len());
        assert!(serde_json::to_string(&error).unwrap().len() < 5_000);
    }

    #[test]
    fn t3_what_is_no_schema_of_an_object_is_refused() {
        let mut deep = json!({ "type": "string" });
        for _ in 0..40 {
            deep = json!({ "type": "object", "properties": { "x": deep } });
        }
        let huge = json!({ "type": "object", "description": "x".repeat(70_000) });
        let elsewhere =
            json!({ "type": "object", "properties": { "a": { "$ref": "http://127.0.0.1/x.json" } } });
        let file = json!({ "type": "object", "properties": { "a": { "$ref": "file:///etc/passwd" } } });
        let other_base = json!({ "type": "object", "$id": "https://example.org/x" });
        let wrong = json!({ "type": "object", "properties": { "a": { "type": "strnig" } } });
        let pattern =
            json!({ "type": "object", "properties": { "a": { "type": "string", "pattern": "(" } } });
        for bad in [
            json!(null),
            json!([]),
            json!("x"),
            json!({}),
            json!({ "type": "array" }),
            deep,
            huge,
            elsewhere,
            file,
            other_base,
            wrong,
            pattern,
        ] {
            assert!(Schema::compile(&bad).is_err(), "{}", bad.to_string().get(..60).unwrap_or_default());
        }
    }

    #[test]
    fn t3_a_refused_schema_names_the_place_and_the_reason() {
        let inside = |value: Value| json!({ "type": "object", "properties": { "a": { "properties": { "deep": value } } } });
        let at = "parameters.properties.a.properties.deep";
        for (schema, field, reason) in [
            (inside(json!({ "minimum": "x" })), format!("{at}.minimum"), "valid JSON Schema"),
            (inside(json!({ "type": "strnig" })), format!("{at}.type"), "valid JSON Schema"),
            (inside(json!({ "enum": 1 })), format!("{at}.enum"), "valid JSON Schema"),
            (inside(json!({ "pattern": "(" })), format!("{at}.pattern"), "valid JSON Schema"),
            (
                inside(json!({ "anyOf": [{}, { "maxLength": -1 }] })),
                format!("{at}.anyOf.1.maxLength"),
                "valid",
            ),
            (inside(json!({ "$ref": "https://example.org/x" })), format!("{at}.$ref"), "outside"),
            (inside(json!({ "$id": "https://example.org/x" })), format!("{at}.$id"), "another address"),
            (
                json!({ "type": "object", "$schema": "http://json-schema.org/draft-07/schema#" }),
                "parameters.$schema".to_owned(),
                "only JSON Schema 2020-12",
            ),
            (inside(nested(40, |value| json!({ "items": value }))), String::new(), "too deeply"),
        ] {
            let error = Schema::compile(&schema).err().unwrap_or_else(|| panic!("{schema}"));
            assert!(error.message.contains(reason), "{schema}: {}", error.message);
            assert!(
                error.field == field || field.is_empty() && error.field.starts_with(at),
                "{}",
                error.field
            );
        }
        let usual = json!({ "type": "object", "$schema": "https://json-schema.org/draft/2020-12/schema" });
        assert!(Schema::compile(&usual).is_ok());
    }

    #[test]
    fn t3_an_argument_of_a_tool_that_takes_none_is_named() {
        let schema = json!({ "type": "object", "properties": {
            "a": { "type": "object", "additionalProperties": false }, "b": false } });
        let schema = Schema::compile(&schema).unwrap();
        let fields = |params: Value| -> Vec<(String, FieldCode)> {
            let errors = schema.check(&params).unwrap_err().errors;
            errors.into_iter().map(|error| (error.field, error.code)).collect()
        };
        assert_eq!(
            fields(json!({ "a": { "x": 1, "y": 2 } })),
            [("params.a.x".to_owned(), FieldCode::Unknown), ("params.a.y".to_owned(), FieldCode::Unknown)]
        );
        assert_eq!(fields(json!({ "b": 1 })), [("params.b".to_owned(), FieldCode::Invalid)]);
    }

    fn nested(depth: usize, wrap: impl Fn(Value) -> Value) -> Value {
        (0..depth).fold(json!({}), |value, _| wrap(value))
    }

    /// Each asks for two of the one before, all of the same value.
    fn doubling(levels: usize) -> Value {
        doubling_by(levels, |before| json!({ "allOf": [before.clone(), before] }))
    }

    fn doubling_by(levels: usize, twice: impl Fn(Value) -> Value) -> Value {
        let mut defs = json!({ "d0": { "type": "object" } });
        for n in 1..=levels {
            defs[format!("d{n}")] = twice(json!({ "$ref": format!("#/$defs/d{}", n - 1) }));
        }
        json!({ "type": "object", "$defs": defs, "allOf": [{ "$ref": format!("#/$defs/d{levels}") }] })
    }

    fn doubling_by_anchors(levels: usize) -> Value {
        let mut defs = json!({ "e0": { "$anchor": "t0", "type": "object" } });
        for n in 1..=levels {
            let before = json!({ "$ref": format!("#t{}", n - 1) });
            defs[format!("e{n}")] = json!({ "$anchor": format!("t{n}"), "anyOf": [before.clone(), before] });
        }
        json!({ "type": "object", "$defs": defs, "properties": { "a": { "$ref": format!("#t{levels}") } } })
    }

    /// What only looks like an anchor leads nobody astray.
    fn with_false_anchors(mut schema: Value) -> Value {
        let anchors: Vec<Value> = (0..=20).map(|n| json!({ "$anchor": format!("t{n}") })).collect();
        schema["examples"] = json!(anchors);
        schema["x-more"] = json!(anchors);
        schema
    }

    #[test]
    fn t3_a_schema_that_never_ends_or_multiplies_is_refused_when_it_is_saved() {
        let itself = json!({ "$ref": "#" });
        let hostile = [
            json!({ "type": "object", "anyOf": [itself.clone(), itself.clone()] }),
            json!({ "type": "object", "allOf": [itself.clone()] }),
            json!({ "type": "object", "not": itself.clone() }),
            json!({ "type": "object", "$anchor": "a", "if": { "$ref": "#a" } }),
            json!({ "type": "object", "$dynamicAnchor": "a", "oneOf": [{ "$dynamicRef": "#a" }] }),
            json!({ "type": "object", "$defs": { "a b": { "$ref": "#/%24defs/a%20b" } },
                "properties": { "x": { "$ref": "#/$defs/a%20b" } } }),
            json!({ "type": "object", "properties": { "x": { "anyOf": [{ "$ref": "#/properties/x" }] } } }),
            doubling(20),
            doubling(60),
            doubling_by(40, |before| json!({ "dependentSchemas": { "a": before.clone(), "b": before } })),
            doubling_by(40, |before| json!({ "dependencies": { "a": before.clone(), "b": before } })),
            with_false_anchors(doubling_by_anchors(20)),
            with_false_anchors(json!({ "type": "object", "properties": {
                "x": { "$anchor": "t0", "allOf": [{ "$ref": "#t0" }] } } })),
        ];
        for schema in hostile {
            let started = std::time::Instant::now();
            let error = Schema::compile(&schema).err().unwrap_or_else(|| panic!("{schema}"));
            assert_eq!((error.field.as_str(), error.code), ("parameters", FieldCode::Invalid));
            assert!(error.message.contains("without end"), "{}", error.message);
            assert!(started.elapsed().as_secs() < 2, "{:?} {schema}", started.elapsed());
        }
        assert!(Schema::compile(&doubling(5)).is_ok(), "what is used twice is not yet too much");
    }

    /// Fine for what people send, and no way to keep the server busy.
    #[test]
    fn t3_an_argument_that_a_schema_multiplies_is_refused_soon() {
        let itself = json!({ "$ref": "#" });
        let twice =
            json!({ "type": "object", "properties": { "a": { "anyOf": [itself.clone(), itself.clone()] } } });
        let branches = json!({ "type": "object", "oneOf": [
            { "properties": { "and": { "items": itself.clone() } }, "required": ["and"] },
            { "properties": { "or": { "items": itself.clone() } }, "required": ["or"] },
            { "properties": { "and": { "items": itself } }, "required": ["and", "x"] } ] });
        let many: Vec<Value> = (0..2_000).map(|n| json!({ "const": n })).collect();
        let wide = json!({ "type": "object", "additionalProperties": { "anyOf": many } });
        let choices: Vec<String> = (0..5_000).map(|n| format!("c{n}")).collect();
        let choice = json!({ "type": "object", "additionalProperties": { "enum": choices } });
        let row: Value =
            (0..5_000).map(|n| (format!("k{n}"), json!("x"))).collect::<serde_json::Map<_, _>>().into();
        let unevaluated = json!({ "type": "object", "anyOf": [{ "additionalProperties": { "minLength": 2 } }, { "minProperties": 1 }],
            "unevaluatedProperties": false });
        let hostile = [
            (twice, nested(60, |value| json!({ "a": value }))),
            (branches.clone(), nested(60, |value| json!({ "and": [value] }))),
            (wide, row.clone()),
            (choice, row.clone()),
            (unevaluated, row),
        ];
        for (schema, params) in hostile {
            let compiled = Schema::compile(&schema).unwrap_or_else(|_| panic!("{schema:.100}"));
            let started = std::time::Instant::now();
            let error = compiled.check(&params).unwrap_err();
            assert!(started.elapsed().as_secs() < 2, "{:?} {schema:.100}", started.elapsed());
            assert_eq!(error.code, ErrorCode::InvalidParams);
            assert_eq!(
                (error.errors[0].field.as_str(), error.errors[0].code),
                ("params", FieldCode::TooLong)
            );
        }
        let usual = nested(4, |value| json!({ "and": [value.clone(), { "or": [value] }] }));
        let error = Schema::compile(&branches).unwrap().check(&usual).err();
        assert!(error.is_none_or(|error| error.errors[0].code != FieldCode::TooLong));
    }

    #[test]
    fn a_recursive_schema_is_fine_and_bounded_by_its_arguments() {
        let tree = json!({
            "type": "object",
            "properties": { "children": { "type": "array", "items": { "$ref": "#" } } },
            "additionalProperties": false
        });
        let schema = Schema::compile(&tree).unwrap();
        let mut value = json!({});
        for _ in 0..100 {
            value = json!({ "children": [value] });
        }
        assert!(schema.check(&value).is_ok());
    }

    #[test]
    fn patterns_run_in_linear_time() {
        let evil =
            json!({ "type": "object", "properties": { "a": { "type": "string", "pattern": "^(a+)+$" } } });
        let schema = Schema::compile(&evil).unwrap();
        let started = std::time::Instant::now();
        assert!(schema.check(&json!({ "a": format!("{}!", "a".repeat(50_000)) })).is_err());
        assert!(started.elapsed().as_secs() < 2);
    }
}
