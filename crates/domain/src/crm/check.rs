//! The rules for what people write into a tenant's data. Each answers with the field's name.

use crate::{
    Email, FieldCode, FieldError,
    text::{parse_line, parse_optional_line},
};

pub const MOST_TAGS: usize = 20;
/// What a JSON number holds exactly everywhere.
pub const MOST_CENTS: i64 = 9_007_199_254_740_991;

type Checked<T> = Result<T, FieldError>;

/// A text of several lines.
pub fn paragraph(field: &str, value: &str, max_chars: usize) -> Checked<String> {
    // As the document says: before it is trimmed.
    let is_too_long = value.chars().count() > max_chars;
    let value = value.trim();
    if value.is_empty() {
        return Err(FieldError::new(field, FieldCode::Required));
    }
    if is_too_long {
        return Err(FieldError::new(field, FieldCode::TooLong));
    }
    if value.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
        return Err(FieldError::new(field, FieldCode::Invalid));
    }
    Ok(value.to_owned())
}

pub fn optional_paragraph(field: &str, value: Option<&str>, max_chars: usize) -> Checked<Option<String>> {
    match value.filter(|text| !text.trim().is_empty()) {
        None => Ok(None),
        Some(text) => paragraph(field, text, max_chars).map(Some),
    }
}

pub fn optional_email(field: &str, value: Option<&str>) -> Checked<Option<String>> {
    match value.map(str::trim) {
        None | Some("") => Ok(None),
        Some(text) => {
            let email = Email::parse(text).map_err(|error| FieldError::new(field, error.code))?;
            Ok(Some(email.to_string()))
        }
    }
}

/// Loosely E.164: 8 to 15 digits, a plus sign before them or not. What people write between digits is dropped.
pub fn optional_phone(field: &str, value: Option<&str>) -> Checked<Option<String>> {
    let Some(text) = value.map(str::trim).filter(|text| !text.is_empty()) else {
        return Ok(None);
    };
    let invalid = || FieldError::new(field, FieldCode::Invalid);
    let compact: String = text.chars().filter(|c| !matches!(c, ' ' | '-' | '.' | '(' | ')')).collect();
    let digits = compact.strip_prefix('+').unwrap_or(&compact);
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(invalid());
    }
    if (8..=15).contains(&digits.len()) { Ok(Some(compact)) } else { Err(invalid()) }
}

/// The name that another system has for it.
pub fn external_id(value: Option<&str>) -> Checked<Option<String>> {
    parse_optional_line("external_id", value, 200)
}

/// Trimmed, without repetitions.
pub fn tags(values: &[String]) -> Checked<Vec<String>> {
    let mut kept: Vec<String> = Vec::new();
    for value in values {
        let tag = parse_line("tags", value, 40)?;
        if !kept.contains(&tag) {
            kept.push(tag);
        }
    }
    if kept.len() > MOST_TAGS { Err(FieldError::new("tags", FieldCode::TooLong)) } else { Ok(kept) }
}

pub fn cents(field: &str, value: i64) -> Checked<i64> {
    let known = (0..=MOST_CENTS).contains(&value);
    if known { Ok(value) } else { Err(FieldError::new(field, FieldCode::Invalid)) }
}

/// Three capital letters, as in ISO 4217.
pub fn currency(value: &str) -> Checked<String> {
    let known = value.len() == 3 && value.bytes().all(|byte| byte.is_ascii_uppercase());
    if known { Ok(value.to_owned()) } else { Err(FieldError::new("currency", FieldCode::Invalid)) }
}

pub(super) fn real() -> String {
    "BRL".to_owned()
}

pub(super) fn yes() -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phones_are_kept_without_decoration() {
        let phone = |text| optional_phone("phone", Some(text));
        assert_eq!(phone("+55 (11) 98888-7777").unwrap().unwrap(), "+5511988887777");
        assert_eq!(phone(" ").unwrap(), None);
        for bad in ["123", "abc", "+55 11 9x", "++5511988887777", "12345678901234567", "😀😀😀😀😀😀😀😀"]
        {
            assert!(phone(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn paragraphs_keep_their_lines_and_nothing_invisible() {
        assert_eq!(paragraph("text", " a\nb ", 9).unwrap(), "a\nb");
        assert!(paragraph("text", "a\u{0}b", 9).is_err());
        assert!(currency("brl").is_err() && cents("value_cents", -1).is_err());
        assert_eq!(tags(&["a".into(), " a ".into()]).unwrap(), ["a"]);
    }
}
