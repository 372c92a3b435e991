//! A tool as models and agents see it, and what cannot be taken back.

use super::tool::Known;
use crate::{
    api::{
        session::ShownSecret,
        tools::edit::{DeleteTool, RotateToolSecret, ToolMade, ToolUse},
    },
    components::{Can, Confirm, code_block, copy_button, use_notices},
    form::{Again, Answer, Done, Post, error_summary},
    location::use_location,
    texts::Texts,
};
use ability::{Action, Subject};
use domain::{AgentRef, tool_words::ExecutionType};
use leptos::prelude::*;
use std::sync::Arc;

pub fn model_view(t: Texts, now: ToolUse) -> AnyView {
    view! {
        <section class="section" aria-labelledby="for-models">
            <header class="section-header">
                <h2 id="for-models">{t.for_models()}</h2>
                <p class="section-lead">{t.for_models_lead()}</p>
            </header>
            <div class="columns">
                {definition("OpenAI", now.openai)}
                {definition("Anthropic", now.anthropic)}
            </div>
        </section>
    }
    .into_any()
}

fn definition(title: &'static str, text: String) -> AnyView {
    let button = copy_button(text.clone());
    view! {
        <div class="block">
            <div class="block-head"><h3>{title}</h3>{button}</div>
            {code_block(&text)}
        </div>
    }
    .into_any()
}

/// Who uses it; for those who may see agents.
pub fn users(t: Texts, now: ToolUse) -> AnyView {
    let agents = StoredValue::new(now.agents);
    view! {
        <Can action=Action::Read subject=Subject::Agent>
            <section class="section" aria-labelledby="used-by">
                <header class="section-header"><h2 id="used-by">{t.used_by()}</h2></header>
                {agent_links(t, agents.get_value())}
            </section>
        </Can>
    }
    .into_any()
}

fn agent_links(t: Texts, agents: Vec<AgentRef>) -> AnyView {
    if agents.is_empty() {
        return view! { <p class="section-lead">{t.used_by_nobody()}</p> }.into_any();
    }
    let link = |agent: AgentRef| {
        view! { <li><a class="chip" href=format!("/agents/{}", agent.id)>{agent.name}</a></li> }.into_any()
    };
    let links: Vec<AnyView> = agents.into_iter().map(link).collect();
    view! { <ul class="chips">{links}</ul> }.into_any()
}

pub fn danger(t: Texts, known: Known, now: ToolUse, again: Again) -> AnyView {
    let now = StoredValue::new((now, again));
    view! {
        <Can action=Action::Delete subject=Subject::ToolManagement>
            {now.with_value(|(now, again)| actions(t, known, now, again))}
        </Can>
    }
    .into_any()
}

fn actions(t: Texts, known: Known, now: &ToolUse, again: &Again) -> AnyView {
    let is_webhook = now.tool.execution_type == ExecutionType::Webhook;
    let rotate = is_webhook.then(|| rotation(t, known, now, again));
    let remove = (!now.tool.is_system).then(|| deletion(t, now));
    if rotate.is_none() && remove.is_none() {
        return ().into_any();
    }
    view! {
        <section class="section" aria-labelledby="danger">
            <header class="section-header"><h2 id="danger">{t.tool_danger()}</h2></header>
            <div class="card actions">{rotate}{remove}</div>
        </section>
    }
    .into_any()
}

fn rotation(t: Texts, known: Known, now: &ToolUse, again: &Again) -> AnyView {
    let post = Post::to::<RotateToolSecret>();
    let (id, again, notices) = (now.tool.id.to_string(), again.clone(), use_notices());
    let (of, name) = (id.clone(), now.tool.display_name.clone());
    let done: Done = Arc::new(move |answer: Answer| {
        let Some(made) = answer.read::<ToolMade>() else { return };
        known.saved.set(Some((of.clone(), made.version)));
        let shown = |secret| ShownSecret { name: name.clone(), secret };
        known.secret.set(made.secret.map(shown));
        notices.done(t.secret_rotated());
        again();
    });
    view! {
        {error_summary(post)}
        <div class="action">
            <p>{t.secret_rotate_lead()}</p>
            <Confirm
                id="rotate-secret".to_owned()
                post=post
                ask=t.secret_rotate()
                act=t.secret_rotate()
                about=now.tool.display_name.clone()
                title=t.secret_rotate_title(&now.tool.display_name)
                lead=t.secret_rotate_lead()
                is_dangerous=false
                on_done=done
            >
                <input type="hidden" name="tool_id" value=id/>
            </Confirm>
        </div>
    }
    .into_any()
}

/// With its warning: who loses it is named in the question.
fn deletion(t: Texts, now: &ToolUse) -> AnyView {
    let post = Post::to::<DeleteTool>();
    let (id, name) = (now.tool.id.to_string(), now.tool.display_name.clone());
    let (location, notices, deleted) = (use_location(), use_notices(), t.tool_deleted(&name));
    let done: Done = Arc::new(move |_| {
        notices.done(deleted.clone());
        location.go("/tools", false);
    });
    let is_used = now.tool.agents > 0;
    let agents: Vec<AnyView> =
        now.agents.iter().map(|agent| view! { <li>{agent.name.clone()}</li> }.into_any()).collect();
    let warning = is_used.then(|| {
        view! {
            <div class="alert alert-danger">
                <p><strong>{t.tool_delete_used(&t.count(now.tool.agents))}</strong></p>
                <ul class="alert-list">{agents}</ul>
            </div>
        }
        .into_any()
    });
    view! {
        {error_summary(post)}
        <div class="action">
            <p>{t.tool_delete_lead()}</p>
            <Confirm
                id="delete-tool".to_owned()
                post=post
                ask=t.delete()
                act=t.delete()
                about=name.clone()
                title=t.tool_delete_title(&name)
                lead=t.tool_delete_lead()
                on_done=done
            >
                {warning}
                <input type="hidden" name="tool_id" value=id/>
                <input type="hidden" name="force" value=is_used.to_string()/>
            </Confirm>
        </div>
    }
    .into_any()
}
