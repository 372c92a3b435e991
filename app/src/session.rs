//! Who is here and what they may do, as every component sees it: one answer, sent with the page.

use crate::{
    api::session::{GetSession, SessionState},
    live::Live,
    load::{Loaded, Question, load_everywhere},
    route::{Admission, Page},
};
use ability::{Action, Subject};
use domain::account::Me;
use leptos::prelude::*;

#[derive(Clone, Copy)]
pub struct Session {
    now: Loaded<SessionState>,
    /// The last answer that came. A failed refresh must not look like a sign-out: what was known stays.
    known: RwSignal<Option<SessionState>>,
}

impl Question for GetSession {}

/// The session of this page.
pub fn use_session() -> Session {
    expect_context()
}

/// Created once, above everything that reads it.
pub fn provide_session(live: Live) {
    let now = load_everywhere(move || (live.rights(), GetSession {}));
    provide_context(Session { now, known: RwSignal::new(None) });
}

impl Session {
    /// Nothing while it loads; read it inside a `<Transition>`.
    pub fn get(self) -> Option<SessionState> {
        match self.now.get()? {
            Ok(state) => Some(state),
            Err(_) => self.known.get_untracked().filter(|state| state.me.is_some()),
        }
    }

    pub fn remember(self, state: SessionState) {
        self.known.set(Some(state));
    }

    /// The last answer that came, for what is not part of a page.
    pub fn known(self) -> Option<SessionState> {
        self.known.get()
    }

    /// Whether the page may begin. Until the first answer is here it may: the server let it through.
    pub fn admits(self, page: &Page) -> bool {
        self.known
            .with(|known| known.as_ref().is_none_or(|state| state.admission_to(page) == Admission::Enter))
    }

    pub fn me(self) -> Option<Me> {
        self.get().and_then(|state| state.me)
    }

    pub fn can(self, action: Action, subject: Subject) -> bool {
        self.get().is_some_and(|state| state.ability.can(action, subject))
    }

    pub fn refetch(self) {
        self.now.refetch();
    }
}

impl SessionState {
    pub fn admission_to(&self, page: &Page) -> Admission {
        page.admit(self.me.is_some(), &self.ability)
    }
}
