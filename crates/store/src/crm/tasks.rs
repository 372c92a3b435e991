//! Table `tasks`.

use super::{
    Hold,
    owned::{self, all, moment, of_tenant, word},
};
use crate::{Moment, StoreError, StoreResult, WriteTx, bulk, entity::tasks};
use domain::{
    ContactId, DealId, ListOut, Page, TaskId, TenantId, UserId,
    crm::{TaskIn, TaskOut, TaskQuery},
};
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter};
use tasks::{ActiveModel, Column, Entity, Model};

/// A task that is not written yet.
#[derive(Clone, Debug)]
pub struct NewTask(Model);

impl NewTask {
    /// `created_by` names a person, a key or an agent.
    pub fn new(tenant: TenantId, input: &TaskIn, created_by: &str) -> StoreResult<Self> {
        let now = Moment::now();
        Ok(Self(Model {
            id: TaskId::new().0,
            tenant_id: tenant.0,
            title: input.title.clone(),
            description: input.description.clone(),
            due_at: moment(&input.due_at)?,
            contact_id: input.contact_id.map(|id| id.0),
            deal_id: input.deal_id.map(|id| id.0),
            assignee: input.assignee.map(|id| id.0),
            status: input.status.to_string(),
            created_by: created_by.to_owned(),
            created_at: now,
            updated_at: now,
        }))
    }

    pub fn id(&self) -> TaskId {
        TaskId(self.0.id)
    }

    pub(crate) fn row(&self) -> &Model {
        &self.0
    }
}

/// In one statement.
pub async fn insert_all(tx: &WriteTx, tasks: Vec<NewTask>) -> StoreResult<()> {
    bulk::insert(tx, tasks.iter().map(NewTask::row)).await
}

pub async fn insert(
    tx: &WriteTx,
    tenant: TenantId,
    input: &TaskIn,
    created_by: &str,
) -> StoreResult<TaskOut> {
    let task = NewTask::new(tenant, input, created_by)?;
    let made = task.0.clone().try_into();
    insert_all(tx, vec![task]).await?;
    made
}

/// Nothing when it is not as `before` any more.
pub async fn update(
    tx: &impl ConnectionTrait,
    tenant: TenantId,
    before: &TaskOut,
    input: &TaskIn,
) -> StoreResult<Option<TaskOut>> {
    let change = Entity::update_many().set(values(input, Moment(before.version).next())?);
    if !owned::change(tx, change, tenant, before.id.0, before.version).await? {
        return Ok(None);
    }
    find(tx, tenant, before.id, Hold::Free).await
}

pub async fn find(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    id: TaskId,
    hold: Hold,
) -> StoreResult<Option<TaskOut>> {
    owned::find::<Entity>(conn, tenant, id.0, hold).await?.map(TaskOut::try_from).transpose()
}

pub async fn delete(tx: &impl ConnectionTrait, tenant: TenantId, id: TaskId) -> StoreResult<bool> {
    owned::delete::<Entity>(tx, tenant, id.0).await
}

pub async fn list(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    query: &TaskQuery,
    page: Page,
) -> StoreResult<ListOut<TaskOut>> {
    let mut select = of_tenant::<Entity>(tenant);
    if let Some(status) = query.status {
        select = select.filter(Column::Status.eq(status.as_str()));
    }
    if let Some(contact) = query.contact_id {
        select = select.filter(Column::ContactId.eq(contact.0));
    }
    if let Some(deal) = query.deal_id {
        select = select.filter(Column::DealId.eq(deal.0));
    }
    if let Some(assignee) = query.assignee {
        select = select.filter(Column::Assignee.eq(assignee.0));
    }
    let rows = all(owned::page(conn, select, page).await?)?;
    Ok(page.list(rows, |row: &TaskOut| row.id.0))
}

pub async fn newest_of_contact(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    contact: ContactId,
    limit: u64,
) -> StoreResult<Vec<TaskOut>> {
    let select = of_tenant::<Entity>(tenant).filter(Column::ContactId.eq(contact.0));
    all(owned::newest(conn, select, limit).await?)
}

fn values(input: &TaskIn, now: Moment) -> StoreResult<ActiveModel> {
    Ok(ActiveModel {
        title: Set(input.title.clone()),
        description: Set(input.description.clone()),
        due_at: Set(moment(&input.due_at)?),
        contact_id: Set(input.contact_id.map(|id| id.0)),
        deal_id: Set(input.deal_id.map(|id| id.0)),
        assignee: Set(input.assignee.map(|id| id.0)),
        status: Set(input.status.to_string()),
        updated_at: Set(now),
        ..ActiveModel::default()
    })
}

impl TryFrom<Model> for TaskOut {
    type Error = StoreError;

    fn try_from(row: Model) -> StoreResult<Self> {
        Ok(Self {
            id: TaskId(row.id),
            title: row.title,
            description: row.description,
            due_at: row.due_at.map(Into::into),
            contact_id: row.contact_id.map(ContactId),
            deal_id: row.deal_id.map(DealId),
            assignee: row.assignee.map(UserId),
            status: word(&row.status)?,
            created_by: row.created_by,
            created_at: row.created_at.into(),
            updated_at: row.updated_at.into(),
            version: row.updated_at.0,
        })
    }
}
