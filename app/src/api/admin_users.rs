//! All people; for platform administrators.

use super::{ApiError, Form};
use domain::{UserId, account::UserOut};
use leptos::prelude::*;

/// `search` looks in names and addresses.
#[server(prefix = "/fn", endpoint = "list_users", input = Form)]
pub async fn list_users(search: String) -> Result<Vec<UserOut>, ApiError> {
    let permit = crate::request::visitor().permit()?;
    Ok(crate::request::backend().accounts.list_users(&permit, &search).await?)
}

/// A disabled person is signed out at once, everywhere.
#[server(prefix = "/fn", endpoint = "set_user_disabled", input = Form)]
pub async fn set_user_disabled(user_id: UserId, disabled: bool) -> Result<(), ApiError> {
    let visitor = crate::request::visitor();
    crate::request::backend().accounts.set_disabled(&visitor.permit()?, user_id, disabled).await?;
    crate::request::saved(&visitor).await
}

#[server(prefix = "/fn", endpoint = "set_platform_admin", input = Form)]
pub async fn set_platform_admin(user_id: UserId, is_admin: bool) -> Result<(), ApiError> {
    let visitor = crate::request::visitor();
    crate::request::backend().accounts.set_platform_admin(&visitor.permit()?, user_id, is_admin).await?;
    crate::request::saved(&visitor).await
}
