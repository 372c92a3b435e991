//! Search and filters of the tools. The address holds them: `?q=&type=&state=&agent=&page=`.

use crate::{
    api::tools::{ListAgentNames, ListTools},
    components::{awaited, nothing, page_of},
    form::{QueryForm, filter_select, search_input},
    load::{Question, load},
    location::Address,
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
        Some(filter_select(
            "agent",
            t.agent(),
            t.toolbox_agent_any(),
            agents.into_iter().map(named).collect(),
        ))
    };
    view! {
        <QueryForm path="/tools" class="toolbar" live=true>
            {search_input("q", t.search(), t.tools_search())}
            {filter_select("type", t.tool_type(), t.toolbox_type_any(), kinds)}
            {filter_select("state", t.state(), t.state_any(), states.into())}
            {awaited(nothing, agents)}
            <button type="submit" class="button only-without-scripts">{t.filter()}</button>
        </QueryForm>
    }
    .into_any()
}
