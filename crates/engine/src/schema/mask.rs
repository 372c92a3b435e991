//! S16: secrets among arguments and results are masked before anything is stored or shown.

use serde_json::Value;

/// What stands in a secret's place.
pub const MASKED: &str = "***";

/// Names that mean a secret wherever they stand.
const SECRET_NAMES: &[&str] = &[
    "access_token",
    "api_key",
    "apikey",
    "authorization",
    "card_number",
    "client_secret",
    "credential",
    "cvv",
    "passphrase",
    "passwd",
    "password",
    "pin",
    "private_key",
    "refresh_token",
    "secret",
    "senha",
    "token",
];

/// Which properties a schema marks with `"writeOnly": true`, by name.
#[derive(Clone, Debug, Default)]
pub struct Mask {
    write_only: Vec<String>,
}

impl Mask {
    pub fn of(schema: &Value) -> Self {
        let mut mask = Self::default();
        mask.collect(schema);
        mask
    }

    fn collect(&mut self, schema: &Value) {
        match schema {
            Value::Object(members) => {
                if let Some(Value::Object(properties)) = members.get("properties") {
                    let marked = properties.iter().filter(|(_, of)| of["writeOnly"] == Value::Bool(true));
                    self.write_only.extend(marked.map(|(name, _)| name.clone()));
                }
                members.values().for_each(|value| self.collect(value));
            }
            Value::Array(items) => items.iter().for_each(|item| self.collect(item)),
            _ => {}
        }
    }

    fn hides(&self, name: &str) -> bool {
        let plain = name.to_ascii_lowercase().replace('-', "_");
        SECRET_NAMES.contains(&plain.as_str()) || self.write_only.iter().any(|marked| marked == name)
    }

    /// The texts that it would replace, the longest first. Very short ones are ordinary words.
    pub fn secrets_in<'a>(&self, value: &'a Value) -> Vec<&'a str> {
        let mut found = Vec::new();
        self.find(false, value, &mut found);
        found.retain(|text| text.len() >= 4);
        found.sort_by_key(|text| std::cmp::Reverse(text.len()));
        found
    }

    fn find<'a>(&self, is_hidden: bool, value: &'a Value, found: &mut Vec<&'a str>) {
        match value {
            Value::String(text) if is_hidden => found.push(text),
            Value::Array(items) => items.iter().for_each(|item| self.find(is_hidden, item, found)),
            Value::Object(members) => members
                .iter()
                .for_each(|(name, value)| self.find(is_hidden || self.hides(name), value, found)),
            _ => {}
        }
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

    /// Puts back the secrets that somebody was shown as `***` and sent back so.
    pub fn restore(&self, value: &mut Value, kept: &Value) {
        match value {
            Value::Object(members) => members.iter_mut().for_each(|(name, value)| {
                let Some(kept) = kept.get(name) else { return };
                if self.hides(name) && value == MASKED {
                    *value = kept.clone();
                } else {
                    self.restore(value, kept);
                }
            }),
            Value::Array(items) => {
                let kept = kept.as_array().into_iter().flatten();
                items.iter_mut().zip(kept).for_each(|(item, kept)| self.restore(item, kept));
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
