//! Text of several lines, and code with its colours. The one place that writes markup by hand: everything in it is
//! escaped here.

use leptos::prelude::*;

/// Text as markup that shows it.
fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for letter in text.chars() {
        push(&mut html, letter);
    }
    html
}

fn push(html: &mut String, letter: char) {
    match letter {
        '&' => html.push_str("&amp;"),
        '<' => html.push_str("&lt;"),
        '>' => html.push_str("&gt;"),
        '"' => html.push_str("&quot;"),
        '\'' => html.push_str("&#39;"),
        other => html.push(other),
    }
}

/// What stands between the tags of a textarea, which the framework does not escape. A parser drops a line end that comes
/// first in what the server sends.
pub fn textarea_content(text: &str) -> String {
    let html = escaped(text);
    if cfg!(feature = "ssr") && html.starts_with('\n') { format!("\n{html}") } else { html }
}

pub fn text_area(
    class: &'static str,
    rows: &'static str,
    id: String,
    name: String,
    value: String,
) -> AnyView {
    let described_by = format!("{id}-error {id}-hint");
    view! {
        <textarea
            class=class
            rows=rows
            id=id
            name=name
            autocomplete="off"
            spellcheck="false"
            aria-describedby=described_by
            inner_html=textarea_content(&value)
        ></textarea>
    }
    .into_any()
}

const KEYWORDS: &[&str] = &[
    "async",
    "await",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "default",
    "delete",
    "do",
    "else",
    "export",
    "false",
    "finally",
    "for",
    "function",
    "if",
    "in",
    "instanceof",
    "let",
    "new",
    "null",
    "of",
    "return",
    "static",
    "super",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "undefined",
    "var",
    "void",
    "while",
    "yield",
];

/// JavaScript with its comments, texts, numbers and keywords marked. Good enough to read by, and never wrong about what
/// it shows: every letter is there, escaped.
pub fn highlighted(code: &str) -> String {
    let mut html = String::with_capacity(code.len() * 2);
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let (length, class) = token(rest, first);
        let (taken, after) = rest.split_at(length);
        if class.is_empty() {
            html.push_str(&escaped(taken));
        } else {
            html.push_str(&format!("<span class=\"{class}\">{}</span>", escaped(taken)));
        }
        rest = after;
    }
    // A last line that is empty is a line as well.
    html.push('\n');
    html
}

/// How long the first token is, and what it is.
fn token(rest: &str, first: char) -> (usize, &'static str) {
    let until = |end: &str, from: usize| {
        rest.get(from..).and_then(|text| text.find(end)).map_or(rest.len(), |at| from + at + end.len())
    };
    let while_true = |fits: fn(char) -> bool| rest.find(|c| !fits(c)).unwrap_or(rest.len());
    match first {
        '/' if rest.starts_with("//") => (rest.find('\n').unwrap_or(rest.len()), "code-comment"),
        '/' if rest.starts_with("/*") => (until("*/", 2), "code-comment"),
        '"' | '\'' | '`' => (quoted(rest, first), "code-string"),
        '0'..='9' => (while_true(|c| c.is_alphanumeric() || c == '.' || c == '_'), "code-number"),
        _ if is_word(first) => {
            let length = while_true(is_word);
            let is_keyword = rest.get(..length).is_some_and(|word| KEYWORDS.contains(&word));
            (length, if is_keyword { "code-keyword" } else { "" })
        }
        _ => (first.len_utf8(), ""),
    }
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || letter == '$'
}

/// To the same quote, past what is escaped; a plain text ends with its line.
fn quoted(rest: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, letter) in rest.char_indices().skip(1) {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '\n' if quote != '`' => return at,
            _ if letter == quote => return at + letter.len_utf8(),
            _ => {}
        }
    }
    rest.len()
}

/// The numbers beside the lines; those with an error are marked.
pub fn line_numbers(code: &str, wrong: &[u32]) -> String {
    let count = u32::try_from(code.split('\n').count()).unwrap_or(u32::MAX);
    let mut html = String::new();
    for line in 1..=count {
        if wrong.contains(&line) {
            html.push_str(&format!("<span class=\"code-wrong\">{line}</span>\n"));
        } else {
            html.push_str(&format!("{line}\n"));
        }
    }
    html
}

/// Something to be copied, or only read.
pub fn code_block(text: &str) -> AnyView {
    view! { <pre class="code-block" tabindex="0">{text.to_owned()}</pre> }.into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without the marks of colour.
    fn plain(html: &str) -> String {
        let mut text = String::new();
        let mut is_tag = false;
        for letter in html.chars() {
            match letter {
                '<' => is_tag = true,
                '>' if is_tag => is_tag = false,
                _ if is_tag => {}
                other => text.push(other),
            }
        }
        text
    }

    #[test]
    fn s15_markup_in_code_is_only_text() {
        let hostile = "</textarea><script>alert(1)</script> `${'<img>'}` // <b> \"&quot;";
        assert!(!escaped(hostile).contains('<'));
        let html = highlighted(hostile);
        assert_eq!(plain(&html), escaped(hostile) + "\n");
        assert!(
            html.split('<')
                .skip(1)
                .all(|tag| tag.starts_with("span class=\"code-") || tag.starts_with("/span>"))
        );
    }

    #[test]
    fn every_letter_stays_whatever_is_left_open() {
        for code in ["", "'open", "`a\nb", "/* x", "\"a\\", "é = 'ç' // ã", "1_000.5n", "a\n", "\\"] {
            assert_eq!(plain(&highlighted(code)), escaped(code) + "\n", "{code:?}");
        }
        assert!(highlighted("return x").starts_with("<span class=\"code-keyword\">return</span> x"));
        assert!(
            highlighted("'a\\'b' c").starts_with("<span class=\"code-string\">&#39;a\\&#39;b&#39;</span> c")
        );
    }

    #[test]
    fn lines_are_counted_as_an_editor_shows_them() {
        assert_eq!(line_numbers("", &[]), "1\n");
        assert_eq!(line_numbers("a\n", &[2]), "1\n<span class=\"code-wrong\">2</span>\n");
    }
}
