//! Pipelines. A stage that deals are in stays, and so does a pipeline that has deals.

use crate::{
    Crm,
    change::{Change, record},
    not_found,
};
use ability::{CreateCrm, DeleteCrm, ReadCrm, TenantPermit, UpdateCrm};
use domain::version::{changed_meanwhile, is_current};
use domain::{
    ErrorCode, FieldCode, FieldError, ListOut, Page, PipelineId, ServiceError, ServiceResult, TenantId,
    crm::{PipelineIn, PipelineOut, PipelinePatch, PipelineQuery},
};
use store::{
    WriteTx,
    crm::{Hold, deals, pipelines},
};

impl Crm {
    pub async fn list_pipelines(
        &self,
        permit: &TenantPermit<ReadCrm>,
        query: PipelineQuery,
    ) -> ServiceResult<ListOut<PipelineOut>> {
        let page = Page::parse(query.limit, query.cursor.as_deref())?;
        Ok(pipelines::list(&self.db.reader_of(permit.tenant()).await?, permit.tenant(), page).await?)
    }

    pub async fn find_pipeline(
        &self,
        permit: &TenantPermit<ReadCrm>,
        id: PipelineId,
    ) -> ServiceResult<PipelineOut> {
        let found =
            pipelines::find(&self.db.reader_of(permit.tenant()).await?, permit.tenant(), id, Hold::Free)
                .await?;
        found.ok_or_else(|| not_found("pipeline"))
    }

    pub async fn create_pipeline(
        &self,
        permit: &TenantPermit<CreateCrm>,
        input: PipelineIn,
    ) -> ServiceResult<PipelineOut> {
        let input = input.checked()?;
        let tx = self.db.begin_for(permit.tenant()).await?;
        let made = pipelines::insert(&tx, permit.tenant(), &input).await?;
        let change = Change { action: "pipeline.create", before: None, after: Some(&made) };
        record(&tx, permit, made.id, change).await?;
        self.db.commit(tx, &[]).await?;
        Ok(made)
    }

    /// `seen` is the version that the change was made from; another by now is a `conflict`.
    pub async fn update_pipeline(
        &self,
        permit: &TenantPermit<UpdateCrm>,
        id: PipelineId,
        patch: PipelinePatch,
        seen: Option<i64>,
    ) -> ServiceResult<PipelineOut> {
        let tx = self.db.begin_for(permit.tenant()).await?;
        let found = pipelines::find(&tx, permit.tenant(), id, Hold::Change).await?;
        let before = found.ok_or_else(|| not_found("pipeline"))?;
        is_current(seen, before.version)?;
        let input = patch.onto(before.clone()).checked()?;
        refuse_losing_deals(&tx, permit.tenant(), id, |stage| {
            input.stages.iter().any(|kept| kept.slug == stage)
        })
        .await?;
        let changed = pipelines::update(&tx, permit.tenant(), &before, &input).await?;
        let after = changed.ok_or_else(changed_meanwhile)?;
        let change = Change { action: "pipeline.update", before: Some(&before), after: Some(&after) };
        record(&tx, permit, id, change).await?;
        self.db.commit(tx, &[]).await?;
        Ok(after)
    }

    pub async fn delete_pipeline(
        &self,
        permit: &TenantPermit<DeleteCrm>,
        id: PipelineId,
        seen: Option<i64>,
    ) -> ServiceResult<()> {
        let tx = self.db.begin_for(permit.tenant()).await?;
        let found = pipelines::find(&tx, permit.tenant(), id, Hold::Change).await?;
        let before = found.ok_or_else(|| not_found("pipeline"))?;
        is_current(seen, before.version)?;
        refuse_losing_deals(&tx, permit.tenant(), id, |_| false).await?;
        pipelines::delete(&tx, permit.tenant(), id).await?;
        let change = Change { action: "pipeline.delete", before: Some(&before), after: None };
        record(&tx, permit, id, change).await?;
        Ok(self.db.commit(tx, &[]).await?)
    }
}

/// The pipeline is locked: no deal can enter it in the meantime.
async fn refuse_losing_deals(
    tx: &WriteTx,
    tenant: TenantId,
    id: PipelineId,
    is_kept: impl Fn(&str) -> bool,
) -> ServiceResult<()> {
    let in_use = deals::stages_in_use(tx, tenant, id).await?;
    match in_use.iter().find(|stage| !is_kept(stage)) {
        None => Ok(()),
        Some(stage) => {
            let detail = format!("There are deals in the stage {stage}. Move or remove them first.");
            let errors = vec![FieldError::new("stages", FieldCode::InUse)];
            Err(ServiceError { errors, ..ServiceError::new(ErrorCode::Conflict, detail) })
        }
    }
}
