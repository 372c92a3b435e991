//! One call: what went in, what came out, when, who decided, why it was allowed, and what the record says.

use super::{caller, duration, status_badge};
use crate::{
    api::executions::{CallDetailOut, CancelExecution, EntryOut, GetExecution, RunAgain},
    components::{
        Column, Confirm, argument_facts, awaited, badge, empty_state, heading, json_view, load_error,
        loading, page_title, say_and_reload, table, when, when_exactly,
    },
    form::{Again, Answer, Post, error_summary},
    live::use_live,
    load::{Question, load},
    location::{Address, use_location},
    pages::{
        confirmations::{agent_words, decision_facts, status_badge as confirmation_badge},
        explain::then_and_now,
    },
    texts::{Texts, texts},
};
use domain::{ErrorCode, ExecutionId, decision::AttemptOut, status::ConfirmationStatus};
use leptos::prelude::*;
use std::sync::Arc;

impl Question for GetExecution {
    fn fields(&self) -> Option<Vec<(&'static str, String)>> {
        Some(vec![("execution_id", self.execution_id.clone())])
    }
}

pub fn execution() -> AnyView {
    let t = texts();
    page_title(t.execution_title());
    let live = use_live();
    let location = use_location();
    let wanted = move || location.with(Address::last_part);
    let call = load(move || (live.executions() + live.data(), GetExecution { execution_id: wanted() }));
    let again: Again = Arc::new(move || call.refetch());
    let (run, cancel) = (Post::to::<RunAgain>(), Post::to::<CancelExecution>());
    let shown = move || {
        call.get().map(|answer| match answer {
            Ok(detail) => whole(t, detail, run, cancel, &again),
            Err(error) if error.code() == ErrorCode::NotFound => missing(t),
            Err(error) => load_error(&error),
        })
    };
    view! {
        <p class="back"><a href="/executions">{t.back_to_executions()}</a></p>
        {error_summary(run)}
        {error_summary(cancel)}
        {awaited(loading, shown)}
    }
    .into_any()
}

fn missing(t: Texts) -> AnyView {
    view! {
        <h1>{t.execution_title()}</h1>
        {empty_state("executions", t.execution_missing(), t.not_found_lead(), None)}
    }
    .into_any()
}

fn whole(t: Texts, detail: CallDetailOut, run: Post, cancel: Post, again: &Again) -> AnyView {
    let actions = actions(t, &detail, run, cancel, again);
    let output = match detail.output.clone() {
        Some(text) => json_view(t.output(), text),
        None => view! { <p class="cell-detail">{t.no_output()}</p> }.into_any(),
    };
    let cut = detail
        .truncated
        .then(|| view! { <p class="alert" role="note">{t.output_truncated()}</p> }.into_any());
    let log =
        (!detail.log.is_empty()).then(|| section("log", t.log(), json_view(t.log(), detail.log.join("\n"))));
    let message = detail.message.clone().map(|text| section("said", t.agent_said(), agent_words(text)));
    view! {
        {heading(detail.call.tool_name.clone(), t.execution_lead(&detail.call.tool_name))}
        <div class="execution" data-status=detail.call.status.as_str()>
            {facts(t, &detail)}
            {actions}
            {message}
            {section("input", t.input(), json_view(t.input(), detail.input.clone()))}
            {section("output", t.output(), view! { {cut}{output} }.into_any())}
            {attempts(t, detail.attempts.clone())}
            {log}
            {question(t, &detail)}
            {why(t, &detail)}
            {record(t, detail.entries)}
        </div>
    }
    .into_any()
}

fn section(id: &'static str, title: &'static str, body: AnyView) -> AnyView {
    view! {
        <section class="section" aria-labelledby=id>
            <header class="section-header"><h2 id=id>{title}</h2></header>
            {body}
        </section>
    }
    .into_any()
}

fn facts(t: Texts, detail: &CallDetailOut) -> AnyView {
    let call = &detail.call;
    let fact = |name: &'static str, value: AnyView| view! { <dt>{name}</dt><dd>{value}</dd> }.into_any();
    let error = call.error_message.clone().map(|message| {
        let code = call.error_code.clone().map(|code| view! { <code>{code}</code> " " }.into_any());
        fact(t.call_error(), view! { {code}{message} }.into_any())
    });
    let version = match detail.current_version {
        Some(now) if now == detail.tool_version => detail.tool_version.to_string(),
        Some(now) => format!("{} ({})", detail.tool_version, t.call_version_now(&now.to_string())),
        None => format!("{} ({})", detail.tool_version, t.tool_removed()),
    };
    let state = view! {
        <span class="badges">
            {status_badge(t, call.status)}
            {call.test_mode.then(|| badge("quiet", t.test_call()))}
        </span>
    };
    view! {
        <dl class="facts card">
            {fact(t.state(), state.into_any())}
            {error}
            {fact(t.caller(), caller(t, call))}
            {fact(t.called_at(), when_exactly(call.executed_at.as_str()))}
            {detail.started_at.as_ref().map(|at| fact(t.started(), when_exactly(at.as_str())))}
            {detail.finished_at.as_ref().map(|at| fact(t.finished(), when_exactly(at.as_str())))}
            {fact(t.duration(), duration(t, call.execution_time_ms).into_any())}
            {fact(t.call_version(), version.into_any())}
            {detail.conversation_id.clone().map(|id| fact(t.conversation(), id.into_any()))}
        </dl>
    }
    .into_any()
}

fn actions(t: Texts, detail: &CallDetailOut, run: Post, cancel: Post, again: &Again) -> AnyView {
    let id = detail.call.id.to_string();
    let about = detail.call.tool_name.clone();
    let (run_id, cancel_id) = (id.clone(), id);
    let location = use_location();
    let lead_on = move |answer: Answer| {
        if let Some(new) = answer.read::<ExecutionId>() {
            location.go(&format!("/executions/{new}"), false);
        }
    };
    let run_again = match (detail.may_run, detail.has_secret) {
        (false, _) => None,
        (true, true) => Some(view! { <p class="cell-detail">{t.run_again_secret()}</p> }.into_any()),
        (true, false) => Some(
            view! {
                <Confirm
                    id="run-again".to_owned()
                    post=run
                    ask=t.run_again()
                    act=t.run_again()
                    about=about.clone()
                    title=t.run_again_title().to_owned()
                    lead=t.run_again_lead()
                    is_dangerous=false
                    on_done=Arc::new(lead_on)
                >
                    <input type="hidden" name="execution_id" value=run_id/>
                </Confirm>
            }
            .into_any(),
        ),
    };
    let cancel_call = detail.may_cancel.then(|| {
        view! {
            <Confirm
                id="cancel-call".to_owned()
                post=cancel
                ask=t.cancel_call()
                act=t.cancel_call()
                about=about
                title=t.cancel_call_title().to_owned()
                keep=t.cancel_call_keep()
                lead=t.cancel_call_lead()
                on_done=say_and_reload(t.cancelled_done(), again)
            >
                <input type="hidden" name="execution_id" value=cancel_id/>
            </Confirm>
        }
        .into_any()
    });
    view! { <div class="actions">{run_again}{cancel_call}</div> }.into_any()
}

fn question(t: Texts, detail: &CallDetailOut) -> Option<AnyView> {
    let question = detail.question.as_ref()?;
    let is_open = question.status == ConfirmationStatus::Pending;
    let link = if is_open && question.may_decide { t.decide_now() } else { t.see_confirmation() };
    let page = format!("/confirmations/{}", question.id);
    let body = view! {
        <div class="card question-decided">
            <p>{confirmation_badge(t, question.status)} " " {t.gate_reason(&question.reason)}</p>
            <p><a href=page>{link}</a></p>
            {decision_facts(t, question)}
            {argument_facts(&question.arguments)}
        </div>
    };
    Some(section("question", t.waited_first(), body.into_any()))
}

/// Each try of a webhook's address.
fn attempts(t: Texts, attempts: Vec<AttemptOut>) -> Option<AnyView> {
    if attempts.is_empty() {
        return None;
    }
    let row = |one: AttemptOut| {
        let outcome = match (one.http_status, one.error_code) {
            (Some(status), _) => t.http_status(&status.to_string()).into_any(),
            (None, code) => view! { <code>{code}</code> }.into_any(),
        };
        let wait = one.wait_ms.map(|ms| t.call_ms(&ms.to_string()));
        view! {
            <tr>
                <td data-label=t.attempt()>{one.number.to_string()}</td>
                <td data-label=t.called_at()>{when(one.started_at)}</td>
                <td data-label=t.duration()>{duration(t, Some(one.duration_ms))}</td>
                <td data-label=t.outcome()>{outcome}</td>
                <td data-label=t.attempt_wait()>{wait}</td>
            </tr>
        }
        .into_any()
    };
    let columns = [t.attempt(), t.called_at(), t.duration(), t.outcome(), t.attempt_wait()];
    let columns = columns.map(Column::Named).into();
    let table = table("table table-dense", t.attempts(), columns, attempts.into_iter().map(row).collect());
    Some(section("attempts", t.attempts(), view! { <div class="card card-flush">{table}</div> }.into_any()))
}

fn why(t: Texts, detail: &CallDetailOut) -> Option<AnyView> {
    let link = detail.verdict.as_ref().map(|_| {
        let link = format!("/explain?execution={}", detail.call.id);
        view! { <p><a href=link>{t.why_open()}</a></p> }.into_any()
    });
    if detail.then.is_none() && detail.verdict.is_none() {
        return None;
    }
    let body = view! { {then_and_now(t, detail.then.clone(), detail.verdict.clone())} {link} };
    Some(section("why", t.why_section(), body.into_any()))
}

fn record(t: Texts, entries: Option<Vec<EntryOut>>) -> Option<AnyView> {
    let entries = entries.filter(|entries| !entries.is_empty())?;
    let row = |entry: EntryOut| {
        let reason = entry.reason.map(|reason| view! { <p class="cell-reason">{reason}</p> }.into_any());
        let after = entry.after.map(|text| view! { <code class="record-after">{text}</code> }.into_any());
        view! {
            <tr>
                <td data-label=t.record_entry()><div><p><code>{entry.action}</code></p>{reason}</div></td>
                <td data-label=t.called_at()>{when(entry.at)}</td>
                <td data-label=t.caller()><span>{entry.actor}</span></td>
                <td data-label=t.record_content()><div>{after}</div></td>
            </tr>
        }
        .into_any()
    };
    let columns = [t.record_entry(), t.called_at(), t.caller(), t.record_content()].map(Column::Named);
    let rows = entries.into_iter().map(row).collect();
    let body = view! {
        <p class="section-lead">{t.execution_record_lead()}</p>
        <div class="card card-flush">{table("table table-dense", t.record(), columns.into(), rows)}</div>
    };
    Some(section("record", t.record(), body.into_any()))
}
