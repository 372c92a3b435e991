//! Where the navigation and the palette lead: what each page is called and which drawing it has. Who may open it is the
//! table of pages' to say.

use crate::{
    api::records::RecordKind,
    route::{self, Access, Page},
    texts::Texts,
};

pub struct Destination {
    pub path: &'static str,
    pub icon: &'static str,
    pub label: fn(Texts) -> &'static str,
}

impl Destination {
    pub fn page(&self) -> Option<&'static Page> {
        route::find(self.path)
    }

    pub fn access(&self) -> Access {
        self.page().map_or(Access::SignedIn, |page| page.access)
    }
}

const fn to(path: &'static str, icon: &'static str, label: fn(Texts) -> &'static str) -> Destination {
    Destination { path, icon, label }
}

pub const WORKSPACE: &[Destination] = &[
    to("/", "home", Texts::nav_home),
    to("/confirmations", "confirmations", Texts::nav_confirmations),
    to("/executions", "executions", Texts::nav_executions),
    to("/tools", "tools", Texts::nav_toolbox),
    to("/agents", "agents", Texts::nav_agents),
    to("/analytics", "chart", Texts::nav_analytics),
    to("/explain", "explain", Texts::nav_why),
    to("/audit", "audit", Texts::nav_audit),
    to("/assistant", "note", Texts::assistant_title),
    to("/items", "items", Texts::items_title),
    to("/members", "members", Texts::nav_members),
    to("/account", "account", Texts::nav_account),
    to("/settings", "settings", Texts::nav_settings),
];

pub const CUSTOMERS: &[Destination] = &[
    to("/contacts", "contacts", |t| t.record_title(RecordKind::Contacts)),
    to("/pipeline", "pipeline", |t| t.record_title(RecordKind::Deals)),
    to("/tasks", "tasks", |t| t.record_title(RecordKind::Tasks)),
    to("/products", "products", |t| t.record_title(RecordKind::Products)),
    to("/conversations", "conversations", |t| t.record_title(RecordKind::Conversations)),
    to("/scheduled", "scheduled", |t| t.record_title(RecordKind::Scheduled)),
];

pub const PLATFORM: &[Destination] = &[
    to("/admin/tools", "tools", Texts::nav_tools),
    to("/admin/tenants", "tenants", Texts::nav_tenants),
    to("/admin/users", "users", Texts::nav_users),
    to("/admin/explain", "explain", Texts::nav_explain),
];

/// Reached from other pages; the palette leads there at once.
pub const FURTHER: &[Destination] = &[
    to("/agents/matrix", "agents", Texts::matrix_title),
    to("/pipelines", "pipeline", |t| t.record_title(RecordKind::Pipelines)),
    to("/settings/api-keys", "key", Texts::api_keys_title),
    to("/settings/secrets", "lock", Texts::secrets_title),
    to("/settings/channels", "send", Texts::channels_title),
    to("/settings/limits", "gauge", Texts::limits_title),
];

/// What can be begun.
pub const BEGINNINGS: &[Destination] =
    &[to("/tools/new", "tools", Texts::toolbox_new), to("/agents/new", "agents", Texts::agent_new)];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_destination_is_a_page() {
        for one in [WORKSPACE, CUSTOMERS, PLATFORM, FURTHER, BEGINNINGS].into_iter().flatten() {
            assert_eq!(one.page().map(|page| page.path), Some(one.path));
        }
    }
}
