//! What a person saves: notes, films, series, videos and links.
//!
//! A crate of its own, beside `crm`: these things belong to one person and not to the organisation, nobody else's
//! rights reach them, and looking up what is known about them goes to the outside, which `crm` never does. The engine
//! runs its [`tools`] as it runs those of `crm`; [`enrich`] is what the tools `enrich_…` do.

pub mod address;
pub mod enrich;
pub mod sources;
pub mod tools;

pub use store::items::Owner;

use ability::{DeleteOwnContent, ReadOwnContent, Right, TenantPermit, UpdateOwnContent};
use domain::{
    ErrorCode, ItemId, ListOut, Page, ServiceError, ServiceResult,
    item::{ItemOut, ItemPatch, ItemQuery},
};
use store::{
    Database, Moment, StoreError, WriteTx,
    audit::{self, Entry},
    items::{self, Among},
};
use time::Duration;

/// How long a deleted item can be restored.
pub const RESTORABLE: Duration = Duration::days(30);

/// Cheap to clone.
#[derive(Clone)]
pub struct Items {
    db: Database,
}

/// Whoever asks owns what they save: a person, or a key.
pub fn owner<R: Right>(permit: &TenantPermit<R>) -> ServiceResult<Owner> {
    let id = permit.caller().actor.id().ok_or_else(|| {
        ServiceError::new(ErrorCode::Forbidden, "Only a person or a key has things of their own.")
    })?;
    Ok(Owner { tenant: permit.tenant(), id })
}

impl Items {
    pub fn new(db: Database) -> Self {
        Self { db }
    }

    pub async fn list(
        &self,
        permit: &TenantPermit<ReadOwnContent>,
        query: ItemQuery,
    ) -> ServiceResult<ListOut<ItemOut>> {
        let (owner, page) = (owner(permit)?, Page::parse(query.limit, query.cursor.as_deref())?);
        let conn = self.db.reader_of(owner.tenant).await?;
        let among = Among::asked(&conn, owner, &query).await?;
        match query.q.as_deref().map(str::trim).filter(|text| !text.is_empty()) {
            None => Ok(items::list(&conn, owner, &among, page).await?),
            Some(text) => {
                let most = usize::try_from(page.limit).unwrap_or(usize::MAX);
                let found = match query.deleted {
                    Some(true) => items::search_deleted(&conn, owner, text, &among, most).await?,
                    _ => items::search(&conn, owner, text, &among, most).await?,
                };
                Ok(found.into())
            }
        }
    }

    pub async fn find(&self, permit: &TenantPermit<ReadOwnContent>, id: ItemId) -> ServiceResult<ItemOut> {
        let owner = owner(permit)?;
        let conn = self.db.reader_of(owner.tenant).await?;
        items::find(&conn, owner, id).await?.ok_or_else(not_found)
    }

    pub async fn update(
        &self,
        permit: &TenantPermit<UpdateOwnContent>,
        id: ItemId,
        patch: ItemPatch,
    ) -> ServiceResult<ItemOut> {
        let owner = owner(permit)?;
        let tx = self.db.begin_for(owner.tenant).await?;
        let before = items::find(&tx, owner, id).await?;
        let before = before.filter(|item| item.deleted_at.is_none()).ok_or_else(not_found)?;
        let input = patch.onto(before.clone()).checked()?;
        items::update(&tx, owner, &before, &input).await?;
        self.finish(tx, permit, id, "item.update").await
    }

    /// It can be restored for a while.
    pub async fn delete(&self, permit: &TenantPermit<DeleteOwnContent>, id: ItemId) -> ServiceResult<()> {
        self.set_deleted(permit, id, Some(Moment::now()), "item.delete").await.map(|_| ())
    }

    pub async fn restore(
        &self,
        permit: &TenantPermit<DeleteOwnContent>,
        id: ItemId,
    ) -> ServiceResult<ItemOut> {
        self.set_deleted(permit, id, None, "item.restore").await
    }

    /// What is already so is left alone.
    async fn set_deleted(
        &self,
        permit: &TenantPermit<DeleteOwnContent>,
        id: ItemId,
        at: Option<Moment>,
        action: &'static str,
    ) -> ServiceResult<ItemOut> {
        let owner = owner(permit)?;
        let tx = self.db.begin_for(owner.tenant).await?;
        let before = items::find(&tx, owner, id).await?.ok_or_else(not_found)?;
        match (at, &before.deleted_at) {
            (Some(_), Some(_)) => return Err(not_found()),
            (None, None) => return Ok(before),
            _ => {}
        }
        items::set_deleted(&tx, owner, id, at).await.map_err(|error| match error {
            StoreError::Duplicate => {
                ServiceError::new(ErrorCode::AlreadyExists, "The same was saved again meanwhile.")
            }
            other => other.into(),
        })?;
        self.finish(tx, permit, id, action).await
    }

    /// The record says that it happened, never what it says: content is its owner's alone.
    async fn finish<R: Right>(
        &self,
        tx: WriteTx,
        permit: &TenantPermit<R>,
        id: ItemId,
        action: &'static str,
    ) -> ServiceResult<ItemOut> {
        let entry = Entry {
            tenant: Some(permit.tenant()),
            action,
            subject_kind: "item",
            subject_id: id.to_string(),
            before: None,
            after: None,
            reason: None,
        };
        audit::append(&tx, permit.caller(), entry).await?;
        let after = items::find(&tx, owner(permit)?, id).await?.ok_or_else(not_found)?;
        self.db.commit(tx, &[]).await?;
        Ok(after)
    }

    /// A part of everything that is not deleted, as JSON lines, the newest first; and where the next part begins.
    pub async fn export(
        &self,
        permit: &TenantPermit<ReadOwnContent>,
        before: Option<ItemId>,
    ) -> ServiceResult<(Vec<u8>, Option<ItemId>)> {
        let owner = owner(permit)?;
        let page = Page { limit: Page::MOST, before: before.map(|id| id.0) };
        let conn = self.db.reader_of(owner.tenant).await?;
        let part = items::list(&conn, owner, &Among::default(), page).await?;
        let mut lines = Vec::new();
        for item in &part.data {
            // What was read from our own table can be written.
            let _ = serde_json::to_writer(&mut lines, item);
            lines.push(b'\n');
        }
        let last = part.data.last().map(|item| item.id);
        Ok((lines, last.filter(|_| part.next_cursor.is_some())))
    }
}

fn not_found() -> ServiceError {
    ServiceError::new(ErrorCode::NotFound, "There is no such item.")
}
