//! One call that waits: what would happen, with what, who asks, how long there is; and the three answers.

use super::decided::{decision_facts, status_badge};
use crate::{
    api::{
        ApiError,
        confirmations::{ApproveConfirmation, DecisionMade, QuestionOut, RefuseConfirmation},
    },
    components::{argument_facts, argument_fields, badge, effect, json_view, time_left, use_notices, when},
    form::{Again, Answer, Done, Post, PostForm, error_summary, submit_button, unfit_arguments, working},
    texts::Texts,
};
use domain::{ErrorCode, status::ConfirmationStatus};
use leptos::prelude::*;
use std::sync::Arc;

/// What is the same for every question of a page.
#[derive(Clone)]
pub struct Asked {
    pub t: Texts,
    /// From each to its own page.
    pub has_links: bool,
}

impl Asked {
    pub fn card(&self, question: QuestionOut, again: &Again) -> AnyView {
        let t = self.t;
        let id = question.id.to_string();
        let (heading, labelled_by) = (format!("question-{id}"), format!("question-{id}"));
        let is_open = question.status == ConfirmationStatus::Pending;
        let state = match is_open {
            true => time_left(question.expires_at.clone(), question.seconds_left),
            false => status_badge(t, question.status),
        };
        let end = if is_open { self.answers(&question, again) } else { outcome(t, &question) };
        view! {
            <article class="card question" aria-labelledby=labelled_by data-confirmation=id>
                <header class="question-header">
                    <h2 id=heading>{self.title(&question)} " " <code>{question.tool_name.clone()}</code></h2>
                    {state}
                </header>
                {is_test(t, &question)}
                <p>{t.gate_reason(&question.reason)}</p>
                {said(t, &question)}
                {plan(t, &question)}
                <section class="question-part">
                    <h3>{t.arguments()}</h3>
                    {argument_facts(&question.arguments)}
                </section>
                {facts(t, &question)}
                {end}
            </article>
        }
        .into_any()
    }

    fn title(&self, question: &QuestionOut) -> AnyView {
        let label = question.tool_label.clone();
        match self.has_links {
            true => view! { <a href=page_of(question)>{label}</a> }.into_any(),
            false => label.into_any(),
        }
    }

    /// What the reader can do about it.
    fn answers(&self, question: &QuestionOut, again: &Again) -> AnyView {
        let t = self.t;
        if !question.may_decide {
            let note = t.only_others_decide(&deciders(t, question));
            return view! { <p class="cell-detail">{note}</p> }.into_any();
        }
        if question.needs_somebody_else {
            let note = t.you_asked_yourself(&deciders(t, question));
            return view! {
                <p class="alert" role="note">{note}</p>
                <div class="answers">{no(t, question, again)}</div>
            }
            .into_any();
        }
        view! {
            <div class="answers">
                {yes(t, question, again)}{corrected(t, question, again)}{no(t, question, again)}
            </div>
        }
        .into_any()
    }
}

pub fn page_of(question: &QuestionOut) -> String {
    format!("/confirmations/{}", question.id)
}

/// The roles that may, in words.
fn deciders(t: Texts, question: &QuestionOut) -> String {
    let roles: Vec<&str> = question.deciders.iter().map(|role| t.tenant_role(*role)).collect();
    roles.join(", ")
}

fn outcome(t: Texts, question: &QuestionOut) -> AnyView {
    view! {
        <section class="question-part">
            <h3>{t.outcome()}</h3>
            {decision_facts(t, question)}
        </section>
    }
    .into_any()
}

/// The agent's own words: text of somebody whom nobody has to believe.
pub fn agent_words(message: String) -> AnyView {
    view! { <blockquote class="agent-words">{message}</blockquote> }.into_any()
}

fn is_test(t: Texts, question: &QuestionOut) -> Option<AnyView> {
    let hint = t.test_mode_hint();
    question.test_mode.then(|| view! { <p>{badge("quiet", t.test_call())} " " {hint}</p> }.into_any())
}

fn said(t: Texts, question: &QuestionOut) -> Option<AnyView> {
    let words = agent_words(question.message.clone()?);
    Some(view! { <section class="question-part"><h3>{t.agent_said()}</h3>{words}</section> }.into_any())
}

fn plan(t: Texts, question: &QuestionOut) -> Option<AnyView> {
    let plan = question.plan.clone()?;
    if let Some(why) = &question.plan_fails {
        let why = t.would_fail(why);
        return Some(
            view! {
                <section class="question-part">
                    <h3>{t.plan()}</h3>
                    <p class="alert" role="note">{why}</p>
                </section>
            }
            .into_any(),
        );
    }
    let summary =
        question.plan_summary.clone().map(|text| view! { <p class="plan-summary">{text}</p> }.into_any());
    Some(
        view! {
            <section class="question-part">
                <h3>{t.plan()}</h3>
                {summary}
                <details class="disclosure">
                    <summary>{t.plan_details()}</summary>
                    {json_view(t.plan(), plan)}
                </details>
            </section>
        }
        .into_any(),
    )
}

fn facts(t: Texts, question: &QuestionOut) -> AnyView {
    let agent = question.agent_id.map(|id| {
        let name = question.agent_name.clone().unwrap_or_else(|| t.agent_gone().to_owned());
        view! { <dt>{t.call_agent()}</dt><dd data-agent=id.to_string()>{name}</dd> }.into_any()
    });
    let second = question.requires_second_person.then(|| badge("accent", t.second_person()));
    let execution = format!("/executions/{}", question.execution_id);
    view! {
        <dl class="facts question-facts">
            {agent}
            <dt>{t.asked_by()}</dt>
            <dd>{question.requested_by.clone()} ", " {when(question.created_at.clone())}</dd>
            <dt>{t.who_decides()}</dt>
            <dd>{deciders(t, question)} " " {second}</dd>
            <dt>{t.execution()}</dt>
            <dd><a href=execution>{t.see_execution()}</a></dd>
        </dl>
    }
    .into_any()
}

fn yes(t: Texts, question: &QuestionOut, again: &Again) -> AnyView {
    let post = Post::one_of::<ApproveConfirmation>();
    let (id, label) = (question.id.to_string(), format!("{}: {}", t.approve(), question.tool_label));
    let done = done(t, again);
    outlive(t, post);
    view! {
        {error_summary(post)}
        <PostForm post=post class="as-asked" on_done=done>
            <input type="hidden" name="confirmation_id" value=id/>
            <button
                type="submit"
                class="button button-primary"
                aria-label=label
                aria-disabled=move || post.pending_mark()
            >
                {t.approve()}
            </button>
            " "
            {working(post)}
        </PostForm>
    }
    .into_any()
}

fn corrected(t: Texts, question: &QuestionOut, again: &Again) -> AnyView {
    let post = Post::one_of::<ApproveConfirmation>();
    let id = question.id.to_string();
    let fields = argument_fields(&format!("args-{id}"), &question.arguments);
    let note = optional_line(t, "note", format!("note-{id}"), t.decision_note(), "");
    let done = done(t, again);
    outlive(t, post);
    view! {
        <details class="disclosure answer correction">
            <summary>{t.edit_and_approve()}</summary>
            {argument_errors(t, post)}
            <PostForm post=post class="form" on_done=done>
                <input type="hidden" name="confirmation_id" value=id/>
                {fields}
                {note}
                <div class="form-actions">
                    {submit_button(post, "button button-primary", t.approve_edited())} {working(post)}
                </div>
            </PostForm>
        </details>
    }
    .into_any()
}

fn argument_errors(t: Texts, post: Post) -> AnyView {
    let summary = move || {
        let error = post.error()?.0;
        Some(
            view! {
                <div class="alert alert-danger" role="alert">
                    <p>{t.error(&error)}</p>
                    {unfit_arguments(&error.errors)}
                </div>
            }
            .into_any(),
        )
    };
    view! { {summary} }.into_any()
}

fn no(t: Texts, question: &QuestionOut, again: &Again) -> AnyView {
    let post = Post::one_of::<RefuseConfirmation>();
    let id = question.id.to_string();
    let reason =
        optional_line(t, "reason", format!("reason-{id}"), t.refusal_reason(), t.refusal_reason_hint());
    let done = done(t, again);
    say_before_it_goes(t, post);
    view! {
        <details class="disclosure answer">
            <summary>{t.refuse()}</summary>
            {error_summary(post)}
            <PostForm post=post class="form" on_done=done>
                <input type="hidden" name="confirmation_id" value=id/>
                {reason}
                <div class="form-actions">{submit_button(post, "button button-danger", t.refuse_call())}</div>
            </PostForm>
        </details>
    }
    .into_any()
}

fn optional_line(
    t: Texts,
    name: &'static str,
    id: String,
    label: &'static str,
    hint: &'static str,
) -> AnyView {
    let hint_id = format!("{id}-hint");
    let described_by = (!hint.is_empty()).then(|| hint_id.clone());
    let hint = (!hint.is_empty()).then(|| view! { <p class="field-hint" id=hint_id>{hint}</p> }.into_any());
    view! {
        <div class="field">
            <label class="field-label" r#for=id.clone()>
                {label} <span class="field-optional">{t.optional()}</span>
            </label>
            <input
                class="input"
                type="text"
                id=id
                name=name
                maxlength="500"
                autocomplete="off"
                aria-describedby=described_by
            />
            {hint}
        </div>
    }
    .into_any()
}

/// News takes the card away as soon as it is decided, and the call may run on: then the corner says so, until it says how
/// the call ended.
fn outlive(t: Texts, post: Post) {
    let notices = use_notices();
    say_before_it_goes(t, post);
    on_cleanup(move || {
        if post.is_pending_untracked() {
            notices.running(t.approved_running());
        }
    });
}

/// A question that cannot be decided any more goes, and takes what its card says with it.
fn say_before_it_goes(t: Texts, post: Post) {
    let notices = use_notices();
    effect(move || {
        let closed = [ErrorCode::BindingChanged, ErrorCode::AlreadyDecided, ErrorCode::ConfirmationExpired];
        if let Some(ApiError(error)) = post.error().filter(|error| closed.contains(&error.code())) {
            notices.failed(t.error(&error));
        }
    });
}

/// Says how the call ended.
fn done(t: Texts, again: &Again) -> Done {
    let notices = use_notices();
    let again = again.clone();
    Arc::new(move |answer: Answer| {
        match answer.read::<DecisionMade>().map(|made| made.told(t)) {
            Some((true, words)) => notices.done(words),
            Some((false, words)) => notices.failed(words),
            None => notices.done(t.approved_done()),
        }
        again();
    })
}
