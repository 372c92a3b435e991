//! Search and filter of the tools. The address holds them: `?q=&category=&state=`.

use crate::{
    form::{Choice, QueryForm},
    texts::Texts,
};
use domain::global_tool::{GlobalToolOut, ToolCategory};
use leptos::prelude::*;
use leptos_router::params::ParamsMap;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    words: String,
    category: String,
    state: String,
}

impl Filter {
    pub fn from_query(query: &ParamsMap) -> Self {
        let read = |name| query.get_str(name).unwrap_or_default().to_owned();
        Self {
            words: read("q"),
            category: read("category"),
            state: read("state"),
        }
    }

    pub fn shows(&self, tool: &GlobalToolOut) -> bool {
        let state = if tool.enabled { "on" } else { "off" };
        (self.category.is_empty() || self.category == tool.category.as_str())
            && (self.state.is_empty() || self.state == state)
            && self.has_words(tool)
    }

    /// Every word has to be somewhere in what the row shows.
    fn has_words(&self, tool: &GlobalToolOut) -> bool {
        let text = format!("{} {} {}", tool.label, tool.tool_name, tool.description).to_lowercase();
        self.words
            .to_lowercase()
            .split_whitespace()
            .all(|word| text.contains(word))
    }
}

/// Filters at once while the page is alive, with its button otherwise.
pub fn form(t: Texts, filter: Filter) -> AnyView {
    let categories = [ToolCategory::User, ToolCategory::Kind, ToolCategory::System].map(|one| {
        Choice::new(
            one.as_str(),
            t.category_name(one),
            filter.category == one.as_str(),
        )
    });
    let states = [("on", t.on()), ("off", t.off())]
        .map(|(value, label)| Choice::new(value, label, filter.state == value));
    let with_any = |any: &'static str, rest: Vec<Choice>| {
        let is_chosen = rest.iter().all(|choice| !choice.is_chosen);
        let mut all = vec![Choice::new("", any, is_chosen)];
        all.extend(rest);
        Choice::options(all)
    };
    view! {
        <QueryForm path="/admin/tools" class="toolbar" live=true>
            <input
                class="input toolbar-search"
                type="search"
                name="q"
                value=filter.words
                placeholder=t.tools_search()
                aria-label=t.search()
                autocomplete="off"
            />
            <select class="select" name="category" aria-label=t.category()>
                {with_any(t.category_any(), categories.into())}
            </select>
            <select class="select" name="state" aria-label=t.state()>{with_any(t.state_any(), states.into())}</select>
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

    fn filter(words: &str, category: &str, state: &str) -> Filter {
        Filter {
            words: words.into(),
            category: category.into(),
            state: state.into(),
        }
    }

    #[test]
    fn an_empty_filter_shows_everything() {
        assert!(Filter::default().shows(&tool(true)));
        assert!(Filter::default().shows(&tool(false)));
    }

    #[test]
    fn every_word_and_every_choice_has_to_fit() {
        assert!(filter("FILM save_", "", "").shows(&tool(true)));
        assert!(!filter("film series", "", "").shows(&tool(true)));
        assert!(filter("", "user", "off").shows(&tool(false)));
        assert!(!filter("", "system", "").shows(&tool(true)));
        assert!(!filter("", "", "off").shows(&tool(true)));
    }
}
