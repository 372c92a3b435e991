//! The navigation: a column at the side, or behind a button at the top when there is little room.

use super::{
    Can, awaited,
    destinations::{CUSTOMERS, Destination, PLATFORM, WORKSPACE},
    icon, language_form, nothing, palette_button, theme_form,
};
use crate::{
    api::{
        confirmations::CountConfirmations,
        session::{SignOut, SwitchTenant},
    },
    browser,
    live::use_live,
    load::{Question, load_everywhere},
    location::use_location,
    route::Access,
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
            <div class="topbar-actions">
                {palette_button("button topbar-menu")}
                <button type="button" class="button topbar-menu" popovertarget="sidebar">
                    {icon("menu")}
                    {t.menu()}
                </button>
            </div>
        </header>
        <aside class="sidebar" id="sidebar" popover="auto" aria-label=t.sidebar()>
            <a class="brand sidebar-brand" href="/"><span class="brand-mark" aria-hidden="true"></span>"Alçada"</a>
            {palette_button("menu-face palette-opener")}
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
    let link = move |to: &'static Destination, more: AnyView| {
        let is_here = move || location.page().is_some_and(|page| is_within(page.path, to.path));
        view! {
            <li>
                <a class="nav-link" href=to.path aria-current=move || is_here().then_some("page")>
                    {icon(to.icon)}{(to.label)(t)}{more}
                </a>
            </li>
        }
        .into_any()
    };
    // Both are read before anything depends on either: one boundary waits for both.
    let confirmations = move |to, action, subject| {
        let (count, may_see) = (waiting.get(), session.can(action, subject));
        let badge = count.and_then(Result::ok).flatten().filter(|count| *count > 0);
        let badge = badge.map(|count| waiting_badge(t, count)).into_any();
        may_see.then(|| link(to, badge))
    };
    let entry = move |to: &'static Destination| match to.access() {
        Access::Right(action, subject) if to.path == "/confirmations" => {
            awaited(nothing, move || confirmations(to, action, subject))
        }
        Access::Right(action, subject) => {
            view! { <Can action=action subject=subject>{link(to, ().into_any())}</Can> }.into_any()
        }
        _ => link(to, ().into_any()),
    };
    let list = move |id: &'static str, heading: &'static str, entries: Vec<AnyView>| {
        view! {
            <p class="nav-heading" id=id>{heading}</p>
            <ul aria-labelledby=id>{entries}</ul>
        }
        .into_any()
    };
    let guarded = move |all: &'static [Destination]| all.iter().map(entry).collect();
    // One right opens all of them: a boundary within a boundary would not be rendered alike on both sides.
    let plain = move |all: &'static [Destination]| all.iter().map(|to| link(to, ().into_any())).collect();
    view! {
        <nav class="nav" aria-label=t.navigation()>
            {list("nav-workspace", t.workspace(), guarded(WORKSPACE))}
            <Can action=Action::Read subject=Subject::Crm>
                {list("nav-customers", t.nav_customers(), plain(CUSTOMERS))}
            </Can>
            <Can action=Action::Manage subject=Subject::AdminPanel>
                {list("nav-platform", t.platform(), plain(PLATFORM))}
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
            <form method="post" action=SignOut::PATH class="menu-list" on:submit=|_| browser::forget_drafts()>
                <button type="submit" class="menu-item">{icon("sign-out")}{t.sign_out()}</button>
            </form>
        </div>
    }
    .into_any()
}
