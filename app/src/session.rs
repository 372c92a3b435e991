//! Who is here and what they may do, as every component sees it: one resource, sent with the page.

use crate::{
    api::{
        ApiError,
        session::{SessionState, get_session},
    },
    live::Live,
};
use ability::{Action, Subject};
use domain::account::Me;
use leptos::prelude::*;

#[derive(Clone, Copy)]
pub struct Session(Resource<Result<SessionState, ApiError>>);

/// The session of this page.
pub fn use_session() -> Session {
    expect_context()
}

/// Created once, above everything that reads it.
pub fn provide_session(live: Live) -> Session {
    let last = StoredValue::new(None);
    let resource = Resource::new_blocking(move || live.rights(), move |_| refreshed(last));
    // A failed refresh must not look like a sign-out: what was known stays.
    Effect::new(move || {
        if let Some(Ok(state)) = resource.get() {
            last.set_value(Some(state));
        }
    });
    let session = Session(resource);
    provide_context(session);
    session
}

async fn refreshed(last: StoredValue<Option<SessionState>>) -> Result<SessionState, ApiError> {
    match get_session().await {
        Ok(state) => Ok(state),
        Err(error) => last.try_get_value().flatten().ok_or(error),
    }
}

impl Session {
    /// Nothing while it loads; read it inside a `<Transition>`.
    pub fn get(self) -> Option<SessionState> {
        self.0.get().and_then(Result::ok)
    }

    pub fn me(self) -> Option<Me> {
        self.get().and_then(|state| state.me)
    }

    pub fn can(self, action: Action, subject: Subject) -> bool {
        self.get().is_some_and(|state| state.ability.can(action, subject))
    }

    pub fn refetch(self) {
        self.0.refetch();
    }
}
