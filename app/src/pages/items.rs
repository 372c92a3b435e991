//! What the person saved: found by words, kind or tag; changed in place, deleted and brought back, taken away.

mod card;
mod filter;

use self::{card::card, filter::asked};
use crate::{
    api::items::{ChooseMatch, DeleteItem, ListItems, RestoreItem, UpdateItem},
    components::{awaited, empty_state, load_error, loading, page_header},
    form::{Again, Post, PostForm, error_summary, submit_button},
    live::use_live,
    load::{Question, load},
    location::{Address, use_location},
    pages::tools::no_organisation,
    texts::{Texts, texts},
};
use domain::{ErrorCode, ListOut, item::ItemOut};
use leptos::prelude::*;
use std::sync::Arc;

impl Question for ListItems {
    fn fields(&self) -> Option<Vec<(&'static str, String)>> {
        let mut fields = vec![("deleted", self.deleted.to_string())];
        fields.extend(self.search.clone().map(|text| ("search", text)));
        fields.extend(self.kind.map(|kind| ("kind", kind.as_str().to_owned())));
        fields.extend(self.tag.clone().map(|tag| ("tag", tag)));
        fields.extend(self.before.clone().map(|before| ("before", before)));
        Some(fields)
    }
}

/// The one that was deleted last on this page: its deletion can be taken back.
type Gone = RwSignal<Option<(String, String)>>;

pub fn items() -> AnyView {
    let t = texts();
    let (live, location) = (use_live(), use_location());
    let list = load(move || (live.data(), location.with(asked)));
    let again: Again = Arc::new(move || list.refetch());
    let gone: Gone = RwSignal::new(None);
    let undo = again.clone();
    let shown = move || {
        list.get().map(|answer| match answer {
            Ok(found) => item_list(t, found, gone, &again),
            Err(error) if error.code() == ErrorCode::TenantRequired => no_organisation(t),
            Err(error) => load_error(&error),
        })
    };
    view! {
        <div class="page-top">
            {page_header(t.items_title(), t.items_lead())}
            <a class="button" href="/api/v1/items/export" rel="external" download="alcada-items.jsonl">{t.items_export()}</a>
        </div>
        {error_summary(Post::to::<UpdateItem>())}
        {error_summary(Post::to::<DeleteItem>())}
        {error_summary(Post::to::<RestoreItem>())}
        {error_summary(Post::to::<ChooseMatch>())}
        {filter::form(t)}
        <div role="status">{move || gone.get().map(|(id, title)| deleted(t, id, title, gone, &undo))}</div>
        {awaited(loading, shown)}
    }
    .into_any()
}

fn item_list(t: Texts, found: ListOut<ItemOut>, gone: Gone, again: &Again) -> AnyView {
    let here = use_location().with_untracked(Address::clone);
    if found.data.is_empty() {
        return nothing_here(t, &here);
    }
    let cards: Vec<AnyView> = found.data.into_iter().map(|item| card(t, item, gone, again)).collect();
    let next = found.next_cursor.map(|cursor| {
        let address = here.with_value("before", Some(&cursor));
        view! { <nav class="pager" aria-label=t.pages()><a class="button" href=address>{t.items_older()}</a></nav> }
            .into_any()
    });
    view! {
        <ul class="items">{cards}</ul>
        {next}
    }
    .into_any()
}

fn nothing_here(t: Texts, here: &Address) -> AnyView {
    if here.query.is_empty() {
        let next =
            view! { <a class="button button-primary" href="/assistant">{t.items_begin()}</a> }.into_any();
        return empty_state("note", t.items_empty_title(), t.items_empty_lead(), Some(next));
    }
    let next = view! { <a class="button" href="/items">{t.clear()}</a> }.into_any();
    empty_state("search", t.items_none_title(), t.items_none_lead(), Some(next))
}

/// Said after a deletion, with the way back.
fn deleted(t: Texts, id: String, title: String, gone: Gone, again: &Again) -> AnyView {
    let again = again.clone();
    let brought_back: Again = Arc::new(move || {
        gone.set(None);
        again();
    });
    view! {
        <div class="alert alert-done undo">
            <p>{t.item_deleted(&title)}</p>
            {restore(t, id, t.undo(), &brought_back)}
        </div>
    }
    .into_any()
}

/// The form that takes a deletion back.
pub fn restore(t: Texts, id: String, label: &'static str, again: &Again) -> AnyView {
    let post = Post::one_of::<RestoreItem>();
    crate::components::row_errors(post);
    view! {
        <PostForm post=post on_done=crate::components::say_and_reload(t.item_restored(), again)>
            <input type="hidden" name="item_id" value=id/>
            {submit_button(post, "button", label)}
        </PostForm>
    }
    .into_any()
}
