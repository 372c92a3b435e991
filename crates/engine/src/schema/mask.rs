//! S16: secrets among arguments and results are masked before anything is stored or shown.

mod marks;
mod text;

pub use domain::secret::MASKED;

use domain::secret::names;
use serde_json::Value;
use std::{borrow::Cow, collections::HashSet};

/// What a schema marks with `"writeOnly": true`.
#[derive(Clone, Debug, Default)]
pub struct Mask {
    /// By name, at any depth.
    write_only: HashSet<String>,
    /// When the schema marks arguments that it does not name: those that it names.
    only_known: Option<HashSet<String>>,
}

impl Mask {
    pub fn of(schema: &Value) -> Self {
        marks::mask_of(schema)
    }

    fn hides(&self, name: &str) -> bool {
        names::is_secret(name) || self.write_only.contains(name)
    }

    /// The same for the name of an argument.
    fn hides_argument(&self, name: &str) -> bool {
        self.hides(name) || self.only_known.as_ref().is_some_and(|known| !known.contains(name))
    }

    /// The texts among the arguments that it would replace.
    pub fn secrets_in<'a>(&self, params: &'a Value) -> Vec<Cow<'a, str>> {
        let mut found = Vec::new();
        match params {
            Value::Object(members) => {
                for (name, value) in members {
                    self.find(self.hides_argument(name), value, &mut found);
                }
            }
            other => self.find(false, other, &mut found),
        }
        found
    }

    fn find<'a>(&self, is_hidden: bool, value: &'a Value, found: &mut Vec<Cow<'a, str>>) {
        match value {
            Value::String(text) if is_hidden => found.push(Cow::Borrowed(text)),
            Value::Number(number) if is_hidden => found.push(Cow::Owned(number.to_string())),
            Value::Array(items) => items.iter().for_each(|item| self.find(is_hidden, item, found)),
            Value::Object(members) => members
                .iter()
                .for_each(|(name, value)| self.find(is_hidden || self.hides(name), value, found)),
            _ => {}
        }
    }

    /// Arguments with every secret replaced; true when there was one.
    pub fn apply_to_params(&self, params: &mut Value) -> bool {
        let mut found = false;
        for (name, value) in params.as_object_mut().into_iter().flatten() {
            if self.hides_argument(name) && !value.is_null() {
                *value = Value::String(MASKED.to_owned());
                found = true;
            }
        }
        self.apply(params) || found
    }

    /// The value with every secret replaced; true when there was one.
    pub fn apply(&self, value: &mut Value) -> bool {
        match value {
            Value::Object(members) => members.iter_mut().fold(false, |found, (name, value)| {
                if self.hides(name) && !value.is_null() {
                    *value = Value::String(MASKED.to_owned());
                    return true;
                }
                self.apply(value) || found
            }),
            Value::Array(items) => {
                // `any` would stop at the first.
                let mut found = false;
                for item in items {
                    found |= self.apply(item);
                }
                found
            }
            _ => false,
        }
    }

    /// The same for what came of a call: a text may be JSON that was cut off, or that could not be read as such.
    pub fn apply_to_result(&self, result: &mut Value) {
        if let Value::String(text) = result {
            *text = self.apply_to_text(text);
        } else {
            self.apply(result);
        }
    }

    /// A text with every secret replaced that stands there as JSON writes it, cut off or not.
    pub fn apply_to_text(&self, text: &str) -> String {
        text::masked(text, |name| self.hides(name))
    }

    /// Puts back the secrets among the arguments that somebody was shown as `***` and sent back so.
    pub fn restore(&self, params: &mut Value, kept: &Value) {
        for (name, value) in params.as_object_mut().into_iter().flatten() {
            if let Some(kept) = kept.get(name).filter(|_| self.hides_argument(name) && value == MASKED) {
                *value = kept.clone();
            }
        }
        self.restore_below(params, kept);
    }

    fn restore_below(&self, value: &mut Value, kept: &Value) {
        match value {
            Value::Object(members) => members.iter_mut().for_each(|(name, value)| {
                let Some(kept) = kept.get(name) else { return };
                if self.hides(name) && value == MASKED {
                    *value = kept.clone();
                } else {
                    self.restore_below(value, kept);
                }
            }),
            Value::Array(items) => {
                let kept = kept.as_array().into_iter().flatten();
                items.iter_mut().zip(kept).for_each(|(item, kept)| self.restore_below(item, kept));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn s16_marked_and_known_names_are_masked_at_any_depth() {
        let schema = json!({ "properties": { "x": { "properties": { "code": { "writeOnly": true } } } } });
        let mut value = json!({
            "x": { "code": "1234", "note": "ok" },
            "list": [{ "Password": "p", "n": 1 }, { "pin": "1" }],
            "api-key": { "nested": "k" },
            "token": null
        });
        assert!(Mask::of(&schema).apply(&mut value));
        assert_eq!(
            value,
            json!({ "x": { "code": "***", "note": "ok" }, "list": [{ "Password": "***", "n": 1 }, { "pin": "***" }],
                    "api-key": "***", "token": null })
        );
        assert!(!Mask::default().apply(&mut json!({ "pinned": true, "tokens": 3 })));
    }

    #[test]
    fn s16_a_name_means_a_secret_however_it_is_written() {
        let mask = Mask::default();
        for name in [
            "accessToken",
            "ACCESS_TOKEN",
            "Access-Token",
            "clientSecret",
            "privateKey",
            "refreshToken",
            "cardNumber",
        ] {
            let mut value = json!({ name: "x" });
            assert!(mask.apply(&mut value) && value[name] == "***", "{name}");
        }
        assert!(!mask.apply(&mut json!({ "tokenCount": 1, "secretary": "Ana", "cards": [] })));
    }

    #[test]
    fn s16_a_mark_is_found_wherever_a_schema_may_put_it() {
        let secret = || json!({ "type": "string", "writeOnly": true });
        let of = |property: Value| json!({ "type": "object", "properties": { "x": property, "other": {} }, "$defs": { "s": secret() } });
        for property in [
            secret(),
            json!({ "$ref": "#/$defs/s" }),
            json!({ "allOf": [{ "minLength": 1 }, { "$ref": "#/$defs/s" }] }),
            json!({ "type": "array", "items": secret() }),
            json!({ "type": "array", "prefixItems": [{}, secret()] }),
            json!({ "type": "object", "additionalProperties": secret() }),
            json!({ "type": "object", "patternProperties": { "^k": { "anyOf": [{ "$ref": "#/$defs/s" }] } } }),
            json!({ "$ref": "#/%24defs/%73" }),
            json!({ "if": true, "then": secret() }),
            json!({ "allOf": [{ "if": false, "else": secret() }] }),
            json!({ "not": { "not": secret() } }),
            json!({ "dependentSchemas": { "k": { "additionalProperties": secret() } } }),
            json!({ "dependencies": { "k": { "additionalProperties": secret() } } }),
            json!({ "$ref": "#/$defs", "$dynamicRef": "#/$defs/s" }),
            json!({ "$ref": "#s", "examples": [{ "$anchor": "s" }], "$defs": { "s": { "$anchor": "s", "writeOnly": true } } }),
        ] {
            let mask = Mask::of(&of(property.clone()));
            let mut params = json!({ "x": { "k": ["canary"] }, "other": "ok" });
            assert!(mask.apply_to_params(&mut params), "{property}");
            assert_eq!(params, json!({ "x": "***", "other": "ok" }), "{property}");
        }
        let around = json!({ "type": "object", "properties": { "x": { "items": { "$ref": "#" } } } });
        assert!(!Mask::of(&around).apply_to_params(&mut json!({ "x": [] })), "and a circle ends");
    }

    #[test]
    fn s16_arguments_that_the_schema_does_not_name_may_be_secret() {
        for schema in [
            json!({ "properties": { "a": {} }, "additionalProperties": { "writeOnly": true } }),
            json!({ "properties": { "a": {} }, "patternProperties": { "^b": { "writeOnly": true } } }),
            json!({ "properties": { "a": {} }, "then": { "properties": { "a": {} }, "additionalProperties": { "writeOnly": true } } }),
            json!({ "properties": { "a": {} }, "dependentSchemas": { "a": { "patternProperties": { "b": { "writeOnly": true } } } } }),
        ] {
            let mask = Mask::of(&schema);
            let sent = json!({ "a": { "c": 1 }, "b": "canary" });
            let mut params = sent.clone();
            assert!(mask.apply_to_params(&mut params));
            assert_eq!(params, json!({ "a": { "c": 1 }, "b": "***" }), "{schema}");
            assert_eq!(mask.secrets_in(&sent), ["canary"]);
            mask.restore(&mut params, &sent);
            assert_eq!(params, sent);
        }
    }

    /// A rule for other arguments knows the properties beside it, and no others.
    #[test]
    fn s16_all_arguments_may_be_secret() {
        for schema in [
            json!({ "properties": { "a": {} }, "allOf": [{ "additionalProperties": { "writeOnly": true } }] }),
            json!({ "properties": { "a": {} }, "writeOnly": true }),
            json!({ "allOf": [{ "properties": { "a": {} } }, { "if": true, "then": { "writeOnly": true } }] }),
            json!({ "$ref": "#/$defs/all", "$defs": { "all": { "properties": { "a": {} }, "writeOnly": true } } }),
        ] {
            let mut params = json!({ "a": "canary", "b": { "c": "canary" } });
            assert!(Mask::of(&schema).apply_to_params(&mut params));
            assert_eq!(params, json!({ "a": "***", "b": "***" }), "{schema}");
        }
    }

    #[test]
    fn b2_what_was_masked_and_left_alone_is_put_back() {
        let kept = json!({ "pin": "1", "note": "***", "list": [{ "token": "a" }, { "token": "b" }] });
        let mut edited = json!({ "pin": "***", "note": "***", "senha": "***", "list": [{ "token": "***" }, { "token": "c" }] });
        Mask::default().restore(&mut edited, &kept);
        assert_eq!(
            edited,
            json!({ "pin": "1", "note": "***", "senha": "***", "list": [{ "token": "a" }, { "token": "c" }] })
        );
    }
}
