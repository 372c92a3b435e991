//! What came of an action: a word in the corner while the page is alive, a line on the page after a plain form.

use super::{
    awaited, decided, effect, icon, invitation_link, nothing, shown_secret, test_outcome, verified, why_not,
};
use crate::{
    api::{
        ApiError,
        items::RestoreItem,
        session::Flash,
        tools::edit::BreakingOut,
        undo::{Sent, Undo},
    },
    browser,
    form::{Again, Done, FirstPage, Post, PostForm, submit_button},
    route::Access,
    session::use_session,
    texts::{Texts, texts},
};
use domain::{ItemId, assistant::LinkCodeOut};
use leptos::{prelude::*, server_fn::ServerFn};
use std::{sync::Arc, time::Duration};

const SHOWN_FOR: Duration = Duration::from_secs(6);
const UNDO_FOR: Duration = Duration::from_secs(12);

#[derive(Clone)]
struct Notice {
    is_error: bool,
    text: String,
    number: u32,
    /// The way back, and what shows that it was gone.
    undo: Option<(Undo, Again)>,
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
        let number = self.show(false, text.into(), None);
        self.dismiss_after(SHOWN_FOR, number);
    }

    /// It worked, and can be taken back for a while. Whoever wants a calm screen decides when it goes.
    pub fn done_with_undo(self, text: impl Into<String>, undo: Undo, again: &Again) {
        let number = self.show(false, text.into(), Some((undo, again.clone())));
        if !browser::wants_calm() {
            self.dismiss_after(UNDO_FOR, number);
        }
    }

    /// Nothing goes while somebody has their finger on it.
    fn dismiss_after(self, time: Duration, number: u32) {
        let dismiss = move || match browser::is_in_use("notices") {
            true => self.dismiss_after(SHOWN_FOR, number),
            false => self.dismiss(number),
        };
        set_timeout(dismiss, time);
    }

    /// It goes on; the word stays until the outcome takes its place.
    pub fn running(self, text: &'static str) {
        self.show(false, text.to_owned(), None);
    }

    /// It did not; the word stays until it is closed.
    pub fn failed(self, text: String) {
        self.show(true, text, None);
    }

    fn show(self, is_error: bool, text: String, undo: Option<(Undo, Again)>) -> u32 {
        let number = self.0.with_untracked(|last| last.as_ref().map_or(0, |n| n.number)) + 1;
        self.0.set(Some(Notice { is_error, text, number, undo }));
        number
    }

    fn dismiss(self, number: u32) {
        if self.0.with_untracked(|now| now.as_ref().is_some_and(|n| n.number == number)) {
            self.0.set(None);
        }
    }
}

#[cfg(not(feature = "ssr"))]
thread_local! {
    static CORNER: std::cell::Cell<Option<(Notices, Texts)>> = const { std::cell::Cell::new(None) };
}

/// For a form that news took away before its answer came: a failure must not pass for a success.
#[cfg(not(feature = "ssr"))]
pub fn say_in_corner(ApiError(error): &ApiError) {
    if let Some((notices, t)) = CORNER.get() {
        notices.failed(t.error(error));
    }
}

/// Where notices appear. Always there, so that a screen reader hears what comes into it.
pub fn notices_view() -> AnyView {
    let t = texts();
    #[cfg(not(feature = "ssr"))]
    CORNER.set(Some((use_notices(), t)));
    let Notices(current) = use_notices();
    let shown = move |notice: Notice| {
        let (class, role) = if notice.is_error { ("toast toast-danger", "alert") } else { ("toast", "none") };
        view! {
            <div class=class role=role>
                <p>{notice.text}</p>
                {notice.undo.map(|(undo, again)| undo_in_notice(t, undo, again))}
                <button type="button" class="toast-close" aria-label=t.close() on:click=move |_| current.set(None)>
                    {icon("close")}
                </button>
            </div>
        }
        .into_any()
    };
    view! { <div class="toasts" id="notices" role="status">{move || current.get().map(shown)}</div> }
        .into_any()
}

/// Sent from where it stands: whatever page is open then, its list is brought anew.
fn undo_in_notice(t: Texts, undo: Undo, again: Again) -> AnyView {
    let post = Post::at(undo.change.url());
    row_errors(post);
    view! {
        <PostForm post=post on_done=say_and_reload(t.undone(), &again)>
            {undo_fields(undo)}
            {submit_button(post, "button button-quiet", t.undo())}
        </PostForm>
    }
    .into_any()
}

fn undo_fields(undo: Undo) -> Vec<AnyView> {
    let field = |sent: Sent| view! { <input type="hidden" name=sent.name value=sent.value/> }.into_any();
    undo.fields.into_iter().map(field).collect()
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

/// After a change without JavaScript: the way back.
fn undo(t: Texts, lead: &'static str, url: &'static str, fields: Vec<AnyView>) -> AnyView {
    view! {
        <div class="alert alert-done undo" role="status">
            <p>{lead}</p>
            <form method="post" action=url>
                {fields}
                <button type="submit" class="button">{t.undo()}</button>
            </form>
        </div>
    }
    .into_any()
}

fn undo_deletion(t: Texts, item: ItemId) -> AnyView {
    let field = view! { <input type="hidden" name="item_id" value=item.to_string()/> }.into_any();
    undo(t, t.item_undo_lead(), RestoreItem::PATH, vec![field])
}

/// After a page that the person may not open.
fn led_home(t: Texts, access: Access) -> AnyView {
    view! {
        <div class="alert alert-warning" role="status">
            <p><strong>{t.no_access_title()}</strong></p>
            <p>{why_not(t, access)}</p>
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
            Flash::Decided(made) => decided(made),
            Flash::Verified(outcome) => verified(outcome),
            Flash::LinkCode(code) => link_code(t, code),
            Flash::NoAccess(right) => led_home(t, Access::Right(right.action, right.subject)),
            Flash::Deleted(item) => undo_deletion(t, item),
            Flash::Undo(change) => undo(t, t.saved(), change.change.url(), undo_fields(change)),
            Flash::Breaking(change) => breaking_change(change),
            Flash::Kept => {
                view! { <p class="alert alert-note" role="status">{t.typed_is_back()}</p> }.into_any()
            }
        })
    })
}
