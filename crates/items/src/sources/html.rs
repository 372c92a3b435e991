//! Just enough HTML to read the head of a page that others wrote: `title` and `meta`. Whatever is broken is passed over;
//! time and memory grow with the length of the text and no faster.

#[derive(Debug, Default)]
pub(super) struct Head {
    pub title: Option<String>,
    meta: Vec<(String, String)>,
}

impl Head {
    /// The first that is there.
    pub fn property(&self, name: &str) -> Option<&str> {
        let found = self.meta.iter().find(|(key, content)| key == name && !content.trim().is_empty());
        found.map(|(_, content)| content.as_str())
    }
}

/// As UTF-8, unless the page says that it is older.
pub(super) fn text(bytes: &[u8], kind: &str) -> String {
    let start = bytes.get(..bytes.len().min(1_024)).unwrap_or_default().to_ascii_lowercase();
    let says = |name: &[u8]| start.windows(name.len()).any(|part| part == name);
    let is_latin = kind.contains("8859-1")
        || kind.contains("1252")
        || says(b"charset=iso-8859-1")
        || says(b"charset=\"iso-8859-1")
        || says(b"windows-1252");
    if is_latin && std::str::from_utf8(bytes).is_err() {
        return bytes.iter().map(|byte| char::from(*byte)).collect();
    }
    String::from_utf8_lossy(bytes).into_owned()
}

const MOST_META: usize = 200;

pub(super) fn head(text: &str) -> Head {
    let mut head = Head::default();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        rest = rest.get(at + 1..).unwrap_or_default();
        let name_ends = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let (name, after) = rest.split_at(name_ends);
        match name.to_ascii_lowercase().as_str() {
            "body" => break,
            "meta" if head.meta.len() < MOST_META => {
                let (attributes, after) = attributes(after);
                head.meta.extend(meta(&attributes));
                rest = after;
            }
            "title" if head.title.is_none() => {
                let inside = after.find('>').and_then(|at| after.get(at + 1..)).unwrap_or_default();
                let end = inside.find("</").unwrap_or(inside.len());
                head.title = Some(decoded(inside.get(..end).unwrap_or_default()));
                rest = inside;
            }
            // What looks like a tag inside is text.
            name @ ("script" | "style") => rest = past(after, name),
            _ if rest.starts_with("!--") => {
                rest = rest.find("-->").and_then(|at| rest.get(at..)).unwrap_or_default()
            }
            _ => rest = after,
        }
    }
    head
}

fn past<'a>(text: &'a str, name: &str) -> &'a str {
    let ends =
        |at: &usize| text.get(at + 2..at + 2 + name.len()).is_some_and(|end| end.eq_ignore_ascii_case(name));
    let end = text.match_indices("</").map(|(at, _)| at).find(ends);
    end.and_then(|at| text.get(at + 2..)).unwrap_or_default()
}

fn meta(attributes: &[(String, String)]) -> Option<(String, String)> {
    let of = |name: &str| attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone());
    let key = of("property").or_else(|| of("name"))?.trim().to_ascii_lowercase();
    Some((key, of("content")?))
}

/// Until the tag ends, and what follows it.
fn attributes(text: &str) -> (Vec<(String, String)>, &str) {
    let (mut found, mut rest) = (Vec::new(), text);
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '/');
        if rest.is_empty() || rest.starts_with('>') || found.len() > 30 {
            return (found, rest);
        }
        let name_ends =
            rest.find(|c: char| c.is_whitespace() || matches!(c, '=' | '>' | '/')).unwrap_or(rest.len());
        let (name, after) = rest.split_at(name_ends.max(rest.chars().next().map_or(1, char::len_utf8)));
        let Some(after_sign) = after.trim_start().strip_prefix('=') else {
            rest = after;
            continue;
        };
        let (value, after) = value(after_sign.trim_start());
        found.push((name.to_ascii_lowercase(), decoded(value)));
        rest = after;
    }
}

fn value(text: &str) -> (&str, &str) {
    for quote in ['"', '\''] {
        if let Some(inside) = text.strip_prefix(quote) {
            return inside.split_once(quote).unwrap_or((inside, ""));
        }
    }
    text.split_at(text.find(|c: char| c.is_whitespace() || c == '>').unwrap_or(text.len()))
}

/// The entities that titles have.
fn decoded(text: &str) -> String {
    let (mut plain, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find('&') {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.char_indices().take(12).find(|(_, c)| *c == ';').map(|(at, _)| at);
        match end.and_then(|end| Some((end, entity(rest.get(1..end)?)?))) {
            Some((end, c)) => {
                plain.push(c);
                rest = &rest[end + 1..];
            }
            None => {
                plain.push('&');
                rest = &rest[1..];
            }
        }
    }
    plain.push_str(rest);
    plain
}

fn entity(name: &str) -> Option<char> {
    let number = match name.strip_prefix('#') {
        Some(hex) if hex.starts_with(['x', 'X']) => u32::from_str_radix(hex.get(1..)?, 16).ok(),
        Some(digits) => digits.parse().ok(),
        None => None,
    };
    if let Some(number) = number {
        return char::from_u32(number).filter(|c| !c.is_control());
    }
    const NAMED: &[(&str, char)] = &[
        ("amp", '&'),
        ("lt", '<'),
        ("gt", '>'),
        ("quot", '"'),
        ("apos", '\''),
        ("nbsp", ' '),
        ("ndash", '–'),
        ("mdash", '—'),
        ("laquo", '«'),
        ("raquo", '»'),
        ("hellip", '…'),
        ("middot", '·'),
        ("eacute", 'é'),
        ("aacute", 'á'),
        ("iacute", 'í'),
        ("oacute", 'ó'),
        ("uacute", 'ú'),
        ("atilde", 'ã'),
        ("otilde", 'õ'),
        ("ccedil", 'ç'),
        ("agrave", 'à'),
        ("acirc", 'â'),
        ("ecirc", 'ê'),
        ("ocirc", 'ô'),
        ("rsquo", '’'),
        ("ldquo", '“'),
        ("rdquo", '”'),
    ];
    NAMED.iter().find(|(known, _)| *known == name).map(|(_, c)| *c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g13_a_page_tells_about_itself() {
        let page = "<!doctype html><head><!-- <title>no</title> --><script>'<title>no</title>'</script>
            <title lang=pt> P&atilde;o &amp; Bolo </title>
            <META PROPERTY='og:title' content=\"Receita de p&#227;o\"/><meta name=description content=simples>
            <meta content='depois' property=og:site_name></head><body><meta property=og:title content=no>";
        let head = head(page);
        assert_eq!(head.title.as_deref(), Some(" Pão & Bolo "));
        assert_eq!(head.property("og:title"), Some("Receita de pão"));
        assert_eq!(head.property("description"), Some("simples"));
        assert_eq!(head.property("og:site_name"), Some("depois"));
    }

    #[test]
    fn what_is_broken_ends_and_does_no_harm() {
        let deep = "<meta ".repeat(50_000);
        let quotes = "<meta a=\"".repeat(20_000);
        let entities = format!("<title>{}", "&".repeat(100_000));
        for broken in [
            "<",
            "<title",
            "<meta",
            "<meta =",
            "<meta content=\"x",
            "</",
            "&#xFFFFFFFF;",
            "<title>&#0;é&",
            &deep,
            &quotes,
            &entities,
        ] {
            head(broken);
        }
        assert_eq!(decoded("a &bogus; &#65; &"), "a &bogus; A &");
        assert_eq!(text(b"<meta charset=iso-8859-1>caf\xe9", ""), "<meta charset=iso-8859-1>café");
    }
}
