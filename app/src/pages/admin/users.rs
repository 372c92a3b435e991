//! All people of the installation: find, disable, promote.

use crate::{
    api::admin_users::{ListUsers, SetPlatformAdmin, SetUserDisabled},
    components::{
        Column, Confirm, badge, empty_state, loaded, page_header, row_errors, say_and_reload, table, when,
    },
    form::{Again, Post, PostForm, QueryForm, error_summary, search_input, submit_button},
    live::use_live,
    load::{Question, load},
    location::use_location,
    session::use_session,
    texts::{Texts, texts},
};
use domain::account::UserOut;
use leptos::prelude::*;
use std::sync::Arc;

impl Question for ListUsers {
    fn fields(&self) -> Option<Vec<(&'static str, String)>> {
        Some(vec![("search", self.search.clone())])
    }
}

pub fn users() -> AnyView {
    let t = texts();
    let location = use_location();
    let live = use_live();
    let words = move || location.with(|address| address.value("q").unwrap_or_default());
    let users = load(move || (live.data(), ListUsers { search: words() }));
    let session = use_session();
    let again: Again = Arc::new(move || {
        users.refetch();
        session.refetch();
    });
    let shown = move |list: Vec<UserOut>| {
        if list.is_empty() {
            return nobody_found(t);
        }
        let rows = list.into_iter().map(|user| user_row(t, user, &again)).collect();
        table("table", t.users_title(), columns(t), rows)
    };
    view! {
        {page_header(t.users_title(), t.users_lead())}
        {error_summary(Post::to::<SetUserDisabled>())}
        {error_summary(Post::to::<SetPlatformAdmin>())}
        <QueryForm path="/admin/users" class="toolbar">
            {search_input("q", t.search(), t.users_search())}
            <button type="submit" class="button">{t.search()}</button>
        </QueryForm>
        <div class="card card-flush">{loaded(users, shown)}</div>
    }
    .into_any()
}

fn nobody_found(t: Texts) -> AnyView {
    let next = view! { <a class="button" href="/admin/users">{t.clear()}</a> }.into_any();
    empty_state("search", t.users_empty_title(), t.users_empty_lead(), Some(next))
}

fn columns(t: Texts) -> Vec<Column> {
    vec![
        Column::Named(t.person()),
        Column::Named(t.memberships()),
        Column::Named(t.last_seen()),
        Column::Named(t.state()),
        Column::Heard(t.actions()),
    ]
}

fn user_row(t: Texts, user: UserOut, again: &Again) -> AnyView {
    let state = if user.is_disabled { badge("danger", t.disabled()) } else { badge("on", t.active()) };
    let (admin, disable) = (admin_action(t, &user, again), disable_action(t, &user, again));
    let memberships: Vec<String> = user
        .tenants
        .iter()
        .map(|tenant| format!("{} ({})", tenant.name, t.tenant_role(tenant.role)))
        .collect();
    let memberships =
        if memberships.is_empty() { t.no_memberships().to_owned() } else { memberships.join(", ") };
    let seen = match user.last_seen_at {
        Some(at) => when(at),
        None => t.never().into_any(),
    };
    view! {
        <tr>
            <td>
                <p class="cell-title">
                    {user.name}
                    " "
                    {user.is_platform_admin.then(|| badge("accent", t.platform_admin()))}
                </p>
                <p class="cell-detail">{user.email.as_str().to_owned()}</p>
            </td>
            <td data-label=t.memberships()>{memberships}</td>
            <td data-label=t.last_seen()>{seen}</td>
            <td data-label=t.state()>{state}</td>
            <td class="cell-actions">{admin}{disable}</td>
        </tr>
    }
    .into_any()
}

fn disable_action(t: Texts, user: &UserOut, again: &Again) -> AnyView {
    let post = Post::one_of::<SetUserDisabled>();
    row_errors(post);
    let id = user.id.to_string();
    if user.is_disabled {
        let done = say_and_reload(t.user_enabled_done(), again);
        return view! {
            <PostForm post=post on_done=done>
                <input type="hidden" name="user_id" value=id/>
                <input type="hidden" name="disabled" value="false"/>
                {submit_button(post, "button button-quiet", t.user_enable())}
            </PostForm>
        }
        .into_any();
    }
    view! {
        <Confirm
            id=format!("disable-{id}")
            post=post
            ask=t.user_disable()
            act=t.user_disable()
            about=user.name.clone()
            title=t.user_disable_title(&user.name)
            lead=t.user_disable_lead()
            on_done=say_and_reload(t.user_disabled_done(), again)
        >
            <input type="hidden" name="user_id" value=id/>
            <input type="hidden" name="disabled" value="true"/>
        </Confirm>
    }
    .into_any()
}

fn admin_action(t: Texts, user: &UserOut, again: &Again) -> AnyView {
    let post = Post::one_of::<SetPlatformAdmin>();
    row_errors(post);
    let (id, is_admin) = (user.id.to_string(), user.is_platform_admin);
    let (ask, title, lead, done) = if is_admin {
        (t.admin_revoke(), t.admin_revoke_title(&user.name), t.admin_revoke_lead(), t.admin_revoked())
    } else {
        (t.admin_grant(), t.admin_grant_title(&user.name), t.admin_grant_lead(), t.admin_granted())
    };
    view! {
        <Confirm
            id=format!("admin-{id}")
            post=post
            ask=ask
            act=ask
            about=user.name.clone()
            title=title
            lead=lead
            is_dangerous=is_admin
            on_done=say_and_reload(done, again)
        >
            <input type="hidden" name="user_id" value=id/>
            <input type="hidden" name="is_admin" value=if is_admin { "false" } else { "true" }/>
        </Confirm>
    }
    .into_any()
}
