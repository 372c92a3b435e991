//! Inviting people, and the invitations that wait for an answer.

use crate::{
    api::members::{InviteMember, ListInvitations, RevokeInvitation},
    components::{Column, invitation_link, loaded, row_errors, say_and_reload, table, when},
    form::{Again, Answer, Fields, Post, PostForm, TextField, error_summary, role_select, submit_button},
    load::{Question, load},
    texts::Texts,
};
use domain::{
    TenantRole,
    tenant::{InvitationLink, InvitationOut},
};
use leptos::prelude::*;
use std::sync::Arc;

impl Question for ListInvitations {}

pub fn invitations(t: Texts) -> AnyView {
    let list = load(|| (0, ListInvitations {}));
    let again: Again = Arc::new(move || list.refetch());
    let form = invite_form(t, again.clone());
    let shown = move |list: Vec<InvitationOut>| {
        if list.is_empty() {
            return view! { <p class="card-note">{t.invitations_empty()}</p> }.into_any();
        }
        invitation_table(t, list, &again)
    };
    view! {
        {form}
        <section class="section" aria-labelledby="invitations">
            <header class="section-header"><h2 id="invitations">{t.invitations()}</h2></header>
            {error_summary(Post::to::<RevokeInvitation>())}
            <div class="card card-flush">{loaded(list, shown)}</div>
        </section>
    }
    .into_any()
}

fn invite_form(t: Texts, again: Again) -> AnyView {
    let post = Post::to::<InviteMember>();
    let link = RwSignal::new(None::<InvitationLink>);
    let done = move |answer: Answer| {
        link.set(answer.read());
        again();
    };
    view! {
        <section class="section" aria-labelledby="invite">
            <header class="section-header">
                <h2 id="invite">{t.invite_title()}</h2>
                <p class="section-lead">{t.invite_lead()}</p>
            </header>
            <div class="card">
                {error_summary(post)}
                {move || link.get().map(invitation_link)}
                <PostForm post=post class="form form-row" fields=Fields::Empty on_done=Arc::new(done)>
                    <TextField post=post name="email" label=t.email() kind="email"/>
                    <div class="field">
                        <label class="field-label" r#for="invite-role">{t.role()}</label>
                        {role_select("invite-role".to_owned(), TenantRole::Operator, None, None)}
                    </div>
                    {submit_button(post, "button button-primary", t.invite_submit())}
                </PostForm>
            </div>
        </section>
    }
    .into_any()
}

fn invitation_table(t: Texts, list: Vec<InvitationOut>, again: &Again) -> AnyView {
    let columns = vec![
        Column::Named(t.email()),
        Column::Named(t.role()),
        Column::Named(t.invited_by()),
        Column::Named(t.expires()),
        Column::Heard(t.actions()),
    ];
    let rows = list.into_iter().map(|invitation| invitation_row(t, invitation, again)).collect();
    table("table", t.invitations(), columns, rows)
}

fn invitation_row(t: Texts, invitation: InvitationOut, again: &Again) -> AnyView {
    let post = Post::one_of::<RevokeInvitation>();
    row_errors(post);
    let email = invitation.email.as_str().to_owned();
    let (id, label) = (invitation.id.to_string(), t.revoke_named(&email));
    let done = say_and_reload(t.invitation_revoked(), again);
    view! {
        <tr>
            <td><p class="cell-title">{email}</p></td>
            <td data-label=t.role()>{t.tenant_role(invitation.role)}</td>
            <td data-label=t.invited_by()>{invitation.invited_by}</td>
            <td data-label=t.expires()>{when(invitation.expires_at)}</td>
            <td class="cell-actions">
                <PostForm post=post on_done=done>
                    <input type="hidden" name="invitation_id" value=id/>
                    <button type="submit" class="button button-quiet-danger" aria-label=label>{t.revoke()}</button>
                </PostForm>
            </td>
        </tr>
    }
    .into_any()
}
