//! The navigation: a column at the side, or behind a button at the top when there is little room.

use super::{Can, awaited, icon, language_form, nothing, theme_form};
use crate::{
    api::{
        confirmations::CountConfirmations,
        records::RecordKind,
        session::{SignOut, SwitchTenant},
    },
    live::use_live,
    load::{Question, load_everywhere},
    location::use_location,
    session::use_session,
    texts::{Texts, texts},
};
use ability::{Action, Subject};
use domain::account::{Me, TenantRef};
use leptos::{prelude::*, server_fn::ServerFn};

pub fn sidebar() -> AnyView {
    let t = texts();
    let session = use_session();
    view! {
        <header class="topbar">
            <a class="brand" href="/"><span class="brand-mark" aria-hidden="true"></span>"Alçada"</a>
            <button type="button" class="button topbar-menu" popovertarget="sidebar">
                {icon("menu")}
                {t.menu()}
            </button>
        </header>
        <aside class="sidebar" id="sidebar" popover="auto" aria-label=t.sidebar()>
            <a class="brand sidebar-brand" href="/"><span class="brand-mark" aria-hidden="true"></span>"Alçada"</a>
            {awaited(nothing, move || session.me().map(|me| tenant_menu(t, &me)))}
            {navigation(t)}
            {awaited(nothing, move || session.me().map(|me| account_menu(t, &me)))}
        </aside>
    }
    .into_any()
}

fn navigation(t: Texts) -> AnyView {
    let location = use_location();
    let (live, session) = (use_live(), use_session());
    let waiting = load_everywhere(move || (live.confirmations() + live.rights(), CountConfirmations {}));
    let link_with = move |href: &'static str, icon_name: &'static str, label: &'static str, more: AnyView| {
        let is_here = move || location.page().is_some_and(|page| is_within(page.path, href));
        view! {
            <li>
                <a class="nav-link" href=href aria-current=move || is_here().then_some("page")>
                    {icon(icon_name)}{label}{more}
                </a>
            </li>
        }
        .into_any()
    };
    let link = move |href, icon_name, label| link_with(href, icon_name, label, ().into_any());
    // Both are read before anything depends on either: one boundary waits for both.
    let confirmations = move || {
        let (count, may_see) = (waiting.get(), session.can(Action::Read, Subject::Confirmation));
        let badge = count.and_then(Result::ok).flatten().filter(|count| *count > 0);
        let badge = badge.map(|count| waiting_badge(t, count)).into_any();
        may_see.then(|| link_with("/confirmations", "confirmations", t.nav_confirmations(), badge))
    };
    view! {
        <nav class="nav" aria-label=t.navigation()>
            <p class="nav-heading" id="nav-workspace">{t.workspace()}</p>
            <ul aria-labelledby="nav-workspace">
                {link("/", "home", t.nav_home())}
                {awaited(nothing, confirmations)}
                <Can action=Action::Read subject=Subject::Execution>
                    {link("/executions", "executions", t.nav_executions())}
                </Can>
                <Can action=Action::Read subject=Subject::ToolManagement>{link("/tools", "tools", t.nav_toolbox())}</Can>
                <Can action=Action::Read subject=Subject::Agent>{link("/agents", "agents", t.nav_agents())}</Can>
                <Can action=Action::Read subject=Subject::Analytics>{link("/analytics", "chart", t.nav_analytics())}</Can>
                <Can action=Action::Execute subject=Subject::ToolManagement>
                    {link("/explain", "explain", t.nav_why())}
                </Can>
                <Can action=Action::Read subject=Subject::AuditLog>{link("/audit", "audit", t.nav_audit())}</Can>
                {link("/assistant", "note", t.assistant_title())}
                {link("/items", "items", t.items_title())}
                <Can action=Action::Manage subject=Subject::Member>{link("/members", "members", t.nav_members())}</Can>
                {link("/account", "account", t.nav_account())}
                {link("/settings", "settings", t.nav_settings())}
            </ul>
            <Can action=Action::Read subject=Subject::Crm>
                <p class="nav-heading" id="nav-customers">{t.nav_customers()}</p>
                <ul aria-labelledby="nav-customers">
                    {link("/contacts", "contacts", t.record_title(RecordKind::Contacts))}
                    {link("/pipeline", "pipeline", t.record_title(RecordKind::Deals))}
                    {link("/tasks", "tasks", t.record_title(RecordKind::Tasks))}
                    {link("/products", "products", t.record_title(RecordKind::Products))}
                    {link("/conversations", "conversations", t.record_title(RecordKind::Conversations))}
                    {link("/scheduled", "scheduled", t.record_title(RecordKind::Scheduled))}
                </ul>
            </Can>
            <Can action=Action::Manage subject=Subject::AdminPanel>
                <p class="nav-heading" id="nav-platform">{t.platform()}</p>
                <ul aria-labelledby="nav-platform">
                    {link("/admin/tools", "tools", t.nav_tools())}
                    {link("/admin/tenants", "tenants", t.nav_tenants())}
                    {link("/admin/users", "users", t.nav_users())}
                    {link("/admin/explain", "explain", t.nav_explain())}
                </ul>
            </Can>
        </nav>
    }
    .into_any()
}

/// A page, or one below it.
fn is_within(path: &str, href: &str) -> bool {
    path.strip_prefix(href).is_some_and(|rest| rest.is_empty() || (href != "/" && rest.starts_with('/')))
}

impl Question for CountConfirmations {}

/// How many wait for a decision.
fn waiting_badge(t: Texts, count: u64) -> AnyView {
    let count = if count < 100 { count.to_string() } else { "99+".to_owned() };
    let heard = t.waiting_badge(&count);
    view! {
        <span class="nav-badge" aria-hidden="true">{count}</span>
        <span class="visually-hidden">" " {heard}</span>
    }
    .into_any()
}

/// The organisation that the pages show, and the others to change to.
fn tenant_menu(t: Texts, me: &Me) -> AnyView {
    let name = me.tenant.as_ref().map_or(t.no_organisation().to_owned(), |tenant| tenant.name.clone());
    let role = me.tenant.as_ref().map(|tenant| t.tenant_role(tenant.role));
    let face = view! {
        <span class="menu-face-text">
            <span class="menu-face-name">{name}</span>
            <span class="menu-face-detail">{role}</span>
        </span>
    };
    if me.tenants.len() < 2 {
        return view! { <div class="menu-face menu-face-still">{icon("tenants")}{face}</div> }.into_any();
    }
    let current = me.tenant.as_ref().map(|tenant| tenant.id);
    let choices = me
        .tenants
        .iter()
        .map(|tenant| tenant_choice(t, tenant, current == Some(tenant.id)))
        .collect::<Vec<_>>();
    view! {
        <button type="button" class="menu-face" popovertarget="tenant-menu">
            {icon("tenants")}
            {face}
            {icon("chevrons")}
        </button>
        <div class="menu menu-tenant" id="tenant-menu" popover="auto">
            <p class="menu-heading">{t.switch_organisation()}</p>
            <form method="post" action=SwitchTenant::PATH class="menu-list">{choices}</form>
        </div>
    }
    .into_any()
}

fn tenant_choice(t: Texts, tenant: &TenantRef, is_current: bool) -> AnyView {
    view! {
        <button
            type="submit"
            class="menu-item"
            name="tenant_id"
            value=tenant.id.to_string()
            aria-current=is_current.then_some("true")
        >
            <span>{tenant.name.clone()}</span>
            <span class="menu-item-detail">{t.tenant_role(tenant.role)}</span>
        </button>
    }
    .into_any()
}

fn account_menu(t: Texts, me: &Me) -> AnyView {
    let initial: String = me.name.chars().take(1).collect();
    view! {
        <button type="button" class="menu-face menu-face-account" popovertarget="account-menu">
            <span class="avatar" aria-hidden="true">{initial}</span>
            <span class="menu-face-text">
                <span class="visually-hidden">{t.account_menu()} ": "</span>
                <span class="menu-face-name">{me.name.clone()}</span>
                <span class="menu-face-detail">{me.email.as_str().to_owned()}</span>
            </span>
            {icon("chevrons")}
        </button>
        <div class="menu menu-account" id="account-menu" popover="auto">
            <p class="menu-heading">{t.language_label()}</p>
            {language_form()}
            <p class="menu-heading">{t.theme_label()}</p>
            {theme_form()}
            <hr/>
            <form method="post" action=SignOut::PATH class="menu-list">
                <button type="submit" class="menu-item">{icon("sign-out")}{t.sign_out()}</button>
            </form>
        </div>
    }
    .into_any()
}
