//! What is still to be found out about items. The rows themselves are the queue: a restart loses nothing.
//!
//! A row is taken by moving its next attempt away: whoever stops in the middle leaves a row that becomes due again.

use super::{Column, Entity, Owner, json, of, searched, stems::indexed};
use crate::{
    Moment, StoreResult,
    entity::items::{ActiveModel, Model},
};
use domain::{
    ItemId, TenantId,
    item::{EnrichmentState, ItemDetails, ItemKind, ItemMatch, ItemOut},
};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    UpdateMany, sea_query::Expr,
};
use time::Duration;

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

/// An item while somebody looks for its details.
#[derive(Clone, Debug)]
pub struct Open {
    pub item: ItemOut,
    pub attempts: i32,
    pub has_own_title: bool,
}

impl Open {
    /// Nobody else found out about it since, and nobody else looks.
    pub fn is_as_before(&self, before: &Self) -> bool {
        self.attempts == before.attempts && self.item.enrichment.state == before.item.enrichment.state
    }
}

pub async fn open(conn: &impl ConnectionTrait, owner: Owner, id: ItemId) -> StoreResult<Option<Open>> {
    opened(of(owner).filter(Column::Id.eq(id.0)).one(conn).await?)
}

/// The same, and nobody changes it until the transaction ends.
pub async fn hold(tx: &impl ConnectionTrait, owner: Owner, id: ItemId) -> StoreResult<Option<Open>> {
    opened(of(owner).filter(Column::Id.eq(id.0)).lock_exclusive().one(tx).await?)
}

fn opened(row: Option<Model>) -> StoreResult<Option<Open>> {
    let open = |row: Model| {
        let (attempts, has_own_title) = (row.attempts, row.has_own_title);
        Ok(Open { item: row.try_into()?, attempts, has_own_title })
    };
    row.map(open).transpose()
}

/// Only what this process can find out something about: what it cannot is left to another, and to a later start.
pub async fn due(
    conn: &impl ConnectionTrait,
    now: Moment,
    kinds: &[ItemKind],
    limit: u64,
) -> StoreResult<Vec<Due>> {
    let rows = waiting().filter(Column::NextAttemptAt.lte(now)).filter(of_kinds(kinds));
    let rows = rows.order_by_asc(Column::NextAttemptAt).limit(limit).all(conn).await?;
    let due = rows.into_iter().filter_map(|row| {
        let owner = Owner { tenant: TenantId(row.tenant_id), id: row.owner_id };
        Some(Due { owner, id: ItemId(row.id), kind: row.kind.parse().ok()?, attempts: row.attempts })
    });
    Ok(due.collect())
}

fn of_kinds(kinds: &[ItemKind]) -> sea_orm::sea_query::SimpleExpr {
    Column::Kind.is_in(kinds.iter().map(|kind| kind.as_str()))
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

/// To be tried again then; at no moment, when it is somebody's turn first.
pub async fn again(
    tx: &impl ConnectionTrait,
    owner: Owner,
    id: ItemId,
    at: Option<Moment>,
    reason: &str,
) -> StoreResult<()> {
    let change = ActiveModel { next_attempt_at: Set(at), ..ended(EnrichmentState::Waiting, Some(reason)) };
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

/// There is a key: whoever waited for it is tried now. What somebody has taken has its moment, and is left alone.
pub async fn wake(tx: &impl ConnectionTrait, kinds: &[ItemKind], reason: &str) -> StoreResult<()> {
    let now = Moment::now();
    let sleeping = asleep(kinds).filter(Column::NextAttemptAt.is_null()).filter(Column::Reason.eq(reason));
    sleeping.col_expr(Column::NextAttemptAt, Expr::value(now.0)).exec(tx).await?;
    Ok(())
}

/// Nobody took them for so long: nobody has a key any more. Whoever gets one wakes them.
pub async fn await_key(
    tx: &impl ConnectionTrait,
    kinds: &[ItemKind],
    reason: &str,
    overdue: Duration,
) -> StoreResult<()> {
    let due = asleep(kinds).filter(Column::NextAttemptAt.lte(Moment::now().plus(-overdue)));
    due.col_expr(Column::NextAttemptAt, Expr::value(None::<i64>))
        .col_expr(Column::Reason, Expr::value(reason))
        .exec(tx)
        .await?;
    Ok(())
}

fn asleep(kinds: &[ItemKind]) -> UpdateMany<Entity> {
    let waiting = Entity::update_many().filter(Column::Enrichment.eq(EnrichmentState::Waiting.as_str()));
    waiting.filter(Column::DeletedAt.is_null()).filter(of_kinds(kinds))
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
