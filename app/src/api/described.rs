//! Forms that the server describes: which fields there are, in the visitor's words, and what is in them now.
//!
//! The browser has one way to show them all. A form per resource, written out, would cost each of them its own code
//! and its own texts in wasm.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FieldOut {
    pub name: String,
    pub label: String,
    pub kind: FieldKind,
    /// As it stands in the form: a moment in UTC, a choice by its value.
    pub value: String,
    pub hint: String,
    pub is_required: bool,
    /// Of a choice, or what is suggested for a line.
    pub choices: Vec<ChoiceOut>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FieldKind {
    Line,
    Email,
    Phone,
    Address,
    Number,
    Money,
    /// Typed, never shown.
    Secret,
    Paragraph,
    Moment,
    Choice,
    Check,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChoiceOut {
    pub value: String,
    pub label: String,
}

impl FieldOut {
    /// What the field says, for whoever may read it and not change it.
    pub fn shown(&self) -> String {
        let chosen = self.choices.iter().find(|choice| choice.value == self.value);
        chosen.map_or_else(|| self.value.clone(), |choice| choice.label.clone())
    }
}

#[cfg(feature = "ssr")]
pub use server::{Given, choice, field, said_before, without_secrets};

#[cfg(feature = "ssr")]
mod server {
    use super::{ChoiceOut, FieldKind, FieldOut};
    use domain::{FieldCode, FieldError, ServiceError, Timestamp};
    use std::{collections::BTreeMap, str::FromStr};

    pub fn field(kind: FieldKind, name: &str, label: &str, value: impl Into<String>) -> FieldOut {
        FieldOut {
            name: name.to_owned(),
            label: label.to_owned(),
            kind,
            value: value.into(),
            hint: String::new(),
            is_required: false,
            choices: Vec::new(),
        }
    }

    pub fn choice(value: impl Into<String>, label: impl Into<String>) -> ChoiceOut {
        ChoiceOut { value: value.into(), label: label.into() }
    }

    impl FieldOut {
        pub fn required(self) -> Self {
            Self { is_required: true, ..self }
        }

        pub fn hint(self, hint: &str) -> Self {
            Self { hint: hint.to_owned(), ..self }
        }

        pub fn choices(self, choices: Vec<ChoiceOut>) -> Self {
            Self { choices, ..self }
        }
    }

    /// What a refused plain form said, over what is saved. A secret stays as it is: nobody keeps it.
    pub fn said_before(fields: Vec<FieldOut>, mut said: BTreeMap<String, String>) -> Vec<FieldOut> {
        let over = |field: FieldOut| match (said.remove(&field.name), field.kind) {
            (_, FieldKind::Secret) => field,
            (Some(value), _) => FieldOut { value, ..field },
            // A box that is not ticked is not sent.
            (None, FieldKind::Check) => FieldOut { value: String::new(), ..field },
            (None, _) => field,
        };
        fields.into_iter().map(over).collect()
    }

    /// As it may be kept in the open.
    pub fn without_secrets(
        form: &[FieldOut],
        mut said: BTreeMap<String, String>,
    ) -> BTreeMap<String, String> {
        let is_secret = |name: &str| form.iter().any(|f| f.name == name && f.kind == FieldKind::Secret);
        said.retain(|name, _| !is_secret(name));
        said
    }

    /// What came back, field by field. A field that the form does not have is refused (S5).
    pub struct Given(BTreeMap<String, String>);

    impl Given {
        pub fn parse(fields: BTreeMap<String, String>, known: &[&str]) -> Result<Self, ServiceError> {
            match fields.keys().find(|name| !known.contains(&name.as_str())) {
                Some(name) => Err(ServiceError::field(name, FieldCode::Unknown)),
                None => Ok(Self(fields)),
            }
        }

        /// Nothing, when it was left empty. Lines end as the product writes them, not as forms do.
        pub fn text(&self, name: &str) -> Option<String> {
            let text = self.0.get(name)?.replace("\r\n", "\n");
            (!text.trim().is_empty()).then_some(text)
        }

        pub fn required(&self, name: &str) -> Result<String, FieldError> {
            self.text(name).ok_or_else(|| FieldError::new(name, FieldCode::Required))
        }

        /// A number, an id, a word of a closed list.
        pub fn read<T: FromStr>(&self, name: &str) -> Result<Option<T>, FieldError> {
            let invalid = |_| FieldError::new(name, FieldCode::Invalid);
            self.text(name).map(|text| text.trim().parse().map_err(invalid)).transpose()
        }

        pub fn is_checked(&self, name: &str) -> bool {
            self.text(name).is_some()
        }

        /// `1.234,50`, `1234.5` or `1234`, in cents.
        pub fn cents(&self, name: &str) -> Result<Option<i64>, FieldError> {
            let invalid = || FieldError::new(name, FieldCode::Invalid);
            self.text(name).map(|text| cents(&text).ok_or_else(invalid)).transpose()
        }

        /// A moment as the browser's field writes it. The zone is the person's where scripts told it, UTC otherwise.
        pub fn moment(&self, name: &str) -> Result<Option<Timestamp>, FieldError> {
            let Some(text) = self.text(name) else { return Ok(None) };
            let exact = self.text(&format!("{name}_utc")).unwrap_or_else(|| format!("{}:00Z", &text));
            let stamp = serde_json::from_value(serde_json::Value::String(exact));
            stamp.map(Some).map_err(|_| FieldError::new(name, FieldCode::Invalid))
        }
    }

    fn cents(text: &str) -> Option<i64> {
        let text = text.trim();
        let (whole, part) = match text.rfind([',', '.']) {
            Some(at) if text.len() - at <= 3 => (&text[..at], &text[at + 1..]),
            _ => (text, ""),
        };
        let whole: String = whole.chars().filter(|c| !matches!(c, '.' | ',' | ' ' | '\u{a0}')).collect();
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || !is_number(&whole) || !is_number(part) {
            return None;
        }
        whole.parse::<i64>().ok()?.checked_mul(100)?.checked_add(format!("{part:0<2}").parse().ok()?)
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn money_is_read_as_people_write_it() {
            for (text, expected) in [
                ("1.234,50", 123_450),
                ("1,234.50", 123_450),
                ("1234.5", 123_450),
                ("12", 1_200),
                ("1.234", 123_400),
                ("0,05", 5),
            ] {
                assert_eq!(cents(text), Some(expected), "{text}");
            }
            for text in ["", "a", "-1", "1,2,x", ",50", "99999999999999999999"] {
                assert_eq!(cents(text), None, "{text}");
            }
        }

        #[test]
        fn s5_a_field_that_the_form_does_not_have_is_refused() {
            let fields = |name: &str| BTreeMap::from([(name.to_owned(), "x".to_owned())]);
            assert!(Given::parse(fields("name"), &["name"]).is_ok());
            assert!(Given::parse(fields("tenant_id"), &["name"]).is_err());
        }

        #[test]
        fn moments_are_utc_unless_the_browser_told_the_zone() {
            let fields = |pairs: &[(&str, &str)]| {
                Given(pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect())
            };
            let plain = fields(&[("due_at", "2026-11-20T10:30")]);
            assert_eq!(plain.moment("due_at").unwrap().unwrap().as_str(), "2026-11-20T10:30:00Z");
            let alive = fields(&[("due_at", "2026-11-20T10:30"), ("due_at_utc", "2026-11-20T13:30:00.000Z")]);
            assert_eq!(alive.moment("due_at").unwrap().unwrap().as_str(), "2026-11-20T13:30:00.000Z");
        }
    }
}
