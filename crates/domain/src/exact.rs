//! Integers in JSON that this product cannot keep as they were written.
//!
//! An integer beyond 64 bits would become a floating-point number: `34191790010104351004791020150008291070026000` leaves
//! as `3.4191790010104353e43`, another number that looks like the first. So it is refused where it comes in, and kept
//! as text where it is an answer that cannot be refused any more. Numbers with a fraction or an exponent are
//! floating-point by their own wish.

use crate::{FieldCode, FieldError};
use std::ops::Range;

/// An integer with fewer digits always fits.
const SHORTEST: usize = 19;

/// The first integer that would be changed, by its path: `params.items.0`. The text has to be JSON.
pub fn refused_in(json: &[u8]) -> Option<FieldError> {
    if !has_long_digits(json) {
        return None;
    }
    let mut first = None;
    each(json, |_, path| {
        first.get_or_insert_with(|| path.to_string());
    });
    let message = "is an integer beyond 64 bits, which would be changed; send it as text".to_owned();
    first.map(|path| FieldError { message, ..FieldError::new(&path, FieldCode::Invalid) })
}

/// The text with each such integer in quotes, digit by digit, and how many there were; nothing when there is none.
pub fn with_texts(json: &[u8]) -> Option<(Vec<u8>, usize)> {
    if !has_long_digits(json) {
        return None;
    }
    let (mut out, mut rest, mut count) = (Vec::with_capacity(json.len() + 8), 0, 0);
    each(json, |number, _| {
        out.extend_from_slice(&json[rest..number.start]);
        out.push(b'"');
        out.extend_from_slice(&json[number.clone()]);
        out.push(b'"');
        (rest, count) = (number.end, count + 1);
    });
    out.extend_from_slice(&json[rest..]);
    (count > 0).then_some((out, count))
}

/// Most texts have none, and every call asks.
fn has_long_digits(json: &[u8]) -> bool {
    let mut digits = 0;
    json.iter().any(|byte| {
        digits = if byte.is_ascii_digit() { digits + 1 } else { 0 };
        digits >= SHORTEST
    })
}

/// Where a value stands: the names and places around it.
struct Path(Vec<Part>);

enum Part {
    Name(String),
    Place(usize),
}

impl std::fmt::Display for Path {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (at, part) in self.0.iter().enumerate() {
            f.write_str(if at > 0 { "." } else { "" })?;
            match part {
                Part::Name(name) => f.write_str(name)?,
                Part::Place(place) => write!(f, "{place}")?,
            }
        }
        f.write_str(if self.0.is_empty() { "." } else { "" })
    }
}

/// Shows every integer that would be changed.
fn each(json: &[u8], mut see: impl FnMut(Range<usize>, &Path)) {
    let (mut at, mut path) = (0, Path(Vec::new()));
    while let Some(byte) = json.get(at) {
        let end = match byte {
            b'"' => string_end(json, at),
            b'-' | b'0'..=b'9' => number_end(json, at),
            _ => at + 1,
        };
        match byte {
            b'"' if is_name(json, end) => {
                if let Some(part) = path.0.last_mut() {
                    *part = Part::Name(serde_json::from_slice(&json[at..end]).unwrap_or_default());
                }
            }
            b'-' | b'0'..=b'9' if is_changed(&json[at..end]) => see(at..end, &path),
            b'{' => path.0.push(Part::Name(String::new())),
            b'[' => path.0.push(Part::Place(0)),
            b'}' | b']' => drop(path.0.pop()),
            b',' => {
                if let Some(Part::Place(place)) = path.0.last_mut() {
                    *place += 1;
                }
            }
            _ => {}
        }
        at = end;
    }
}

fn string_end(json: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(byte) = json.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    json.len()
}

fn number_end(json: &[u8], start: usize) -> usize {
    let is_part = |byte: &u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
    json[start..].iter().position(|byte| !is_part(byte)).map_or(json.len(), |length| start + length)
}

fn is_name(json: &[u8], end: usize) -> bool {
    json[end.min(json.len())..].iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b':')
}

fn is_changed(number: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(number) else { return false };
    !text.contains(['.', 'e', 'E']) && text.parse::<i64>().is_err() && text.parse::<u64>().is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(json: &str) -> Option<String> {
        refused_in(json.as_bytes()).map(|error| error.field)
    }

    #[test]
    fn b3_an_integer_that_would_be_changed_is_found_by_its_path() {
        for (json, found) in [
            (r#"{"params":{"boleto":34191790010104351004791020150008291070026000}}"#, "params.boleto"),
            (r#"{"a": [1, {"b\"c": [2, -9223372036854775809]}]}"#, "a.1.b\"c.1"),
            ("18446744073709551616", "."),
            (r#"[0,"x",[ ],[18446744073709551616 ]]"#, "3.0"),
        ] {
            assert_eq!(path(json).as_deref(), Some(found), "{json}");
        }
    }

    #[test]
    fn b3_what_is_kept_as_it_is_or_is_no_integer_passes() {
        for json in [
            r#"{"a":18446744073709551615,"b":-9223372036854775808,"c":9223372036854775807}"#,
            r#"{"digits":"34191790010104351004791020150008291070026000","34191790010104351004791020150008291070026000":1}"#,
            r#"{"a":34191790010104351004791020150008291070026000.5,"b":34191790010104351004e2}"#,
            r#"{"a":0.12345678901234567890,"b":"\\","c":"\"12345678901234567890123"}"#,
            "",
        ] {
            assert_eq!(path(json), None, "{json}");
            assert_eq!(with_texts(json.as_bytes()), None, "{json}");
        }
    }

    #[test]
    fn b3_digits_of_an_answer_are_kept_as_text() {
        let json =
            br#"{"id":34191790010104351004791020150008291070026000, "list":[-99999999999999999999,1]}"#;
        let (text, count) = with_texts(json).unwrap();
        let value: serde_json::Value = serde_json::from_slice(&text).unwrap();
        assert_eq!(
            (count, value),
            (
                2,
                serde_json::json!({ "id": "34191790010104351004791020150008291070026000",
                    "list": ["-99999999999999999999", 1] })
            )
        );
    }
}
