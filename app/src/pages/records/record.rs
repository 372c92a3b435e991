//! One record, or the form of a new one.

use super::{kind_here, record_row};
use crate::{
    api::{
        described::FieldOut,
        records::{
            AddNote, DeleteRecord, FoundRecord, GetRecord, NEW, RecordForm, RecordKind, RelatedOut,
            SaveRecord, SavedRecord,
        },
    },
    components::{
        Column, Confirm, awaited, heading, load_error, loading, no_access, page_header, page_title,
        say_and_reload, table, use_notices,
    },
    form::{
        Again, Answer, Done, DraftForm, Fields, Post, PostForm, conflict, described_facts, described_fields,
        error_summary, not_a_conflict, submit_button,
    },
    live::use_live,
    load::{Question, load},
    location::use_location,
    pages::not_found::not_found,
    session::use_session,
    texts::{Texts, texts},
};
use ability::{Action, Subject};
use leptos::prelude::*;
use std::sync::Arc;

impl Question for GetRecord {
    fn fields(&self) -> Option<Vec<(&'static str, String)>> {
        Some(vec![
            ("kind", self.kind.as_str().to_owned()),
            ("id", self.id.clone()),
            ("contact", self.contact.clone()),
        ])
    }
}

/// The forms of the page, made once: a refusal outlives what is brought anew.
#[derive(Clone, Copy)]
struct Forms {
    kind: RecordKind,
    save: Post,
    delete: Post,
    note: Post,
}

pub fn record() -> AnyView {
    let Some(kind) = kind_here() else { return not_found() };
    let t = texts();
    let (live, location, session) = (use_live(), use_location(), use_session());
    let asked = move || {
        location.with(|address| GetRecord {
            kind,
            id: address.last_part(),
            contact: address.value("contact").unwrap_or_default(),
        })
    };
    let found = load(move || (live.data(), asked()));
    let again: Again = Arc::new(move || found.refetch());
    let forms = Forms {
        kind,
        save: Post::to::<SaveRecord>(),
        delete: Post::to::<DeleteRecord>(),
        note: Post::to::<AddNote>(),
    };
    page_title(t.record_title(kind));
    let answered = move || {
        Some(match found.get()? {
            Err(error) => {
                let top = page_header(t.record_title(kind), t.record_lead(kind));
                view! { {top} {load_error(&error)} }.into_any()
            }
            // What was shown before, until this has come: a form that was just sent must not be sent once more.
            Ok(found) if location.with(|address| found.id != address.last_part()) => loading(),
            Ok(FoundRecord { id, form }) => {
                let right = if id == NEW { Action::Create } else { Action::Update };
                let may = |action| session.can(action, Subject::Crm);
                whole(t, forms, id, form, (may(right), may(Action::Delete)), &again)
            }
        })
    };
    view! {
        {awaited(loading, answered)}
        <p class="section"><a href=kind.path()>{t.record_all()}</a></p>
    }
    .into_any()
}

fn whole(
    t: Texts,
    forms: Forms,
    id: String,
    form: RecordForm,
    (may_write, may_delete): (bool, bool),
    again: &Again,
) -> AnyView {
    let kind = forms.kind;
    let is_new = id == NEW;
    if is_new && !may_write {
        let top = heading(t.record_new(kind), "");
        return view! { {top} {no_access(Action::Create, Subject::Crm, kind.path())} }.into_any();
    }
    let title = if is_new { t.record_new(kind).to_owned() } else { form.title.clone() };
    // A message that waits is planned and cancelled, never changed.
    let is_written = may_write && (kind != RecordKind::Scheduled || is_new);
    let is_cancelled = kind == RecordKind::Scheduled && may_write && form.is_open;
    let removal = (!is_new && (is_cancelled || (may_delete && kind != RecordKind::Scheduled)))
        .then(|| removal(t, forms, &id, &form.title));
    let related: Vec<AnyView> = form.related.into_iter().map(related_section).collect();
    let note = (form.takes_notes && may_write).then(|| note_form(t, forms.note, &id, again));
    let links = (kind == RecordKind::Contacts && !is_new && may_write).then(|| about_contact(t, &id));
    let facts = (!form.facts.is_empty()).then(|| described_facts(form.facts));
    let body = if is_written {
        fields_form(t, forms, &id, form.seen_version, form.fields, again)
    } else {
        described_facts(form.fields)
    };
    view! {
        {heading(title, t.record_lead(kind))}
        {error_summary(forms.delete)}
        <section class="card settings" aria-label=t.record_details()>{body} {facts}</section>
        {links}
        {note}
        {related}
        {removal.map(|removal| view! { <div class="section">{removal}</div> })}
    }
    .into_any()
}

fn fields_form(
    t: Texts,
    forms: Forms,
    id: &str,
    version: i64,
    fields: Vec<FieldOut>,
    again: &Again,
) -> AnyView {
    let done = say_and_go(t.record_saved(), (id != NEW).then(|| again.clone()));
    let labels = fields.iter().map(|field| (field.name.clone(), field.label.clone())).collect();
    let (kind, id) = (forms.kind.as_str(), id.to_owned());
    let here = format!("{}/{id}", forms.kind.path());
    view! {
        {not_a_conflict(forms.save, labels)}
        <DraftForm post=forms.save class="form" on_done=done>
            {conflict(forms.save, here)}
            <input type="hidden" name="kind" value=kind/>
            <input type="hidden" name="id" value=id/>
            <input type="hidden" name="seen_version" value=version.to_string()/>
            {described_fields(forms.save, fields)}
            <div class="form-actions">{submit_button(forms.save, "button button-primary", t.save())}</div>
        </DraftForm>
    }
    .into_any()
}

/// A word, and on to where the answer leads; here already, what was kept is brought.
fn say_and_go(text: &'static str, again: Option<Again>) -> Done {
    let (notices, location) = (use_notices(), use_location());
    Arc::new(move |answer: Answer| {
        notices.done(text);
        match (&again, answer.read::<SavedRecord>()) {
            (Some(again), _) => again(),
            (None, Some(saved)) => location.go(&saved.href, false),
            (None, None) => {}
        }
    })
}

fn removal(t: Texts, forms: Forms, id: &str, name: &str) -> AnyView {
    let is_message = forms.kind == RecordKind::Scheduled;
    let (ask, title, lead, done) = if is_message {
        (t.record_cancel(), t.record_cancel_title().to_owned(), t.record_cancel_lead(), t.record_cancelled())
    } else {
        (t.delete(), t.record_delete_title(name), t.record_delete_lead(), t.record_removed())
    };
    let (kind, id) = (forms.kind.as_str(), id.to_owned());
    view! {
        <Confirm
            id="delete-record".to_owned()
            post=forms.delete
            ask=ask
            act=ask
            about=name.to_owned()
            title=title
            lead=lead
            on_done=say_and_go(done, None)
        >
            <input type="hidden" name="kind" value=kind/>
            <input type="hidden" name="id" value=id/>
        </Confirm>
    }
    .into_any()
}

/// What can be begun for a contact.
fn about_contact(t: Texts, id: &str) -> AnyView {
    let kinds = [RecordKind::Tasks, RecordKind::Deals, RecordKind::Conversations, RecordKind::Scheduled];
    let links = kinds.map(|kind| {
        let href = format!("{}/new?contact={id}", kind.path());
        view! { <a class="button" href=href>{t.record_new(kind)}</a> }.into_any()
    });
    view! { <div class="form-actions section">{Vec::from(links)}</div> }.into_any()
}

fn related_section(related: RelatedOut) -> AnyView {
    let RelatedOut { title, columns, rows } = related;
    let (caption, label) = (title.clone(), title.clone());
    let heads = std::iter::once(Column::Told(title.clone()))
        .chain(columns.iter().cloned().map(Column::Told))
        .collect();
    let rows: Vec<AnyView> = rows.into_iter().map(|row| record_row(row, &columns)).collect();
    view! {
        <section class="section" aria-label=label>
            <header class="section-header"><h2>{title}</h2></header>
            <div class="card card-flush">{table("table table-dense", caption, heads, rows)}</div>
        </section>
    }
    .into_any()
}

fn note_form(t: Texts, post: Post, id: &str, again: &Again) -> AnyView {
    let id = id.to_owned();
    view! {
        <section class="section" aria-labelledby="note">
            <header class="section-header">
                <h2 id="note">{t.record_note()}</h2>
                <p class="section-lead">{t.record_note_lead()}</p>
            </header>
            {error_summary(post)}
            <PostForm post=post class="form" fields=Fields::Empty on_done=say_and_reload(t.record_saved(), again)>
                <input type="hidden" name="id" value=id/>
                <textarea class="input" name="text" rows="2" required=true aria-label=t.record_note()></textarea>
                <div class="form-actions">{submit_button(post, "button", t.record_note_submit())}</div>
            </PostForm>
        </section>
    }
    .into_any()
}
