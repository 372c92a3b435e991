//! Table `sessions`, as people see it: where they are signed in.

use crate::{Moment, StoreResult, entity::sessions, session_store::LONGEST_LIFETIME};
use domain::{SessionId, UserId, account::SessionOut};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, sea_query::Expr,
};

/// Where somebody is signed in, newest use first.
pub async fn list(
    conn: &impl ConnectionTrait,
    user: UserId,
    current: Option<&str>,
) -> StoreResult<Vec<SessionOut>> {
    let rows = sessions::Entity::find()
        .filter(sessions::Column::UserId.eq(user.0))
        .filter(sessions::Column::ExpiresAt.gt(Moment::now()))
        .filter(sessions::Column::CreatedAt.gt(Moment::now().plus(-LONGEST_LIFETIME)))
        .order_by_desc(sessions::Column::LastSeenAt)
        .all(conn)
        .await?;
    let to_out = |row: sessions::Model| SessionOut {
        id: SessionId(row.id),
        created_at: row.created_at.into(),
        last_seen_at: row.last_seen_at.into(),
        address: row.address,
        user_agent: row.user_agent,
        is_current: current == Some(row.secret_hash.as_str()),
    };
    Ok(rows.into_iter().map(to_out).collect())
}

/// False when the person has no such session.
pub async fn revoke(tx: &impl ConnectionTrait, user: UserId, id: SessionId) -> StoreResult<bool> {
    let of_person = sessions::Entity::delete_many().filter(sessions::Column::UserId.eq(user.0));
    Ok(of_person.filter(sessions::Column::Id.eq(id.0)).exec(tx).await?.rows_affected == 1)
}

/// Ends the sessions of a person, except one when it is given.
pub async fn revoke_all(tx: &impl ConnectionTrait, user: UserId, except: Option<&str>) -> StoreResult<()> {
    let mut ended = sessions::Entity::delete_many().filter(sessions::Column::UserId.eq(user.0));
    if let Some(secret_hash) = except {
        ended = ended.filter(sessions::Column::SecretHash.ne(secret_hash));
    }
    ended.exec(tx).await?;
    Ok(())
}

/// Remembers that the session was used, and until when it lives on. That end moves once a day: each move counts as a
/// change of rights, and whoever knows who is who has to look again.
pub async fn touch(tx: &impl ConnectionTrait, secret_hash: &str, expires_at: Moment) -> StoreResult<()> {
    let this = || sessions::Entity::update_many().filter(sessions::Column::SecretHash.eq(secret_hash));
    this().col_expr(sessions::Column::LastSeenAt, Expr::value(Moment::now().0)).exec(tx).await?;
    this()
        .col_expr(sessions::Column::ExpiresAt, Expr::value(expires_at.0))
        .filter(sessions::Column::ExpiresAt.lt(expires_at.plus(-time::Duration::DAY)))
        .exec(tx)
        .await?;
    Ok(())
}

pub async fn delete_expired(tx: &impl ConnectionTrait) -> StoreResult<u64> {
    let over = Condition::any()
        .add(sessions::Column::ExpiresAt.lte(Moment::now()))
        .add(sessions::Column::CreatedAt.lte(Moment::now().plus(-LONGEST_LIFETIME)));
    Ok(sessions::Entity::delete_many().filter(over).exec(tx).await?.rows_affected)
}
