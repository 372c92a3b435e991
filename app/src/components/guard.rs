//! The browser's guard before every page: the same table and the same rules as the server's.

use super::effect;
use crate::{
    browser,
    form::FirstPage,
    route::{self, Admission},
    session::use_session,
};
use leptos::prelude::*;
use leptos_router::hooks::{use_location, use_navigate};

/// Leads away from a page that the rules no longer allow, also while it is open.
pub fn guard_routes() {
    let session = use_session();
    let path = use_location().pathname;
    let navigate = use_navigate();
    effect(move || {
        let (Some(state), Some(page)) = (session.get(), route::find(&path.get())) else {
            return;
        };
        match page.admit(state.me.is_some(), &state.ability) {
            Admission::Enter => {}
            Admission::SignIn => browser::sign_in_again(),
            Admission::GoHome => navigate("/", Default::default()),
        }
    });
}

/// Notices when the person has moved to another page inside the browser.
pub fn follow_moves() {
    let path = use_location().pathname;
    let first = expect_context::<FirstPage>();
    let mut last = path.get_untracked();
    effect(move || {
        let now = path.get();
        if last != now {
            last = now;
            first.0.set(false);
            browser::arrive_at_page();
        }
    });
}
