//! The settings: where each part is, as far as the person may go there.

pub mod api_keys;
pub mod channel;
pub mod channels;
pub mod limits;
pub mod secrets;

use crate::{
    components::{Can, page_header, settings_tabs, shortcut},
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
            {shortcut("/account", "account", t.nav_account(), t.link_account())}
            <Can action=Action::Manage subject=Subject::Member>
                {shortcut("/members", "members", t.nav_members(), t.link_members())}
                {shortcut("/settings/api-keys", "key", t.api_keys_title(), t.settings_api_keys_lead())}
            </Can>
            <Can action=Action::Read subject=Subject::Integration>
                {shortcut("/settings/secrets", "lock", t.secrets_title(), t.settings_secrets_lead())}
                {shortcut("/settings/channels", "send", t.channels_title(), t.settings_channels_lead())}
            </Can>
            <Can action=Action::Read subject=Subject::ToolManagement>
                {shortcut("/settings/limits", "gauge", t.limits_title(), t.settings_limits_lead())}
            </Can>
        </ul>
    }
    .into_any()
}
