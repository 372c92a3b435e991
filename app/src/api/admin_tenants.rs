//! All tenants; for platform administrators.

use super::{ApiError, Form};
use domain::{
    TenantId,
    tenant::{InvitationLink, TenantOut},
};
use leptos::prelude::*;

#[server(prefix = "/fn", endpoint = "list_tenants", input = Form)]
pub async fn list_tenants() -> Result<Vec<TenantOut>, ApiError> {
    let permit = crate::request::visitor().permit()?;
    Ok(crate::request::backend().accounts.list_tenants(&permit).await?)
}

/// Without a slug, the name suggests one.
#[server(prefix = "/fn", endpoint = "create_tenant", input = Form)]
pub async fn create_tenant(name: String, slug: Option<String>) -> Result<TenantOut, ApiError> {
    let visitor = crate::request::visitor();
    let tenant =
        crate::request::backend().accounts.create_tenant(&visitor.permit()?, &name, slug.as_deref()).await?;
    crate::request::saved(&visitor).await?;
    Ok(tenant)
}

#[server(prefix = "/fn", endpoint = "rename_tenant", input = Form)]
pub async fn rename_tenant(tenant_id: TenantId, name: String) -> Result<(), ApiError> {
    let visitor = crate::request::visitor();
    crate::request::backend().accounts.rename_tenant(&visitor.permit()?, tenant_id, &name).await?;
    crate::request::saved(&visitor).await
}

/// A link that makes its opener an owner of that tenant; shown once.
#[server(prefix = "/fn", endpoint = "invite_owner", input = Form)]
pub async fn invite_owner(tenant_id: TenantId, email: String) -> Result<InvitationLink, ApiError> {
    let visitor = crate::request::visitor();
    let link = crate::request::backend().accounts.invite_owner(&visitor.permit()?, tenant_id, &email).await?;
    crate::request::invited(&visitor, &link).await?;
    Ok(link)
}
