//! One agent: its settings to read or to change, and the way to delete it.

use super::{
    form::agent_parts,
    head::{agent_in, head, missing},
};
use crate::{
    api::agents::{AgentDetail, AgentRow, DeleteAgent, GetAgent, UpdateAgent},
    components::{Confirm, awaited, code_block, loading, page_title, use_notices},
    form::{Answer, Done, DraftForm, Group, Post, conflict, error_summary, not_a_conflict, submit_button},
    load::{Question, load},
    location::use_location,
    session::use_session,
    texts::{Texts, texts},
};
use ability::{Action, Subject};
use leptos::prelude::*;
use std::sync::Arc;

impl Question for GetAgent {
    fn fields(&self) -> Option<Vec<(&'static str, String)>> {
        Some(vec![("agent", self.agent.clone())])
    }
}

pub fn agent() -> AnyView {
    let t = texts();
    page_title(t.agent());
    let location = use_location();
    // Asked once: what somebody is typing is not replaced by news.
    let detail = load(move || (0, GetAgent { agent: agent_in(location) }));
    let saved = RwSignal::new(0);
    let shown = move || {
        detail.get().map(|answer| match answer {
            Ok(detail) => settings(t, detail, saved),
            Err(error) => missing(t, &error),
        })
    };
    awaited(loading, shown)
}

fn settings(t: Texts, detail: AgentDetail, saved: RwSignal<i64>) -> AnyView {
    let head = head(t, &detail.agent);
    if !use_session().can(Action::Manage, Subject::Agent) {
        let persona = code_block(&detail.fields.persona);
        return view! {
            {head}
            <section class="section" aria-labelledby="persona">
                <header class="section-header"><h2 id="persona">{t.agent_persona()}</h2></header>
                {persona}
            </section>
        }
        .into_any();
    }
    let deletion = deletion(t, &detail.agent);
    view! { {head} {edit_form(t, detail, saved)} {deletion} }.into_any()
}

fn edit_form(t: Texts, detail: AgentDetail, saved: RwSignal<i64>) -> AnyView {
    let post = Post::to::<UpdateAgent>();
    let notices = use_notices();
    let done = move |answer: Answer| {
        let Some(changed) = answer.read::<AgentRow>() else { return };
        saved.set(changed.version);
        notices.done(t.saved());
    };
    let (id, first) = (detail.agent.id.to_string(), detail.seen_version);
    let version = move || saved.get().max(first).to_string();
    view! {
        {not_a_conflict(post, Vec::new())}
        <DraftForm post=post class="tool-form" on_done=Arc::new(done)>
            {conflict(post, format!("/agents/{id}"))}
            <input type="hidden" name="agent_id" value=id/>
            <input type="hidden" name="seen_version" value=version/>
            {agent_parts(t, Group { post, prefix: "agent" }, detail.fields)}
            <div class="form-actions form-end">{submit_button(post, "button button-primary", t.save())}</div>
        </DraftForm>
    }
    .into_any()
}

fn deletion(t: Texts, agent: &AgentRow) -> AnyView {
    let post = Post::to::<DeleteAgent>();
    let (location, notices, deleted) = (use_location(), use_notices(), t.agent_deleted(&agent.name));
    let done: Done = Arc::new(move |_| {
        notices.done(deleted.clone());
        location.go("/agents", false);
    });
    let id = agent.id.to_string();
    view! {
        <section class="section" aria-labelledby="danger">
            <header class="section-header"><h2 id="danger">{t.agent_removal()}</h2></header>
            {error_summary(post)}
            <div class="card action">
                <p>{t.agent_delete_lead()}</p>
                <Confirm
                    id="delete-agent".to_owned()
                    post=post
                    ask=t.delete()
                    act=t.delete()
                    about=agent.name.clone()
                    title=t.tool_delete_title(&agent.name)
                    lead=t.agent_delete_lead()
                    on_done=done
                >
                    <input type="hidden" name="agent_id" value=id/>
                </Confirm>
            </div>
        </section>
    }
    .into_any()
}
