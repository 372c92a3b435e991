//! One entry of the record, with what it changed folded away.

use crate::{
    api::audit::{AuditRow, ChangeOut},
    components::{Column, table, when},
    texts::Texts,
};
use leptos::prelude::*;

pub fn entry_row(t: Texts, entry: AuditRow) -> AnyView {
    let only = format!("/audit?subject={}", entry.subject_id);
    let seq = entry.seq.to_string();
    let changes = (!entry.changes.is_empty()).then(|| changes(t, &seq, entry.changes));
    view! {
        <tr>
            <td data-label=t.audit_entry()><span title=entry.hash>{seq}</span></td>
            <td data-label=t.audit_when()>{when(entry.at)}</td>
            <td data-label=t.audit_actor()>{entry.actor}</td>
            <td>
                <p class="cell-title">{entry.what} " " <code>{entry.action}</code></p>
                <p class="cell-detail">
                    <a href=only title=t.audit_only_subject()>{entry.subject_id}</a>
                </p>
                {entry.reason.map(|reason| view! { <p class="cell-reason">{reason}</p> }.into_any())}
                {changes}
            </td>
        </tr>
    }
    .into_any()
}

fn changes(t: Texts, seq: &str, changes: Vec<ChangeOut>) -> AnyView {
    let columns = [t.audit_field(), t.audit_before(), t.audit_after()].map(Column::Named);
    let value = |label: &'static str, class: &'static str, text: Option<String>| {
        view! { <td data-label=label class=class>{text.unwrap_or_else(|| "–".to_owned())}</td> }.into_any()
    };
    let row = |change: ChangeOut| {
        view! {
            <tr>
                <td data-label=t.audit_field()><code>{change.field}</code></td>
                {value(t.audit_before(), "change-before", change.before)}
                {value(t.audit_after(), "change-after", change.after)}
            </tr>
        }
        .into_any()
    };
    let rows = changes.into_iter().map(row).collect();
    view! {
        <details class="disclosure">
            <summary aria-label=t.audit_changes_named(seq)>{t.audit_changes()}</summary>
            {table("table table-changes", t.audit_changes(), columns.into(), rows)}
        </details>
    }
    .into_any()
}
