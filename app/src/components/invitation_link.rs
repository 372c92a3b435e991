//! A link that is shown once, ready to be copied.

use super::shown_once::shown_once;
use crate::texts::texts;
use domain::tenant::InvitationLink;
use leptos::prelude::*;

pub fn invitation_link(link: InvitationLink) -> AnyView {
    let t = texts();
    shown_once(t.invite_ready(link.email.as_str()), t.invite_ready_lead(), t.invite_link(), link.url)
}
