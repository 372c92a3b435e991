//! Table `conversations`.

use super::{
    Hold,
    owned::{self, all, of_tenant, word},
};
use crate::{Moment, StoreError, StoreResult, entity::conversations};
use conversations::{ActiveModel, Column, Entity, Model};
use domain::{
    AgentId, ContactId, ConversationId, ListOut, Page, TenantId, UserId,
    crm::{ConversationIn, ConversationOut, ConversationQuery, ConversationStatus},
};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter,
    sea_query::{Expr, Func},
};

/// `agent` is the one that the input names.
pub async fn insert(
    tx: &impl ConnectionTrait,
    tenant: TenantId,
    input: &ConversationIn,
    agent: Option<AgentId>,
) -> StoreResult<ConversationOut> {
    let (id, now) = (ConversationId::new(), Moment::now());
    let closed_at = (input.status == ConversationStatus::Resolved).then_some(now);
    let row = ActiveModel {
        id: Set(id.0),
        tenant_id: Set(tenant.0),
        closed_at: Set(closed_at),
        created_at: Set(now),
        ..values(input, agent, now)
    };
    Entity::insert(row).exec_with_returning(tx).await?.try_into()
}

/// A conversation is closed while it is resolved: the moment of closing stays until it is opened again. Nothing when it is not as `before` any more.
pub async fn update(
    tx: &impl ConnectionTrait,
    tenant: TenantId,
    before: &ConversationOut,
    input: &ConversationIn,
    agent: Option<AgentId>,
) -> StoreResult<Option<ConversationOut>> {
    let now = Moment(before.version).next();
    let change = Entity::update_many().set(values(input, agent, now)).col_expr(
        Column::ClosedAt,
        match input.status {
            ConversationStatus::Resolved => {
                Func::coalesce([Expr::col(Column::ClosedAt), Expr::value(now.0)]).into()
            }
            _ => Expr::value(None::<i64>),
        },
    );
    if !owned::change(tx, change, tenant, before.id.0, before.version).await? {
        return Ok(None);
    }
    find(tx, tenant, before.id, Hold::Free).await
}

pub async fn find(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    id: ConversationId,
    hold: Hold,
) -> StoreResult<Option<ConversationOut>> {
    owned::find::<Entity>(conn, tenant, id.0, hold).await?.map(ConversationOut::try_from).transpose()
}

/// By id, or by the name that another system has for it.
pub async fn find_named(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    name: &str,
    hold: Hold,
) -> StoreResult<Option<ConversationOut>> {
    owned::find_named::<Entity>(conn, tenant, name, hold).await?.map(ConversationOut::try_from).transpose()
}

pub async fn delete(tx: &impl ConnectionTrait, tenant: TenantId, id: ConversationId) -> StoreResult<bool> {
    owned::delete::<Entity>(tx, tenant, id.0).await
}

pub async fn list(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    query: &ConversationQuery,
    page: Page,
) -> StoreResult<ListOut<ConversationOut>> {
    let mut select = of_tenant::<Entity>(tenant);
    if let Some(status) = query.status {
        select = select.filter(Column::Status.eq(status.as_str()));
    }
    if let Some(channel) = query.channel {
        select = select.filter(Column::Channel.eq(channel.as_str()));
    }
    if let Some(contact) = query.contact_id {
        select = select.filter(Column::ContactId.eq(contact.0));
    }
    if let Some(user) = query.assigned_to {
        select = select.filter(Column::AssignedTo.eq(user.0));
    }
    let rows = all(owned::page(conn, select, page).await?)?;
    Ok(page.list(rows, |row: &ConversationOut| row.id.0))
}

fn values(input: &ConversationIn, agent: Option<AgentId>, now: Moment) -> ActiveModel {
    ActiveModel {
        contact_id: Set(input.contact_id.map(|id| id.0)),
        channel: Set(input.channel.to_string()),
        status: Set(input.status.to_string()),
        assigned_to: Set(input.assigned_to.map(|id| id.0)),
        subject: Set(input.subject.clone()),
        agent_id: Set(agent.map(|id| id.0)),
        resolution: Set(input.resolution.clone()),
        external_id: Set(input.external_id.clone()),
        updated_at: Set(now),
        ..ActiveModel::default()
    }
}

impl TryFrom<Model> for ConversationOut {
    type Error = StoreError;

    fn try_from(row: Model) -> StoreResult<Self> {
        Ok(Self {
            id: ConversationId(row.id),
            contact_id: row.contact_id.map(ContactId),
            channel: word(&row.channel)?,
            status: word(&row.status)?,
            assigned_to: row.assigned_to.map(UserId),
            subject: row.subject,
            agent_id: row.agent_id.map(AgentId),
            resolution: row.resolution,
            external_id: row.external_id,
            opened_at: row.created_at.into(),
            closed_at: row.closed_at.map(Into::into),
            updated_at: row.updated_at.into(),
            version: row.updated_at.0,
        })
    }
}
