//! Shows its children to those who may: the same rules that the server decides by.

use super::{awaited, nothing};
use crate::session::use_session;
use ability::{Action, Subject};
use leptos::prelude::*;

#[component]
pub fn Can(action: Action, subject: Subject, children: ChildrenFn) -> impl IntoView {
    let session = use_session();
    awaited(nothing, move || session.can(action, subject).then(|| children()))
}
