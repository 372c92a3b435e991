//! Inviting people, and the invitations that wait for an answer.

use crate::{
    api::members::{InviteMember, RevokeInvitation, list_invitations},
    components::{InvitationLinkCard, When, load_error, loading, row_errors, use_notices},
    form::{Answer, Post, PostForm, RoleSelect, TextField, error_summary, submit_button},
    texts::{Texts, texts},
};
use domain::{
    TenantRole,
    tenant::{InvitationLink, InvitationOut},
};
use leptos::prelude::*;

#[component]
pub fn Invitations() -> impl IntoView {
    let t = texts();
    let invitations = Resource::new(|| (), |()| list_invitations());
    let again = Callback::new(move |()| invitations.refetch());
    let refused = Post::to::<RevokeInvitation>();
    let shown = move || {
        invitations.get().map(|invitations| match invitations {
            Ok(list) if list.is_empty() => {
                view! { <p class="card-note">{t.invitations_empty()}</p> }.into_any()
            }
            Ok(list) => invitation_table(t, list, again),
            Err(error) => load_error(&error),
        })
    };
    view! {
        {invite_form(t, again)}
        <section class="section" aria-labelledby="invitations">
            <header class="section-header"><h2 id="invitations">{t.invitations()}</h2></header>
            {error_summary(refused)}
            <div class="card card-flush"><Transition fallback=loading>{shown}</Transition></div>
        </section>
    }
    .into_any()
}

fn invite_form(t: Texts, again: Callback<()>) -> AnyView {
    let post = Post::to::<InviteMember>();
    let link = RwSignal::new(None::<InvitationLink>);
    let done = move |answer: Answer| {
        link.set(answer.read());
        again.run(());
    };
    view! {
        <section class="section" aria-labelledby="invite">
            <header class="section-header">
                <h2 id="invite">{t.invite_title()}</h2>
                <p class="section-lead">{t.invite_lead()}</p>
            </header>
            <div class="card">
                {error_summary(post)}
                {move || link.get().map(|link| view! { <InvitationLinkCard link=link/> })}
                <PostForm post=post class="form form-row" reset=true on_done=Callback::new(done)>
                    <TextField post=post name="email" label=t.email() kind="email"/>
                    <div class="field">
                        <label class="field-label" r#for="invite-role">{t.role()}</label>
                        <RoleSelect id="invite-role".to_owned() chosen=TenantRole::Operator/>
                    </div>
                    {submit_button(post, "button button-primary", t.invite_submit())}
                </PostForm>
            </div>
        </section>
    }
    .into_any()
}

fn invitation_table(t: Texts, list: Vec<InvitationOut>, again: Callback<()>) -> AnyView {
    let rows = list
        .into_iter()
        .map(|invitation| invitation_row(t, invitation, again))
        .collect_view();
    view! {
        <table class="table">
            <caption class="visually-hidden">{t.invitations()}</caption>
            <thead>
                <tr>
                    <th scope="col">{t.email()}</th>
                    <th scope="col">{t.role()}</th>
                    <th scope="col">{t.invited_by()}</th>
                    <th scope="col">{t.expires()}</th>
                    <th scope="col"><span class="visually-hidden">{t.actions()}</span></th>
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
    }
    .into_any()
}

fn invitation_row(t: Texts, invitation: InvitationOut, again: Callback<()>) -> AnyView {
    let post = Post::one_of::<RevokeInvitation>();
    row_errors(post);
    let notices = use_notices();
    let done = move |_| {
        notices.done(t.invitation_revoked());
        again.run(());
    };
    let email = invitation.email.as_str().to_owned();
    let label = t.revoke_named(&email);
    view! {
        <tr>
            <td><p class="cell-title">{email}</p></td>
            <td data-label=t.role()>{t.tenant_role(invitation.role)}</td>
            <td data-label=t.invited_by()>{invitation.invited_by}</td>
            <td data-label=t.expires()><When at=invitation.expires_at/></td>
            <td class="cell-actions">
                <PostForm post=post on_done=Callback::new(done)>
                    <input type="hidden" name="invitation_id" value=invitation.id.to_string()/>
                    <button type="submit" class="button button-quiet-danger" aria-label=label>{t.revoke()}</button>
                </PostForm>
            </td>
        </tr>
    }
    .into_any()
}
