//! The lists of contacts, deals, pipelines, tasks, products, conversations and scheduled messages: one page for all. What
//! it is asked is its address.

mod record;

pub use record::record;

use crate::{
    api::{
        described::FieldOut,
        records::{CellKind, CellOut, ListRecords, RecordKind, RecordList, RecordRow},
    },
    components::{Can, Column, badge, cursor_pager, empty_state, loaded, page_header, table, when_text},
    form::{Choice, QueryForm, search_input},
    live::use_live,
    load::{Question, load},
    location::{Address, use_location},
    pages::not_found::not_found,
    texts::{Texts, texts},
};
use ability::{Action, Subject};
use leptos::prelude::*;

impl Question for ListRecords {
    fn fields(&self) -> Option<Vec<(&'static str, String)>> {
        Some(vec![
            ("kind", self.kind.as_str().to_owned()),
            ("q", self.q.clone()),
            ("status", self.status.clone()),
            ("cursor", self.cursor.clone()),
        ])
    }
}

fn asked(kind: RecordKind, address: &Address) -> ListRecords {
    let value = |name| address.value(name).unwrap_or_default();
    ListRecords { kind, q: value("q"), status: value("status"), cursor: value("cursor") }
}

/// The kind whose page this is, for as long as it is shown.
fn kind_here() -> Option<RecordKind> {
    use_location().with_untracked(|address| RecordKind::at(&address.path))
}

pub fn records() -> AnyView {
    let Some(kind) = kind_here() else { return not_found() };
    let t = texts();
    let (live, location) = (use_live(), use_location());
    let list = load(move || (live.data(), location.with(|address| asked(kind, address))));
    let shown = move |list: RecordList| {
        let asked = location.with_untracked(|address| asked(kind, address));
        shown(t, kind, list, asked)
    };
    view! {
        <div class="page-top">
            {page_header(t.record_title(kind), t.record_lead(kind))}
            <Can action=Action::Create subject=Subject::Crm>{new_link(t, kind, "button button-primary")}</Can>
        </div>
        {(kind == RecordKind::Deals).then(|| stages_link(t))}
        {loaded(list, shown)}
    }
    .into_any()
}

fn new_link(t: Texts, kind: RecordKind, class: &'static str) -> AnyView {
    view! { <a class=class href=format!("{}/new", kind.path())>{t.record_new(kind)}</a> }.into_any()
}

fn stages_link(t: Texts) -> AnyView {
    let stages = RecordKind::Pipelines;
    view! { <p class="page-note"><a href=stages.path()>{t.record_title(stages)}</a></p> }.into_any()
}

fn shown(t: Texts, kind: RecordKind, list: RecordList, asked: ListRecords) -> AnyView {
    let is_narrowed = !(asked.q.is_empty() && asked.status.is_empty());
    let RecordList { columns, rows, next_cursor, filter, has_search } = list;
    let toolbar = (has_search || filter.is_some()).then(|| toolbar(t, kind, filter, has_search));
    let body = match (rows.is_empty(), is_narrowed) {
        (true, true) => {
            let next = view! { <a class="button" href=kind.path()>{t.clear()}</a> }.into_any();
            empty_state("search", t.record_nothing_title(), t.record_nothing_lead(), Some(next))
        }
        (true, false) => empty_state(icon_of(kind), t.record_empty(kind), t.record_lead(kind), None),
        (false, _) => record_table(t.record_title(kind), columns, rows),
    };
    view! { {toolbar} <div class="card card-flush">{body}</div> {cursor_pager(next_cursor)} }.into_any()
}

fn toolbar(t: Texts, kind: RecordKind, filter: Option<FieldOut>, has_search: bool) -> AnyView {
    let search = has_search.then(|| search_input("q", t.search(), t.search()));
    let filter = filter.map(|filter| {
        let chosen = filter.value;
        let choices = filter.choices.into_iter().map(|one| {
            let is_chosen = one.value == chosen;
            Choice::new(one.value, one.label, is_chosen)
        });
        view! { <select class="select" name="status" aria-label=filter.label>{Choice::options(choices.collect())}</select> }
            .into_any()
    });
    view! {
        <QueryForm path=kind.path() class="toolbar">
            {search}
            {filter}
            <button type="submit" class="button">{if has_search { t.search() } else { t.filter() }}</button>
        </QueryForm>
    }
    .into_any()
}

pub fn icon_of(kind: RecordKind) -> &'static str {
    match kind {
        RecordKind::Contacts => "contacts",
        RecordKind::Deals | RecordKind::Pipelines => "pipeline",
        RecordKind::Tasks => "tasks",
        RecordKind::Products => "products",
        RecordKind::Conversations => "conversations",
        RecordKind::Scheduled => "scheduled",
    }
}

fn record_table(title: &'static str, columns: Vec<String>, rows: Vec<RecordRow>) -> AnyView {
    let heads =
        std::iter::once(Column::Named(title)).chain(columns.iter().cloned().map(Column::Told)).collect();
    let rows = rows.into_iter().map(|row| record_row(row, &columns)).collect();
    table("table table-dense", title, heads, rows)
}

fn record_row(row: RecordRow, columns: &[String]) -> AnyView {
    let title = match row.href {
        Some(href) => view! { <a href=href>{row.title}</a> }.into_any(),
        None => view! { <span class="said">{row.title}</span> }.into_any(),
    };
    let cells: Vec<AnyView> =
        row.cells.into_iter().zip(columns).map(|(one, label)| cell(one, label.clone())).collect();
    let detail = (!row.detail.is_empty()).then(|| view! { <p class="cell-detail">{row.detail}</p> });
    view! { <tr><td><p class="cell-title">{title}</p>{detail}</td>{cells}</tr> }.into_any()
}

fn cell(cell: CellOut, label: String) -> AnyView {
    let shown = match cell.kind {
        _ if cell.text.is_empty() => ().into_any(),
        CellKind::Moment => when_text(&cell.text),
        CellKind::Plain => badge("plain", cell.text),
        CellKind::On => badge("on", cell.text),
        CellKind::Danger => badge("danger", cell.text),
        CellKind::Text | CellKind::Number => cell.text.into_any(),
    };
    view! { <td data-label=label>{shown}</td> }.into_any()
}
