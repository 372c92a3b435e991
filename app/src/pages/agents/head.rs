//! What stands at the top of every page of one agent.

use super::state;
use crate::{
    api::{ApiError, agents::AgentRow},
    components::{badge, heading, load_error},
    location::{Location, use_location},
    pages::tools::no_organisation,
    texts::Texts,
};
use domain::ErrorCode;
use leptos::prelude::*;

/// The id or slug in the address of an agent's pages.
pub fn agent_in(location: Location) -> String {
    location.with(|address| address.part(1))
}

pub fn head(t: Texts, agent: &AgentRow) -> AnyView {
    view! {
        {trail(t)}
        {heading(agent.name.clone(), agent.description.clone())}
        <p class="badges tool-badges">
            <code>{agent.slug.clone()}</code>
            {badge("quiet", t.confirmation_mode(agent.mode))}
            {badge("quiet", t.tools_in_short(&t.count(agent.tools)))}
            {state(t, agent.is_active)}
        </p>
        {tabs(t, &agent.id.to_string())}
    }
    .into_any()
}

pub fn trail(t: Texts) -> AnyView {
    view! { <p class="trail"><a href="/agents">{t.agents_title()}</a></p> }.into_any()
}

/// In place of an agent that is not there, or not for this person.
pub fn missing(t: Texts, error: &ApiError) -> AnyView {
    let why = match error.code() {
        ErrorCode::TenantRequired => no_organisation(t),
        _ => load_error(error),
    };
    view! { {trail(t)} {heading(t.agent(), "")} {why} }.into_any()
}

pub fn tabs(t: Texts, id: &str) -> AnyView {
    let here = use_location().with_untracked(|address| address.part(2));
    let link = |part: &'static str, label: &'static str| {
        let href = if part.is_empty() { format!("/agents/{id}") } else { format!("/agents/{id}/{part}") };
        view! { <a class="tab" href=href aria-current=(here == part).then_some("page")>{label}</a> }
            .into_any()
    };
    view! {
        <nav class="tabs" aria-label=t.agent_pages()>
            {link("", t.tab_settings())}
            {link("tools", t.agent_tools())}
            {link("preview", t.tab_preview())}
        </nav>
    }
    .into_any()
}
