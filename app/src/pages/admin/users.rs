//! All people of the installation: find, disable, promote.

use crate::{
    api::admin_users::{SetPlatformAdmin, SetUserDisabled, list_users},
    components::{
        Confirm, When, badge, empty_state, load_error, loading, page_header, row_errors, use_notices,
    },
    form::{Answer, Post, PostForm, QueryForm, error_summary, submit_button},
    live::use_live,
    session::use_session,
    texts::{Texts, texts},
};
use domain::account::UserOut;
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;

#[component]
pub fn Users() -> impl IntoView {
    let t = texts();
    let query = use_query_map();
    let live = use_live();
    let words = Memo::new(move |_| query.with(|query| query.get_str("q").unwrap_or_default().to_owned()));
    let users = Resource::new(
        move || (words.get(), live.rights()),
        |(words, _)| list_users(words),
    );
    let session = use_session();
    let again = Callback::new(move |()| {
        users.refetch();
        session.refetch();
    });
    let (refused_state, refused_admin) = (Post::to::<SetUserDisabled>(), Post::to::<SetPlatformAdmin>());
    let shown = move || {
        users.get().map(|users| match users {
            Ok(list) if list.is_empty() => {
                let next = view! { <a class="button" href="/admin/users">{t.clear()}</a> };
                empty_state("search", t.users_empty_title(), t.users_empty_lead(), next)
            }
            Ok(list) => user_table(t, list, again),
            Err(error) => load_error(&error),
        })
    };
    view! {
        {page_header(t.users_title(), t.users_lead())}
        {error_summary(refused_state)}
        {error_summary(refused_admin)}
        <QueryForm path="/admin/users" class="toolbar">
            <input
                class="input toolbar-search"
                type="search"
                name="q"
                value=words.get_untracked()
                placeholder=t.users_search()
                aria-label=t.search()
                autocomplete="off"
            />
            <button type="submit" class="button">{t.search()}</button>
        </QueryForm>
        <div class="card card-flush"><Transition fallback=loading>{shown}</Transition></div>
    }
    .into_any()
}

fn user_table(t: Texts, list: Vec<UserOut>, again: Callback<()>) -> AnyView {
    let rows = list
        .into_iter()
        .map(|user| user_row(t, user, again))
        .collect_view();
    view! {
        <table class="table">
            <caption class="visually-hidden">{t.users_title()}</caption>
            <thead>
                <tr>
                    <th scope="col">{t.person()}</th>
                    <th scope="col">{t.memberships()}</th>
                    <th scope="col">{t.last_seen()}</th>
                    <th scope="col">{t.state()}</th>
                    <th scope="col"><span class="visually-hidden">{t.actions()}</span></th>
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
    }
    .into_any()
}

fn user_row(t: Texts, user: UserOut, again: Callback<()>) -> AnyView {
    let state = if user.is_disabled {
        badge("danger", t.disabled())
    } else {
        badge("on", t.active())
    };
    let actions = (admin_action(t, &user, again), disable_action(t, &user, again));
    let memberships: Vec<String> = user
        .tenants
        .iter()
        .map(|tenant| format!("{} ({})", tenant.name, t.tenant_role(tenant.role)))
        .collect();
    let memberships = if memberships.is_empty() {
        t.no_memberships().to_owned()
    } else {
        memberships.join(", ")
    };
    let seen = match user.last_seen_at {
        Some(at) => view! { <When at=at/> }.into_any(),
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
            <td class="cell-actions">{actions}</td>
        </tr>
    }
    .into_any()
}

/// What follows every action here: a word, and the list anew.
fn finished(text: &'static str, again: Callback<()>) -> Callback<Answer> {
    let notices = use_notices();
    Callback::new(move |_| {
        notices.done(text);
        again.run(());
    })
}

fn disable_action(t: Texts, user: &UserOut, again: Callback<()>) -> AnyView {
    let post = Post::one_of::<SetUserDisabled>();
    row_errors(post);
    let id = user.id.to_string();
    if user.is_disabled {
        let done = finished(t.user_enabled_done(), again);
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
            title=t.user_disable_title(&user.name)
            lead=t.user_disable_lead()
            on_done=finished(t.user_disabled_done(), again)
        >
            <input type="hidden" name="user_id" value=id/>
            <input type="hidden" name="disabled" value="true"/>
        </Confirm>
    }
    .into_any()
}

fn admin_action(t: Texts, user: &UserOut, again: Callback<()>) -> AnyView {
    let post = Post::one_of::<SetPlatformAdmin>();
    row_errors(post);
    let (id, is_admin) = (user.id.to_string(), user.is_platform_admin);
    let (ask, title, lead, done) = if is_admin {
        (
            t.admin_revoke(),
            t.admin_revoke_title(&user.name),
            t.admin_revoke_lead(),
            t.admin_revoked(),
        )
    } else {
        (
            t.admin_grant(),
            t.admin_grant_title(&user.name),
            t.admin_grant_lead(),
            t.admin_granted(),
        )
    };
    view! {
        <Confirm
            id=format!("admin-{id}")
            post=post
            ask=ask
            act=ask
            title=title
            lead=lead
            is_dangerous=is_admin
            on_done=finished(done, again)
        >
            <input type="hidden" name="user_id" value=id/>
            <input type="hidden" name="is_admin" value=(!is_admin).to_string()/>
        </Confirm>
    }
    .into_any()
}
