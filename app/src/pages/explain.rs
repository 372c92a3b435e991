//! B7: would this call be allowed, and why? For a call of the history, or one that nobody has made.

use crate::{
    api::{
        ApiError,
        explain::{CheckOut, ExplainCall, Verdict, VerdictOut},
        suggestions::{SuggestNames, SuggestionsOut},
    },
    components::{
        Can, Column, awaited, badge, empty_state, json_view, load_error, loading, page_header, table,
        text_area,
    },
    form::{AGENT_NAMES, QueryForm, TOOL_NAMES, suggested_names, unfit_arguments},
    load::{Loaded, Question, load},
    location::{Address, use_location},
    session::use_session,
    texts::{Texts, texts},
};
use ability::{Action, Subject};
use domain::{ErrorCode, decision::DecisionThen};
use leptos::prelude::*;

impl Question for ExplainCall {
    fn fields(&self) -> Option<Vec<(&'static str, String)>> {
        if let Some(id) = self.execution_id {
            return Some(vec![("execution_id", id.to_string())]);
        }
        let optional = [("agent", &self.agent), ("params", &self.params)];
        let optional = optional.into_iter().filter_map(|(name, text)| Some((name, text.clone()?)));
        let fields = [("tool", self.tool.clone())].into_iter().chain(optional).collect();
        (!self.tool.is_empty()).then_some(fields)
    }
}

fn asked(address: &Address) -> ExplainCall {
    let read = |name: &str| address.value(name).filter(|text| !text.trim().is_empty());
    ExplainCall {
        execution_id: read("execution").and_then(|id| id.parse().ok()),
        tool: read("tool").unwrap_or_default(),
        agent: read("agent"),
        params: read("params"),
    }
}

pub fn explain() -> AnyView {
    let t = texts();
    let location = use_location();
    let answer = load(move || (0, location.with(asked)));
    let names = load(|| (0, SuggestNames {}));
    let is_asked = move || location.with(|address| asked(address).fields().is_some());
    let answered = move || match is_asked() {
        false => Some(nothing_asked(t)),
        true => answer.get().map(|answer| match answer {
            Ok(verdict) => whole(t, verdict),
            Err(error) => refused(t, &error),
        }),
    };
    view! {
        {page_header(t.why_title(), t.why_page_lead())}
        {of_execution(t, location.with_untracked(asked))}
        <Can action=Action::Execute subject=Subject::ToolManagement>
            <div class="card">{form(t, location.with_untracked(asked), names)}</div>
        </Can>
        <div class="section" aria-live="polite">{awaited(loading, answered)}</div>
    }
    .into_any()
}

/// Who may not run tools has no form: a call of the history leads here.
fn nothing_asked(t: Texts) -> AnyView {
    let session = use_session();
    awaited(loading, move || {
        let (lead, next) = match session.can(Action::Execute, Subject::ToolManagement) {
            true => (t.why_empty_lead(), None),
            false => {
                let next = view! { <a class="button" href="/executions">{t.nav_executions()}</a> }.into_any();
                (t.why_empty_reader(), Some(next))
            }
        };
        Some(empty_state("explain", t.why_empty_title(), lead, next))
    })
}

fn of_execution(t: Texts, asked: ExplainCall) -> Option<AnyView> {
    asked.execution_id.map(|_| view! { <p class="field-hint">{t.why_of_execution()}</p> }.into_any())
}

fn form(t: Texts, asked: ExplainCall, names: Loaded<SuggestionsOut>) -> AnyView {
    let arguments = "why-params".to_owned();
    let area = text_area(
        "input area mono",
        "4",
        arguments.clone(),
        "params".to_owned(),
        asked.params.unwrap_or_default(),
    );
    view! {
        <QueryForm path="/explain" class="form form-columns">
            {field("tool", t.why_tool(), asked.tool, TOOL_NAMES, true)}
            {field("agent", t.why_agent(), asked.agent.unwrap_or_default(), AGENT_NAMES, false)}
            {suggested_names(names)}
            <div class="field form-wide">
                <label class="field-label" r#for=arguments.clone()>{t.why_params()}</label>
                {area}
                <p class="field-hint" id=format!("{arguments}-hint")>{t.why_params_hint()}</p>
            </div>
            <div class="form-actions form-wide">
                <button type="submit" class="button button-primary">{t.explain_submit()}</button>
            </div>
        </QueryForm>
    }
    .into_any()
}

fn field(
    name: &'static str,
    label: &'static str,
    value: String,
    list: &'static str,
    required: bool,
) -> AnyView {
    let id = format!("why-{name}");
    view! {
        <div class="field">
            <label class="field-label" r#for=id.clone()>{label}</label>
            <input
                class="input"
                type="text"
                id=id
                name=name
                list=list
                value=value
                required=required
                autocomplete="off"
                autocapitalize="off"
                spellcheck="false"
            />
        </div>
    }
    .into_any()
}

/// What is wrong with the question itself is said in a line; anything else is a failure to load.
fn refused(t: Texts, error: &ApiError) -> AnyView {
    let is_question = matches!(
        error.code(),
        ErrorCode::ToolNotFound
            | ErrorCode::AgentNotFound
            | ErrorCode::ValidationFailed
            | ErrorCode::NotFound
    );
    if !is_question {
        return load_error(error);
    }
    let sentence = match error.0.errors.first() {
        Some(first) => format!("{}: {}", t.why_params(), t.field_code(first.code)),
        None => t.error(&error.0),
    };
    view! { <p class="alert alert-danger" role="alert">{sentence}</p> }.into_any()
}

fn whole(t: Texts, mut verdict: VerdictOut) -> AnyView {
    let then = verdict.then.take();
    let agent =
        verdict.agent.clone().map(|name| view! { <dt>{t.call_agent()}</dt><dd>{name}</dd> }.into_any());
    let facts = view! {
        <dl class="facts">
            <dt>{t.called_tool()}</dt><dd><code>{verdict.tool_name.clone()}</code></dd>
            {agent}
        </dl>
        {verdict.params.clone().map(|params| json_view(t.arguments(), params))}
    };
    view! {
        {then_and_now(t, then, Some(verdict))}
        <section class="section">{facts}</section>
    }
    .into_any()
}

/// What the gate said to a call when it was made, beside what it says to the same call now.
pub fn then_and_now(t: Texts, then: Option<DecisionThen>, now: Option<VerdictOut>) -> AnyView {
    let Some(then) = then else { return now.map(|now| verdict_card(t, now)).into_any() };
    let now = now.map(|now| {
        view! {
            <div>
                <p class="section-lead">{t.why_now()}</p>
                {verdict_card(t, now)}
            </div>
        }
        .into_any()
    });
    view! {
        <div class="then-and-now">
            <div>
                <p class="section-lead">{t.why_then()}</p>
                {then_card(t, then)}
            </div>
            {now}
        </div>
    }
    .into_any()
}

fn then_card(t: Texts, then: DecisionThen) -> AnyView {
    let fact = |name: String, value: AnyView| view! { <dt>{name}</dt><dd>{value}</dd> }.into_any();
    let granted = then.granted_by.map(|rule| {
        let sentence = t.gate_reason(&format!("Allowed by the rule {rule}."));
        fact(t.gate_check("ability"), sentence.into_any())
    });
    let mode = then
        .confirmation_mode
        .map(|mode| fact(t.agent_mode().to_owned(), t.confirmation_mode(mode).into_any()));
    let policy = view! { <code>{then.policy_version}</code> }.into_any();
    view! {
        <section class=verdict_class(then.verdict) data-then=then.verdict.as_str()>
            <h2 class="verdict-title">{t.verdict(then.verdict)}</h2>
            <p>{t.gate_reason(&then.reason)}</p>
            <dl class="facts">
                {granted}
                {mode}
                {fact(t.call_version().to_owned(), then.tool_version.to_string().into_any())}
                {fact(t.policy_version().to_owned(), policy)}
            </dl>
        </section>
    }
    .into_any()
}

fn verdict_class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Allowed => "card verdict verdict-yes",
        Verdict::NeedsConfirmation => "card verdict verdict-ask",
        Verdict::Denied => "card verdict",
    }
}

/// Yes, no or "ask first"; and each check with its outcome.
fn verdict_card(t: Texts, verdict: VerdictOut) -> AnyView {
    let class = verdict_class(verdict.verdict);
    let code = verdict.code.clone().map(|code| view! { <code>{code}</code> }.into_any());
    let again = verdict.retry_after.map(|seconds| t.retry_in(seconds));
    let unfit = (!verdict.errors.is_empty()).then(|| unfit_arguments(&verdict.errors));
    let row = |check: CheckOut| {
        let outcome =
            if check.passed { badge("on", t.check_passed()) } else { badge("danger", t.check_failed()) };
        view! {
            <tr>
                <td>{t.gate_check(&check.check)}</td>
                <td data-label=t.outcome()>{outcome}</td>
                <td data-label=t.explanation()><span>{t.gate_reason(&check.detail)}</span></td>
            </tr>
        }
        .into_any()
    };
    let columns = [t.check(), t.outcome(), t.explanation()].map(Column::Named);
    let rows = verdict.checks.into_iter().map(row).collect();
    view! {
        <section class=class data-verdict=verdict.rule.clone()>
            <h2 class="verdict-title">{t.verdict(verdict.verdict)}</h2>
            <p>{t.gate_reason(&verdict.reason)} " " {code} " " {again}</p>
            {unfit}
            <p class="cell-detail">{t.check_order()}</p>
            {table("table table-dense", t.why_title(), columns.into(), rows)}
        </section>
    }
    .into_any()
}
