//! Whose a phone is. Its owner proves it with a code that only they were shown; the table has its hash.

use crate::{
    Moment, StoreResult,
    entity::{assistant_codes as codes, assistant_senders as senders},
};
use domain::{AssistantConversationId, TenantId, UserId};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter,
    sea_query::{Expr, OnConflict},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sender {
    pub user: UserId,
    /// Where the talk goes on.
    pub conversation: Option<AssistantConversationId>,
}

pub async fn sender(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    address: &str,
) -> StoreResult<Option<Sender>> {
    let row = senders::Entity::find_by_id((tenant.0, address.to_owned())).one(conn).await?;
    Ok(row.map(|row| Sender {
        user: UserId(row.user_id),
        conversation: row.conversation_id.map(AssistantConversationId),
    }))
}

/// A new code takes the place of the one before it.
pub async fn set_code(
    tx: &impl ConnectionTrait,
    tenant: TenantId,
    user: UserId,
    hash: &str,
    expires_at: Moment,
) -> StoreResult<()> {
    use codes::Column as C;
    let row = codes::ActiveModel {
        tenant_id: Set(tenant.0),
        user_id: Set(user.0),
        code_hash: Set(hash.to_owned()),
        expires_at: Set(expires_at),
    };
    let newer =
        OnConflict::columns([C::TenantId, C::UserId]).update_columns([C::CodeHash, C::ExpiresAt]).to_owned();
    codes::Entity::insert(row).on_conflict(newer).exec_without_returning(tx).await?;
    Ok(())
}

/// Somebody was given this code, and it still holds.
pub async fn is_code(conn: &impl ConnectionTrait, tenant: TenantId, hash: &str) -> StoreResult<bool> {
    Ok(valid(tenant, hash).one(conn).await?.is_some())
}

fn valid(tenant: TenantId, hash: &str) -> sea_orm::Select<codes::Entity> {
    use codes::Column as C;
    let code = codes::Entity::find().filter(C::TenantId.eq(tenant.0)).filter(C::CodeHash.eq(hash));
    code.filter(C::ExpiresAt.gt(Moment::now()))
}

/// Uses the code up, and makes the sender theirs; nobody, when there is no such code.
pub async fn link(
    tx: &impl ConnectionTrait,
    tenant: TenantId,
    address: &str,
    hash: &str,
) -> StoreResult<Option<UserId>> {
    let Some(code) = valid(tenant, hash).one(tx).await? else { return Ok(None) };
    // Of two who send it at once, one deletes it.
    let used = codes::Entity::delete_many().filter(codes::Column::TenantId.eq(tenant.0));
    if used.filter(codes::Column::CodeHash.eq(hash)).exec(tx).await?.rows_affected == 0 {
        return Ok(None);
    }
    use senders::Column as C;
    let row = senders::ActiveModel {
        tenant_id: Set(tenant.0),
        address: Set(address.to_owned()),
        user_id: Set(code.user_id),
        conversation_id: Set(None),
        created_at: Set(Moment::now()),
    };
    let newer = OnConflict::columns([C::TenantId, C::Address])
        .update_columns([C::UserId, C::ConversationId])
        .to_owned();
    senders::Entity::insert(row).on_conflict(newer).exec_without_returning(tx).await?;
    Ok(Some(UserId(code.user_id)))
}

pub async fn remember_conversation(
    tx: &impl ConnectionTrait,
    tenant: TenantId,
    address: &str,
    conversation: AssistantConversationId,
) -> StoreResult<()> {
    let one = senders::Entity::update_many().filter(senders::Column::TenantId.eq(tenant.0));
    one.filter(senders::Column::Address.eq(address))
        .col_expr(senders::Column::ConversationId, Expr::value(conversation.0))
        .exec(tx)
        .await?;
    Ok(())
}
