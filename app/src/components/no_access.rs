//! What somebody may not do or see: which right is missing, and whom to ask.

use super::empty_state;
use crate::{
    route::Access,
    texts::{Texts, texts},
};
use ability::{Action, Subject};
use leptos::prelude::*;

/// Why a page was not opened.
pub fn why_not(t: Texts, access: Access) -> String {
    match access {
        Access::Right(_, Subject::AdminPanel) => t.no_access_platform().to_owned(),
        Access::Right(action, subject) => lacking(t, action, subject),
        Access::Public | Access::SignedIn | Access::SetupOnly => t.no_access_title().to_owned(),
    }
}

fn lacking(t: Texts, action: Action, subject: Subject) -> String {
    let verb = if action == Action::Manage { t.to_manage() } else { t.action(action) };
    t.no_access_right(&format!("{verb} {}", t.subject(subject)))
}

/// In place of what a page would show, with a way back.
pub fn no_access(action: Action, subject: Subject, back: &'static str) -> AnyView {
    let t = texts();
    let why = view! {
        <p>{lacking(t, action, subject)}</p>
        <a class="button" href=back>{t.go_back()}</a>
    };
    empty_state("lock", t.no_access_title(), "", Some(why.into_any()))
}
