//! A person's own account.

use super::{ApiError, Form};
use domain::{SessionId, account::SessionOut};
use leptos::prelude::*;

#[server(prefix = "/fn", endpoint = "list_sessions", input = Form)]
pub async fn list_sessions() -> Result<Vec<SessionOut>, ApiError> {
    let visitor = crate::request::visitor();
    let current = crate::request::current_session(&visitor);
    Ok(crate::request::backend().accounts.list_sessions(visitor.user()?, current).await?)
}

#[server(prefix = "/fn", endpoint = "revoke_session", input = Form)]
pub async fn revoke_session(session_id: SessionId) -> Result<(), ApiError> {
    let visitor = crate::request::visitor();
    crate::request::backend().accounts.revoke_session(visitor.user()?, session_id).await?;
    crate::request::saved(&visitor).await
}

#[server(prefix = "/fn", endpoint = "revoke_other_sessions", input = Form)]
pub async fn revoke_other_sessions() -> Result<(), ApiError> {
    let visitor = crate::request::visitor();
    let current = crate::request::current_session(&visitor);
    crate::request::backend().accounts.revoke_other_sessions(visitor.user()?, current).await?;
    crate::request::saved(&visitor).await
}

#[server(prefix = "/fn", endpoint = "rename_me", input = Form)]
pub async fn rename_me(name: String) -> Result<(), ApiError> {
    let visitor = crate::request::visitor();
    crate::request::backend().accounts.rename(visitor.user()?, &name).await?;
    crate::request::saved(&visitor).await
}

/// Signs out every other session.
#[server(prefix = "/fn", endpoint = "change_password", input = Form)]
pub async fn change_password(current_password: String, new_password: String) -> Result<(), ApiError> {
    let visitor = crate::request::visitor();
    let (user, keep) = (visitor.user()?, crate::request::current_session(&visitor));
    let accounts = crate::request::backend().accounts;
    accounts.change_password(user, &current_password, &new_password, visitor.address, keep).await?;
    crate::request::saved(&visitor).await
}
