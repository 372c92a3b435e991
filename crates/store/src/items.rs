//! Table `items`: what people saved. Every question names the owner: nobody finds another's.

mod among;
mod enrichment;
mod search;
mod stems;

pub use among::Among;
pub use enrichment::{Due, Found, Open, again, await_key, choose, claim, due, fail, found, hold, open, wake};
pub use search::{search, search_deleted};

use crate::{Moment, StoreError, StoreResult, WriteTx, bulk, entity::items};
use domain::{
    ItemId, ListOut, Page, TenantId,
    item::{EnrichmentOut, EnrichmentState, ItemDetails, ItemIn, ItemKind, ItemOut},
};
use items::{ActiveModel, Column, Entity, Model};
use sea_orm::{
    ActiveValue::{NotSet, Set},
    ColumnTrait, ConnectionTrait, EntityTrait, IntoActiveModel, QueryFilter, QueryOrder, QuerySelect, Select,
    sea_query::OnConflict,
};
use stems::indexed;
use time::Duration;
use uuid::Uuid;

/// A person or a key, in one tenant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner {
    pub tenant: TenantId,
    pub id: Uuid,
}

/// Something to save.
#[derive(Clone, Debug)]
pub struct NewItem {
    pub id: ItemId,
    pub kind: ItemKind,
    pub title: String,
    /// The person gave it: what is found later does not replace it.
    pub has_own_title: bool,
    pub text: Option<String>,
    pub url: Option<String>,
    /// What makes two items the same: nothing, when nothing does.
    pub same_as: Option<String>,
    pub tags: Vec<String>,
    pub details: ItemDetails,
    pub enrichment: EnrichmentState,
    pub reason: Option<String>,
    pub next_attempt_at: Option<Moment>,
}

/// The item, and whether it was there before.
#[derive(Clone, Debug)]
pub struct Saved {
    pub item: ItemOut,
    pub is_new: bool,
}

/// One that is the same as what is there is not saved: what is there comes back.
pub async fn insert(tx: &impl ConnectionTrait, owner: Owner, new: NewItem) -> StoreResult<Saved> {
    let row = row(owner, new)?;
    let (id, same_as) = (row.id, row.same_as.clone());
    let new = ActiveModel { seq: NotSet, ..row.clone().into_active_model() };
    let keep = OnConflict::new().do_nothing().to_owned();
    Entity::insert(new).on_conflict(keep).exec_without_returning(tx).await?;
    let Some(same_as) = same_as else { return Ok(Saved { item: row.try_into()?, is_new: true }) };
    let there = of(owner).filter(Column::SameAs.eq(same_as)).filter(Column::DeletedAt.is_null());
    let there =
        there.one(tx).await?.ok_or_else(|| StoreError::Corrupt("item without its same".to_owned()))?;
    Ok(Saved { is_new: there.id == id, item: there.try_into()? })
}

/// As many at once as there are; for demonstrations and measurements.
pub async fn insert_all(tx: &WriteTx, owner: Owner, new: Vec<NewItem>) -> StoreResult<()> {
    let rows = new.into_iter().map(|new| row(owner, new)).collect::<StoreResult<Vec<_>>>()?;
    bulk::insert(tx, &rows).await
}

/// Deleted ones too.
pub async fn find(conn: &impl ConnectionTrait, owner: Owner, id: ItemId) -> StoreResult<Option<ItemOut>> {
    of(owner).filter(Column::Id.eq(id.0)).one(conn).await?.map(ItemOut::try_from).transpose()
}

/// For the product's own work: whose an item of that tenant is.
pub async fn owner_of(
    conn: &impl ConnectionTrait,
    tenant: TenantId,
    id: ItemId,
) -> StoreResult<Option<Owner>> {
    let row =
        Entity::find().filter(Column::TenantId.eq(tenant.0)).filter(Column::Id.eq(id.0)).one(conn).await?;
    Ok(row.map(|row| Owner { tenant, id: row.owner_id }))
}

pub async fn find_same(
    conn: &impl ConnectionTrait,
    owner: Owner,
    same_as: &str,
) -> StoreResult<Option<ItemOut>> {
    let same = of(owner).filter(Column::SameAs.eq(same_as)).filter(Column::DeletedAt.is_null());
    same.one(conn).await?.map(ItemOut::try_from).transpose()
}

pub async fn list(
    conn: &impl ConnectionTrait,
    owner: Owner,
    among: &Among,
    page: Page,
) -> StoreResult<ListOut<ItemOut>> {
    let mut select = among.filter(of(owner));
    if let Some(before) = page.before {
        select = select.filter(Column::Id.lt(before));
    }
    let rows = select.order_by_desc(Column::Id).limit(page.limit + 1).all(conn).await?;
    Ok(page.list(all(rows)?, |item: &ItemOut| item.id.0))
}

pub async fn update(
    tx: &impl ConnectionTrait,
    owner: Owner,
    before: &ItemOut,
    input: &ItemIn,
) -> StoreResult<()> {
    let text = searched(input.text.as_deref(), before.url.as_deref(), &input.tags, &before.details);
    let mut change = ActiveModel {
        title: Set(input.title.clone()),
        text: Set(input.text.clone()),
        tags: Set(join(&input.tags)),
        search_title: Set(indexed(&input.title)),
        search_text: Set(text),
        updated_at: Set(Moment::now()),
        ..ActiveModel::default()
    };
    if input.title != before.title {
        change.has_own_title = Set(true);
    }
    change_one(tx, owner, before.id, change).await
}

/// `None` restores it.
pub async fn set_deleted(
    tx: &impl ConnectionTrait,
    owner: Owner,
    id: ItemId,
    at: Option<Moment>,
) -> StoreResult<()> {
    let change =
        ActiveModel { deleted_at: Set(at), updated_at: Set(Moment::now()), ..ActiveModel::default() };
    change_one(tx, owner, id, change).await
}

/// What was deleted so long ago is gone for good.
pub async fn purge(tx: &impl ConnectionTrait, older_than: Duration) -> StoreResult<u64> {
    let before = Moment::now().plus(-older_than);
    Ok(Entity::delete_many().filter(Column::DeletedAt.lt(before)).exec(tx).await?.rows_affected)
}

async fn change_one(
    tx: &impl ConnectionTrait,
    owner: Owner,
    id: ItemId,
    change: ActiveModel,
) -> StoreResult<()> {
    let one = Entity::update_many().set(change).filter(Column::TenantId.eq(owner.tenant.0));
    one.filter(Column::OwnerId.eq(owner.id)).filter(Column::Id.eq(id.0)).exec(tx).await?;
    Ok(())
}

fn of(owner: Owner) -> Select<Entity> {
    Entity::find().filter(Column::TenantId.eq(owner.tenant.0)).filter(Column::OwnerId.eq(owner.id))
}

fn row(owner: Owner, new: NewItem) -> StoreResult<Model> {
    let now = Moment::now();
    Ok(Model {
        seq: 0,
        id: new.id.0,
        tenant_id: owner.tenant.0,
        owner_id: owner.id,
        kind: new.kind.to_string(),
        search_title: indexed(&new.title),
        search_text: searched(new.text.as_deref(), new.url.as_deref(), &new.tags, &new.details),
        title: new.title,
        has_own_title: new.has_own_title,
        text: new.text,
        url: new.url,
        same_as: new.same_as,
        tags: join(&new.tags),
        details: json(&new.details)?,
        enrichment: new.enrichment.to_string(),
        reason: new.reason,
        matches: None,
        attempts: 0,
        next_attempt_at: new.next_attempt_at,
        deleted_at: None,
        created_at: now,
        updated_at: now,
    })
}

/// What a search finds it by, beside the title.
fn searched(text: Option<&str>, url: Option<&str>, tags: &[String], details: &ItemDetails) -> String {
    let tags = tags.join(" ");
    let parts = [
        text,
        url,
        Some(tags.as_str()),
        details.original_title.as_deref(),
        details.author.as_deref(),
        details.provider.as_deref(),
        details.summary.as_deref(),
    ];
    indexed(&parts.into_iter().flatten().collect::<Vec<_>>().join(" "))
}

/// `,a,b,`: one text in which each tag can be found whole.
fn join(tags: &[String]) -> String {
    if tags.is_empty() { String::new() } else { format!(",{},", tags.join(",")) }
}

fn json(value: &impl serde::Serialize) -> StoreResult<String> {
    serde_json::to_string(value).map_err(|error| StoreError::Corrupt(error.to_string()))
}

fn all(rows: Vec<Model>) -> StoreResult<Vec<ItemOut>> {
    rows.into_iter().map(ItemOut::try_from).collect()
}

impl TryFrom<Model> for ItemOut {
    type Error = StoreError;

    fn try_from(row: Model) -> StoreResult<Self> {
        let corrupt = |what: &str| StoreError::Corrupt(format!("item {}: {what}", row.id));
        let matches = row.matches.as_deref().map(serde_json::from_str).transpose();
        Ok(Self {
            id: ItemId(row.id),
            kind: row.kind.parse().map_err(|_| corrupt("kind"))?,
            details: serde_json::from_str(&row.details).map_err(|_| corrupt("details"))?,
            enrichment: EnrichmentOut {
                state: row.enrichment.parse().map_err(|_| corrupt("enrichment"))?,
                matches: matches.map_err(|_| corrupt("matches"))?.unwrap_or_default(),
                reason: row.reason,
                next_attempt_at: row.next_attempt_at.map(Into::into),
            },
            title: row.title,
            text: row.text,
            url: row.url,
            tags: row.tags.split(',').filter(|tag| !tag.is_empty()).map(str::to_owned).collect(),
            created_at: row.created_at.into(),
            updated_at: row.updated_at.into(),
            deleted_at: row.deleted_at.map(Into::into),
        })
    }
}
