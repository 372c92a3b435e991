//! JSON Schema (2020-12): what a tool's parameters may be, and whether arguments fit.
//!
//! A schema comes from a tenant and runs on the server: it is bounded in size and depth, refers to nothing outside
//! itself, and its patterns run in linear time.

mod breaking;
mod mask;

pub use breaking::breaks;
pub use mask::{MASKED, Mask};

use domain::{ErrorCode, FieldCode, FieldError, ServiceError};
use jsonschema::{Draft, PatternOptions, ValidationError, Validator, error::ValidationErrorKind};
use serde_json::Value;

const MAX_BYTES: usize = 64 * 1024;
const MAX_DEPTH: usize = 32;
const MAX_ERRORS: usize = 20;

/// A schema that was understood.
pub struct Schema(Validator);

impl Schema {
    /// Refuses what is not a schema of an object, is too large or too deep, or points elsewhere.
    pub fn compile(schema: &Value) -> Result<Self, FieldError> {
        let refused = |message: &str| FieldError {
            message: message.to_owned(),
            ..FieldError::new("parameters", FieldCode::Invalid)
        };
        if schema.get("type").and_then(Value::as_str) != Some("object") {
            return Err(refused("must be a JSON Schema with \"type\": \"object\""));
        }
        if schema.to_string().len() > MAX_BYTES {
            return Err(refused("is larger than 64 KiB"));
        }
        if !is_contained(schema, MAX_DEPTH) {
            return Err(refused("is nested too deeply, or refers to something outside itself"));
        }
        let built = jsonschema::options()
            .with_draft(Draft::Draft202012)
            .should_validate_formats(true)
            .with_pattern_options(PatternOptions::regex().size_limit(1 << 20).dfa_size_limit(1 << 20))
            .offline()
            .build(schema);
        built.map(Self).map_err(|error| refused(&format!("is not a valid JSON Schema: {}", error.masked())))
    }

    /// Every field that does not fit, by its name.
    pub fn check(&self, params: &Value) -> Result<(), ServiceError> {
        if self.0.is_valid(params) {
            return Ok(());
        }
        let errors = self.0.iter_errors(params).take(MAX_ERRORS).map(|error| field_error(&error)).collect();
        let detail = "The arguments do not fit the tool's parameters.";
        Err(ServiceError { errors, ..ServiceError::new(ErrorCode::InvalidParams, detail) })
    }
}

/// Local references only, and no deeper than `depth`.
fn is_contained(schema: &Value, depth: usize) -> bool {
    if depth == 0 {
        return false;
    }
    match schema {
        Value::Object(members) => members.iter().all(|(name, value)| match (name.as_str(), value) {
            ("$ref" | "$dynamicRef", Value::String(target)) => target.starts_with('#'),
            ("$id" | "$schema", Value::String(uri)) => {
                name == "$schema" && uri.starts_with("https://json-schema.org/draft/2020-12/")
            }
            (_, value) => is_contained(value, depth - 1),
        }),
        Value::Array(items) => items.iter().all(|item| is_contained(item, depth - 1)),
        _ => true,
    }
}

/// Says where and what, never the value: it may be a secret.
fn field_error(error: &ValidationError<'_>) -> FieldError {
    let at = error.instance_path().to_string();
    let mut path: Vec<String> =
        at.split('/').skip(1).map(|part| part.replace("~1", "/").replace("~0", "~")).collect();
    let code = match error.kind() {
        ValidationErrorKind::Required { property } => {
            path.push(property.as_str().unwrap_or_default().to_owned());
            FieldCode::Required
        }
        ValidationErrorKind::AdditionalProperties { unexpected } => {
            path.extend(unexpected.first().cloned());
            FieldCode::Unknown
        }
        ValidationErrorKind::MaxLength { .. } | ValidationErrorKind::MaxItems { .. } => FieldCode::TooLong,
        ValidationErrorKind::MinLength { .. } | ValidationErrorKind::MinItems { .. } => FieldCode::TooShort,
        _ => FieldCode::Invalid,
    };
    let field = if path.is_empty() { "params".to_owned() } else { format!("params.{}", path.join(".")) };
    FieldError { message: error.masked().to_string(), ..FieldError::new(&field, code) }
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
        assert!(error.errors.iter().all(|error| !error.message.contains("hunter2")));
        assert!(schema.check(&json!({ "contact_id": "a" })).is_ok());
        assert!(schema.check(&json!([])).is_err());
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
