//! The parts of the settings, as far as the person may see them.

use super::Can;
use crate::{location::use_location, texts::texts};
use ability::{Action, Subject};
use leptos::prelude::*;

pub fn settings_tabs() -> AnyView {
    let t = texts();
    let location = use_location();
    let tab = move |href: &'static str, label: &'static str| {
        let is_here = move || location.page().is_some_and(|page| page.path.starts_with(href));
        view! { <a class="tab" href=href aria-current=move || is_here().then_some("page")>{label}</a> }
            .into_any()
    };
    view! {
        <nav class="tabs" aria-label=t.settings_parts()>
            {tab("/account", t.nav_account())}
            <Can action=Action::Manage subject=Subject::Member>
                {tab("/members", t.nav_members())}
                {tab("/settings/api-keys", t.api_keys_title())}
            </Can>
            <Can action=Action::Read subject=Subject::Integration>
                {tab("/settings/secrets", t.secrets_title())}
                {tab("/settings/channels", t.channels_title())}
            </Can>
            <Can action=Action::Read subject=Subject::ToolManagement>{tab("/settings/limits", t.limits_title())}</Can>
        </nav>
    }
    .into_any()
}
