//! The members of the organisation, for its owners.

mod invitations;

use self::invitations::Invitations;
use crate::{
    api::members::{ChangeMemberRole, RemoveMember, list_members},
    components::{
        Confirm, When, badge, empty_state, load_error, loading, page_header, row_errors, use_notices,
    },
    form::{Post, PostForm, RoleSelect, error_summary, submit_button},
    live::use_live,
    session::use_session,
    texts::{Texts, texts},
};
use domain::{UserId, tenant::MemberOut};
use leptos::prelude::*;

#[component]
pub fn Members() -> impl IntoView {
    let t = texts();
    let session = use_session();
    let shown = move || {
        session.me().map(|me| match &me.tenant {
            Some(tenant) => view! {
                {page_header(t.members_title(), t.members_lead(&tenant.name))}
                <MemberList me=me.id/>
                <Invitations/>
            }
            .into_any(),
            None => view! {
                {page_header(t.members_title(), t.no_organisation())}
                {empty_state("tenants", t.no_organisation(), t.members_no_tenant_lead(), ())}
            }
            .into_any(),
        })
    };
    view! { <Transition fallback=loading>{shown}</Transition> }.into_any()
}

#[component]
fn MemberList(me: UserId) -> impl IntoView {
    let t = texts();
    let live = use_live();
    let members = Resource::new(move || live.rights(), |_| list_members());
    let again = Callback::new(move |()| members.refetch());
    let (refused_role, refused_removal) = (Post::to::<ChangeMemberRole>(), Post::to::<RemoveMember>());
    let shown = move || {
        members.get().map(|members| match members {
            Ok(list) if list.is_empty() => {
                empty_state("members", t.members_empty_title(), t.members_empty_lead(), ())
            }
            Ok(list) => member_table(t, me, list, again),
            Err(error) => load_error(&error),
        })
    };
    view! {
        {error_summary(refused_role)}
        {error_summary(refused_removal)}
        <div class="card card-flush"><Transition fallback=loading>{shown}</Transition></div>
    }
    .into_any()
}

fn member_table(t: Texts, me: UserId, list: Vec<MemberOut>, again: Callback<()>) -> AnyView {
    let rows = list
        .into_iter()
        .map(|member| member_row(t, me, member, again))
        .collect_view();
    view! {
        <table class="table">
            <caption class="visually-hidden">{t.members_title()}</caption>
            <thead>
                <tr>
                    <th scope="col">{t.member()}</th>
                    <th scope="col">{t.member_since()}</th>
                    <th scope="col">{t.role()}</th>
                    <th scope="col"><span class="visually-hidden">{t.actions()}</span></th>
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
    }
    .into_any()
}

fn member_row(t: Texts, me: UserId, member: MemberOut, again: Callback<()>) -> AnyView {
    let actions = (role_form(t, &member, again), removal(t, &member, again));
    let marks = (
        (member.user_id == me).then(|| badge("quiet", t.member_you())),
        member.is_disabled.then(|| badge("danger", t.disabled())),
    );
    view! {
        <tr>
            <td>
                <p class="cell-title">{member.name} " " {marks}</p>
                <p class="cell-detail">{member.email.as_str().to_owned()}</p>
            </td>
            <td data-label=t.member_since()><When at=member.since/></td>
            <td data-label=t.role()>{actions.0}</td>
            <td class="cell-actions">{actions.1}</td>
        </tr>
    }
    .into_any()
}

fn role_form(t: Texts, member: &MemberOut, again: Callback<()>) -> AnyView {
    let post = Post::one_of::<ChangeMemberRole>();
    row_errors(post);
    let notices = use_notices();
    let session = use_session();
    let done = move |_| {
        notices.done(t.member_role_saved());
        session.refetch();
        again.run(());
    };
    let id = member.user_id.to_string();
    let (role, label) = (member.role, t.member_role_of(&member.name));
    view! {
        <PostForm post=post class="input-group" on_done=Callback::new(done)>
            <input type="hidden" name="user_id" value=id.clone()/>
            <RoleSelect id=format!("role-{id}") chosen=role label=label/>
            {submit_button(post, "button", t.save())}
        </PostForm>
    }
    .into_any()
}

fn removal(t: Texts, member: &MemberOut, again: Callback<()>) -> AnyView {
    let post = Post::one_of::<RemoveMember>();
    row_errors(post);
    let notices = use_notices();
    let session = use_session();
    let done = move |_| {
        notices.done(t.member_removed());
        session.refetch();
        again.run(());
    };
    let id = member.user_id.to_string();
    view! {
        <Confirm
            id=format!("remove-{id}")
            post=post
            ask=t.remove()
            act=t.remove()
            title=t.member_remove_title(&member.name)
            lead=t.member_remove_lead()
            on_done=Callback::new(done)
        >
            <input type="hidden" name="user_id" value=id/>
        </Confirm>
    }
    .into_any()
}
