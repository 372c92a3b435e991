//! The agents of the organisation: who they are, when people are asked, how many tools each has.

mod form;
mod head;
mod matrix;
mod new;
mod plan;
mod preview;
mod settings;

pub use self::{
    matrix::{agent_tools, matrix},
    new::new_agent,
    preview::preview,
    settings::agent,
};

use crate::{
    api::{
        agents::{AgentRow, ListAgents, ToggleAgent},
        undo::Undo,
    },
    components::{
        Can, Column, Lever, awaited, badge, empty_state, load_error, loading, page_header, switch_button,
        switch_errors, table, use_notices,
    },
    form::{Again, Answer, Post, PostForm, error_summary},
    live::use_live,
    load::{Question, load},
    pages::tools::no_organisation,
    session::use_session,
    texts::{Texts, texts},
};
use ability::{Action, Subject};
use domain::ErrorCode;
use leptos::prelude::*;
use std::sync::Arc;

impl Question for ListAgents {}

pub fn agents() -> AnyView {
    let t = texts();
    let live = use_live();
    let list = load(move || (live.data(), ListAgents {}));
    let again: Again = Arc::new(move || list.refetch());
    let shown = move || {
        list.get().map(|answer| match answer {
            Ok(agents) if agents.is_empty() => none(t),
            Ok(agents) => agent_table(t, agents, &again),
            Err(error) if error.code() == ErrorCode::TenantRequired => no_organisation(t),
            Err(error) => load_error(&error),
        })
    };
    view! {
        <div class="page-top">
            {page_header(t.agents_title(), t.agents_lead())}
            <div class="form-actions">
                <a class="button" href="/agents/matrix">{t.matrix_title()}</a>
                <Can action=Action::Manage subject=Subject::Agent>
                    <a class="button button-primary" href="/agents/new">{t.agent_new()}</a>
                </Can>
            </div>
        </div>
        {error_summary(Post::to::<ToggleAgent>())}
        {awaited(loading, shown)}
    }
    .into_any()
}

fn none(t: Texts) -> AnyView {
    let next = view! {
        <Can action=Action::Manage subject=Subject::Agent>
            <a class="button button-primary" href="/agents/new">{t.agent_new()}</a>
        </Can>
    };
    empty_state("members", t.agents_none_title(), t.agents_none_lead(), Some(next.into_any()))
}

fn agent_table(t: Texts, agents: Vec<AgentRow>, again: &Again) -> AnyView {
    let may_switch = use_session().can(Action::Manage, Subject::Agent);
    let columns = [t.agent(), t.agent_mode(), t.agent_tools(), t.state()].map(Column::Named);
    let rows = agents.into_iter().map(|agent| agent_row(t, agent, may_switch, again)).collect();
    let table = table("table table-dense table-agents", t.agents_title(), columns.into(), rows);
    view! { <div class="card card-flush">{table}</div> }.into_any()
}

fn agent_row(t: Texts, agent: AgentRow, may_switch: bool, again: &Again) -> AnyView {
    let state = if may_switch { switch(t, &agent, again) } else { state(t, agent.is_active) };
    view! {
        <tr>
            <td>
                <p class="cell-title">
                    <a href=format!("/agents/{}", agent.id)>{agent.name}</a>
                    <code>{agent.slug}</code>
                </p>
                <p class="cell-detail clamp">{agent.description}</p>
            </td>
            <td data-label=t.agent_mode()>{badge("quiet", t.confirmation_mode(agent.mode))}</td>
            <td data-label=t.agent_tools() class="number">
                <a href=format!("/agents/{}/tools", agent.id)>{t.count(agent.tools)}</a>
            </td>
            <td data-label=t.state()>{state}</td>
        </tr>
    }
    .into_any()
}

fn state(t: Texts, is_active: bool) -> AnyView {
    if is_active { badge("on", t.agent_on()) } else { badge("danger", t.agent_off()) }
}

fn switch(t: Texts, agent: &AgentRow, again: &Again) -> AnyView {
    let post = Post::one_of::<ToggleAgent>();
    switch_errors(post, again.clone());
    let lever = Lever::new(agent.is_active, agent.version);
    let (notices, again, name) = (use_notices(), again.clone(), agent.name.clone());
    let moved = lever.clone();
    let done = move |answer: Answer| {
        if let Some(now) = answer.read::<AgentRow>() {
            moved.set(now.is_active, now.version);
            let text = if now.is_active { t.agent_switched_on(&name) } else { t.agent_switched_off(&name) };
            let undo = Undo::agent(now.id.to_string(), !now.is_active, now.version);
            notices.done_with_undo(text, undo, &again);
        }
        again();
    };
    let (id, named) = (agent.id.to_string(), t.agent_switch(&agent.name));
    view! {
        <PostForm post=post class="switch-form" on_done=Arc::new(done)>
            <input type="hidden" name="agent_id" value=id/>
            {lever.fields("is_active")}
            {switch_button(post, &lever, named, (t.agent_on(), t.agent_off()))}
        </PostForm>
    }
    .into_any()
}
