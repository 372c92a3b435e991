//! Tenants, as platform administrators manage them.

use crate::{Accounts, not_found};
use ability::{ManageAdminPanel, Permit};
use domain::{
    FieldCode, FieldError, ServiceError, ServiceResult, Slug, TenantId, tenant::TenantOut, text::parse_line,
};
use serde_json::json;
use store::{
    StoreError, WriteTx,
    audit::{self, Author, Entry},
    tenants::Tenant,
};

impl Accounts {
    pub async fn list_tenants(&self, _: &Permit<ManageAdminPanel>) -> ServiceResult<Vec<TenantOut>> {
        Ok(store::tenants::list(self.db.reader()).await?)
    }

    pub async fn create_tenant(
        &self,
        permit: &Permit<ManageAdminPanel>,
        name: &str,
        slug: Option<&str>,
    ) -> ServiceResult<TenantOut> {
        let name = parse_line("name", name, 100)?;
        let slug = slug.filter(|slug| !slug.trim().is_empty()).map(Slug::parse).transpose()?;
        let tx = self.db.begin().await?;
        let tenant = Self::insert_tenant(&tx, Author::from(permit.caller()), &name, slug).await?;
        self.db.commit(tx, &[]).await?;
        Ok(tenant.into_out(0))
    }

    pub async fn rename_tenant(
        &self,
        permit: &Permit<ManageAdminPanel>,
        id: TenantId,
        name: &str,
    ) -> ServiceResult<()> {
        let name = parse_line("name", name, 100)?;
        let tx = self.db.begin().await?;
        let before = store::tenants::find(&tx, id).await?.ok_or_else(|| not_found("tenant"))?;
        store::tenants::rename(&tx, id, &name).await?;
        let entry = Entry {
            tenant: Some(id),
            action: "tenant.rename",
            subject_kind: "tenant",
            subject_id: id.to_string(),
            before: Some(json!({ "name": before.name })),
            after: Some(json!({ "name": name })),
            reason: None,
        };
        audit::append(&tx, permit.caller(), entry).await?;
        Ok(self.db.commit(tx, &[]).await?)
    }

    /// By id or by slug, as commands name it.
    pub async fn find_tenant(&self, name: &str) -> ServiceResult<TenantOut> {
        let conn = self.db.reader();
        let found = match name.parse() {
            Ok(id) => store::tenants::find(conn, id).await?,
            Err(_) => store::tenants::find_by_slug(conn, name).await?,
        };
        found.map(|tenant| tenant.into_out(0)).ok_or_else(|| not_found("tenant"))
    }

    /// Without a slug the name suggests one, with a number behind it when that is taken.
    pub(crate) async fn insert_tenant(
        tx: &WriteTx,
        author: Author<'_>,
        name: &str,
        slug: Option<Slug>,
    ) -> ServiceResult<Tenant> {
        let slug = match slug {
            Some(slug) => slug,
            None => free_slug(tx, name).await?,
        };
        let tenant = store::tenants::insert(tx, name, &slug).await.map_err(|error| match error {
            StoreError::Duplicate => ServiceError::field("slug", FieldCode::Taken),
            other => other.into(),
        })?;
        let entry = Entry {
            tenant: Some(tenant.id),
            action: "tenant.create",
            subject_kind: "tenant",
            subject_id: tenant.id.to_string(),
            before: None,
            after: Some(json!({ "name": tenant.name, "slug": tenant.slug })),
            reason: None,
        };
        audit::append(tx, author, entry).await?;
        Ok(tenant)
    }
}

async fn free_slug(tx: &WriteTx, name: &str) -> ServiceResult<Slug> {
    let wish = Slug::suggest(name).map_or_else(|| "tenant".to_owned(), |slug| slug.to_string());
    for number in 1..1000 {
        let candidate = if number == 1 { wish.clone() } else { format!("{wish:.55}-{number}") };
        let slug = Slug::parse(&candidate)?;
        if store::tenants::find_by_slug(tx, slug.as_str()).await?.is_none() {
            return Ok(slug);
        }
    }
    Err(FieldError::new("slug", FieldCode::Taken).into())
}
