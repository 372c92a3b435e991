//! The history across tools. The filter is the address, older calls are a cursor away, and the newest come by themselves.

pub mod detail;
mod filter;

use self::filter::Wish;
use crate::{
    api::executions::{CallOut, HistoryOut, ListExecutions},
    components::{Column, badge, cursor_pager, empty_state, loaded, page_header, table, when},
    form::days_note,
    live::use_live,
    load::{Question, load},
    location::use_location,
    texts::{Texts, texts},
};
use domain::status::ExecutionStatus;
use leptos::prelude::*;

impl Question for ListExecutions {
    fn fields(&self) -> Option<Vec<(&'static str, String)>> {
        let status = self.status.map(|status| ("status", status.as_str().to_owned()));
        let texts = [
            ("tool", &self.tool),
            ("agent", &self.agent),
            ("from", &self.from),
            ("to", &self.to),
            ("cursor", &self.cursor),
        ];
        let texts = texts.into_iter().filter_map(|(name, text)| Some((name, text.clone()?)));
        Some(status.into_iter().chain(texts).collect())
    }
}

pub fn executions() -> AnyView {
    let t = texts();
    let live = use_live();
    let location = use_location();
    let history = load(move || (live.executions() + live.data(), location.with(Wish::of).question()));
    let shown = move |answer: HistoryOut| {
        let links = cursor_pager(answer.next_cursor);
        let exports = exports(t, &answer.export_query);
        let note = days_note(t, answer.days_in_utc);
        if answer.calls.is_empty() {
            return view! { {note} {no_calls(t)} }.into_any();
        }
        let rows = answer.calls.into_iter().map(|call| call_row(t, call)).collect();
        view! {
            {note}
            {exports}
            <div class="card card-flush">{table("table table-dense", t.executions_title(), columns(t), rows)}</div>
            {links}
        }
        .into_any()
    };
    view! {
        {page_header(t.executions_title(), t.executions_lead())}
        {filter::form(t)}
        {loaded(history, shown)}
    }
    .into_any()
}

fn no_calls(t: Texts) -> AnyView {
    let next = view! { <a class="button" href="/executions">{t.clear()}</a> }.into_any();
    empty_state("executions", t.executions_empty_title(), t.executions_empty_lead(), Some(next))
}

/// Files of the REST door: the session that reads this page may read them.
fn exports(t: Texts, query: &str) -> AnyView {
    let href = |format: &str| format!("/api/v1/executions/export?format={format}&{query}");
    view! {
        <p class="exports">
            <a class="button button-quiet" rel="external" download="" href=href("csv")>{t.export_csv()}</a>
            <a class="button button-quiet" rel="external" download="" href=href("jsonl")>{t.export_jsonl()}</a>
        </p>
    }
    .into_any()
}

fn columns(t: Texts) -> Vec<Column> {
    [t.called_at(), t.called_tool(), t.state(), t.caller(), t.duration()].map(Column::Named).into()
}

pub fn status_badge(t: Texts, status: ExecutionStatus) -> AnyView {
    let tone = match status {
        ExecutionStatus::Success => "on",
        ExecutionStatus::Error | ExecutionStatus::Refused | ExecutionStatus::Unknown => "danger",
        ExecutionStatus::Pending | ExecutionStatus::Running => "accent",
        ExecutionStatus::Expired | ExecutionStatus::Cancelled => "plain",
    };
    badge(tone, t.execution_status(status))
}

fn call_row(t: Texts, call: CallOut) -> AnyView {
    let href = format!("/executions/{}", call.id);
    let error = call.error_message.clone().map(|text| view! { <p class="cell-detail">{text}</p> }.into_any());
    view! {
        <tr data-execution=call.id.to_string()>
            <td data-label=t.called_at()>{when(call.executed_at.clone())}</td>
            <td>
                <p class="cell-title"><a href=href>{call.tool_name.clone()}</a></p>
            </td>
            <td data-label=t.state()>
                <div>
                    <span class="badges">
                        {status_badge(t, call.status)}
                        {call.test_mode.then(|| badge("quiet", t.test_call()))}
                    </span>
                    {error}
                </div>
            </td>
            <td data-label=t.caller()><div>{caller(t, &call)}</div></td>
            <td data-label=t.duration()><span>{duration(t, call.execution_time_ms)}</span></td>
        </tr>
    }
    .into_any()
}

/// Who called, and through which agent.
pub fn caller(t: Texts, call: &CallOut) -> AnyView {
    let agent = call.agent_id.map(|_| {
        let name = call.agent_name.clone().unwrap_or_else(|| t.an_agent().to_owned());
        view! { <p class="cell-detail">{t.through_agent(&name)}</p> }.into_any()
    });
    view! { <p>{call.called_by.clone()}</p> {agent} }.into_any()
}

pub fn duration(t: Texts, ms: Option<i64>) -> String {
    ms.map_or_else(|| "–".to_owned(), |ms| t.call_ms(&ms.to_string()))
}
