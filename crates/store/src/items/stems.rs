//! One and many are the same word: "filmes" is found by "filme", "ação" by "ações". PostgreSQL stems by itself, and
//! better; SQLite does not, so the likely singular stands beside each word, in the index and in the question.

use crate::crm::fold::fold;

/// Folded words, with the singulars behind them, and nothing between them: PostgreSQL would take an address or a path for
/// one word.
pub fn indexed(text: &str) -> String {
    let text = fold(text);
    let plain = words(&text).map(str::to_owned);
    plain.chain(words(&text).flat_map(singulars)).collect::<Vec<_>>().join(" ")
}

pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// What the word may be the plural of, in Portuguese or English.
pub fn singulars(word: &str) -> Vec<String> {
    let Some(bare) = word.strip_suffix('s').filter(|_| word.len() > 3) else { return Vec::new() };
    let irregular = [("oes", "ao"), ("aes", "ao"), ("ais", "al"), ("eis", "el"), ("ois", "ol"), ("ns", "m")];
    let changed = irregular.iter().find_map(|(many, one)| Some(format!("{}{one}", word.strip_suffix(many)?)));
    let short = ["res", "zes", "ses"].iter().any(|end| word.ends_with(end));
    let short = word.strip_suffix("es").filter(|_| short).map(str::to_owned);
    [Some(bare.to_owned()), changed, short].into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g14_many_lead_to_one() {
        for (many, one) in [
            ("filmes", "filme"),
            ("acoes", "acao"),
            ("animais", "animal"),
            ("flores", "flor"),
            ("padres", "padre"),
            ("imagens", "imagem"),
            ("films", "film"),
        ] {
            assert!(singulars(many).contains(&one.to_owned()), "{many}: {:?}", singulars(many));
        }
        assert!(singulars("mes").is_empty() && singulars("pao").is_empty());
        assert_eq!(indexed("Ações, já"), "acoes ja acoe acao");
        assert_eq!(indexed("https://example.org/pão?a=1"), "https example org pao a 1 http");
    }
}
