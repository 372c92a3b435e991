//! The record of the organisation. Filters and the place in the list are the address.

mod entry;

use self::entry::entry_row;
use crate::{
    api::{
        audit::{AuditPage, ChainView, ListAuditEntries, Verified, VerifyAuditLog},
        described::ChoiceOut,
    },
    components::{Column, cursor_pager, empty_state, loaded, page_header, table, verified, when},
    form::{
        Answer, Choice, DAYS_NOTE, Post, PostForm, QueryForm, days_note, error_summary, submit_button,
        suggestions, working,
    },
    live::use_live,
    load::{Question, load},
    location::{Address, use_location},
    texts::{Texts, texts},
};
use leptos::prelude::*;
use std::sync::Arc;

impl Question for ListAuditEntries {
    fn fields(&self) -> Option<Vec<(&'static str, String)>> {
        Some(vec![
            ("area", self.area.clone()),
            ("actor", self.actor.clone()),
            ("subject", self.subject.clone()),
            ("from", self.from.clone()),
            ("to", self.to.clone()),
            ("cursor", self.cursor.clone()),
        ])
    }
}

fn asked(address: &Address) -> ListAuditEntries {
    let value = |name| address.value(name).unwrap_or_default();
    ListAuditEntries {
        area: value("area"),
        actor: value("actor"),
        subject: value("subject"),
        from: value("from"),
        to: value("to"),
        cursor: value("cursor"),
    }
}

pub fn audit() -> AnyView {
    let t = texts();
    let (live, location) = (use_live(), use_location());
    let entries = load(move || (live.data(), location.with(asked)));
    let check = Post::to::<VerifyAuditLog>();
    let outcome = RwSignal::new(None::<Verified>);
    let shown = move |page: AuditPage| {
        let filter = filter_form(t, page.areas, page.actors, location.with_untracked(asked));
        view! {
            {chain_card(t, page.chain, check, outcome)}
            {filter}
            {days_note(t, page.days_in_utc)}
            {entry_table(t, page.entries)}
            {cursor_pager(page.next_cursor)}
        }
        .into_any()
    };
    view! {
        {page_header(t.audit_title(), t.audit_lead())}
        {error_summary(check)}
        {move || outcome.get().map(verified)}
        {loaded(entries, shown)}
    }
    .into_any()
}

fn chain_card(t: Texts, chain: ChainView, post: Post, outcome: RwSignal<Option<Verified>>) -> AnyView {
    let done = move |answer: Answer| outcome.set(answer.read());
    let signed = chain.signed_at.map(|at| {
        let entry = t.audit_chain_signed_entry(&chain.signed.to_string());
        view! { {entry} " · " {when(at)} }.into_any()
    });
    view! {
        <section class="card chain" aria-labelledby="chain">
            <h2 id="chain">{t.audit_chain()}</h2>
            <dl class="facts">
                <dt>{t.audit_chain_entries()}</dt>
                <dd>{chain.entries.to_string()}</dd>
                <dt>{t.audit_chain_signed()}</dt>
                <dd>{signed}</dd>
                <dt>{t.audit_chain_unsigned()}</dt>
                <dd>{(chain.entries - chain.signed).to_string()}</dd>
                <dt>{t.audit_chain_hash()}</dt>
                <dd><code class="hash">{chain.hash}</code></dd>
            </dl>
            <div class="form-actions">
                <PostForm post=post on_done=Arc::new(done)>
                    {submit_button(post, "button button-primary", t.audit_verify())} " " {working(post)}
                </PostForm>
                <a class="button" href="/api/v1/audit/export" rel="external" download="">{t.audit_export()}</a>
            </div>
        </section>
    }
    .into_any()
}

fn filter_form(t: Texts, areas: Vec<ChoiceOut>, actors: Vec<ChoiceOut>, asked: ListAuditEntries) -> AnyView {
    let mut choices = vec![Choice::new("", t.audit_area_any(), asked.area.is_empty())];
    choices.extend(areas.into_iter().map(|area| {
        let is_chosen = area.value == asked.area;
        Choice::new(area.value, area.label, is_chosen)
    }));
    let day = |name: &'static str, label: &'static str, value: String| {
        let id = format!("audit-{name}");
        view! {
            <div class="field">
                <label class="field-label" r#for=id.clone()>{label}</label>
                <input class="input" type="date" id=id name=name value=value aria-describedby=DAYS_NOTE/>
            </div>
        }
        .into_any()
    };
    let subject = (!asked.subject.is_empty())
        .then(|| view! { <input type="hidden" name="subject" value=asked.subject/> }.into_any());
    view! {
        <QueryForm path="/audit" class="toolbar toolbar-labelled">
            <div class="field">
                <label class="field-label" r#for="audit-area">{t.audit_area_label()}</label>
                <select class="select" id="audit-area" name="area">{Choice::options(choices)}</select>
            </div>
            <div class="field">
                <label class="field-label" r#for="audit-actor">{t.audit_actor()}</label>
                <input
                    class="input"
                    type="search"
                    id="audit-actor"
                    name="actor"
                    list="audit-actors"
                    value=asked.actor
                    autocomplete="off"
                />
                {suggestions("audit-actors", actors)}
            </div>
            {day("from", t.filter_from(), asked.from)}
            {day("to", t.filter_to(), asked.to)}
            {subject}
            <button type="submit" class="button">{t.filter()}</button>
            <a class="button button-quiet" href="/audit">{t.clear()}</a>
        </QueryForm>
    }
    .into_any()
}

fn entry_table(t: Texts, entries: Vec<crate::api::audit::AuditRow>) -> AnyView {
    if entries.is_empty() {
        let next = view! { <a class="button" href="/audit">{t.clear()}</a> }.into_any();
        return empty_state("audit", t.audit_empty_title(), t.audit_empty_lead(), Some(next));
    }
    let columns = [t.audit_entry(), t.audit_when(), t.audit_actor(), t.audit_what()].map(Column::Named);
    let rows = entries.into_iter().map(|entry| entry_row(t, entry)).collect();
    let list = table("table table-dense", t.audit_title(), columns.into(), rows);
    view! { <div class="card card-flush">{list}</div> }.into_any()
}
