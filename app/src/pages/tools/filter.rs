//! Search and filters of the tools. The address holds them: `?q=&type=&state=&agent=&page=`.

use crate::{
    api::tools::{ListAgentNames, ListTools},
    components::{awaited, nothing, page_of},
    form::{Choice, QueryForm},
    load::{Question, load},
    location::{Address, use_location},
    texts::Texts,
};
use domain::{AgentRef, tool_words::ToolType};
use leptos::prelude::*;

impl Question for ListAgentNames {}

/// What the address asks for.
pub fn asked(address: &Address) -> ListTools {
    let text = |name| address.value(name).filter(|text| !text.trim().is_empty());
    ListTools {
        search: text("q"),
        kind: text("type").and_then(|name| ToolType::from_name(&name)),
        is_active: match text("state").as_deref() {
            Some("on") => Some(true),
            Some("off") => Some(false),
            _ => None,
        },
        agent: text("agent"),
        page: page_of(address),
    }
}

/// Filters at once while the page is alive, with its button otherwise.
pub fn form(t: Texts) -> AnyView {
    let agents = load(|| (0, ListAgentNames {}));
    let kinds: Vec<(String, String)> = ToolType::ALL
        .iter()
        .map(|kind| (kind.as_str().to_owned(), t.type_of_tool(*kind).to_owned()))
        .collect();
    let states =
        [("on", t.on()), ("off", t.off())].map(|(value, label)| (value.to_owned(), label.to_owned()));
    let agents = move || {
        let agents = agents.get()?.ok().filter(|agents| !agents.is_empty())?;
        let named = |agent: AgentRef| (agent.slug, agent.name);
        Some(select("agent", t.agent(), t.toolbox_agent_any(), agents.into_iter().map(named).collect()))
    };
    view! {
        <QueryForm path="/tools" class="toolbar" live=true>
            {search_box(t)}
            {select("type", t.tool_type(), t.toolbox_type_any(), kinds)}
            {select("state", t.state(), t.state_any(), states.into())}
            {awaited(nothing, agents)}
            <button type="submit" class="button only-without-scripts">{t.filter()}</button>
        </QueryForm>
    }
    .into_any()
}

pub fn search_box(t: Texts) -> AnyView {
    let location = use_location();
    let words = move |address: &Address| address.value("q").unwrap_or_default();
    view! {
        <input
            class="input toolbar-search"
            type="search"
            name="q"
            value=location.with_untracked(words)
            prop:value=move || location.with(words)
            placeholder=t.tools_search()
            aria-label=t.search()
            autocomplete="off"
        />
    }
    .into_any()
}

/// A choice that the address holds, under its own name.
pub fn select(
    name: &'static str,
    label: &'static str,
    any: &'static str,
    rest: Vec<(String, String)>,
) -> AnyView {
    let location = use_location();
    let now = move |address: &Address| address.value(name).unwrap_or_default();
    let chosen = location.with_untracked(now);
    let mut all = vec![Choice::new("", any, chosen.is_empty())];
    all.extend(rest.into_iter().map(|(value, label)| {
        let is_chosen = value == chosen;
        Choice::new(value, label, is_chosen)
    }));
    view! {
        <select class="select" name=name aria-label=label prop:value=move || location.with(now)>
            {Choice::options(all)}
        </select>
    }
    .into_any()
}
