//! Every text that a person reads, once, with both languages side by side.
//!
//! A catalogue of our own instead of a library: the language is fixed while a page lives, so a text is a method
//! that picks one of two literals. A missing translation does not compile, and wasm pays for nothing else.

/// `name: "English" | "Português",` is a text; `name(a, b): "… {a} …" | "… {a} …",` one with parts to fill in.
macro_rules! texts {
    (@text $name:ident, $en:literal, $pt:literal) => {
        pub fn $name(self) -> &'static str {
            self.pick($en, $pt)
        }
    };
    (@text $name:ident ($($part:ident),+), $en:literal, $pt:literal) => {
        pub fn $name(self, $($part: &str),+) -> String {
            match self.language {
                domain::Language::En => format!($en),
                domain::Language::PtBr => format!($pt),
            }
        }
    };
    ($($name:ident $(($($part:ident),+))? : $en:literal | $pt:literal),+ $(,)?) => {
        impl $crate::texts::Texts {
            $(texts!(@text $name $(($($part),+))?, $en, $pt);)+
        }
    };
}

/// One text for every variant of an enum: a new variant does not compile without both languages.
macro_rules! texts_for {
    ($name:ident($kind:ty) { $($variant:pat => $en:literal | $pt:literal),+ $(,)? }) => {
        impl $crate::texts::Texts {
            pub fn $name(self, value: $kind) -> &'static str {
                match value {
                    $($variant => self.pick($en, $pt),)+
                }
            }
        }
    };
}

// After the macros, so that each file sees them.
mod admin;
mod agents;
mod analytics;
mod audit;
#[cfg(feature = "ssr")]
mod audit_words;
#[cfg(feature = "ssr")]
mod breaking;
#[cfg(feature = "ssr")]
mod built_in;
mod common;
mod confirmations;
mod crm;
#[cfg(feature = "ssr")]
mod crm_words;
mod entry;
mod errors;
mod executions;
#[cfg(feature = "ssr")]
mod forms;
mod own;
mod palette;
#[cfg(feature = "ssr")]
mod recorded;
mod rights;
#[cfg(feature = "ssr")]
mod server;
mod settings;
mod toolbox;
#[cfg(feature = "ssr")]
mod unfit;
mod workspace;

pub use common::own_name;

use crate::preferences::Preferences;
use domain::Language;

/// The catalogue in the language of this page.
#[derive(Clone, Copy)]
pub struct Texts {
    language: Language,
}

/// The texts of this page: call it where a component starts, and keep the copy.
pub fn texts() -> Texts {
    Texts { language: Preferences::current().language }
}

impl Texts {
    /// For a text that the server writes.
    #[cfg(feature = "ssr")]
    pub fn of(language: Language) -> Self {
        Self { language }
    }

    pub fn language(self) -> Language {
        self.language
    }

    fn pick(self, en: &'static str, pt: &'static str) -> &'static str {
        match self.language {
            Language::En => en,
            Language::PtBr => pt,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_language_has_its_own_words() {
        let (en, pt) = (Texts { language: Language::En }, Texts { language: Language::PtBr });
        assert_eq!(en.sign_in(), "Sign in");
        assert_eq!(pt.sign_in(), "Entrar");
        assert_eq!(en.greeting("Ana"), "Hello, Ana");
        assert_eq!(pt.greeting("Ana"), "Olá, Ana");
    }

    /// Where a number stands decides whether one needs words of its own.
    #[test]
    fn one_is_told_as_well_as_many() {
        let (en, pt) = (Texts { language: Language::En }, Texts { language: Language::PtBr });
        assert_eq!(en.audit_holds("1"), "The chain holds. Entries checked: 1.");
        assert_eq!(pt.audit_calls("1"), "Chamadas do histórico que conferem com ela: 1.");
        assert_eq!(en.home_calls_value("1"), "Calls: 1");
        assert_eq!(pt.minutes_left("1"), "expira em 1 min");
        assert_eq!(en.rate_in_short("1", "60"), "1 in 60 s");
        assert_eq!(pt.shown_of("1", "14"), "Exibidas: 1 de 14");
    }

    #[test]
    fn thousands_stand_apart() {
        let (en, pt) = (Texts { language: Language::En }, Texts { language: Language::PtBr });
        for (number, text) in
            [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567"), (-1_000, "-1,000")]
        {
            assert_eq!(en.count(number), text);
        }
        assert_eq!(pt.count(10_000), "10.000");
    }
}
