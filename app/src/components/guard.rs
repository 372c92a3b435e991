//! The browser's guard before every page: the same table and the same rules as the server's.

use crate::{
    browser,
    form::FirstPage,
    route::{self, Admission},
    session::use_session,
};
use leptos::prelude::*;
use leptos_router::hooks::{use_location, use_navigate};

/// Leads away from a page that the rules no longer allow, also while it is open. Renders nothing.
#[component]
pub fn RouteGuard() -> impl IntoView {
    let session = use_session();
    let path = use_location().pathname;
    let navigate = use_navigate();
    let first = expect_context::<FirstPage>();
    Effect::new(move || {
        let (Some(state), Some(page)) = (session.get(), route::find(&path.get())) else {
            return;
        };
        match page.admit(state.me.is_some(), &state.ability) {
            Admission::Enter => {}
            Admission::SignIn => browser::sign_in_again(),
            Admission::GoHome => navigate("/", Default::default()),
        }
    });
    Effect::new(move |last: Option<String>| {
        let now = path.get();
        if last.is_some_and(|last| last != now) {
            first.0.set(false);
            browser::arrive_at_page();
        }
        now
    });
}
