//! The test console: a form made from the tool's schema, and what came of the call.

use super::{
    head::{missing, tabs, trail},
    tool::tool_id,
};
use crate::{
    api::tools::{
        fields::Param,
        trial::{Console, GetConsole, GetTrial, TrialMade, TrialOut, TryTool},
    },
    components::{awaited, badge, code_block, heading, load_error, loading, nothing, page_title, when},
    form::{Answer, Choice, Group, Post, PostForm, error_summary, submit_button, working},
    live::use_live,
    load::{Question, load},
    location::use_location,
    route,
    texts::{Texts, texts},
};
use domain::tool_words::ExecutionType;
use leptos::prelude::*;
use std::sync::Arc;

impl Question for GetConsole {
    fn fields(&self) -> Option<Vec<(&'static str, String)>> {
        Some(vec![("tool_id", self.tool_id.clone())])
    }
}

impl Question for GetTrial {
    fn fields(&self) -> Option<Vec<(&'static str, String)>> {
        (!self.execution_id.is_empty()).then(|| vec![("execution_id", self.execution_id.clone())])
    }
}

pub fn trial() -> AnyView {
    let t = texts();
    page_title(t.tab_test());
    let (location, live) = (use_location(), use_live());
    let console = load(move || (0, GetConsole { tool_id: tool_id(location) }));
    let run = move || location.with(|address| address.value("run")).unwrap_or_default();
    // One that waits for a person, or still runs, ends before the eyes of whoever made it.
    let done = load(move || (live.executions() + live.confirmations(), GetTrial { execution_id: run() }));
    let is_json = Memo::new(move |_| location.with(|address| address.value("as").as_deref() == Some("json")));
    let form = move || {
        console.get().map(|answer| match answer {
            Ok(console) => console_view(t, &tool_id(location), console, is_json.get()),
            Err(error) => missing(t, &error),
        })
    };
    let result = move || {
        done.get().map(|answer| match answer {
            Ok(trial) => trial_view(t, trial),
            Err(error) => load_error(&error),
        })
    };
    view! {
        {awaited(loading, form)}
        {awaited(nothing, result)}
    }
    .into_any()
}

fn console_view(t: Texts, id: &str, console: Console, is_json: bool) -> AnyView {
    let post = Post::to::<TryTool>();
    let group = Group { post, prefix: "arguments" };
    let location = use_location();
    let done = move |answer: Answer| {
        let Some(made) = answer.read::<TrialMade>() else { return };
        let more = if is_json { "&as=json" } else { "" };
        location.go(&format!("{}{more}", made.address), true);
    };
    // A name that a form's field cannot have: the whole is written as JSON.
    let is_odd = console.params.iter().any(|param| param.name.contains(['[', ']', '&', '=']));
    let is_json = is_json || is_odd;
    let (href, other) = match is_json {
        true => (format!("/tools/{id}/test"), t.trial_as_form()),
        false => (format!("/tools/{id}/test?as=json"), t.trial_as_json()),
    };
    let fields =
        if is_json { json_field(t, post, console.example) } else { fields(t, group, console.params) };
    let lead = if console.execution_type == ExecutionType::Webhook {
        t.trial_webhook_lead()
    } else {
        t.trial_lead()
    };
    let off = (!console.is_active)
        .then(|| view! { <p class="alert alert-warning" role="status">{t.trial_off()}</p> });
    let (tabs, id) = (tabs(t, id), id.to_owned());
    view! {
        {trail(t)}
        {heading(console.display_name, lead)}
        {tabs}
        {off}
        {error_summary(post)}
        <div class="card">
            <PostForm post=post class="form" on_done=Arc::new(done)>
                <input type="hidden" name="tool_id" value=id/>
                {fields}
                <div class="checkbox">
                    <input type="checkbox" id="test-mode" name="test_mode" value="true" checked=true/>
                    <div>
                        <label r#for="test-mode">{t.test_mode()}</label>
                        <p class="field-hint">{t.test_mode_hint()}</p>
                    </div>
                </div>
                <div class="form-actions">
                    {submit_button(post, "button button-primary", t.trial_run())}
                    {(!is_odd).then(|| view! { <a class="button" href=href>{other}</a> })}
                    {working(post)}
                </div>
            </PostForm>
        </div>
    }
    .into_any()
}

fn json_field(t: Texts, post: Post, example: String) -> AnyView {
    Group { post, prefix: "" }.area("json", t.trial_arguments(), t.trial_json_hint(), "10", Some(example))
}

fn fields(t: Texts, group: Group, params: Vec<Param>) -> AnyView {
    if params.is_empty() {
        return view! { <p class="section-lead">{t.trial_nothing_to_fill()}</p> }.into_any();
    }
    let all: Vec<AnyView> = params.into_iter().map(|param| argument(t, group, param)).collect();
    view! { <div class="form form-columns">{all}</div> }.into_any()
}

/// One argument, as its type wants to be filled in.
fn argument(t: Texts, group: Group, param: Param) -> AnyView {
    let (id, name) = (group.id(&param.name), group.name(&param.name));
    let hint = format!("{id}-hint");
    let choices: Vec<String> = match param.kind.as_str() {
        "boolean" => vec!["true".to_owned(), "false".to_owned()],
        _ => param.choices.split(", ").filter(|one| !one.is_empty()).map(str::to_owned).collect(),
    };
    let is_number = param.kind == "integer" || param.kind == "number";
    let (label_for, described) = (id.clone(), hint.clone());
    let control = if !choices.is_empty() {
        let options = choices.into_iter().map(|one| Choice::new(one.clone(), one, false));
        let options = std::iter::once(Choice::new("", "–", true)).chain(options).collect();
        view! { <select class="select" id=id name=name aria-describedby=described>{Choice::options(options)}</select> }.into_any()
    } else if is_number {
        view! { <input class="input" type="number" step="any" id=id name=name aria-describedby=described/> }
            .into_any()
    } else {
        let rows = if param.kind == "string" { "1" } else { "3" };
        view! { <textarea class="input area" rows=rows id=id name=name aria-describedby=described></textarea> }.into_any()
    };
    let kind = t.param_kind(&param.kind);
    let note = match param.description.is_empty() {
        true => kind.to_owned(),
        false => format!("{kind} · {}", param.description),
    };
    let optional = (!param.is_required).then(|| view! { <span class="field-optional">{t.optional()}</span> });
    view! {
        <div class="field">
            <label class="field-label" r#for=label_for><code>{param.name}</code>{optional}</label>
            {control}
            <p class="field-hint" id=hint>{note}</p>
        </div>
    }
    .into_any()
}

fn trial_view(t: Texts, trial: TrialOut) -> AnyView {
    let (tone, word) = match trial.status.as_str() {
        "success" => ("on", t.trial_success()),
        "pending" => ("accent", t.trial_pending()),
        "running" => ("accent", t.trial_running()),
        _ => ("danger", t.trial_failed()),
    };
    let took = trial.milliseconds.map(|time| t.milliseconds(&t.count(time)));
    let link = format!("/executions/{}", trial.id);
    let link = route::find(&link).map(|_| view! { <a href=link>{t.trial_in_history()}</a> });
    let message = trial.error_message.map(|message| {
        view! { <div class="alert alert-danger"><p><code>{trial.error_code}</code> " " {message}</p></div> }
    });
    let log = (!trial.log.is_empty()).then(|| part(t.trial_log(), &trial.log.join("\n")));
    let response = (!trial.response.is_empty()).then(|| part(t.trial_response(), &trial.response));
    view! {
        <section class="section" aria-labelledby="result" role="status">
            <header class="section-header"><h2 id="result">{t.trial_result()}</h2></header>
            <div class="card result">
                <p class="badges">
                    {badge(tone, word)}
                    {took.map(|took| badge("quiet", took))}
                    {trial.test_mode.then(|| badge("quiet", t.test_mode()))}
                    {trial.is_truncated.then(|| badge("accent", t.trial_truncated()))}
                    <span class="cell-detail">{when(trial.at)}</span>
                    {link}
                </p>
                {message}
                <div class="columns">{part(t.trial_request(), &trial.request)}{response}</div>
                {log}
            </div>
        </section>
    }
    .into_any()
}

fn part(title: &'static str, text: &str) -> AnyView {
    view! { <div class="block"><div class="block-head"><h3>{title}</h3></div>{code_block(text)}</div> }
        .into_any()
}
