//! An e-mail address, checked once and kept in lower case.

use crate::error::{FieldCode, FieldError};
use serde::{Deserialize, Serialize};
use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Email(String);

impl Email {
    /// Only what would surely be undeliverable is refused: the address proves itself when mail arrives.
    pub fn parse(text: &str) -> Result<Self, FieldError> {
        let text = text.trim().to_lowercase();
        if text.is_empty() {
            return Err(FieldError::new("email", FieldCode::Required));
        }
        if text.chars().count() > 254 {
            return Err(FieldError::new("email", FieldCode::TooLong));
        }
        let well_formed = text.split_once('@').is_some_and(|(local, host)| {
            !local.is_empty()
                && !host.is_empty()
                && !host.contains('@')
                && !host.starts_with('.')
                && !host.ends_with('.')
        });
        let strange = |c: char| c.is_whitespace() || c.is_control() || "<>()[],;:\\\"".contains(c);
        if !well_formed || text.contains(strange) {
            return Err(FieldError::new("email", FieldCode::Invalid));
        }
        Ok(Self(text))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_folded_to_lower_case() {
        assert_eq!(Email::parse(" Ana@Example.ORG ").unwrap().as_str(), "ana@example.org");
    }

    #[test]
    fn what_cannot_be_an_address_is_refused() {
        for bad in ["", "ana", "@x", "ana@", "a@b@c", "a b@c.d", "a@.c", "a@c.", "<s>@x.y", "a\u{0}@b.c"] {
            assert!(Email::parse(bad).is_err(), "{bad:?}");
        }
        assert!(Email::parse(&format!("{}@x.y", "a".repeat(300))).is_err());
    }
}
