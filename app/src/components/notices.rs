//! What came of an action: a word in the corner while the page is alive, a line on the page after a plain form.

use super::{awaited, effect, icon, invitation_link, nothing, shown_secret, test_outcome, verified};
use crate::{
    api::{ApiError, items::RestoreItem, session::Flash, tools::edit::BreakingOut},
    form::{Again, Done, FirstPage, Post},
    session::use_session,
    texts::{Texts, texts},
};
use domain::{ItemId, assistant::LinkCodeOut};
use leptos::{prelude::*, server_fn::ServerFn};
use std::{sync::Arc, time::Duration};

const SHOWN_FOR: Duration = Duration::from_secs(6);

#[derive(Clone, PartialEq)]
struct Notice {
    is_error: bool,
    text: String,
    number: u32,
}

#[derive(Clone, Copy)]
pub struct Notices(RwSignal<Option<Notice>>);

pub fn provide_notices() {
    provide_context(Notices(RwSignal::new(None)));
}

pub fn use_notices() -> Notices {
    expect_context()
}

impl Notices {
    /// It worked; the word goes by itself.
    pub fn done(self, text: impl Into<String>) {
        let number = self.show(false, text.into());
        set_timeout(move || self.dismiss(number), SHOWN_FOR);
    }

    /// It did not; the word stays until it is closed.
    pub fn failed(self, text: String) {
        self.show(true, text);
    }

    fn show(self, is_error: bool, text: String) -> u32 {
        let number = self.0.with_untracked(|last| last.as_ref().map_or(0, |n| n.number)) + 1;
        self.0.set(Some(Notice { is_error, text, number }));
        number
    }

    fn dismiss(self, number: u32) {
        if self.0.with_untracked(|now| now.as_ref().is_some_and(|n| n.number == number)) {
            self.0.set(None);
        }
    }
}

/// Where notices appear. Always there, so that a screen reader hears what comes into it.
pub fn notices_view() -> AnyView {
    let t = texts();
    let Notices(current) = use_notices();
    let shown = move |notice: Notice| {
        let (class, role) = if notice.is_error { ("toast toast-danger", "alert") } else { ("toast", "none") };
        view! {
            <div class=class role=role>
                <p>{notice.text}</p>
                <button type="button" class="toast-close" aria-label=t.close() on:click=move |_| current.set(None)>
                    {icon("close")}
                </button>
            </div>
        }
        .into_any()
    };
    view! { <div class="toasts" role="status">{move || current.get().map(shown)}</div> }.into_any()
}

/// For a form in a row of a table, which has no room for an alert: its errors become notices.
pub fn row_errors(post: Post) {
    let t = texts();
    let notices = use_notices();
    effect(move || {
        if let Some(ApiError(error)) = post.error() {
            let detail = error.errors.first().map(|e| t.field_code(e.code)).unwrap_or_default();
            notices.failed(format!("{} {detail}", t.error(&error)));
        }
    });
}

/// What follows most actions: a word, and the list anew.
pub fn say_and_reload(text: &'static str, again: &Again) -> Done {
    let notices = use_notices();
    let again = again.clone();
    Arc::new(move |_| {
        notices.done(text);
        again();
    })
}

/// A code that is shown once.
fn link_code(t: Texts, code: LinkCodeOut) -> AnyView {
    view! {
        <div class="alert alert-done" role="status">
            <p><strong>{t.phone_code_ready()}</strong></p>
            <input class="input mono" type="text" readonly=true aria-label=t.phone_code_label() value=code.code/>
        </div>
    }
    .into_any()
}

/// After a deletion without JavaScript: the way back.
fn undo(t: Texts, item: ItemId) -> AnyView {
    view! {
        <div class="alert alert-done undo" role="status">
            <p>{t.item_undo_lead()}</p>
            <form method="post" action=RestoreItem::PATH>
                <input type="hidden" name="item_id" value=item.to_string()/>
                <button type="submit" class="button">{t.undo()}</button>
            </form>
        </div>
    }
    .into_any()
}

/// T4: it was saved, and these agents may stumble over it.
pub fn breaking_change(change: BreakingOut) -> AnyView {
    let t = texts();
    let reasons: Vec<AnyView> =
        change.reasons.into_iter().map(|reason| view! { <li>{reason}</li> }.into_any()).collect();
    view! {
        <div class="alert alert-warning" role="status">
            <p><strong>{t.breaking_title()}</strong></p>
            <p>{t.breaking_agents(&change.agents.join(", "))}</p>
            <ul class="alert-list">{reasons}</ul>
        </div>
    }
    .into_any()
}

/// The message that a form without JavaScript left, once.
pub fn flash_message() -> AnyView {
    let t = texts();
    let session = use_session();
    let first = expect_context::<FirstPage>();
    awaited(nothing, move || {
        let flash = session.get().and_then(|state| state.flash).filter(|_| first.0.get())?;
        Some(match flash {
            Flash::Saved => view! { <p class="alert alert-done" role="status">{t.saved()}</p> }.into_any(),
            Flash::Invited(link) => invitation_link(link),
            Flash::Secret(secret) => shown_secret(secret),
            Flash::Tested(outcome) => test_outcome(outcome),
            Flash::Verified(outcome) => verified(outcome),
            Flash::LinkCode(code) => link_code(t, code),
            Flash::Deleted(item) => undo(t, item),
            Flash::Breaking(change) => breaking_change(change),
        })
    })
}
