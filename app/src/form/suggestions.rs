//! What a field offers while somebody types into it. The browser's own list: it needs no scripts.

use super::Choice;
use crate::{
    api::{
        described::ChoiceOut,
        suggestions::{SuggestNames, SuggestionsOut},
    },
    components::{awaited, nothing},
    load::{Loaded, Question},
};
use leptos::prelude::*;

impl Question for SuggestNames {}

/// For the attribute `list` of a field that names a tool.
pub const TOOL_NAMES: &str = "tool-names";
/// For that of one that names an agent.
pub const AGENT_NAMES: &str = "agent-names";

/// The names of tools and agents. Without an answer the fields are only typed into.
pub fn suggested_names(names: Loaded<SuggestionsOut>) -> AnyView {
    awaited(nothing, move || {
        let SuggestionsOut { tools, agents } = names.get()?.ok()?;
        Some(view! { {suggestions(TOOL_NAMES, tools)} {suggestions(AGENT_NAMES, agents)} }.into_any())
    })
}

pub fn suggestions(id: &'static str, names: Vec<ChoiceOut>) -> AnyView {
    let choices = names.into_iter().map(|one| Choice::new(one.value, one.label, false)).collect();
    view! { <datalist id=id>{Choice::options(choices)}</datalist> }.into_any()
}
