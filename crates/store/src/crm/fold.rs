//! Text as it is searched: lower case, without accents. Databases disagree about both, so it is done here.

pub(crate) fn fold(text: &str) -> String {
    text.chars().filter(|c| !is_mark(*c)).flat_map(char::to_lowercase).map(plain).collect()
}

/// The words of a text that somebody typed: few, short, letters and digits only. Nothing in them means anything to a
/// search engine.
pub(crate) fn words(text: &str) -> Vec<String> {
    let folded = fold(text);
    let words = folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.take(10).map(|word| word.chars().take(40).collect()).collect()
}

fn is_mark(c: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&c)
}

fn plain(c: char) -> char {
    match c {
        'á' | 'à' | 'â' | 'ã' | 'ä' | 'å' => 'a',
        'é' | 'è' | 'ê' | 'ë' => 'e',
        'í' | 'ì' | 'î' | 'ï' => 'i',
        'ó' | 'ò' | 'ô' | 'õ' | 'ö' => 'o',
        'ú' | 'ù' | 'û' | 'ü' => 'u',
        'ç' => 'c',
        'ñ' => 'n',
        'ý' | 'ÿ' => 'y',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_words_are_left() {
        assert_eq!(fold("PÃO de Açúcar"), "pao de acucar");
        assert_eq!(fold("pa\u{303}o"), "pao");
        assert_eq!(words("\"bolo\" OR NEAR(x*) -- 🥐 %_"), ["bolo", "or", "near", "x"]);
        assert!(words(" '\"*%🥐 ").is_empty());
    }
}
