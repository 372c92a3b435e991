//! The members of the tenant that the person has chosen; for its owners.

use super::{ApiError, Form};
use domain::{
    InvitationId, TenantRole, UserId,
    tenant::{InvitationLink, InvitationOut, MemberOut},
};
use leptos::prelude::*;

#[server(prefix = "/fn", endpoint = "list_members", input = Form)]
pub async fn list_members() -> Result<Vec<MemberOut>, ApiError> {
    let permit = crate::request::visitor().permit()?;
    Ok(crate::request::backend().accounts.list_members(&permit).await?)
}

#[server(prefix = "/fn", endpoint = "list_invitations", input = Form)]
pub async fn list_invitations() -> Result<Vec<InvitationOut>, ApiError> {
    let permit = crate::request::visitor().permit()?;
    Ok(crate::request::backend().accounts.list_invitations(&permit).await?)
}

/// Answers with a link that is shown once.
#[server(prefix = "/fn", endpoint = "invite_member", input = Form)]
pub async fn invite_member(email: String, role: TenantRole) -> Result<InvitationLink, ApiError> {
    let visitor = crate::request::visitor();
    let link = crate::request::backend().accounts.invite_member(&visitor.permit()?, &email, role).await?;
    crate::request::invited(&visitor, &link).await?;
    Ok(link)
}

#[server(prefix = "/fn", endpoint = "revoke_invitation", input = Form)]
pub async fn revoke_invitation(invitation_id: InvitationId) -> Result<(), ApiError> {
    let visitor = crate::request::visitor();
    crate::request::backend().accounts.revoke_invitation(&visitor.permit()?, invitation_id).await?;
    crate::request::saved(&visitor).await
}

#[server(prefix = "/fn", endpoint = "change_member_role", input = Form)]
pub async fn change_member_role(user_id: UserId, role: TenantRole) -> Result<(), ApiError> {
    let visitor = crate::request::visitor();
    crate::request::backend().accounts.change_member_role(&visitor.permit()?, user_id, role).await?;
    crate::request::saved(&visitor).await
}

#[server(prefix = "/fn", endpoint = "remove_member", input = Form)]
pub async fn remove_member(user_id: UserId) -> Result<(), ApiError> {
    let visitor = crate::request::visitor();
    crate::request::backend().accounts.remove_member(&visitor.permit()?, user_id).await?;
    crate::request::saved(&visitor).await
}
