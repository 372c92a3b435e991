//! Tables `assistant_…`: the conversations of people with the assistant, and how their phones are known.

mod inbound;
mod senders;

pub use inbound::{Arrival, answered, arrive, forget_arrivals};
pub use senders::{Sender, is_code, link, remember_conversation, sender, set_code};

use crate::{
    Moment, StoreResult, WriteTx, bulk,
    entity::{assistant_conversations as conversations, assistant_messages as messages},
    items::Owner,
};
use domain::{AssistantConversationId, assistant::AssistantLine};
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, sea_query::Expr,
};
use time::Duration;
use uuid::Uuid;

/// More than this nobody has open at once.
const LATEST: u64 = 20;

pub type Conversation = conversations::Model;

/// What one message leads to, written whole or not at all.
#[derive(Clone, Debug)]
pub struct Turn {
    /// As it is after the turn; its version is the one before it plus one. Version 1 is new.
    pub conversation: Conversation,
    /// What was said: by the person (true) or by the assistant.
    pub lines: Vec<(bool, String)>,
    /// False: something is said, and the conversation stands where it stood.
    pub is_moving: bool,
}

impl Turn {
    pub fn moving(conversation: Conversation, lines: Vec<(bool, String)>) -> Self {
        Self { conversation, lines, is_moving: true }
    }
}

pub async fn find(
    conn: &impl ConnectionTrait,
    owner: Owner,
    id: AssistantConversationId,
) -> StoreResult<Option<Conversation>> {
    Ok(of(owner).filter(conversations::Column::Id.eq(id.0)).one(conn).await?)
}

/// The one that was moved last, of those that were begun last: somebody may go on with an older one.
pub async fn newest(conn: &impl ConnectionTrait, owner: Owner) -> StoreResult<Option<Conversation>> {
    let latest = of(owner).order_by_desc(conversations::Column::Id).limit(LATEST).all(conn).await?;
    Ok(latest.into_iter().max_by_key(|conversation| (conversation.updated_at, conversation.id)))
}

/// The newest, the oldest of them first.
pub async fn lines(
    conn: &impl ConnectionTrait,
    conversation: &Conversation,
    limit: u64,
) -> StoreResult<Vec<AssistantLine>> {
    let said = messages::Entity::find().filter(messages::Column::ConversationId.eq(conversation.id));
    let mut rows = said.order_by_desc(messages::Column::Id).limit(limit).all(conn).await?;
    rows.reverse();
    let line =
        |row: messages::Model| AssistantLine { is_mine: row.is_mine, text: row.text, at: row.at.into() };
    Ok(rows.into_iter().map(line).collect())
}

/// Many turns in few statements. False for each that came too late: somebody else moved that conversation.
pub async fn write_all(tx: &WriteTx, turns: Vec<Turn>) -> StoreResult<Vec<bool>> {
    let (mut new, mut said, mut written) = (Vec::new(), Vec::new(), Vec::with_capacity(turns.len()));
    for turn in turns {
        let is_in_time = match turn.conversation.version {
            1 if turn.is_moving => {
                new.push(turn.conversation.clone());
                true
            }
            _ if turn.is_moving => replace(tx, &turn.conversation).await?,
            _ => touch(tx, &turn.conversation).await?,
        };
        written.push(is_in_time);
        if is_in_time {
            said.extend(turn.lines.into_iter().map(|line| message(&turn.conversation, line)));
        }
    }
    let mut writes = bulk::Writes::default();
    writes.add(&new);
    writes.add(&said);
    writes.run(tx).await?;
    Ok(written)
}

async fn replace(tx: &impl ConnectionTrait, after: &Conversation) -> StoreResult<bool> {
    use conversations::Column as C;
    let changed = conversations::Entity::update_many()
        .col_expr(C::State, Expr::value(after.state.as_str()))
        .col_expr(C::Version, Expr::value(after.version))
        .col_expr(C::Memory, Expr::value(after.memory.as_str()))
        .col_expr(C::ExpiresAt, Expr::value(after.expires_at.0))
        .col_expr(C::UpdatedAt, Expr::value(after.updated_at.0))
        .filter(C::Id.eq(after.id))
        .filter(C::Version.eq(after.version - 1))
        .exec(tx)
        .await?;
    Ok(changed.rows_affected == 1)
}

/// False when it is gone.
async fn touch(tx: &impl ConnectionTrait, now: &Conversation) -> StoreResult<bool> {
    use conversations::Column as C;
    let touched = conversations::Entity::update_many()
        .col_expr(C::UpdatedAt, Expr::value(now.updated_at.0))
        .filter(C::Id.eq(now.id))
        .exec(tx)
        .await?;
    Ok(touched.rows_affected == 1)
}

fn message(conversation: &Conversation, (is_mine, text): (bool, String)) -> messages::Model {
    messages::Model {
        id: Uuid::now_v7(),
        tenant_id: conversation.tenant_id,
        conversation_id: conversation.id,
        is_mine,
        text,
        at: conversation.updated_at,
    }
}

/// Conversations that nobody went on with for so long.
pub async fn delete_old(tx: &impl ConnectionTrait, older_than: Duration) -> StoreResult<u64> {
    let before = Moment::now().plus(-older_than);
    let old = conversations::Entity::delete_many().filter(conversations::Column::UpdatedAt.lt(before));
    Ok(old.exec(tx).await?.rows_affected)
}

fn of(owner: Owner) -> sea_orm::Select<conversations::Entity> {
    use conversations::Column as C;
    conversations::Entity::find().filter(C::TenantId.eq(owner.tenant.0)).filter(C::OwnerId.eq(owner.id))
}
