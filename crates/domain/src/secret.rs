//! What an organisation entrusts to its code tools: a name that everybody may know, and a value that nobody sees again.

pub mod names;

use crate::{FieldCode, FieldError, Timestamp};
use serde::{Deserialize, Serialize};

/// What stands in a secret's place, wherever one would be shown or recorded.
pub const MASKED: &str = "***";
const LONGEST_NAME: usize = 64;
/// Shorter ones cannot be masked: they would hide ordinary words.
const SHORTEST: usize = 4;
const LONGEST: usize = 8 * 1024;

/// The name of a secret, as scripts write it: `ctx.secrets.NAME`.
pub fn parse_name(field: &str, text: &str) -> Result<String, FieldError> {
    let begins = |c: char| c.is_ascii_alphabetic() || c == '_';
    let code = match text {
        "" => FieldCode::Required,
        _ if text.len() > LONGEST_NAME => FieldCode::TooLong,
        // A script would not find it: this name has a meaning of its own in JavaScript.
        "__proto__" => FieldCode::Reserved,
        _ if text.starts_with(begins) && text.chars().all(|c| begins(c) || c.is_ascii_digit()) => {
            return Ok(text.to_owned());
        }
        _ => FieldCode::Invalid,
    };
    Err(FieldError::new(field, code))
}

#[derive(Clone, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SecretIn {
    /// 4 to 8192 bytes. Never shown again.
    #[cfg_attr(feature = "openapi", schema(min_length = 4, max_length = 8192))]
    pub value: String,
}

impl SecretIn {
    pub fn checked(self) -> Result<String, FieldError> {
        let code = match self.value.len() {
            0 => FieldCode::Required,
            1..SHORTEST => FieldCode::TooShort,
            SHORTEST..=LONGEST if !self.value.contains('\0') => return Ok(self.value),
            SHORTEST..=LONGEST => FieldCode::Invalid,
            _ => FieldCode::TooLong,
        };
        Err(FieldError::new("value", code))
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SecretOut {
    pub name: String,
    /// The tools that name it.
    pub used_by: Vec<String>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_what_scripts_can_write() {
        for good in ["API_KEY", "_x", "a1"] {
            assert_eq!(parse_name("name", good).as_deref(), Ok(good));
        }
        for bad in ["", "1a", "a-b", "ç", "a b", "__proto__", &"x".repeat(65)] {
            assert!(parse_name("name", bad).is_err(), "{bad}");
        }
    }
}
