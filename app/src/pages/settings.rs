//! The settings: where each part is, as far as the person may go there.

pub mod api_keys;
pub mod channel;
pub mod channels;
pub mod limits;
pub mod secrets;

use crate::{
    components::{Can, icon, page_header, settings_tabs},
    texts::texts,
};
use ability::{Action, Subject};
use leptos::prelude::*;

pub fn settings() -> AnyView {
    let t = texts();
    view! {
        {page_header(t.settings_title(), t.settings_lead())}
        {settings_tabs()}
        <ul class="shortcuts">
            {part("/account", "account", t.nav_account(), t.link_account())}
            <Can action=Action::Manage subject=Subject::Member>
                {part("/members", "members", t.nav_members(), t.link_members())}
                {part("/settings/api-keys", "key", t.api_keys_title(), t.settings_api_keys_lead())}
            </Can>
            <Can action=Action::Read subject=Subject::Integration>
                {part("/settings/secrets", "lock", t.secrets_title(), t.settings_secrets_lead())}
                {part("/settings/channels", "send", t.channels_title(), t.settings_channels_lead())}
            </Can>
            <Can action=Action::Read subject=Subject::ToolManagement>
                {part("/settings/limits", "gauge", t.limits_title(), t.settings_limits_lead())}
            </Can>
        </ul>
    }
    .into_any()
}

fn part(href: &'static str, icon_name: &'static str, label: &'static str, lead: &'static str) -> AnyView {
    view! {
        <li>
            <a class="shortcut" href=href>
                {icon(icon_name)}
                <span>
                    <span class="shortcut-label">{label}</span>
                    <span class="shortcut-lead">{lead}</span>
                </span>
            </a>
        </li>
    }
    .into_any()
}
