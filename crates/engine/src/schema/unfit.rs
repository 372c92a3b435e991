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
        Kind::FalseSchema if error.schema_path().as_str().ends_with("/additionalProperties") => {
            let object = params.pointer(error.instance_path().as_str()).and_then(Value::as_object);
            object.into_iter().flat_map(serde_json::Map::keys).collect()
        }
        _ => Vec::new(),
    }
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
