//! S16: the values of a call's secrets leave neither in a log, nor in a result, nor in a message.
//!
//! Exact values are found, and what they become as part of a JSON text. A script that wants to can still tell a
//! secret: it can spell it backwards, encode it, or give it away in two parts. Masking is for accidents; who writes a
//! tool is trusted with the secrets that the tool names. Values of fewer than [`SHORTEST`] bytes are left alone.

use serde_json::Value;
use std::collections::BTreeMap;

/// Shorter ones would mask ordinary words.
const SHORTEST: usize = 4;
const MASK: &str = "***";

#[derive(Clone, Default)]
pub struct Mask {
    /// Longest first: one secret may be part of another.
    values: Vec<String>,
}

impl Mask {
    pub(crate) fn new(secrets: &BTreeMap<String, String>) -> Self {
        Self::of(secrets.values().map(String::as_str))
    }

    pub fn of<'a>(secrets: impl IntoIterator<Item = &'a str>) -> Self {
        let long_enough = secrets.into_iter().filter(|value| value.len() >= SHORTEST);
        let mut values: Vec<String> = long_enough.flat_map(forms).collect();
        values.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        values.dedup();
        Self { values }
    }

    /// What has to be seen beyond a cut, so that a secret is whole when it is masked.
    pub(crate) fn longest(&self) -> usize {
        self.values.first().map_or(0, String::len)
    }

    pub fn text(&self, text: String) -> String {
        self.values.iter().fold(text, |text, value| {
            if text.contains(value.as_str()) { text.replace(value.as_str(), MASK) } else { text }
        })
    }

    /// Masked, then cut, never in the middle of a character. Whether something was cut.
    pub(crate) fn cut(&self, text: String, most: usize) -> (String, bool) {
        let mut text = self.text(text);
        let is_longer = text.len() > most;
        if is_longer {
            text.truncate(text.floor_char_boundary(most));
        }
        (text, is_longer)
    }

    /// Names are masked too.
    pub fn value(&self, value: Value) -> Value {
        if self.values.is_empty() {
            return value;
        }
        match value {
            Value::String(text) => Value::String(self.text(text)),
            Value::Array(values) => values.into_iter().map(|value| self.value(value)).collect(),
            Value::Object(fields) => {
                fields.into_iter().map(|(name, value)| (self.text(name), self.value(value))).collect()
            }
            Value::Number(number) => self.number(number),
            other => other,
        }
    }

    /// A secret of digits can leave as a number.
    fn number(&self, number: serde_json::Number) -> Value {
        let text = number.to_string();
        if self.values.iter().any(|value| text.contains(value.as_str())) {
            Value::String(MASK.to_owned())
        } else {
            Value::Number(number)
        }
    }
}

/// The value, and the value inside a JSON text that is itself a text.
fn forms(value: &str) -> Vec<String> {
    let escaped = Value::String(value.to_owned()).to_string();
    let escaped = escaped.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(value);
    vec![value.to_owned(), escaped.to_owned()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn mask(values: &[&str]) -> Mask {
        let named = values.iter().enumerate().map(|(i, value)| (format!("S{i}"), (*value).to_owned()));
        Mask::new(&named.collect())
    }

    #[test]
    fn s16_a_secret_is_masked_wherever_it_stands() {
        let mask = mask(&["canary-1", "12345678"]);
        let value = json!({"a": ["xcanary-1x", 12_345_678], "canary-1": {"b": "fine"}});
        assert_eq!(mask.value(value), json!({"a": ["x***x", "***"], "***": {"b": "fine"}}));
    }

    #[test]
    fn s16_a_secret_inside_a_json_text_is_masked() {
        let mask = mask(&["a\"b\nc-secret"]);
        let text = serde_json::to_string(&json!({"t": "a\"b\nc-secret"})).unwrap();
        assert_eq!(mask.text(text), "{\"t\":\"***\"}");
    }

    #[test]
    fn s16_a_cut_never_leaves_the_beginning_of_a_secret() {
        let mask = mask(&["canary-1"]);
        assert_eq!(mask.cut("0123canary-1".to_owned(), 8), ("0123***".to_owned(), false));
        assert_eq!(mask.cut("0123456canary-1".to_owned(), 8), ("0123456*".to_owned(), true));
    }

    #[test]
    fn s16_the_longer_of_two_secrets_goes_first() {
        assert_eq!(mask(&["canary", "canary-long"]).text("canary-long canary".to_owned()), "*** ***");
    }

    #[test]
    fn values_too_short_to_mask_are_left_alone() {
        assert_eq!(mask(&["abc", ""]).text("abc".to_owned()), "abc");
    }
}
