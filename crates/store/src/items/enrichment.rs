//! What is still to be found out about items. The rows themselves are the queue: a restart loses nothing.
//!
//! A row is taken by moving its next attempt away: whoever stops in the middle leaves a row that becomes due again.

use super::{Column, Entity, Owner, json, searched, stems::indexed};
use crate::{Moment, StoreResult, entity::items::ActiveModel};
use domain::{
    ItemId, TenantId,
    item::{EnrichmentState, ItemDetails, ItemKind, ItemMatch, ItemOut},
};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    UpdateMany, sea_query::Expr,
};

/// An item that waits for its details.
#[derive(Clone, Debug)]
pub struct Due {
    pub owner: Owner,
    pub id: ItemId,
    pub kind: ItemKind,
    pub attempts: i32,
}

/// What was found about it.
#[derive(Clone, Debug)]
pub struct Found {
    pub title: String,
    pub details: ItemDetails,
    pub same_as: Option<String>,
}

pub async fn due(conn: &impl ConnectionTrait, now: Moment, limit: u64) -> StoreResult<Vec<Due>> {
    let rows = waiting().filter(Column::NextAttemptAt.lte(now)).order_by_asc(Column::NextAttemptAt);
    let rows = rows.limit(limit).all(conn).await?;
    let due = rows.into_iter().filter_map(|row| {
        let owner = Owner { tenant: TenantId(row.tenant_id), id: row.owner_id };
        Some(Due { owner, id: ItemId(row.id), kind: row.kind.parse().ok()?, attempts: row.attempts })
    });
    Ok(due.collect())
}

fn waiting() -> sea_orm::Select<Entity> {
    let waiting = Entity::find().filter(Column::Enrichment.eq(EnrichmentState::Waiting.as_str()));
    waiting.filter(Column::DeletedAt.is_null())
}

/// Takes the item until that moment; false when somebody else did.
pub async fn claim(tx: &impl ConnectionTrait, due: &Due, until: Moment) -> StoreResult<bool> {
    let claimed = one(due.owner, due.id)
        .filter(Column::Attempts.eq(due.attempts))
        .col_expr(Column::Attempts, Expr::value(due.attempts + 1))
        .col_expr(Column::NextAttemptAt, Expr::value(until.0))
        .exec(tx)
        .await?;
    Ok(claimed.rows_affected == 1)
}

/// To be tried again then.
pub async fn again(
    tx: &impl ConnectionTrait,
    owner: Owner,
    id: ItemId,
    at: Moment,
    reason: &str,
) -> StoreResult<()> {
    let change =
        ActiveModel { next_attempt_at: Set(Some(at)), ..ended(EnrichmentState::Waiting, Some(reason)) };
    one(owner, id).set(change).exec(tx).await?;
    Ok(())
}

/// Trying again does not help.
pub async fn fail(tx: &impl ConnectionTrait, owner: Owner, id: ItemId, reason: &str) -> StoreResult<()> {
    one(owner, id).set(ended(EnrichmentState::Failed, Some(reason))).exec(tx).await?;
    Ok(())
}

/// Several fit: the person is asked.
pub async fn choose(
    tx: &impl ConnectionTrait,
    owner: Owner,
    id: ItemId,
    matches: &[ItemMatch],
) -> StoreResult<()> {
    let change = ActiveModel { matches: Set(Some(json(&matches)?)), ..ended(EnrichmentState::Several, None) };
    one(owner, id).set(change).exec(tx).await?;
    Ok(())
}

pub async fn found(
    tx: &impl ConnectionTrait,
    owner: Owner,
    item: &ItemOut,
    found: &Found,
) -> StoreResult<()> {
    let text = searched(item.text.as_deref(), item.url.as_deref(), &item.tags, &found.details);
    let mut change = ActiveModel {
        title: Set(found.title.clone()),
        details: Set(json(&found.details)?),
        search_title: Set(indexed(&found.title)),
        search_text: Set(text),
        ..ended(EnrichmentState::Done, None)
    };
    if found.same_as.is_some() {
        change.same_as = Set(found.same_as.clone());
    }
    one(owner, item.id).set(change).exec(tx).await?;
    Ok(())
}

/// Whoever waited for this reason is tried now.
pub async fn wake(tx: &impl ConnectionTrait, reason: &str) -> StoreResult<()> {
    let now = Moment::now();
    let sleeping = Entity::update_many().filter(Column::Reason.eq(reason));
    sleeping.col_expr(Column::NextAttemptAt, Expr::value(now.0)).exec(tx).await?;
    Ok(())
}

fn ended(state: EnrichmentState, reason: Option<&str>) -> ActiveModel {
    ActiveModel {
        enrichment: Set(state.to_string()),
        reason: Set(reason.map(str::to_owned)),
        matches: Set(None),
        next_attempt_at: Set(None),
        updated_at: Set(Moment::now()),
        ..ActiveModel::default()
    }
}

fn one(owner: Owner, id: ItemId) -> UpdateMany<Entity> {
    let own = Entity::update_many().filter(Column::TenantId.eq(owner.tenant.0));
    own.filter(Column::OwnerId.eq(owner.id)).filter(Column::Id.eq(id.0))
}
