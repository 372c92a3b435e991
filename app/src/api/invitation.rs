//! The invited person's side of an invitation.

use super::{ApiError, Form};
use domain::tenant::InvitationPreview;
use leptos::prelude::*;

#[server(prefix = "/fn", endpoint = "get_invitation", input = Form)]
pub async fn get_invitation(token: String) -> Result<InvitationPreview, ApiError> {
    Ok(crate::request::backend().accounts.preview_invitation(&token).await?)
}

/// Joins the tenant: with a new account, or with the password of the one that exists. Signs in.
#[server(prefix = "/fn", endpoint = "accept_invitation", input = Form)]
pub async fn accept_invitation(
    token: String,
    #[server(default)] name: String,
    password: String,
) -> Result<(), ApiError> {
    let visitor = crate::request::visitor();
    let accounts = crate::request::backend().accounts;
    let (user, tenant) = accounts.accept_invitation(&token, &name, &password, visitor.address).await?;
    crate::request::start_session(&visitor, user).await?;
    crate::request::choose_tenant(&visitor, tenant).await?;
    leptos_axum::redirect("/");
    Ok(())
}
