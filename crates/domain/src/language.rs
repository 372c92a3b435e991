//! What a person sees: the language of the texts and the colours of the pages.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Language {
    #[default]
    #[serde(rename = "pt-BR")]
    PtBr,
    #[serde(rename = "en")]
    En,
}

impl Language {
    /// The tag for `<html lang>` and the cookie.
    pub fn tag(self) -> &'static str {
        match self {
            Self::PtBr => "pt-BR",
            Self::En => "en",
        }
    }

    pub fn from_tag(tag: &str) -> Option<Self> {
        let primary = tag.trim().split(['-', '_']).next()?.to_ascii_lowercase();
        match primary.as_str() {
            "pt" => Some(Self::PtBr),
            "en" => Some(Self::En),
            _ => None,
        }
    }

    /// The first language of an `Accept-Language` header that we speak; weights decide, then order.
    pub fn negotiate(accept_language: &str) -> Option<Self> {
        let mut best: Option<(Self, f32)> = None;
        for choice in accept_language.split(',') {
            let (tag, weight) = match choice.split_once(";q=") {
                Some((tag, q)) => (tag, q.trim().parse().unwrap_or(0.0)),
                None => (choice, 1.0),
            };
            if let Some(language) = Self::from_tag(tag)
                && weight > best.map_or(0.0, |(_, w)| w)
            {
                best = Some((language, weight));
            }
        }
        best.map(|(language, _)| language)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    /// As the operating system says.
    #[default]
    System,
    Light,
    Dark,
}

impl Theme {
    pub const ALL: [Self; 3] = [Self::System, Self::Light, Self::Dark];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|theme| theme.as_str() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_browser_s_wish_decides_by_weight() {
        assert_eq!(Language::negotiate("pt-PT,pt;q=0.9,en;q=0.8"), Some(Language::PtBr));
        assert_eq!(Language::negotiate("de,en-GB;q=0.7,pt;q=0.3"), Some(Language::En));
        assert_eq!(Language::negotiate("de, fr"), None);
        assert_eq!(Language::negotiate("en;q=oops"), None);
    }
}
