//! Table `messages`: added to a conversation, never changed.

use super::owned::{self, all, moment, of_tenant, word};
use crate::{
    Moment, StoreError, StoreResult,
    entity::{conversations, messages},
};
use domain::{
    ContactId, ConversationId, ListOut, MessageId, Page, TenantId,
    crm::{Direction, MessageIn, MessageOut},
};
use messages::{ActiveModel, Column, Entity, Model};
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, sea_query::Query};

/// What a team notes among itself, within a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notes {
    Shown,
    Hidden,
}

/// `author` speaks unless the message names somebody else. The conversation is the tenant's.
pub async fn insert(
    tx: &impl ConnectionTrait,
    tenant: TenantId,
    conversation: ConversationId,
    input: &MessageIn,
    author: &str,
) -> StoreResult<MessageOut> {
    let row = ActiveModel {
        id: Set(MessageId::new().0),
        tenant_id: Set(tenant.0),
        conversation_id: Set(conversation.0),
        direction: Set(input.direction.to_string()),
        author: Set(input.author.clone().unwrap_or_else(|| author.to_owned())),
        text: Set(input.text.clone()),
        sent_at: Set(moment(&input.sent_at)?.unwrap_or_else(Moment::now)),
    };
    Entity::insert(row).exec_with_returning(tx).await?.try_into()
}

pub async fn list(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    conversation: ConversationId,
    page: Page,
) -> StoreResult<ListOut<MessageOut>> {
    let select = of_tenant::<Entity>(tenant).filter(Column::ConversationId.eq(conversation.0));
    let rows = all(owned::page(conn, select, page).await?)?;
    Ok(page.list(rows, |row: &MessageOut| row.id.0))
}

/// Of all conversations with the contact.
pub async fn newest_of_contact(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    contact: ContactId,
    limit: u64,
    notes: Notes,
) -> StoreResult<Vec<MessageOut>> {
    let theirs = Query::select()
        .column(conversations::Column::Id)
        .from(conversations::Entity)
        .and_where(conversations::Column::TenantId.eq(tenant.0))
        .and_where(conversations::Column::ContactId.eq(contact.0))
        .to_owned();
    let mut select = of_tenant::<Entity>(tenant).filter(Column::ConversationId.in_subquery(theirs));
    if notes == Notes::Hidden {
        select = select.filter(Column::Direction.ne(Direction::Note.as_str()));
    }
    all(owned::newest(conn, select, limit).await?)
}

impl TryFrom<Model> for MessageOut {
    type Error = StoreError;

    fn try_from(row: Model) -> StoreResult<Self> {
        Ok(Self {
            id: MessageId(row.id),
            conversation_id: ConversationId(row.conversation_id),
            direction: word(&row.direction)?,
            author: row.author,
            text: row.text,
            sent_at: row.sent_at.into(),
        })
    }
}
