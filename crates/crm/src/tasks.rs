//! Tasks.

use crate::{
    Crm,
    change::{Change, record},
    moment, not_found, refer,
};
use ability::{CreateCrm, DeleteCrm, ReadCrm, TenantPermit, UpdateCrm};
use domain::version::{changed_meanwhile, is_current};
use domain::{
    FieldError, ListOut, Page, ServiceResult, TaskId, TenantId,
    crm::{TaskIn, TaskOut, TaskPatch, TaskQuery},
};
use store::{
    WriteTx,
    crm::{Hold, tasks},
};

impl Crm {
    pub async fn list_tasks(
        &self,
        permit: &TenantPermit<ReadCrm>,
        query: TaskQuery,
    ) -> ServiceResult<ListOut<TaskOut>> {
        let page = Page::parse(query.limit, query.cursor.as_deref())?;
        Ok(tasks::list(&self.db.reader_of(permit.tenant()).await?, permit.tenant(), &query, page).await?)
    }

    pub async fn find_task(&self, permit: &TenantPermit<ReadCrm>, id: TaskId) -> ServiceResult<TaskOut> {
        let found =
            tasks::find(&self.db.reader_of(permit.tenant()).await?, permit.tenant(), id, Hold::Free).await?;
        found.ok_or_else(|| not_found("task"))
    }

    pub async fn create_task(
        &self,
        permit: &TenantPermit<CreateCrm>,
        input: TaskIn,
    ) -> ServiceResult<TaskOut> {
        let input = checked(input)?;
        let tx = self.db.begin_for(permit.tenant()).await?;
        check_references(&tx, permit.tenant(), &input).await?;
        let made = tasks::insert(&tx, permit.tenant(), &input, &permit.caller().name).await?;
        let change = Change { action: "task.create", before: None, after: Some(&made) };
        record(&tx, permit, made.id, change).await?;
        self.db.commit(tx, &[]).await?;
        Ok(made)
    }

    /// `seen` is the version that the change was made from; another by now is a `conflict`.
    pub async fn update_task(
        &self,
        permit: &TenantPermit<UpdateCrm>,
        id: TaskId,
        patch: TaskPatch,
        seen: Option<i64>,
    ) -> ServiceResult<TaskOut> {
        let tx = self.db.begin_for(permit.tenant()).await?;
        let found = tasks::find(&tx, permit.tenant(), id, Hold::Change).await?;
        let before = found.ok_or_else(|| not_found("task"))?;
        is_current(seen, before.version)?;
        let input = checked(patch.onto(before.clone()))?;
        check_references(&tx, permit.tenant(), &input).await?;
        let changed = tasks::update(&tx, permit.tenant(), &before, &input).await?;
        let after = changed.ok_or_else(changed_meanwhile)?;
        let change = Change { action: "task.update", before: Some(&before), after: Some(&after) };
        record(&tx, permit, id, change).await?;
        self.db.commit(tx, &[]).await?;
        Ok(after)
    }

    pub async fn delete_task(
        &self,
        permit: &TenantPermit<DeleteCrm>,
        id: TaskId,
        seen: Option<i64>,
    ) -> ServiceResult<()> {
        let tx = self.db.begin_for(permit.tenant()).await?;
        let found = tasks::find(&tx, permit.tenant(), id, Hold::Change).await?;
        let before = found.ok_or_else(|| not_found("task"))?;
        is_current(seen, before.version)?;
        tasks::delete(&tx, permit.tenant(), id).await?;
        let change = Change { action: "task.delete", before: Some(&before), after: None };
        record(&tx, permit, id, change).await?;
        Ok(self.db.commit(tx, &[]).await?)
    }
}

pub(crate) fn checked(input: TaskIn) -> Result<TaskIn, FieldError> {
    let mut input = input.checked()?;
    input.due_at = input.due_at.as_ref().map(|stamp| moment("due_at", stamp)).transpose()?;
    Ok(input)
}

async fn check_references(tx: &WriteTx, tenant: TenantId, input: &TaskIn) -> ServiceResult<()> {
    refer::contact(tx, tenant, input.contact_id).await?;
    refer::deal(tx, tenant, input.deal_id).await?;
    refer::member(tx, tenant, "assignee", input.assignee).await
}
