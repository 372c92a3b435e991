//! A tool's name, as models call it: letters, digits and underscores, and not a word with a meaning of its own.

use crate::{FieldCode, FieldError};
use serde::{Deserialize, Serialize};
use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ToolName(String);

/// Words of languages and of this interface that would confuse models, generated code or routes.
const RESERVED: &[&str] = &[
    "__proto__",
    "admin",
    "agent",
    "alcada",
    "all",
    "any",
    "async",
    "await",
    "class",
    "const",
    "constructor",
    "default",
    "delete",
    "eval",
    "execute",
    "execute_for_agent",
    "export",
    "false",
    "function",
    "functions",
    "import",
    "new",
    "none",
    "null",
    "prototype",
    "return",
    "self",
    "system",
    "this",
    "tool",
    "tools",
    "true",
    "undefined",
    "var",
    "void",
];

impl ToolName {
    pub const MAX: usize = 64;

    pub fn parse(text: &str) -> Result<Self, FieldError> {
        let refused = |code| Err(FieldError::new("name", code));
        if text.is_empty() {
            return refused(FieldCode::Required);
        }
        if text.len() > Self::MAX {
            return refused(FieldCode::TooLong);
        }
        if !text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            return refused(FieldCode::Invalid);
        }
        if RESERVED.iter().any(|word| word.eq_ignore_ascii_case(text)) {
            return refused(FieldCode::Reserved);
        }
        Ok(Self(text.to_owned()))
    }

    /// A name of the product's own tools, which nobody typed.
    pub fn built_in(name: &'static str) -> Self {
        Self(name.to_owned())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ToolName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t3_names_are_letters_digits_and_underscores_and_not_reserved() {
        for good in ["updateCRM", "a", "_x", "tool_2", "9lives"] {
            assert!(ToolName::parse(good).is_ok(), "{good}");
        }
        let long = "x".repeat(65);
        for bad in ["", "a-b", "a b", "ação", "a.b", "Execute", "__proto__", "null", long.as_str(), "a\u{0}"]
        {
            assert!(ToolName::parse(bad).is_err(), "{bad}");
        }
    }
}
