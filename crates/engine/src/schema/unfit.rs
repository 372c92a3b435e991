//! What of some arguments does not fit, field by field: where and what, never the value, which may be a secret.

use super::{field_of, parts_of};
use domain::{FieldCode, FieldError, SchemaRule};
use jsonschema::{
    ValidationError,
    error::{TypeKind, ValidationErrorKind as Kind},
};
use serde_json::Value;

/// A schema can list a thousand options; an error does not repeat them.
const FEW_WORDS: usize = 200;

/// One, or one for each property that nobody expects; of these at most `most`, however many there are.
pub fn field_errors(error: &ValidationError<'_>, params: &Value, most: usize) -> Vec<FieldError> {
    let path = parts_of(error.instance_path().as_str());
    let expected = expected(error.kind()).filter(|words| words.len() <= FEW_WORDS);
    let unexpected = unexpected(error, params);
    let keyword = match error.kind() {
        Kind::FalseSchema if !unexpected.is_empty() => "additionalProperties",
        kind => kind.keyword(),
    };
    let rule = SchemaRule { keyword: keyword.to_owned(), expected };
    let of = |inside: Option<&str>, code, message: String| {
        let path: Vec<_> = path.iter().cloned().chain(inside.map(str::to_owned)).collect();
        FieldError { message, rule: Some(rule.clone()), ..FieldError::new(&field_of("params", &path), code) }
    };
    if !unexpected.is_empty() {
        // The error's own message names all of them.
        let unknown = |name: &&String| of(Some(name), FieldCode::Unknown, "was unexpected".to_owned());
        return unexpected.iter().take(most).map(unknown).collect();
    }
    let message = error.masked().to_string();
    vec![match error.kind() {
        Kind::Required { property } => of(property.as_str(), FieldCode::Required, message),
        Kind::MaxLength { .. } | Kind::MaxItems { .. } => of(None, FieldCode::TooLong, message),
        Kind::MinLength { .. } | Kind::MinItems { .. } => of(None, FieldCode::TooShort, message),
        _ => of(None, FieldCode::Invalid, message),
    }]
}

/// The properties that nobody expects.
fn unexpected<'a>(error: &'a ValidationError<'_>, params: &'a Value) -> Vec<&'a String> {
    match error.kind() {
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            unexpected.iter().collect()
        }
        // Where no property is named at all, each of them is one; and the error does not say which they are.
        Kind::FalseSchema if is_keyword(error.schema_path().as_str(), "additionalProperties") => {
            let object = params.pointer(error.instance_path().as_str()).and_then(Value::as_object);
            object.into_iter().flat_map(serde_json::Map::keys).collect()
        }
        _ => Vec::new(),
    }
}

/// What has schemas under names that people chose. The last two are of older dialects, and may still be there.
const NAMED: &[&str] =
    &["$defs", "dependentSchemas", "patternProperties", "properties", "definitions", "dependencies"];

/// Whether a place in a schema is this keyword, and not a property, say, of the same name: only the way from the root tells,
/// for properties may also be called `properties`.
fn is_keyword(place: &str, keyword: &str) -> bool {
    let (mut is_name, mut comes_name) = (false, false);
    let parts = parts_of(place);
    for part in &parts {
        is_name = comes_name;
        comes_name = !is_name && NAMED.contains(&part.as_str());
    }
    !is_name && parts.last().is_some_and(|last| last == keyword)
}

/// What the schema wants, where that is said in a few words.
fn expected(kind: &Kind) -> Option<String> {
    Some(match kind {
        Kind::Type { kind: TypeKind::Single(one) } => one.to_string(),
        Kind::Type { kind: TypeKind::Multiple(several) } => {
            let names: Vec<_> = several.iter().map(|one| one.to_string()).collect();
            names.join(", ")
        }
        Kind::Enum { options } => listed(options),
        Kind::Constant { expected_value } => expected_value.to_string(),
        Kind::Minimum { limit }
        | Kind::Maximum { limit }
        | Kind::ExclusiveMinimum { limit }
        | Kind::ExclusiveMaximum { limit } => limit.to_string(),
        Kind::MinLength { limit }
        | Kind::MaxLength { limit }
        | Kind::MinItems { limit }
        | Kind::MaxItems { limit }
        | Kind::MinProperties { limit }
        | Kind::MaxProperties { limit } => limit.to_string(),
        Kind::MultipleOf { multiple_of } => multiple_of.to_string(),
        Kind::Pattern { pattern } => pattern.clone(),
        Kind::Format { format } => format.clone(),
        _ => return None,
    })
}

fn listed(options: &Value) -> String {
    let options: Vec<_> = options.as_array().into_iter().flatten().map(Value::to_string).collect();
    options.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Schema;
    use serde_json::json;

    fn unfit(properties: &Value, params: &Value) -> Vec<(String, FieldCode)> {
        let schema = json!({ "type": "object", "properties": properties,
            "$defs": { "additionalProperties": false, "closed": { "additionalProperties": false } } });
        let errors = Schema::compile(&schema).unwrap().check(params).unwrap_err().errors;
        errors.into_iter().map(|error| (error.field, error.code)).collect()
    }

    #[test]
    fn b3_what_is_only_called_additional_properties_makes_no_field_unknown() {
        let called = json!({ "additionalProperties": false });
        for (properties, params, field) in [
            (called.clone(), json!({ "additionalProperties": { "x": 1 } }), "params.additionalProperties"),
            (
                json!({ "properties": { "properties": called } }),
                json!({ "properties": { "additionalProperties": { "x": 1 } } }),
                "params.properties.additionalProperties",
            ),
            (
                json!({ "a": { "$ref": "#/$defs/additionalProperties" } }),
                json!({ "a": { "x": 1 } }),
                "params.a",
            ),
        ] {
            assert_eq!(unfit(&properties, &params), [(field.to_owned(), FieldCode::Invalid)]);
        }
    }

    #[test]
    fn b3_a_field_is_unknown_wherever_the_schema_is_closed() {
        let closed = json!({ "additionalProperties": false });
        for (properties, params, field) in [
            (json!({ "properties": closed }), json!({ "properties": { "x": 1 } }), "params.properties.x"),
            (
                json!({ "additionalProperties": closed }),
                json!({ "additionalProperties": { "x": 1 } }),
                "params.additionalProperties.x",
            ),
            (json!({ "a": { "allOf": [closed] } }), json!({ "a": { "x": 1 } }), "params.a.x"),
            (json!({ "a": { "$ref": "#/$defs/closed" } }), json!({ "a": { "x": 1 } }), "params.a.x"),
        ] {
            assert_eq!(unfit(&properties, &params), [(field.to_owned(), FieldCode::Unknown)]);
        }
    }
}
