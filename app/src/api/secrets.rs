//! What an organisation entrusts to its code tools. Values go in and never come out.

use super::{ApiError, Form};
use domain::secret::SecretOut;
use leptos::prelude::*;

#[server(prefix = "/fn", endpoint = "list_secrets", input = Form)]
pub async fn list_secrets() -> Result<Vec<SecretOut>, ApiError> {
    let permit = crate::request::visitor().tenant_permit()?;
    Ok(crate::request::backend().engine.list_secrets(&permit).await?)
}

/// Makes or replaces it. Lines end as they do on the sender's side, not as forms write them.
#[server(prefix = "/fn", endpoint = "put_secret", input = Form)]
pub async fn put_secret(name: String, value: String) -> Result<(), ApiError> {
    let visitor = crate::request::visitor();
    let input = domain::secret::SecretIn { value: value.replace("\r\n", "\n") };
    crate::request::backend().engine.put_secret(&visitor.tenant_permit()?, name.trim(), input).await?;
    crate::request::saved(&visitor).await
}

#[server(prefix = "/fn", endpoint = "delete_secret", input = Form)]
pub async fn delete_secret(name: String) -> Result<(), ApiError> {
    let visitor = crate::request::visitor();
    crate::request::backend().engine.delete_secret(&visitor.tenant_permit()?, &name).await?;
    crate::request::saved(&visitor).await
}
