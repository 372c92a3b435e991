//! The members of the organisation, for its owners.

mod invitations;

use self::invitations::invitations;
use crate::{
    api::members::{ChangeMemberRole, ListMembers, RemoveMember},
    components::{
        Column, Confirm, awaited, badge, empty_state, load_error, loading, page_header, row_errors,
        say_and_reload, settings_tabs, table, when,
    },
    form::{Again, Fields, Post, PostForm, error_summary, role_select, submit_button},
    live::use_live,
    load::{Question, load},
    session::use_session,
    texts::{Texts, texts},
};
use domain::{UserId, tenant::MemberOut};
use leptos::prelude::*;
use std::sync::Arc;

impl Question for ListMembers {}

pub fn members() -> AnyView {
    let t = texts();
    let session = use_session();
    let header = move || {
        let tenant = session.me()?.tenant;
        let lead = tenant.map_or(t.no_organisation().to_owned(), |tenant| t.members_lead(&tenant.name));
        Some(page_header(t.members_title(), lead))
    };
    view! {
        {awaited(loading, header)}
        {settings_tabs()}
        {member_list(t)}
        <div class="with-tenant">{invitations(t)}</div>
    }
    .into_any()
}

fn member_list(t: Texts) -> AnyView {
    let live = use_live();
    let session = use_session();
    let members = load(move || (live.data(), ListMembers {}));
    let again: Again = Arc::new(move || {
        members.refetch();
        session.refetch();
    });
    let (role, removal) = (Post::to::<ChangeMemberRole>(), Post::to::<RemoveMember>());
    let shown = move || {
        let me = session.me()?;
        members.get().map(|members| match members {
            Ok(list) => member_table(t, me.id, list, &again),
            Err(_) if me.tenant.is_none() => no_tenant(t),
            Err(error) => load_error(&error),
        })
    };
    view! {
        {error_summary(role)}
        {error_summary(removal)}
        <div class="card card-flush">{awaited(loading, shown)}</div>
    }
    .into_any()
}

/// The style sheet hides the rest of the page beside this.
fn no_tenant(t: Texts) -> AnyView {
    let empty = empty_state("tenants", t.no_organisation(), t.members_no_tenant_lead(), None);
    view! { <div class="without-tenant">{empty}</div> }.into_any()
}

fn member_table(t: Texts, me: UserId, list: Vec<MemberOut>, again: &Again) -> AnyView {
    let columns = vec![
        Column::Named(t.member()),
        Column::Named(t.member_since()),
        Column::Named(t.role()),
        Column::Heard(t.actions()),
    ];
    let rows = list.into_iter().map(|member| member_row(t, me, member, again)).collect();
    table("table", t.members_title(), columns, rows)
}

fn member_row(t: Texts, me: UserId, member: MemberOut, again: &Again) -> AnyView {
    let (role, removal) = (role_form(t, &member, again), removal(t, &member, again));
    view! {
        <tr>
            <td>
                <p class="cell-title">
                    {member.name}
                    " "
                    {(member.user_id == me).then(|| badge("quiet", t.member_you()))}
                    {member.is_disabled.then(|| badge("danger", t.disabled()))}
                </p>
                <p class="cell-detail">{member.email.as_str().to_owned()}</p>
            </td>
            <td data-label=t.member_since()>{when(member.since)}</td>
            <td data-label=t.role()>{role}</td>
            <td class="cell-actions">{removal}</td>
        </tr>
    }
    .into_any()
}

fn role_form(t: Texts, member: &MemberOut, again: &Again) -> AnyView {
    let post = Post::one_of::<ChangeMemberRole>();
    row_errors(post);
    let id = member.user_id.to_string();
    let label = t.member_role_of(&member.name);
    let select = role_select(format!("role-{id}"), member.role, Some(label), None);
    view! {
        <PostForm post=post class="input-group" fields=Fields::Undo on_done=say_and_reload(t.member_role_saved(), again)>
            <input type="hidden" name="user_id" value=id/>
            {select}
            {submit_button(post, "button", t.save())}
        </PostForm>
    }
    .into_any()
}

fn removal(t: Texts, member: &MemberOut, again: &Again) -> AnyView {
    let post = Post::one_of::<RemoveMember>();
    row_errors(post);
    let id = member.user_id.to_string();
    view! {
        <Confirm
            id=format!("remove-{id}")
            post=post
            ask=t.remove()
            act=t.remove()
            about=member.name.clone()
            title=t.member_remove_title(&member.name)
            lead=t.member_remove_lead()
            on_done=say_and_reload(t.member_removed(), again)
        >
            <input type="hidden" name="user_id" value=id/>
        </Confirm>
    }
    .into_any()
}
