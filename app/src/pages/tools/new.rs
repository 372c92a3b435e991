//! A new tool: first how it runs, then everything about it.

use super::form::tool_parts;
use crate::{
    api::{
        session::ShownSecret,
        tools::{
            edit::{CreateTool, GetToolDraft, ToolDraft, ToolMade},
            fields::ToolFields,
        },
    },
    components::{loaded, page_header, shown_secret, use_notices},
    form::{Answer, DraftForm, Group, Post, error_summary, submit_button},
    load::{Question, load},
    location::use_location,
    texts::{Texts, texts},
};
use domain::{
    ToolEffect,
    tool_words::{ExecutionType, ToolType, WebhookMethod},
};
use leptos::prelude::*;
use std::sync::Arc;

const SCHEMA: &str = "{\n  \"type\": \"object\",\n  \"properties\": {}\n}";
const CODE: &str = "export default async function (params, ctx) {\n  ctx.log(\"params\", params);\n  return { ok: true };\n}\n";

pub fn new_tool() -> AnyView {
    let t = texts();
    let location = use_location();
    let draft = load(|| (0, GetToolDraft {}));
    let kind = Memo::new(move |_| location.with(|address| address.value("kind")));
    let form = move |kind| loaded(draft, move |draft| new_form(t, kind, draft));
    let body = move || match kind.get().as_deref() {
        Some("webhook") => form(ExecutionType::Webhook),
        Some("code") => form(ExecutionType::Code),
        _ => kinds(t),
    };
    view! {
        <p class="trail"><a href="/tools">{t.toolbox_title()}</a></p>
        {page_header(t.toolbox_new(), t.tool_new_lead())}
        {body}
    }
    .into_any()
}

fn kinds(t: Texts) -> AnyView {
    let kind = |href: &'static str, title: &'static str, lead: &'static str| {
        view! {
            <li>
                <a class="shortcut" href=href>
                    <span>
                        <span class="shortcut-label">{title}</span>
                        <span class="shortcut-lead">{lead}</span>
                    </span>
                </a>
            </li>
        }
        .into_any()
    };
    view! {
        <ul class="shortcuts">
            {kind("/tools/new?kind=webhook", t.webhook(), t.webhook_lead())}
            {kind("/tools/new?kind=code", t.tool_code(), t.tool_code_lead())}
        </ul>
    }
    .into_any()
}

fn start(kind: ExecutionType) -> ToolFields {
    let is_code = kind == ExecutionType::Code;
    ToolFields {
        execution_type: Some(kind),
        r#type: Some(if is_code { ToolType::Function } else { ToolType::Webhook }),
        parameters: Some(SCHEMA.to_owned()),
        webhook_method: Some(WebhookMethod::Post),
        code: is_code.then(|| CODE.to_owned()),
        effect: Some(ToolEffect::Write),
        ..ToolFields::default()
    }
}

impl Question for GetToolDraft {}

fn new_form(t: Texts, kind: ExecutionType, draft: ToolDraft) -> AnyView {
    let limits = if kind == ExecutionType::Code { draft.code_limits } else { draft.webhook_limits };
    let fields = draft.fields.filter(|fields| fields.execution_type == Some(kind));
    let (fields, params) = fields.map_or_else(|| (start(kind), Vec::new()), |fields| (fields, draft.params));
    let post = Post::to::<CreateTool>();
    let group = Group { post, prefix: "tool" };
    let made = RwSignal::new(None::<ToolMade>);
    let (location, notices) = (use_location(), use_notices());
    let done = move |answer: Answer| {
        let Some(tool) = answer.read::<ToolMade>() else { return };
        notices.done(t.tool_made());
        if tool.secret.is_some() {
            made.set(Some(tool));
        } else {
            location.go(&format!("/tools/{}", tool.id), false);
        }
    };
    let told = move || made.get().map(|tool| told_once(t, tool));
    view! {
        {told}
        <div hidden=move || made.with(Option::is_some)>
            {error_summary(post)}
            <DraftForm post=post class="tool-form" on_done=Arc::new(done)>
                <input type="hidden" name=group.name("execution_type") value=kind.as_str()/>
                {tool_parts(t, group, fields, params, limits)}
                <div class="form-actions form-end">
                    {submit_button(post, "button button-primary", t.tool_make())}
                    <a class="button" href="/tools" data-cancel="">{t.cancel()}</a>
                </div>
            </DraftForm>
        </div>
    }
    .into_any()
}

/// The secret is here and nowhere else: the person goes on when they have it.
fn told_once(t: Texts, tool: ToolMade) -> AnyView {
    let secret = tool.secret.map(|secret| ShownSecret { name: t.webhook().to_owned(), secret });
    view! {
        {secret.map(shown_secret)}
        <p><a class="button button-primary" href=format!("/tools/{}", tool.id)>{t.tool_open()}</a></p>
    }
    .into_any()
}
