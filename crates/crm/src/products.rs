//! Products.

use crate::{
    Crm,
    change::{Change, record},
    not_found, taken,
};
use ability::{CreateCrm, DeleteCrm, ReadCrm, TenantPermit, UpdateCrm};
use domain::version::{changed_meanwhile, is_current};
use domain::{
    FieldCode, FieldError, ListOut, Page, ProductId, ServiceResult,
    crm::{ProductIn, ProductOut, ProductPatch, ProductQuery},
};
use store::crm::{Hold, products};

impl Crm {
    pub async fn list_products(
        &self,
        permit: &TenantPermit<ReadCrm>,
        query: ProductQuery,
    ) -> ServiceResult<ListOut<ProductOut>> {
        let page = Page::parse(query.limit, query.cursor.as_deref())?;
        let (conn, tenant) = (&self.db.reader_of(permit.tenant()).await?, permit.tenant());
        let Some(text) = query.q.as_deref().filter(|text| !text.trim().is_empty()) else {
            return Ok(products::list(conn, tenant, query.is_active, page).await?);
        };
        if query.cursor.is_some() {
            let message = "a search has one page: a larger `limit` shows more of it".to_owned();
            return Err(FieldError { message, ..FieldError::new("cursor", FieldCode::Invalid) }.into());
        }
        Ok(products::search(conn, tenant, text, query.is_active, page.limit).await?.into())
    }

    pub async fn find_product(
        &self,
        permit: &TenantPermit<ReadCrm>,
        id: ProductId,
    ) -> ServiceResult<ProductOut> {
        let found =
            products::find(&self.db.reader_of(permit.tenant()).await?, permit.tenant(), id, Hold::Free)
                .await?;
        found.ok_or_else(|| not_found("product"))
    }

    pub async fn create_product(
        &self,
        permit: &TenantPermit<CreateCrm>,
        input: ProductIn,
    ) -> ServiceResult<ProductOut> {
        let input = input.checked()?;
        let tx = self.db.begin_for(permit.tenant()).await?;
        let made = products::insert(&tx, permit.tenant(), &input).await.map_err(taken("sku"))?;
        let change = Change { action: "product.create", before: None, after: Some(&made) };
        record(&tx, permit, made.id, change).await?;
        self.db.commit(tx, &[]).await?;
        Ok(made)
    }

    /// `seen` is the version that the change was made from; another by now is a `conflict`.
    pub async fn update_product(
        &self,
        permit: &TenantPermit<UpdateCrm>,
        id: ProductId,
        patch: ProductPatch,
        seen: Option<i64>,
    ) -> ServiceResult<ProductOut> {
        let tx = self.db.begin_for(permit.tenant()).await?;
        let found = products::find(&tx, permit.tenant(), id, Hold::Change).await?;
        let before = found.ok_or_else(|| not_found("product"))?;
        is_current(seen, before.version)?;
        let input = patch.onto(before.clone()).checked()?;
        let changed = products::update(&tx, permit.tenant(), &before, &input).await.map_err(taken("sku"))?;
        let after = changed.ok_or_else(changed_meanwhile)?;
        let change = Change { action: "product.update", before: Some(&before), after: Some(&after) };
        record(&tx, permit, id, change).await?;
        self.db.commit(tx, &[]).await?;
        Ok(after)
    }

    pub async fn delete_product(
        &self,
        permit: &TenantPermit<DeleteCrm>,
        id: ProductId,
        seen: Option<i64>,
    ) -> ServiceResult<()> {
        let tx = self.db.begin_for(permit.tenant()).await?;
        let found = products::find(&tx, permit.tenant(), id, Hold::Change).await?;
        let before = found.ok_or_else(|| not_found("product"))?;
        is_current(seen, before.version)?;
        products::delete(&tx, permit.tenant(), id).await?;
        let change = Change { action: "product.delete", before: Some(&before), after: None };
        record(&tx, permit, id, change).await?;
        Ok(self.db.commit(tx, &[]).await?)
    }
}
