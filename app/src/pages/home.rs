//! The first page inside: where the person is, what they can use, where to go.

mod overview;

use self::overview::overview;
use crate::{
    api::home::{HomeOut, ListAvailableTools},
    components::{Can, awaited, empty_state, heading, loaded, loading, page_title, shortcut},
    live::use_live,
    load::{Question, load},
    session::use_session,
    texts::{Texts, texts},
};
use ability::{Action, Subject};
use domain::{account::Me, global_tool::AvailableToolOut};
use leptos::prelude::*;

pub fn home() -> AnyView {
    let t = texts();
    let session = use_session();
    let live = use_live();
    let tools = load(move || (live.tools() + live.data(), ListAvailableTools {}));
    let tools_shown = move |home: HomeOut| {
        let notice = home.notice.map(|text| view! { <p class="alert" role="status">{text}</p> });
        let tools = if home.tools.is_empty() { no_tools(t) } else { tool_list(home.tools) };
        view! { {notice} {tools} }.into_any()
    };
    view! {
        {page_title(t.nav_home())}
        {awaited(loading, move || session.me().map(|me| welcome(t, &me)))}
        {overview()}
        <section class="section" aria-labelledby="available-tools">
            <header class="section-header">
                <h2 id="available-tools">{t.available_tools()}</h2>
                <p class="section-lead">{t.available_tools_lead()}</p>
            </header>
            {loaded(tools, tools_shown)}
        </section>
        <section class="section" aria-labelledby="shortcuts">
            <header class="section-header"><h2 id="shortcuts">{t.quick_links()}</h2></header>
            <ul class="shortcuts">
                <Can action=Action::Manage subject=Subject::AdminPanel>
                    {shortcut("/admin/tools", "tools", t.nav_tools(), t.link_tools())}
                    {shortcut("/admin/tenants", "tenants", t.nav_tenants(), t.link_tenants())}
                    {shortcut("/admin/users", "users", t.nav_users(), t.link_users())}
                    {shortcut("/admin/explain", "explain", t.nav_explain(), t.link_explain())}
                </Can>
                <Can action=Action::Manage subject=Subject::Member>
                    {shortcut("/members", "members", t.nav_members(), t.link_members())}
                </Can>
                {shortcut("/assistant", "note", t.assistant_title(), t.link_assistant())}
                {shortcut("/items", "items", t.items_title(), t.link_items())}
                {shortcut("/account", "account", t.nav_account(), t.link_account())}
            </ul>
        </section>
    }
    .into_any()
}

impl Question for ListAvailableTools {}

fn welcome(t: Texts, me: &Me) -> AnyView {
    let place = match &me.tenant {
        Some(tenant) => t.home_role(&tenant.name, t.tenant_role(tenant.role)),
        None if me.is_platform_admin => t.home_platform_admin().to_owned(),
        None => t.home_no_tenant().to_owned(),
    };
    let first_steps = me.tenants.is_empty().then(|| no_tenant(t, me.is_platform_admin));
    view! {
        {heading(t.greeting(&me.name), place)}
        {first_steps}
    }
    .into_any()
}

fn no_tenant(t: Texts, is_platform_admin: bool) -> AnyView {
    if is_platform_admin {
        let next =
            view! { <a class="button button-primary" href="/admin/tenants">{t.no_tenant_admin_action()}</a> }
                .into_any();
        return empty_state("tenants", t.no_tenant_title(), t.no_tenant_admin_lead(), Some(next));
    }
    empty_state("tenants", t.no_tenant_title(), t.no_tenant_lead(), None)
}

fn no_tools(t: Texts) -> AnyView {
    let next = view! {
        <Can action=Action::Manage subject=Subject::AdminPanel>
            <a class="button" href="/admin/tools">{t.no_tools_admin()}</a>
        </Can>
    }
    .into_any();
    empty_state("tools", t.no_tools_title(), t.no_tools_lead(), Some(next))
}

fn tool_list(tools: Vec<AvailableToolOut>) -> AnyView {
    let tool = |tool: AvailableToolOut| {
        view! {
            <li class="tool-card" data-tool=tool.tool_name>
                <span class="tool-icon" aria-hidden="true">{tool.icon}</span>
                <div>
                    <p class="tool-label">{tool.label}</p>
                    <p class="tool-description">{tool.description}</p>
                </div>
            </li>
        }
        .into_any()
    };
    let tools: Vec<AnyView> = tools.into_iter().map(tool).collect();
    view! { <ul class="tool-cards">{tools}</ul> }.into_any()
}
