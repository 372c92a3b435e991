//! The name of a tenant in addresses and commands: lower-case letters, digits and hyphens.

use crate::error::{FieldCode, FieldError};
use serde::{Deserialize, Serialize};
use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Slug(String);

impl Slug {
    pub const MAX: usize = 63;

    pub fn parse(text: &str) -> Result<Self, FieldError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(FieldError::new("slug", FieldCode::Required));
        }
        if text.len() > Self::MAX {
            return Err(FieldError::new("slug", FieldCode::TooLong));
        }
        let clean = text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
        if !clean || text.starts_with('-') || text.ends_with('-') {
            return Err(FieldError::new("slug", FieldCode::Invalid));
        }
        Ok(Self(text.to_owned()))
    }

    /// The slug that a name suggests: `Padaria São João` becomes `padaria-sao-joao`.
    pub fn suggest(name: &str) -> Option<Self> {
        let mut slug = String::new();
        for c in name.chars().flat_map(char::to_lowercase).map(without_accent) {
            if c.is_ascii_alphanumeric() {
                slug.push(c);
            } else if !slug.is_empty() && !slug.ends_with('-') {
                slug.push('-');
            }
        }
        slug.truncate(Self::MAX);
        Self::parse(slug.trim_end_matches('-')).ok()
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Only the accents of the product's two languages; any other letter becomes a hyphen.
fn without_accent(c: char) -> char {
    match c {
        'á' | 'à' | 'â' | 'ã' | 'ä' => 'a',
        'é' | 'ê' | 'è' | 'ë' => 'e',
        'í' | 'ï' => 'i',
        'ó' | 'ô' | 'õ' | 'ö' => 'o',
        'ú' | 'ü' => 'u',
        'ç' => 'c',
        'ñ' => 'n',
        other => other,
    }
}

impl fmt::Display for Slug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_suggests_its_slug() {
        assert_eq!(Slug::suggest("Padaria São João & Filhos!").unwrap().as_str(), "padaria-sao-joao-filhos");
        assert_eq!(Slug::suggest("🍞"), None);
    }

    #[test]
    fn what_is_not_a_slug_is_refused() {
        for bad in ["", "Ab", "a b", "-a", "a-", "a_b", "ação"] {
            assert!(Slug::parse(bad).is_err(), "{bad:?}");
        }
    }
}
