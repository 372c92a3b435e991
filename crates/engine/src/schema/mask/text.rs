//! JSON that was cut off in the middle, or that nobody can read as such, is a text, and no value: its secrets are found
//! by reading it letter by letter.

use super::MASKED;

/// The text with the value of every name that `hides` says so replaced. What is no JSON comes back as it is.
pub(super) fn masked(text: &str, hides: impl Fn(&str) -> bool) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find('"') {
        let end = at + string_end(&rest[at..]);
        let value = after_colon(&rest[end..]).map(|length| end + length);
        let Some(value) = value.filter(|_| hides(&name_in(&rest[at..end]))) else {
            // Among other text nobody knows whether a quote opens or closes: the one at the end may open the next.
            let next = if end < rest.len() { end - 1 } else { end };
            out.push_str(&rest[..next]);
            rest = &rest[next..];
            continue;
        };
        out.push_str(&rest[..value]);
        let end = value + value_end(&rest[value..]);
        if end > value && rest[value..end].trim() != "null" {
            out.push('"');
            out.push_str(MASKED);
            out.push('"');
        } else {
            out.push_str(&rest[value..end]);
        }
        rest = &rest[end..];
    }
    out.push_str(rest);
    out
}

fn name_in(token: &str) -> String {
    serde_json::from_str(token).unwrap_or_default()
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

/// The length of a value with everything in it, or of what is left of it. Nothing, when it is no value but a sentence.
fn value_end(text: &str) -> usize {
    let end = end_as_json(text);
    if text.starts_with(['"', '{', '[']) { end } else { bare_end(&text[..end]) }
}

/// What has no quotes is a literal, somebody's sentence about the name, or a secret that lost its quotes. In doubt it is
/// a secret.
fn bare_end(value: &str) -> usize {
    let line = value.lines().next().unwrap_or_default();
    let (first, more) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let is_alone = more.trim().is_empty() && !first.contains(['"', '{', '[']);
    let is_literal = || serde_json::from_str::<serde_json::Value>(first).is_ok();
    if is_alone || (is_literal() && is_prose(more)) {
        first.len()
    } else if is_prose(line) {
        0
    } else {
        value.len()
    }
}

/// Words, with small numbers among them.
fn is_prose(text: &str) -> bool {
    let mut words = text.split_whitespace().map(|word| word.trim_end_matches(['.', ':', ';', '!', '?']));
    let is_small = |word: &str| word.len() <= 3 && word.bytes().all(|byte| byte.is_ascii_digit());
    words.next().is_some_and(is_word) && words.all(|word| is_word(word) || is_small(word))
}

fn is_word(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(char::is_alphabetic)
        && letters.all(|letter| letter.is_lowercase() || letter == '\'')
}

/// The length of a value as JSON has it; what has no quotes goes on to the next comma.
fn end_as_json(text: &str) -> usize {
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
            (r#"5" wide: {"token":"canary"}"#, r#"5" wide: {"token":"***"}"#),
            ("{\"a\":1}\n{\"token\":\"canary\"}\n{\"b", "{\"a\":1}\n{\"token\":\"***\"}\n{\"b"),
        ] {
            assert_eq!(hidden(text), expected);
        }
    }

    #[test]
    fn s16_a_sentence_about_a_secret_is_none() {
        for text in [
            "\"token\": must have 8 characters\nsee the manual, please",
            "\"token\": needs 8 to 128 letters.",
            "\"token\": é obrigatório; não pode faltar",
            "{\"token\": null\n, \"b\": 1",
        ] {
            assert_eq!(hidden(text), text);
        }
    }

    #[test]
    fn s16_what_lost_its_quotes_is_masked_in_doubt() {
        for (text, expected) in [
            ("\"token\": canary\nsee the manual", "\"token\": \"***\"\nsee the manual"),
            ("\"token\": 1234 was refused", "\"token\": \"***\" was refused"),
            ("{\"token\": true\n}", "{\"token\": \"***\"\n}"),
            ("{\"token\": tru", "{\"token\": \"***\""),
            ("{\"token\":canary\", \"b\":1}", "{\"token\":\"***\"b\":1}"),
            ("{\"token\": Bearer c4n4ry, \"b\":1}", "{\"token\": \"***\", \"b\":1}"),
            ("{\"token\": 1111 2222 3333, \"b\":1}", "{\"token\": \"***\", \"b\":1}"),
            ("\"token\": 'my canary'", "\"token\": \"***\""),
            ("\"token\": --BEGIN KEY--\ncanary\n--END KEY--", "\"token\": \"***\""),
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
