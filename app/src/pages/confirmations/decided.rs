//! What people decided, and what they changed.

use super::question::page_of;
use crate::{
    api::confirmations::QuestionOut,
    components::{Column, argument_facts, badge, empty_state, table, when},
    texts::Texts,
};
use domain::status::ConfirmationStatus;
use leptos::prelude::*;

pub fn status_badge(t: Texts, status: ConfirmationStatus) -> AnyView {
    let tone = match status {
        ConfirmationStatus::Pending => "accent",
        ConfirmationStatus::Approved => "on",
        ConfirmationStatus::Refused => "danger",
        ConfirmationStatus::Expired => "plain",
    };
    badge(tone, t.confirmation_status(status))
}

pub fn decided_table(t: Texts, questions: Vec<QuestionOut>) -> AnyView {
    if questions.is_empty() {
        return empty_state("confirmations", t.decided_empty_title(), t.decided_empty_lead(), None);
    }
    let columns = [t.call(), t.state(), t.decided_by(), t.arguments()].map(Column::Named);
    let rows = questions.into_iter().map(|question| row(t, question)).collect();
    view! {
        <div class="card card-flush">{table("table", t.confirmations_title(), columns.into(), rows)}</div>
    }
    .into_any()
}

fn row(t: Texts, question: QuestionOut) -> AnyView {
    let agent =
        question.agent_name.clone().map(|name| view! { <p class="cell-detail">{name}</p> }.into_any());
    view! {
        <tr data-confirmation=question.id.to_string()>
            <td>
                <p class="cell-title"><a href=page_of(&question)>{question.tool_label.clone()}</a></p>
                {agent}
            </td>
            <td data-label=t.state()>{status_badge(t, question.status)}</td>
            <td data-label=t.decided_by()><div>{decision_facts(t, &question)}</div></td>
            <td data-label=t.arguments()><div>{argument_facts(&question.arguments)}</div></td>
        </tr>
    }
    .into_any()
}

/// Who decided, when, and with which words.
pub fn decision_facts(_t: Texts, question: &QuestionOut) -> AnyView {
    let by = question.decided_by.clone().map(|name| view! { <p>{name}</p> }.into_any());
    let at = question.decided_at.clone().map(|at| view! { <p class="cell-detail">{when(at)}</p> }.into_any());
    let note = question.note.clone().map(|note| view! { <p class="cell-reason">{note}</p> }.into_any());
    view! { {by}{at}{note} }.into_any()
}
