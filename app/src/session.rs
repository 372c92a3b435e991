//! Who is here and what they may do, as every component sees it: one answer, sent with the page.

use crate::{
    api::session::{GetSession, SessionState},
    live::Live,
    load::{Loaded, Question, load_everywhere},
};
use ability::{Action, Subject};
use domain::account::Me;
use leptos::prelude::*;

#[derive(Clone, Copy)]
pub struct Session {
    now: Loaded<SessionState>,
    /// A failed refresh must not look like a sign-out: what was known stays.
    last: StoredValue<SessionState>,
}

impl Question for GetSession {}

/// The session of this page.
pub fn use_session() -> Session {
    expect_context()
}

/// Created once, above everything that reads it.
pub fn provide_session(live: Live) {
    let now = load_everywhere(move || (live.rights(), GetSession {}));
    provide_context(Session { now, last: StoredValue::new(SessionState::default()) });
}

impl Session {
    /// Nothing while it loads; read it inside a `<Transition>`.
    pub fn get(self) -> Option<SessionState> {
        match self.now.get()? {
            Ok(state) => {
                self.last.set_value(state.clone());
                Some(state)
            }
            Err(_) => Some(self.last.get_value()).filter(|state| state.me.is_some()),
        }
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
