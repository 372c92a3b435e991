//! The browser's guard before every page: the same table and the same rules as the server's.

use super::{effect, use_notices, why_not};
use crate::{
    browser, form::FirstPage, live::use_live, location::use_location, route::Admission, session::use_session,
    texts::texts,
};
use leptos::prelude::*;

/// Leads away from a page that the rules no longer allow, also while it is open. Where the page stays, its data is
/// brought anew: other rights may show other things.
pub fn guard_routes() {
    let session = use_session();
    let location = use_location();
    let (live, notices, t) = (use_live(), use_notices(), texts());
    let mut seen = (0, "");
    effect(move || {
        let (Some(state), Some(page)) = (session.get(), location.page()) else { return };
        let now = (live.rights_untracked(), page.path);
        let is_new_session_here = now.1 == seen.1 && now.0 != seen.0;
        seen = now;
        let admission = state.admission_to(page);
        session.remember(state);
        match admission {
            Admission::Enter if is_new_session_here => live.data_changed(),
            Admission::Enter => {}
            Admission::SignIn => browser::sign_in_again(),
            Admission::GoHome => {
                notices.failed(format!("{}. {}", t.no_access_title(), why_not(t, page.access)));
                location.go("/", false);
            }
        }
    });
}

/// Moves between pages without a full load. What the load left to say belongs to its page only.
pub fn follow_moves() {
    let location = use_location();
    let first = expect_context::<FirstPage>();
    let mut start = None;
    effect(move || {
        let now = location.with(|address| address.path.clone());
        match &start {
            None => {
                browser::follow_links(location);
                start = Some(now);
            }
            Some(start) if *start != now => first.0.set(false),
            Some(_) => {}
        }
    });
}
