//! The definition of a tool for those who may read it and not change it.

use crate::{api::tools::fields::ToolFields, components::code_block, texts::Texts};
use leptos::prelude::*;

pub fn facts(t: Texts, fields: ToolFields) -> AnyView {
    let yes = |is: bool| Some(if is { t.yes() } else { t.no() }.to_owned());
    let of_code = fields.code.is_some();
    let rate = fields
        .rate_limit
        .filter(|limit| !limit.is_empty())
        .map(|limit| t.rate_in_short(&limit, fields.rate_window.as_deref().unwrap_or_default()));
    let method = fields.webhook_method.filter(|_| fields.webhook_url.is_some());
    let lines: Vec<AnyView> = [
        (t.webhook_url(), fields.webhook_url),
        (t.webhook_method(), method.map(|method| method.as_str().to_owned())),
        (t.webhook_headers(), fields.webhook_headers),
        (t.effect(), fields.effect.map(|effect| t.tool_effect(effect).to_owned())),
        (t.requires_confirmation(), yes(fields.requires_confirmation)),
        (t.requires_second_person(), yes(fields.requires_second_person)),
        (t.repeat(), fields.idempotent.and_then(yes)),
        (t.tool_timeout(), fields.timeout_ms),
        (t.tool_output(), fields.max_output_bytes),
        (t.tool_rate_limit(), rate),
        (t.tool_memory(), fields.memory_mb.filter(|_| of_code)),
        (t.tool_hosts(), fields.fetch_hosts.filter(|_| of_code)),
        (t.tool_secrets(), fields.secret_names.filter(|_| of_code)),
    ]
    .into_iter()
    .filter_map(|(label, value)| Some(fact(label, value.filter(|value| !value.is_empty())?)))
    .collect();
    let code = fields.code.map(|code| block(t.tool_code(), &code));
    view! {
        <section class="section" aria-labelledby="definition">
            <header class="section-header"><h2 id="definition">{t.tab_definition()}</h2></header>
            <div class="card"><dl class="facts">{lines}</dl></div>
        </section>
        {code}
        {block(t.tool_schema(), fields.parameters.as_deref().unwrap_or_default())}
    }
    .into_any()
}

fn fact(label: &'static str, value: String) -> AnyView {
    view! { <dt>{label}</dt><dd class="lines">{value}</dd> }.into_any()
}

fn block(title: &'static str, text: &str) -> AnyView {
    view! {
        <section class="section">
            <header class="section-header"><h2>{title}</h2></header>
            {code_block(text)}
        </section>
    }
    .into_any()
}
