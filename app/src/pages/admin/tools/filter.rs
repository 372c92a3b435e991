//! Search and filter of the tools. The address holds them: `?q=&category=&state=`.

use crate::{
    browser,
    form::{QueryForm, filter_select, search_input},
    location::{Address, Location, use_location},
    texts::Texts,
};
use domain::global_tool::{GlobalToolOut, ToolCategory};
use leptos::prelude::*;

/// The filter in the address of the page, followed as it changes.
#[derive(Clone, Copy)]
pub struct Filter(Location);

impl Filter {
    pub fn of_page() -> Self {
        Self(use_location())
    }

    pub fn shows(self, tool: &GlobalToolOut) -> bool {
        self.0.with(|address| Wish::of(address).fits(tool))
    }

    pub fn count(self, tools: &[GlobalToolOut]) -> usize {
        self.0.with(|address| {
            let wish = Wish::of(address);
            tools.iter().filter(|tool| wish.fits(tool)).count()
        })
    }
}

#[derive(Default)]
struct Wish {
    words: String,
    category: String,
    state: String,
}

impl Wish {
    fn of(address: &Address) -> Self {
        let read = |name| address.value(name).unwrap_or_default();
        Self { words: read("q"), category: read("category"), state: read("state") }
    }

    fn fits(&self, tool: &GlobalToolOut) -> bool {
        let state = if tool.enabled { "on" } else { "off" };
        (self.category.is_empty() || self.category == tool.category.as_str())
            && (self.state.is_empty() || self.state == state)
            && self.has_words(tool)
    }

    /// Every word has to be somewhere in what the row shows.
    fn has_words(&self, tool: &GlobalToolOut) -> bool {
        let text = browser::lower_case(&format!("{} {} {}", tool.label, tool.tool_name, tool.description));
        browser::lower_case(&self.words).split_whitespace().all(|word| text.contains(word))
    }
}

/// Filters at once while the page is alive, with its button otherwise.
pub fn form(t: Texts) -> AnyView {
    let categories = [ToolCategory::User, ToolCategory::Kind, ToolCategory::System]
        .map(|one| (one.as_str().to_owned(), t.category_name(one).to_owned()));
    let states =
        [("on", t.on()), ("off", t.off())].map(|(value, label)| (value.to_owned(), label.to_owned()));
    view! {
        <QueryForm path="/admin/tools" class="toolbar" live=true>
            {search_input("q", t.search(), t.tools_search())}
            {filter_select("category", t.category(), t.category_any(), categories.into())}
            {filter_select("state", t.state(), t.state_any(), states.into())}
            <button type="submit" class="button only-without-scripts">{t.filter()}</button>
        </QueryForm>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(enabled: bool) -> GlobalToolOut {
        let json = format!(
            r#"{{"tool_name":"save_movie","category":"user","label":"Save Film","icon":"","description":"Keeps a film",
            "requires_auth":true,"admin_only":false,"enabled":{enabled},"version":1,"last_change":null,
            "updated_at":"2026-11-16T12:30:00Z"}}"#
        );
        leptos::serde_json::from_str(&json).unwrap()
    }

    fn wish(words: &str, category: &str, state: &str) -> Wish {
        Wish { words: words.into(), category: category.into(), state: state.into() }
    }

    #[test]
    fn an_empty_filter_shows_everything() {
        assert!(Wish::default().fits(&tool(true)));
        assert!(Wish::default().fits(&tool(false)));
    }

    #[test]
    fn every_word_and_every_choice_has_to_fit() {
        assert!(wish("FILM save_", "", "").fits(&tool(true)));
        assert!(!wish("film series", "", "").fits(&tool(true)));
        assert!(wish("", "user", "off").fits(&tool(false)));
        assert!(!wish("", "system", "").fits(&tool(true)));
        assert!(!wish("", "", "off").fits(&tool(true)));
    }
}
