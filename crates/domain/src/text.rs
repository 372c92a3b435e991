//! Short texts that people type: trimmed, bounded, free of control characters.

use crate::error::{FieldCode, FieldError};

/// Checks a one-line text such as a name. Script and SQL are only text here: they are kept and shown as typed.
pub fn parse_line(field: &str, value: &str, max_chars: usize) -> Result<String, FieldError> {
    // As the document says: before it is trimmed.
    let is_too_long = value.chars().count() > max_chars;
    let value = value.trim();
    if value.is_empty() {
        return Err(FieldError::new(field, FieldCode::Required));
    }
    if is_too_long {
        return Err(FieldError::new(field, FieldCode::TooLong));
    }
    if value.chars().any(char::is_control) {
        return Err(FieldError::new(field, FieldCode::Invalid));
    }
    Ok(value.to_owned())
}

/// Like [`parse_line`], but nothing at all is an answer too.
pub fn parse_optional_line(
    field: &str,
    value: Option<&str>,
    max_chars: usize,
) -> Result<Option<String>, FieldError> {
    match value.filter(|text| !text.trim().is_empty()) {
        None => Ok(None),
        Some(text) => parse_line(field, text, max_chars).map(Some),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_trimmed_and_bounded() {
        assert_eq!(parse_line("name", "  Ana  ", 10), Ok("Ana".to_owned()));
        assert_eq!(parse_line("name", "   ", 10).unwrap_err().code, FieldCode::Required);
        assert_eq!(parse_line("name", "abc", 2).unwrap_err().code, FieldCode::TooLong);
        assert_eq!(parse_line("name", "a\u{0}b", 9).unwrap_err().code, FieldCode::Invalid);
        assert_eq!(parse_optional_line("reason", Some(" "), 9), Ok(None));
    }
}
