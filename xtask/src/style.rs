//! One style sheet out of many: imports are put in place, comments and indentation go. Nothing is reordered.

use std::{fs, iter::Peekable, path::Path, str::Chars};

use crate::Result;

/// The sheet with everything it imports by `@import "./name.css";`.
pub fn bundle(main: &Path) -> Result<String> {
    let mut importing = Vec::new();
    strip(&inline(main, &mut importing)?)
}

fn inline(file: &Path, importing: &mut Vec<std::path::PathBuf>) -> Result<String> {
    let place = file.canonicalize().map_err(|error| format!("{}: {error}", file.display()))?;
    if importing.contains(&place) {
        return Err(format!("{} imports itself", file.display()).into());
    }
    importing.push(place);
    let folder = file.parent().unwrap_or(Path::new("."));
    let mut bundle = String::new();
    for line in fs::read_to_string(file)?.lines() {
        match imported(line) {
            Some(name) => bundle.push_str(&inline(&folder.join(name?), importing)?),
            None => bundle.push_str(line),
        }
        bundle.push('\n');
    }
    importing.pop();
    Ok(bundle)
}

/// The file that a line imports; an error for imports that this bundler does not know.
fn imported(line: &str) -> Option<Result<&str>> {
    let rest = line.trim().strip_prefix("@import")?.trim();
    let name = rest.strip_prefix("\"./").and_then(|rest| rest.strip_suffix("\";"));
    Some(name.ok_or_else(|| format!("write @import \"./name.css\"; alone on its line, not: {line}").into()))
}

/// Removes comments, indentation and empty lines; strings stay as they are.
fn strip(css: &str) -> Result<String> {
    let mut out = String::with_capacity(css.len());
    let mut rest = css.chars().peekable();
    while let Some(letter) = rest.next() {
        match letter {
            '/' if rest.peek() == Some(&'*') => skip_comment(&mut rest, &mut out)?,
            '"' | '\'' => copy_string(letter, &mut rest, &mut out),
            '\n' => {
                out.truncate(out.trim_end().len());
                out.push('\n');
            }
            ' ' | '\t' | '\r' if out.is_empty() || out.ends_with('\n') => {}
            _ => out.push(letter),
        }
    }
    Ok(out.trim().to_owned())
}

fn skip_comment(rest: &mut Peekable<Chars>, out: &mut String) -> Result<()> {
    rest.next();
    let mut previous = ' ';
    loop {
        match rest.next() {
            Some('/') if previous == '*' => break,
            Some(letter) => previous = letter,
            None => return Err("a comment in the style sheet does not end".into()),
        }
    }
    // A comment between two names keeps them apart, and a space there would mean something else.
    let is_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '#' | '.');
    if out.ends_with(is_name) && rest.peek().copied().is_some_and(is_name) {
        out.push_str("/**/");
    }
    Ok(())
}

fn copy_string(quote: char, rest: &mut Peekable<Chars>, out: &mut String) {
    out.push(quote);
    while let Some(letter) = rest.next() {
        out.push(letter);
        if letter == '\\' {
            out.extend(rest.next());
        } else if letter == quote {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stripped(css: &str) -> String {
        strip(css).unwrap_or_else(|error| error.to_string())
    }

    #[test]
    fn comments_indentation_and_empty_lines_go() {
        assert_eq!(stripped("/* a\n b */\n.x {\n\n    color: red; /* c */  \n}\n"), ".x {\ncolor: red;\n}");
    }

    #[test]
    fn strings_stay() {
        assert_eq!(
            stripped(r#"a::after { content: "/* no */  \" x"; }"#),
            r#"a::after { content: "/* no */  \" x"; }"#
        );
    }

    #[test]
    fn a_comment_between_names_still_separates() {
        assert_eq!(stripped("a/* x */b { margin: 0 /* y */ auto }"), "a/**/b { margin: 0  auto }");
    }

    #[test]
    fn an_open_comment_is_an_error() {
        assert!(strip("a { } /* b").is_err());
    }

    #[test]
    fn imports_are_put_in_place_and_others_refused() {
        let folder = std::env::temp_dir().join(format!("xtask-style-{}", std::process::id()));
        fs::create_dir_all(&folder).ok();
        let main = folder.join("main.css");
        fs::write(folder.join("one.css"), "a { }\n").ok();
        fs::write(&main, "@import \"./one.css\";\nb { }\n").ok();
        assert_eq!(bundle(&main).ok().as_deref(), Some("a { }\nb { }"));
        for bad in ["@import \"./gone.css\";", "@import url(one.css);", "@import \"./main.css\";"] {
            fs::write(&main, bad).ok();
            assert!(bundle(&main).is_err(), "{bad}");
        }
        fs::remove_dir_all(folder).ok();
    }
}
