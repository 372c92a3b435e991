//! API keys: made, shown once, revoked.

use crate::{
    api::{
        api_keys::{AgentChoice, ApiKeysOut, CreateApiKey, ListApiKeys, RevokeApiKey},
        session::ShownSecret,
    },
    components::{
        Column, Confirm, badge, empty_state, loaded, page_header, row_errors, say_and_reload, settings_tabs,
        shown_secret, table, when,
    },
    form::{
        Again, Answer, Choice, Fields, Post, PostForm, TextField, error_summary, role_select, submit_button,
    },
    live::use_live,
    load::{Question, load},
    texts::{Texts, texts},
};
use domain::{TenantRole, api_key::ApiKeyOut};
use leptos::prelude::*;
use std::sync::Arc;

impl Question for ListApiKeys {}

/// The secret that was just made, shown above everything.
type LastSecret = RwSignal<Option<ShownSecret>>;

pub fn api_keys() -> AnyView {
    let t = texts();
    let live = use_live();
    let keys = load(move || (live.data(), ListApiKeys {}));
    let again: Again = Arc::new(move || keys.refetch());
    let secret = LastSecret::new(None);
    let create = Post::to::<CreateApiKey>();
    let shown = move |out: ApiKeysOut| {
        let list = if out.keys.is_empty() {
            empty_state("key", t.api_keys_empty_title(), t.api_keys_empty_lead(), None)
        } else {
            key_table(t, out.keys, &out.agents, &again)
        };
        view! {
            <div class="card card-flush">{list}</div>
            {create_form(t, create, out.agents, secret, &again)}
        }
        .into_any()
    };
    view! {
        {page_header(t.api_keys_title(), t.api_keys_lead())}
        {settings_tabs()}
        {error_summary(Post::to::<RevokeApiKey>())}
        {move || secret.get().map(shown_secret)}
        {loaded(keys, shown)}
    }
    .into_any()
}

fn key_table(t: Texts, keys: Vec<ApiKeyOut>, agents: &[AgentChoice], again: &Again) -> AnyView {
    let columns = vec![
        Column::Named(t.api_key()),
        Column::Named(t.api_key_speaks_as()),
        Column::Named(t.expires()),
        Column::Named(t.api_key_used()),
        Column::Named(t.state()),
        Column::Heard(t.actions()),
    ];
    let rows = keys.into_iter().map(|key| key_row(t, key, agents, again)).collect();
    table("table", t.api_keys_title(), columns, rows)
}

fn key_row(t: Texts, key: ApiKeyOut, agents: &[AgentChoice], again: &Again) -> AnyView {
    let agent = key.agent_id.and_then(|id| agents.iter().find(|agent| agent.id == id));
    let agent = agent.map(|agent| view! { <p class="cell-detail">{agent.name.clone()}</p> }.into_any());
    let state = match key.revoked_at {
        Some(_) => badge("danger", t.api_key_revoked()),
        None => badge("on", t.api_key_valid()),
    };
    let revoke = key.revoked_at.is_none().then(|| revocation(t, &key, again));
    let expires = key.expires_at.map_or_else(|| t.never().into_any(), when);
    let used = key.last_used_at.map_or_else(|| t.never().into_any(), when);
    view! {
        <tr>
            <td>
                <p class="cell-title">{key.name}</p>
                <p class="cell-detail"><code>{key.prefix} "…"</code> " · " {t.created()} " " {when(key.created_at)}</p>
            </td>
            <td data-label=t.api_key_speaks_as()><div><p>{t.tenant_role(key.role)}</p>{agent}</div></td>
            <td data-label=t.expires()>{expires}</td>
            <td data-label=t.api_key_used()>{used}</td>
            <td data-label=t.state()>{state}</td>
            <td class="cell-actions">{revoke}</td>
        </tr>
    }
    .into_any()
}

fn revocation(t: Texts, key: &ApiKeyOut, again: &Again) -> AnyView {
    let post = Post::one_of::<RevokeApiKey>();
    row_errors(post);
    let id = key.id.to_string();
    view! {
        <Confirm
            id=format!("revoke-{id}")
            post=post
            ask=t.revoke()
            act=t.revoke()
            about=key.name.clone()
            title=t.api_key_revoke_title(&key.name)
            lead=t.api_key_revoke_lead()
            on_done=say_and_reload(t.api_key_revoked_done(), again)
        >
            <input type="hidden" name="key_id" value=id/>
        </Confirm>
    }
    .into_any()
}

fn create_form(t: Texts, post: Post, agents: Vec<AgentChoice>, secret: LastSecret, again: &Again) -> AnyView {
    let again = again.clone();
    let done = move |answer: Answer| {
        secret.set(answer.read());
        again();
    };
    let mut speakers = vec![Choice::new("", t.api_key_any_agent(), true)];
    speakers.extend(agents.into_iter().map(|agent| Choice::new(agent.id.to_string(), agent.name, false)));
    let mut ends: Vec<Choice> =
        ["30", "90", "365"].map(|days| Choice::new(days, t.api_key_days(days), days == "90")).into();
    ends.push(Choice::new("", t.api_key_no_end(), false));
    view! {
        <section class="section" aria-labelledby="new-key">
            <header class="section-header">
                <h2 id="new-key">{t.api_key_new()}</h2>
                <p class="section-lead">{t.api_key_new_lead()}</p>
            </header>
            <div class="card">
                {error_summary(post)}
                <PostForm post=post class="form form-pairs" fields=Fields::Empty on_done=Arc::new(done)>
                    <TextField post=post name="name" label=t.api_key_name()/>
                    {role_field(t, post)}
                    {select("agent_id", t.api_key_agent(), speakers)}
                    {select("expires_in_days", t.api_key_expires(), ends)}
                    <div class="form-actions">{submit_button(post, "button button-primary", t.api_key_submit())}</div>
                </PostForm>
            </div>
        </section>
    }
    .into_any()
}

/// An agent's key has the rights of the agent, so its role decides nothing; but one that calls no tools is refused as a
/// mistake. That is the only thing that can be wrong here.
fn role_field(t: Texts, post: Post) -> AnyView {
    const DESCRIBED: &str = "create_api_key-role-error create_api_key-role-hint";
    let is_refused = move || {
        post.error().is_some_and(|error| error.0.errors.iter().any(|problem| problem.field == "role"))
    };
    let error = move || is_refused().then(|| t.api_key_role_refused());
    view! {
        <div class="field">
            <label class="field-label" r#for="create_api_key-role">{t.role()}</label>
            {role_select("create_api_key-role".to_owned(), TenantRole::Operator, None, Some(DESCRIBED))}
            <p class="field-error" id="create_api_key-role-error">{error}</p>
            <p class="field-hint" id="create_api_key-role-hint">{t.api_key_role_hint()}</p>
        </div>
    }
    .into_any()
}

fn select(name: &'static str, label: &'static str, choices: Vec<Choice>) -> AnyView {
    let id = format!("create_api_key-{name}");
    view! {
        <div class="field">
            <label class="field-label" r#for=id.clone()>{label}</label>
            <select class="select" id=id name=name>{Choice::options(choices)}</select>
        </div>
    }
    .into_any()
}
