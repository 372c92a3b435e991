//! Language and colours of this page: constant while it lives, because a change of either loads it anew.

use domain::{Language, Theme};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Preferences {
    pub language: Language,
    pub theme: Theme,
}

impl Preferences {
    /// On the server, what the request carries; the server provides it as context.
    #[cfg(feature = "ssr")]
    pub fn current() -> Self {
        leptos::prelude::use_context().unwrap_or_default()
    }

    /// In the browser, what the server wrote on `<html>`.
    #[cfg(not(feature = "ssr"))]
    pub fn current() -> Self {
        let read = crate::browser::root_attribute;
        Self {
            language: read("lang").and_then(|tag| Language::from_tag(&tag)).unwrap_or_default(),
            theme: read("data-theme").and_then(|name| Theme::from_name(&name)).unwrap_or_default(),
        }
    }
}
