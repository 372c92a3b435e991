//! The inbox: calls that wait for a person, and what people decided. Follows the news by itself; what somebody is writing
//! in one question stays while others come and go.

mod decided;
mod one;
mod question;

use self::decided::decided_table;
pub use self::{
    decided::{decision_facts, status_badge},
    one::confirmation,
    question::agent_words,
};
use crate::{
    api::confirmations::{ApproveConfirmation, InboxOut, ListConfirmations, QuestionOut, RefuseConfirmation},
    components::{Item, cursor_pager, empty_state, keyed_list, loaded, page_header},
    form::{Again, Choice, Post, QueryForm, error_summary},
    live::use_live,
    load::{Question, load},
    location::{Address, use_location},
    texts::{Texts, texts},
};
use domain::status::ConfirmationStatus;
use leptos::prelude::*;
use question::Asked;
use std::sync::Arc;

impl Question for ListConfirmations {
    fn fields(&self) -> Option<Vec<(&'static str, String)>> {
        let status = self.status.map(|status| ("status", status.as_str().to_owned()));
        let cursor = self.cursor.clone().map(|cursor| ("cursor", cursor));
        Some(status.into_iter().chain(cursor).collect())
    }
}

/// What the address asks for: those that wait, unless it names another state or all.
#[derive(Clone, PartialEq)]
struct Wish {
    state: String,
    cursor: Option<String>,
}

const ALL: &str = "all";

impl Wish {
    fn of(address: &Address) -> Self {
        Self {
            state: address.value("status").unwrap_or_default(),
            cursor: address.value("cursor").filter(|cursor| !cursor.is_empty()),
        }
    }

    fn status(&self) -> Option<ConfirmationStatus> {
        let named = ConfirmationStatus::from_name(&self.state);
        named.or((self.state != ALL).then_some(ConfirmationStatus::Pending))
    }
}

pub fn confirmations() -> AnyView {
    let t = texts();
    let live = use_live();
    let location = use_location();
    let inbox = load(move || {
        let wish = location.with(Wish::of);
        let question = ListConfirmations { status: wish.status(), cursor: wish.cursor };
        (live.confirmations() + live.data(), question)
    });
    let again: Again = Arc::new(move || inbox.refetch());
    let moves = Moves::default();
    let shown = move |answer: InboxOut| {
        let wish = location.with_untracked(Wish::of);
        let links = cursor_pager(answer.next_cursor.clone());
        let list = match wish.status() {
            Some(ConfirmationStatus::Pending) => waiting(t, answer, &again, moves),
            _ => decided_table(t, answer.questions),
        };
        view! { {list} {links} }.into_any()
    };
    view! {
        {page_header(t.confirmations_title(), t.confirmations_lead())}
        {error_summary(Post::to::<ApproveConfirmation>())}
        {error_summary(Post::to::<RefuseConfirmation>())}
        {filter(t)}
        {loaded(inbox, shown)}
    }
    .into_any()
}

fn filter(t: Texts) -> AnyView {
    let location = use_location();
    let state = location.with_untracked(|address| Wish::of(address).state);
    let waits = [Choice::new("", t.confirmation_status(ConfirmationStatus::Pending), state.is_empty())];
    let ended = [ConfirmationStatus::Approved, ConfirmationStatus::Refused, ConfirmationStatus::Expired]
        .map(|one| Choice::new(one.as_str(), t.confirmation_status(one), state == one.as_str()));
    let all = [Choice::new(ALL, t.all_states(), state == ALL)];
    let choices = waits.into_iter().chain(ended).chain(all).collect();
    view! {
        <QueryForm path="/confirmations" class="toolbar" live=true>
            <select
                class="select"
                name="status"
                aria-label=t.state()
                prop:value=move || location.with(|address| Wish::of(address).state)
            >
                {Choice::options(choices)}
            </select>
            <button type="submit" class="button only-without-scripts">{t.filter()}</button>
        </QueryForm>
    }
    .into_any()
}

/// Cards come and go under somebody's hand. For a second after that none of them takes a click: it was meant for the
/// card that was there before (style/pages/work.css).
#[derive(Clone, Copy, Default)]
struct Moves(StoredValue<(Option<Vec<String>>, Option<bool>)>);

impl Moves {
    /// Another class after every move, so that the second begins anew. What the page began with has not moved; a card
    /// that comes into an empty inbox has.
    fn class(self, inbox: &InboxOut) -> &'static str {
        let now: Vec<String> = inbox.questions.iter().map(|question| question.id.to_string()).collect();
        let turn = self.0.try_update_value(|(before, turn)| {
            if before.replace(now.clone()).is_some_and(|before| before != now) {
                *turn = Some(!turn.unwrap_or_default());
            }
            *turn
        });
        match turn.flatten() {
            None => "questions",
            Some(true) => "questions questions-moved",
            Some(false) => "questions questions-moved-again",
        }
    }
}

fn waiting(t: Texts, inbox: InboxOut, again: &Again, moves: Moves) -> AnyView {
    let (count, class) = (inbox.questions.len().to_string(), moves.class(&inbox));
    if inbox.questions.is_empty() {
        return empty_state("confirmations", t.inbox_empty_title(), t.inbox_empty_lead(), None);
    }
    view! {
        <p class="result-count" role="status">{t.waiting_count(&count)}</p>
        <div class=class>{cards(t, inbox, again, true)}</div>
    }
    .into_any()
}

/// Each as a card; one that was decided meanwhile is another one. `has_links` leads from each to its own page.
fn cards(t: Texts, inbox: InboxOut, again: &Again, has_links: bool) -> AnyView {
    let asked = Asked { t, has_links };
    let item = |question: QuestionOut| {
        let (asked, again) = (asked.clone(), again.clone());
        Item {
            key: format!("{}-{}", question.id, question.status.as_str()),
            view: Box::new(move || asked.card(question, &again)),
        }
    };
    let items = inbox.questions.into_iter().map(item).collect();
    keyed_list(items)
}
