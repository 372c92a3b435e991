//! Deals.

use crate::{
    Crm,
    change::{Change, record},
    not_found, refer, taken,
};
use ability::{CreateCrm, DeleteCrm, ReadCrm, TenantPermit, UpdateCrm};
use domain::version::{changed_meanwhile, is_current};
use domain::{
    DealId, ListOut, Page, ServiceResult, TenantId,
    crm::{DealIn, DealOut, DealPatch, DealQuery},
};
use store::{
    WriteTx,
    crm::{Hold, deals, pipelines},
};

impl Crm {
    pub async fn list_deals(
        &self,
        permit: &TenantPermit<ReadCrm>,
        query: DealQuery,
    ) -> ServiceResult<ListOut<DealOut>> {
        let page = Page::parse(query.limit, query.cursor.as_deref())?;
        Ok(deals::list(&self.db.reader_of(permit.tenant()).await?, permit.tenant(), &query, page).await?)
    }

    pub async fn find_deal(&self, permit: &TenantPermit<ReadCrm>, id: DealId) -> ServiceResult<DealOut> {
        let found =
            deals::find(&self.db.reader_of(permit.tenant()).await?, permit.tenant(), id, Hold::Free).await?;
        found.ok_or_else(|| not_found("deal"))
    }

    pub async fn create_deal(
        &self,
        permit: &TenantPermit<CreateCrm>,
        input: DealIn,
    ) -> ServiceResult<DealOut> {
        let input = input.checked()?;
        let tx = self.db.begin_for(permit.tenant()).await?;
        let stage = check_references(&tx, permit.tenant(), &input).await?;
        let made = deals::insert(&tx, permit.tenant(), &input, &stage).await.map_err(taken("external_id"))?;
        let change = Change { action: "deal.create", before: None, after: Some(&made) };
        record(&tx, permit, made.id, change).await?;
        self.db.commit(tx, &[]).await?;
        Ok(made)
    }

    /// `seen` is the version that the change was made from; another by now is a `conflict`.
    pub async fn update_deal(
        &self,
        permit: &TenantPermit<UpdateCrm>,
        id: DealId,
        patch: DealPatch,
        seen: Option<i64>,
    ) -> ServiceResult<DealOut> {
        let tx = self.db.begin_for(permit.tenant()).await?;
        let found = deals::find(&tx, permit.tenant(), id, Hold::Change).await?;
        let before = found.ok_or_else(|| not_found("deal"))?;
        is_current(seen, before.version)?;
        let input = patch.onto(before.clone()).checked()?;
        let stage = check_references(&tx, permit.tenant(), &input).await?;
        let changed = deals::update(&tx, permit.tenant(), &before, &input, &stage)
            .await
            .map_err(taken("external_id"))?;
        let after = changed.ok_or_else(changed_meanwhile)?;
        let change = Change { action: "deal.update", before: Some(&before), after: Some(&after) };
        record(&tx, permit, id, change).await?;
        self.db.commit(tx, &[]).await?;
        Ok(after)
    }

    pub async fn delete_deal(
        &self,
        permit: &TenantPermit<DeleteCrm>,
        id: DealId,
        seen: Option<i64>,
    ) -> ServiceResult<()> {
        let tx = self.db.begin_for(permit.tenant()).await?;
        let found = deals::find(&tx, permit.tenant(), id, Hold::Change).await?;
        let before = found.ok_or_else(|| not_found("deal"))?;
        is_current(seen, before.version)?;
        deals::delete(&tx, permit.tenant(), id).await?;
        let change = Change { action: "deal.delete", before: Some(&before), after: None };
        record(&tx, permit, id, change).await?;
        Ok(self.db.commit(tx, &[]).await?)
    }
}

/// The contact and the pipeline are the tenant's; answers with the stage, which is one of the pipeline.
async fn check_references(tx: &WriteTx, tenant: TenantId, input: &DealIn) -> ServiceResult<String> {
    refer::contact(tx, tenant, input.contact_id).await?;
    let pipeline = pipelines::find(tx, tenant, input.pipeline_id, Hold::Still).await?;
    let pipeline = pipeline.ok_or_else(|| refer::unknown("pipeline_id"))?;
    let stage = match &input.stage {
        Some(slug) => pipeline.stage(slug.trim()),
        None => pipeline.stages.first(),
    };
    stage.map(|stage| stage.slug.clone()).ok_or_else(|| refer::unknown("stage"))
}
