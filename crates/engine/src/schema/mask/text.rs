//! JSON that was cut off in the middle is a text, and no value: its secrets are found by reading it letter by letter.

use super::MASKED;

/// The text with the value of every name that `hides` says so replaced. What is no JSON comes back as it is.
pub(super) fn masked(text: &str, hides: impl Fn(&str) -> bool) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find('"') {
        let end = at + string_end(&rest[at..]);
        out.push_str(&rest[..end]);
        let token = &rest[at..end];
        rest = &rest[end..];
        let Some(colon) = after_colon(rest) else { continue };
        let name: String = serde_json::from_str(token).unwrap_or_default();
        if !hides(&name) {
            continue;
        }
        out.push_str(&rest[..colon]);
        let length = value_end(&rest[colon..]);
        if length > 0 && rest[colon..colon + length].trim() != "null" {
            out.push('"');
            out.push_str(MASKED);
            out.push('"');
        } else {
            out.push_str(&rest[colon..colon + length]);
        }
        rest = &rest[colon + length..];
    }
    out.push_str(rest);
    out
}

/// Where the value begins, when what came before was a name.
fn after_colon(text: &str) -> Option<usize> {
    let spaces = text.len() - text.trim_start().len();
    let colon = text[spaces..].strip_prefix(':')?;
    Some(text.len() - colon.trim_start().len())
}

/// The length of a string with both its quotes, or of what is left of it.
fn string_end(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of a value with everything in it, or of what is left of it.
fn value_end(text: &str) -> usize {
    let (mut at, mut depth) = (0, 0_usize);
    while let Some(letter) = text[at..].chars().next() {
        match letter {
            '"' => at += string_end(&text[at..]) - 1,
            '{' | '[' => depth += 1,
            '}' | ']' if depth == 0 => return at,
            '}' | ']' => depth -= 1,
            ',' if depth == 0 => return at,
            _ => {}
        }
        at += if letter == '"' { 1 } else { letter.len_utf8() };
        if depth == 0 && matches!(letter, '"' | '}' | ']') {
            return at;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn hidden(text: &str) -> String {
        masked(text, |name| name == "token")
    }

    #[test]
    fn s16_what_was_cut_off_shows_no_secret() {
        for (text, expected) in [
            (r#"{"a":1,"token":"canary","b":["x"#, r#"{"a":1,"token":"***","b":["x"#),
            (r#"{"token" : "can"#, r#"{"token" : "***""#),
            (r#"{"token":"a\"b","c":"token""#, r#"{"token":"***","c":"token""#),
            (r#"{"token":{"a":["canary"],"b":"#, r#"{"token":"***""#),
            (r#"[{"token":12},{"token":null},{"tok"#, r#"[{"token":"***"},{"token":null},{"tok"#),
            (r#"{"token":"#, r#"{"token":"#),
            (r#"{"\u0074oken":"canary","x"#, r#"{"\u0074oken":"***","x"#),
            ("no JSON: \"token", "no JSON: \"token"),
        ] {
            assert_eq!(hidden(text), expected);
        }
    }

    proptest! {
        #[test]
        fn any_text_can_be_read(text in "[\"\\\\{}\\[\\],:a-c ünull0-9]{0,60}") {
            hidden(&text);
            prop_assert_eq!(masked(&text, |_| false), text);
        }
    }
}
