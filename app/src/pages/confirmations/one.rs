//! One question at an address of its own: to be decided, or with what was decided.

use super::cards;
use crate::{
    api::confirmations::{ApproveConfirmation, GetConfirmation, RefuseConfirmation},
    components::{awaited, empty_state, load_error, loading, page_header},
    form::{Again, Post, error_summary},
    live::use_live,
    load::{Question, load},
    location::{Address, use_location},
    texts::texts,
};
use domain::ErrorCode;
use leptos::prelude::*;
use std::sync::Arc;

impl Question for GetConfirmation {
    fn fields(&self) -> Option<Vec<(&'static str, String)>> {
        Some(vec![("confirmation_id", self.confirmation_id.clone())])
    }
}

pub fn confirmation() -> AnyView {
    let t = texts();
    let (live, location) = (use_live(), use_location());
    let wanted = move || GetConfirmation { confirmation_id: location.with(Address::last_part) };
    let found = load(move || (live.confirmations() + live.data(), wanted()));
    let again: Again = Arc::new(move || found.refetch());
    let shown = move || {
        found.get().map(|answer| match answer {
            Ok(inbox) => {
                let question = cards(t, inbox, &again, false);
                view! { <div class="questions">{question}</div> }.into_any()
            }
            Err(error) if error.code() == ErrorCode::NotFound => {
                empty_state("confirmations", t.confirmation_missing(), t.not_found_lead(), None)
            }
            Err(error) => load_error(&error),
        })
    };
    view! {
        <p class="back"><a href="/confirmations">{t.back_to_confirmations()}</a></p>
        {page_header(t.confirmation_title(), t.confirmation_lead())}
        {error_summary(Post::to::<ApproveConfirmation>())}
        {error_summary(Post::to::<RefuseConfirmation>())}
        {awaited(loading, shown)}
    }
    .into_any()
}
