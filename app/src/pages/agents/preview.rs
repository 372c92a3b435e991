//! Exactly what an agent sees now: the tools that a call of its would not be refused, in the words of its model.

use super::head::{agent_in, head, missing};
use crate::{
    api::agents::{PreviewAgent, PreviewOut},
    components::{awaited, code_block, copy_button, loading, page_title},
    live::use_live,
    load::{Question, load},
    location::{Address, use_location},
    texts::{Texts, texts},
};
use leptos::prelude::*;

impl Question for PreviewAgent {
    fn fields(&self) -> Option<Vec<(&'static str, String)>> {
        Some(vec![("agent", self.agent.clone()), ("format", self.format.clone())])
    }
}

fn format_in(address: &Address) -> String {
    address.value("format").unwrap_or_else(|| "openai".to_owned())
}

pub fn preview() -> AnyView {
    let t = texts();
    page_title(t.tab_preview());
    let (location, live) = (use_location(), use_live());
    let seen = load(move || {
        let question = PreviewAgent { agent: agent_in(location), format: location.with(format_in) };
        (live.tools() + live.data(), question)
    });
    let shown = move || {
        seen.get().map(|answer| match answer {
            Ok(seen) => seen_view(t, seen),
            Err(error) => missing(t, &error),
        })
    };
    awaited(loading, shown)
}

fn seen_view(t: Texts, seen: PreviewOut) -> AnyView {
    let chosen = use_location().with_untracked(format_in);
    let id = seen.agent.id.to_string();
    let link = |format: &'static str, label: &'static str| {
        let current = (chosen == format).then_some("true");
        view! { <a class="chip" href=format!("/agents/{id}/preview?format={format}") aria-current=current>{label}</a> }
            .into_any()
    };
    let (openai, anthropic, prompt) =
        (link("openai", "OpenAI"), link("anthropic", "Anthropic"), link("prompt", t.preview_prompt()));
    let button = copy_button(seen.text.clone());
    view! {
        {head(t, &seen.agent)}
        <p class="section-lead">{t.preview_lead()}</p>
        {later_view(t, seen.later)}
        <div class="block-head">
            <nav class="chips" aria-label=t.preview_format()>{openai}{anthropic}{prompt}</nav>
            {button}
        </div>
        <div class="preview">{code_block(&seen.text)}</div>
    }
    .into_any()
}

/// A tool that is missing for a minute is not to be a riddle.
fn later_view(t: Texts, later: Vec<String>) -> Option<AnyView> {
    let is_none = later.is_empty();
    let tools: Vec<_> = later.into_iter().map(|tool| view! { <li>{tool}</li> }.into_any()).collect();
    let says =
        || view! { <div class="alert"><p>{t.preview_later()}</p><ul class="alert-list">{tools}</ul></div> };
    (!is_none).then(|| says().into_any())
}
