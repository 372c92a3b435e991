//! The form of a tool, new or old: what it is, what it takes, how it runs, how carefully.

use super::{editor::code_editor, params::params_editor};
use crate::{
    api::tools::fields::{Param, ToolFields},
    form::{Choice, Group},
    texts::Texts,
};
use domain::{
    ToolEffect,
    tool_words::{ExecutionType, ToolType, WebhookMethod},
};
use leptos::prelude::*;

/// Every part that this kind of tool has. The product's own tools are what they are: only care is theirs to set. `hints`
/// says what the limits may be.
pub fn tool_parts(
    t: Texts,
    group: Group,
    fields: ToolFields,
    params: Vec<Param>,
    hints: Vec<String>,
) -> AnyView {
    let care = section("care", t.tool_care(), t.tool_care_lead(), care(t, group, &fields));
    if fields.execution_type == Some(ExecutionType::Internal) {
        return view! { {care} {section("limits", t.tool_limits(), "", rate(t, group, &fields))} }.into_any();
    }
    let is_code = fields.execution_type == Some(ExecutionType::Code);
    let run = if is_code { code(t, group, &fields) } else { webhook(t, group, &fields) };
    let limits = limits(t, group, &fields, is_code, hints);
    let basics = basics(t, group, &fields);
    let parameters = params_editor(t, group, fields.parameters, params);
    let lead = if is_code { t.tool_code_lead() } else { t.webhook_lead() };
    view! {
        {section("basics", t.tool_basics(), t.tool_basics_lead(), basics)}
        {section("parameters", t.tool_parameters(), t.tool_parameters_lead(), parameters)}
        {section("run", if is_code { t.tool_code() } else { t.webhook() }, lead, run)}
        {care}
        {section("limits", t.tool_limits(), t.tool_limits_lead(), limits)}
    }
    .into_any()
}

fn section(id: &'static str, title: &'static str, lead: &'static str, body: AnyView) -> AnyView {
    view! {
        <section class="section" aria-labelledby=id>
            <header class="section-header">
                <h2 id=id>{title}</h2>
                <p class="section-lead">{lead}</p>
            </header>
            <div class="card">{body}</div>
        </section>
    }
    .into_any()
}

fn basics(t: Texts, group: Group, fields: &ToolFields) -> AnyView {
    let types = ToolType::ALL
        .iter()
        .map(|kind| Choice::new(kind.as_str(), t.type_of_tool(*kind), fields.r#type == Some(*kind)))
        .collect();
    view! {
        <div class="form form-columns">
            {group.line("display_name", t.tool_display_name(), t.tool_display_name_hint(), fields.display_name.clone())}
            {group.line("name", t.tool_name(), t.tool_name_hint(), fields.name.clone())}
            <div class="form-wide">
                {group.area("description", t.description(), t.tool_description_hint(), "3", fields.description.clone())}
            </div>
            {group.select("type", t.tool_type(), t.tool_type_hint(), types)}
            {group.line("note", t.tool_note(), t.tool_note_hint(), fields.note.clone())}
        </div>
    }
    .into_any()
}

fn webhook(t: Texts, group: Group, fields: &ToolFields) -> AnyView {
    let methods = WebhookMethod::ALL
        .iter()
        .map(|one| Choice::new(one.as_str(), one.as_str(), fields.webhook_method == Some(*one)))
        .collect();
    view! {
        <div class="form form-columns">
            {group.line("webhook_url", t.webhook_url(), t.webhook_url_hint(), fields.webhook_url.clone())}
            {group.select("webhook_method", t.webhook_method(), t.webhook_method_hint(), methods)}
            <div class="form-wide" data-secret="">
                {group.area("webhook_headers", t.webhook_headers(), t.webhook_headers_hint(), "3", fields.webhook_headers.clone())}
            </div>
        </div>
    }
    .into_any()
}

fn code(t: Texts, group: Group, fields: &ToolFields) -> AnyView {
    view! {
        <div class="form form-columns">
            <div class="form-wide">{code_editor(t, group, fields.code.clone())}</div>
            {group.area("fetch_hosts", t.tool_hosts(), t.tool_hosts_hint(), "3", fields.fetch_hosts.clone())}
            {group.area("secret_names", t.tool_secrets(), t.tool_secrets_hint(), "3", fields.secret_names.clone())}
        </div>
    }
    .into_any()
}

fn care(t: Texts, group: Group, fields: &ToolFields) -> AnyView {
    let is_own = fields.execution_type != Some(ExecutionType::Internal);
    let effects = ToolEffect::ALL
        .map(|effect| Choice::new(effect.as_str(), t.tool_effect(effect), fields.effect == Some(effect)));
    let repeat = [("false", t.repeat_no()), ("true", t.repeat_yes())].map(|(value, label)| {
        Choice::new(value, label, fields.idempotent.unwrap_or(false).to_string() == value)
    });
    let own = is_own.then(|| {
        view! {
            {group.select("effect", t.effect(), t.effect_hint(), effects.into())}
            {group.select("idempotent", t.repeat(), t.repeat_hint(), repeat.into())}
        }
    });
    let (asks, second) = (fields.requires_confirmation, fields.requires_second_person);
    view! {
        <div class="form form-columns">
            {own}
            {group.check("requires_confirmation", t.requires_confirmation(), t.requires_confirmation_hint(), asks)}
            {group.check("requires_second_person", t.requires_second_person(), t.requires_second_person_hint(), second)}
        </div>
    }
    .into_any()
}

fn rate(t: Texts, group: Group, fields: &ToolFields) -> AnyView {
    view! {
        <div class="form form-columns">
            {group.number("rate_limit", t.tool_rate_limit(), t.tool_rate_limit_hint(), fields.rate_limit.clone())}
            {group.number("rate_window", t.tool_rate_window(), "", fields.rate_window.clone())}
        </div>
    }
    .into_any()
}

fn limits(t: Texts, group: Group, fields: &ToolFields, is_code: bool, hints: Vec<String>) -> AnyView {
    let [time, output, memory, fetches] = <[String; 4]>::try_from(hints).unwrap_or_default();
    let of_code = is_code.then(|| {
        view! {
            {group.number("memory_mb", t.tool_memory(), memory, fields.memory_mb.clone())}
            {group.number("max_fetches", t.tool_fetches(), fetches, fields.max_fetches.clone())}
        }
    });
    view! {
        <div class="form form-columns">
            {group.number("timeout_ms", t.tool_timeout(), time, fields.timeout_ms.clone())}
            {group.number("max_output_bytes", t.tool_output(), output, fields.max_output_bytes.clone())}
            {group.number("rate_limit", t.tool_rate_limit(), t.tool_rate_limit_hint(), fields.rate_limit.clone())}
            {group.number("rate_window", t.tool_rate_window(), "", fields.rate_window.clone())}
            {of_code}
        </div>
    }
    .into_any()
}
