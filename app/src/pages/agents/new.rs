//! A new agent.

use super::form::agent_parts;
use crate::{
    api::agents::{AgentRow, CreateAgent, GetAgentDraft},
    components::{loaded, page_header, use_notices},
    form::{Answer, DraftForm, Group, Post, error_summary, submit_button},
    load::{Question, load},
    location::use_location,
    texts::texts,
};
use leptos::prelude::*;
use std::sync::Arc;

impl Question for GetAgentDraft {}

pub fn new_agent() -> AnyView {
    let t = texts();
    let post = Post::to::<CreateAgent>();
    let draft = load(|| (0, GetAgentDraft {}));
    let (location, notices) = (use_location(), use_notices());
    let form = move |fields| {
        let done = move |answer: Answer| {
            let Some(made) = answer.read::<AgentRow>() else { return };
            notices.done(t.agent_made(&made.name));
            location.go(&format!("/agents/{}/tools", made.id), false);
        };
        view! {
            <DraftForm post=post class="tool-form" on_done=Arc::new(done)>
                {agent_parts(t, Group { post, prefix: "agent" }, fields)}
                <div class="form-actions form-end">
                    {submit_button(post, "button button-primary", t.agent_make())}
                    <a class="button" href="/agents" data-cancel="">{t.cancel()}</a>
                </div>
            </DraftForm>
        }
        .into_any()
    };
    view! {
        <p class="trail"><a href="/agents">{t.agents_title()}</a></p>
        {page_header(t.agent_new(), t.agent_new_lead())}
        {error_summary(post)}
        {loaded(draft, form)}
    }
    .into_any()
}
