//! What the person saved.

use super::{ApiError, Form};
use domain::{
    ItemId, ListOut,
    item::{ItemKind, ItemOut},
};
use leptos::prelude::*;

/// `before` is where the page before ended.
#[server(prefix = "/fn", endpoint = "list_items", input = Form)]
pub async fn list_items(
    search: Option<String>,
    kind: Option<ItemKind>,
    tag: Option<String>,
    #[server(default)] deleted: bool,
    before: Option<String>,
) -> Result<ListOut<ItemOut>, ApiError> {
    let permit = crate::request::visitor().tenant_permit()?;
    let query = domain::item::ItemQuery {
        limit: Some(30),
        cursor: before,
        q: search,
        kind,
        tag,
        deleted: Some(deleted),
    };
    Ok(crate::request::backend().items.list(&permit, query).await?)
}

/// `tags` with commas between them. Without `text` the text stays.
#[server(prefix = "/fn", endpoint = "update_item", input = Form)]
pub async fn update_item(
    item_id: ItemId,
    title: String,
    text: Option<String>,
    tags: String,
) -> Result<(), ApiError> {
    let visitor = crate::request::visitor();
    let tags = tags.split(',').map(str::trim).filter(|tag| !tag.is_empty()).map(str::to_owned).collect();
    let patch = domain::item::ItemPatch { title: Some(title), text: text.map(Some), tags: Some(tags) };
    crate::request::backend().items.update(&visitor.tenant_permit()?, item_id, patch).await?;
    crate::request::saved(&visitor).await
}

#[server(prefix = "/fn", endpoint = "delete_item", input = Form)]
pub async fn delete_item(item_id: ItemId) -> Result<(), ApiError> {
    let visitor = crate::request::visitor();
    crate::request::backend().items.delete(&visitor.tenant_permit()?, item_id).await?;
    crate::request::deleted(&visitor, item_id).await
}

#[server(prefix = "/fn", endpoint = "restore_item", input = Form)]
pub async fn restore_item(item_id: ItemId) -> Result<(), ApiError> {
    let visitor = crate::request::visitor();
    crate::request::backend().items.restore(&visitor.tenant_permit()?, item_id).await?;
    crate::request::saved(&visitor).await
}

/// Which of several films or series it is.
#[server(prefix = "/fn", endpoint = "choose_match", input = Form)]
pub async fn choose_match(item_id: ItemId, kind: ItemKind, tmdb_id: i64) -> Result<(), ApiError> {
    let visitor = crate::request::visitor();
    let permit = visitor.tenant_permit::<ability::UseAssistant>()?;
    let called =
        crate::request::backend().engine.enrich_as(permit.into(), item_id, kind, tmdb_id, None).await?;
    if !called.answer.success {
        let detail = called.answer.error_message.unwrap_or_default();
        return Err(domain::ServiceError::new(domain::ErrorCode::NotFound, detail).into());
    }
    crate::request::saved(&visitor).await
}
