//! What a text means to a menu. People answer with a number, a name or an emoji, from keyboards that add what nobody
//! sees; what could mean two things means none.

use domain::assistant::AssistantOption;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard {
    /// The position in the list.
    Option(usize),
    Cancel,
    /// A number that is not on the menu.
    Beyond(u64),
    /// More than one.
    Several,
    Unclear,
}

const NUMBERS: [(&str, &str); 10] = [
    ("um", "one"),
    ("dois", "two"),
    ("tres", "three"),
    ("quatro", "four"),
    ("cinco", "five"),
    ("seis", "six"),
    ("sete", "seven"),
    ("oito", "eight"),
    ("nove", "nine"),
    ("dez", "ten"),
];
const BETWEEN: [&str; 4] = ["e", "and", "ou", "or"];
const BEFORE: [&str; 6] = ["opcao", "option", "numero", "number", "a", "o"];
/// No menu is as long.
pub(super) const MANY: u64 = 100;
/// Longer than any answer to a menu.
const LONGEST: usize = 400;

pub fn hear(text: &str, options: &[AssistantOption]) -> Heard {
    if text.len() > LONGEST {
        return Heard::Unclear;
    }
    let said = clean(text);
    if let Some(at) = options.iter().position(|option| is_named(&said, option)) {
        return Heard::Option(at);
    }
    if is_cancel(text) {
        return Heard::Cancel;
    }
    let mut numbers = Vec::new();
    for word in
        said.split(|c: char| c.is_whitespace() || ",;/+&#".contains(c)).filter(|word| !word.is_empty())
    {
        match number(word.trim_end_matches(['.', ')', '!']).trim_start_matches('(')) {
            Some(number) => numbers.push(number),
            None if BETWEEN.contains(&word) && !numbers.is_empty() => {}
            None if BEFORE.contains(&word) && numbers.is_empty() => {}
            None => return Heard::Unclear,
        }
    }
    match numbers.as_slice() {
        [] => Heard::Unclear,
        [one] => match options.iter().position(|option| option.number == *one) {
            Some(at) => Heard::Option(at),
            None => Heard::Beyond(*one),
        },
        // A telephone number is no choice.
        several if several.iter().any(|number| *number >= MANY) => Heard::Unclear,
        _ => Heard::Several,
    }
}

/// An answer to a menu, and nothing that anybody would save.
pub fn is_bare_choice(text: &str, options: &[AssistantOption]) -> bool {
    match hear(text, options) {
        Heard::Option(_) | Heard::Cancel | Heard::Several => true,
        Heard::Beyond(number) => number < MANY,
        Heard::Unclear => false,
    }
}

/// By its name, the last word of it, its emoji, or the line as it stands on the menu.
fn is_named(said: &str, option: &AssistantOption) -> bool {
    let (label, icon) = (clean(&option.label), clean(&option.icon));
    let short = label.rsplit(' ').next().unwrap_or(&label);
    let is_short = option.tool.as_deref().is_some_and(|tool| tool.starts_with("save_")) && said == short;
    let whole = format!("{icon} {label}");
    is_short
        || said == label
        || (!icon.is_empty() && said == icon)
        || said == whole
        || said == format!("{}. {whole}", option.number)
}

pub fn is_cancel(text: &str) -> bool {
    text.len() <= LONGEST && matches!(clean(text).as_str(), "cancelar" | "cancel" | "cancela" | "❌")
}

fn number(word: &str) -> Option<u64> {
    if !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit()) {
        // A number that is too long for us is beyond every menu.
        return Some(word.parse().unwrap_or(u64::MAX));
    }
    let at = NUMBERS.iter().position(|(pt, en)| word == *pt || word == *en)?;
    u64::try_from(at + 1).ok()
}

/// Lower case, without accents, without what nobody sees: zero-width and direction marks, the dress of an emoji.
pub fn clean(text: &str) -> String {
    let seen = text.chars().filter(|c| !is_unseen(*c)).map(plain);
    let folded: String = seen.flat_map(char::to_lowercase).collect();
    folded.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_unseen(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{20e3}' | '\u{300}'..='\u{36f}')
        || (c.is_control() && !c.is_whitespace())
}

fn plain(c: char) -> char {
    match c {
        'á' | 'à' | 'â' | 'ã' | 'ä' | 'Á' | 'À' | 'Â' | 'Ã' | 'Ä' => 'a',
        'é' | 'è' | 'ê' | 'ë' | 'É' | 'È' | 'Ê' | 'Ë' => 'e',
        'í' | 'ì' | 'î' | 'ï' | 'Í' | 'Ì' | 'Î' | 'Ï' => 'i',
        'ó' | 'ò' | 'ô' | 'õ' | 'ö' | 'Ó' | 'Ò' | 'Ô' | 'Õ' | 'Ö' => 'o',
        'ú' | 'ù' | 'û' | 'ü' | 'Ú' | 'Ù' | 'Û' | 'Ü' => 'u',
        'ç' | 'Ç' => 'c',
        '\u{ff10}'..='\u{ff19}' => char::from_digit(u32::from(c) - 0xff10, 10).unwrap_or(c),
        other => other,
    }
}

/// A title with its year: `Matrix (1999)`, `Matrix 1999`.
pub fn film(text: &str) -> Option<(String, i64)> {
    let text = text.trim();
    if text.contains('\n') || text.len() > 300 {
        return None;
    }
    let (title, last) = text.rsplit_once(char::is_whitespace)?;
    let digits = last.strip_prefix('(').and_then(|inside| inside.strip_suffix(')')).unwrap_or(last);
    let year: i64 = digits.parse().ok().filter(|_| digits.len() == 4)?;
    let title = title.trim().trim_end_matches([',', '-', '–']).trim();
    let is_told = digits.len() < last.len() && !title.is_empty();
    let is_film = (1_880..=2_100).contains(&year) && (is_told || title.chars().any(char::is_alphabetic));
    is_film.then(|| (title.to_owned(), year))
}
