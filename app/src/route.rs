//! The pages: where each one is, who may open it, what it shows. The one table that the server's page guard, the
//! browser's guard and the rendering read.

use crate::chunk::{
    account, agent, agent_tools, agents, analytics, api_keys, assistant, audit, channel, channels,
    confirmation, confirmations, contact, contacts, conversation, conversations, deal, deals, execution,
    executions, explain, global_tools, home, invitation, items, limits, login, matrix, members, new_agent,
    new_contact, new_conversation, new_deal, new_pipeline, new_product, new_scheduled_message, new_task,
    new_tool, pipeline, pipelines, preview, product, products, scheduled, scheduled_message, secrets,
    settings, setup, task, tasks, tenants, tool, toolbox, trial, users, versions, why,
};
use ability::{Ability, Action, Subject};
use leptos::prelude::AnyView;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Anybody.
    Public,
    /// Anybody with an account.
    SignedIn,
    /// Who has this right.
    Right(Action, Subject),
    /// Only until the first administrator exists; the server knows.
    SetupOnly,
}

pub struct Page {
    /// A part that starts with a colon stands for any one part of a path.
    pub path: &'static str,
    pub access: Access,
    pub view: fn() -> AnyView,
}

const READ_CHANNELS: Access = Access::Right(Action::Read, Subject::Integration);
const READ_LIMITS: Access = Access::Right(Action::Read, Subject::ToolManagement);
const READ_AUDIT: Access = Access::Right(Action::Read, Subject::AuditLog);
const READ_CRM: Access = Access::Right(Action::Read, Subject::Crm);
const CREATE_CRM: Access = Access::Right(Action::Create, Subject::Crm);
const READ_ANALYTICS: Access = Access::Right(Action::Read, Subject::Analytics);
const OWNER: Access = Access::Right(Action::Manage, Subject::Member);
const READ_QUESTIONS: Access = Access::Right(Action::Read, Subject::Confirmation);
const READ_HISTORY: Access = Access::Right(Action::Read, Subject::Execution);
const ADMIN: Access = Access::Right(Action::Manage, Subject::AdminPanel);
const READ_AGENTS: Access = Access::Right(Action::Read, Subject::Agent);
const MANAGE_AGENTS: Access = Access::Right(Action::Manage, Subject::Agent);
const CREATE_TOOLS: Access = Access::Right(Action::Create, Subject::ToolManagement);
const EXECUTE_TOOLS: Access = Access::Right(Action::Execute, Subject::ToolManagement);
const READ_TOOLS: Access = Access::Right(Action::Read, Subject::ToolManagement);

pub const PAGES: &[Page] = &[
    Page { path: "/", access: Access::SignedIn, view: home },
    Page { path: "/confirmations", access: READ_QUESTIONS, view: confirmations },
    Page { path: "/confirmations/:id", access: READ_QUESTIONS, view: confirmation },
    Page { path: "/executions", access: READ_HISTORY, view: executions },
    Page { path: "/executions/:id", access: READ_HISTORY, view: execution },
    Page { path: "/explain", access: READ_HISTORY, view: why },
    Page { path: "/assistant", access: Access::SignedIn, view: assistant },
    Page { path: "/items", access: Access::SignedIn, view: items },
    Page { path: "/account", access: Access::SignedIn, view: account },
    Page { path: "/members", access: OWNER, view: members },
    Page { path: "/contacts", access: READ_CRM, view: contacts },
    Page { path: "/contacts/new", access: CREATE_CRM, view: new_contact },
    Page { path: "/contacts/:id", access: READ_CRM, view: contact },
    Page { path: "/pipeline", access: READ_CRM, view: deals },
    Page { path: "/pipeline/new", access: CREATE_CRM, view: new_deal },
    Page { path: "/pipeline/:id", access: READ_CRM, view: deal },
    Page { path: "/pipelines", access: READ_CRM, view: pipelines },
    Page { path: "/pipelines/new", access: CREATE_CRM, view: new_pipeline },
    Page { path: "/pipelines/:id", access: READ_CRM, view: pipeline },
    Page { path: "/tasks", access: READ_CRM, view: tasks },
    Page { path: "/tasks/new", access: CREATE_CRM, view: new_task },
    Page { path: "/tasks/:id", access: READ_CRM, view: task },
    Page { path: "/products", access: READ_CRM, view: products },
    Page { path: "/products/new", access: CREATE_CRM, view: new_product },
    Page { path: "/products/:id", access: READ_CRM, view: product },
    Page { path: "/conversations", access: READ_CRM, view: conversations },
    Page { path: "/conversations/new", access: CREATE_CRM, view: new_conversation },
    Page { path: "/conversations/:id", access: READ_CRM, view: conversation },
    Page { path: "/scheduled", access: READ_CRM, view: scheduled },
    Page { path: "/scheduled/new", access: CREATE_CRM, view: new_scheduled_message },
    Page { path: "/scheduled/:id", access: READ_CRM, view: scheduled_message },
    Page { path: "/analytics", access: READ_ANALYTICS, view: analytics },
    Page { path: "/audit", access: READ_AUDIT, view: audit },
    Page { path: "/settings", access: Access::SignedIn, view: settings },
    Page { path: "/settings/api-keys", access: OWNER, view: api_keys },
    Page { path: "/settings/secrets", access: READ_CHANNELS, view: secrets },
    Page { path: "/settings/channels", access: READ_CHANNELS, view: channels },
    Page { path: "/settings/channels/:kind", access: READ_CHANNELS, view: channel },
    Page { path: "/settings/limits", access: READ_LIMITS, view: limits },
    Page { path: "/tools", access: READ_TOOLS, view: toolbox },
    Page { path: "/tools/new", access: CREATE_TOOLS, view: new_tool },
    Page { path: "/tools/:id", access: READ_TOOLS, view: tool },
    Page { path: "/tools/:id/test", access: EXECUTE_TOOLS, view: trial },
    Page { path: "/tools/:id/versions", access: READ_TOOLS, view: versions },
    Page { path: "/agents", access: READ_AGENTS, view: agents },
    Page { path: "/agents/matrix", access: READ_AGENTS, view: matrix },
    Page { path: "/agents/new", access: MANAGE_AGENTS, view: new_agent },
    Page { path: "/agents/:id", access: READ_AGENTS, view: agent },
    Page { path: "/agents/:id/tools", access: READ_AGENTS, view: agent_tools },
    Page { path: "/agents/:id/preview", access: READ_AGENTS, view: preview },
    Page { path: "/admin/tools", access: ADMIN, view: global_tools },
    Page { path: "/admin/tenants", access: ADMIN, view: tenants },
    Page { path: "/admin/users", access: ADMIN, view: users },
    Page { path: "/admin/explain", access: ADMIN, view: explain },
    Page { path: "/login", access: Access::Public, view: login },
    Page { path: "/invite/:token", access: Access::Public, view: invitation },
    Page { path: "/setup", access: Access::SetupOnly, view: setup },
];

/// The page at a path; a slash at the end changes nothing.
pub fn find(path: &str) -> Option<&'static Page> {
    PAGES.get(position(path)?)
}

/// Where in the table that page is.
pub fn position(path: &str) -> Option<usize> {
    PAGES.iter().position(|page| matches(page.path, path))
}

fn matches(pattern: &str, path: &str) -> bool {
    let path = path.strip_suffix('/').unwrap_or(path);
    let pattern = pattern.strip_suffix('/').unwrap_or(pattern);
    let mut asked = path.split('/');
    let fits = pattern.split('/').all(|part| match asked.next() {
        Some(given) => part == given || (part.starts_with(':') && !given.is_empty()),
        None => false,
    });
    fits && asked.next().is_none()
}

/// What the guards do with a visitor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission {
    Enter,
    SignIn,
    GoHome,
}

impl Page {
    /// Shown inside the frame with navigation.
    pub fn is_inside(&self) -> bool {
        matches!(self.access, Access::SignedIn | Access::Right(..))
    }

    pub fn admit(&self, is_signed_in: bool, ability: &Ability) -> Admission {
        match self.access {
            Access::Public | Access::SetupOnly => Admission::Enter,
            _ if !is_signed_in => Admission::SignIn,
            Access::Right(action, subject) if !ability.can(action, subject) => Admission::GoHome,
            Access::SignedIn | Access::Right(..) => Admission::Enter,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ability::{Effect, Rule};

    fn found(path: &str) -> Option<&'static str> {
        find(path).map(|page| page.path)
    }

    #[test]
    fn pages_are_found_with_and_without_a_slash_at_the_end() {
        assert_eq!(found("/"), Some("/"));
        assert_eq!(found(""), Some("/"));
        assert_eq!(found("/admin/tools"), Some("/admin/tools"));
        assert_eq!(found("/admin/tools/"), Some("/admin/tools"));
    }

    #[test]
    fn a_colon_stands_for_exactly_one_part() {
        assert_eq!(found("/invite/abc"), Some("/invite/:token"));
        assert_eq!(found("/invite/abc/"), Some("/invite/:token"));
        for path in ["/invite", "/invite/", "/invite//", "/invite/a/b"] {
            assert_eq!(found(path), None, "{path}");
        }
    }

    #[test]
    fn a_colon_may_stand_in_the_middle_and_a_word_comes_before_it() {
        assert_eq!(found("/tools/abc"), Some("/tools/:id"));
        assert_eq!(found("/tools/abc/test"), Some("/tools/:id/test"));
        assert_eq!(found("/tools/new"), Some("/tools/new"));
        assert_eq!(found("/tools/abc/nothing"), None);
    }

    #[test]
    fn what_is_not_a_page_is_not_found() {
        for path in ["/admin", "/admin/", "/Admin/tools", "/admin/tools/x", "/logi", "//", "/admin//tools"] {
            assert_eq!(found(path), None, "{path}");
        }
    }

    #[test]
    fn no_page_is_listed_twice() {
        for (at, page) in PAGES.iter().enumerate() {
            assert!(PAGES.iter().skip(at + 1).all(|other| other.path != page.path), "{}", page.path);
        }
    }

    #[test]
    fn the_guard_decides_by_the_rules() {
        let nobody = Ability::default();
        let admin = Ability::new(vec![Rule {
            role: "platform_admin".into(),
            action: Action::Manage,
            subject: Subject::All,
            fields: vec![],
            conditions: vec![],
            effect: Effect::Allow,
            reason: None,
        }]);
        let tools = find("/admin/tools").unwrap();
        assert_eq!(tools.admit(false, &admin), Admission::SignIn);
        assert_eq!(tools.admit(true, &nobody), Admission::GoHome);
        assert_eq!(tools.admit(true, &admin), Admission::Enter);
        assert_eq!(find("/").unwrap().admit(true, &nobody), Admission::Enter);
        assert_eq!(find("/login").unwrap().admit(false, &nobody), Admission::Enter);
    }
}
