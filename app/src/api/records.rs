//! What an organisation knows about its customers, for people: one way to list, show, write and remove all of it. The
//! server says which columns and fields there are ([`super::described`]); the pages only show them.

use super::{ApiError, Form, described::FieldOut};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecordKind {
    Contacts,
    Deals,
    Pipelines,
    Tasks,
    Products,
    Conversations,
    Scheduled,
}

impl RecordKind {
    pub const ALL: [Self; 7] = [
        Self::Contacts,
        Self::Deals,
        Self::Pipelines,
        Self::Tasks,
        Self::Products,
        Self::Conversations,
        Self::Scheduled,
    ];

    /// Where its list is; one of them is at the part below.
    pub fn path(self) -> &'static str {
        match self {
            Self::Contacts => "/contacts",
            Self::Deals => "/pipeline",
            Self::Pipelines => "/pipelines",
            Self::Tasks => "/tasks",
            Self::Products => "/products",
            Self::Conversations => "/conversations",
            Self::Scheduled => "/scheduled",
        }
    }

    /// As forms name it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Contacts => "contacts",
            Self::Deals => "deals",
            Self::Pipelines => "pipelines",
            Self::Tasks => "tasks",
            Self::Products => "products",
            Self::Conversations => "conversations",
            Self::Scheduled => "scheduled",
        }
    }

    /// Whose page that is.
    pub fn at(path: &str) -> Option<Self> {
        let first = path.trim_start_matches('/').split('/').next()?;
        Self::ALL.into_iter().find(|kind| kind.path().trim_start_matches('/') == first)
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RecordList {
    /// After the first, which is the title of the row.
    pub columns: Vec<String>,
    pub rows: Vec<RecordRow>,
    pub next_cursor: Option<String>,
    /// The choice that narrows the list, as it is chosen now.
    pub filter: Option<FieldOut>,
    pub has_search: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RecordRow {
    /// Where it is shown; nothing, where it has no page of its own.
    pub href: Option<String>,
    pub title: String,
    pub detail: String,
    pub cells: Vec<CellOut>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CellOut {
    pub text: String,
    pub kind: CellKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CellKind {
    Text,
    Moment,
    Number,
    /// States: at work, well ended, badly ended.
    Plain,
    On,
    Danger,
}

/// A record and which one it is: the page shows it only while that is what its address asks for.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FoundRecord {
    pub id: String,
    pub form: RecordForm,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RecordForm {
    /// What it is called; empty for a new one.
    pub title: String,
    /// The one that the fields are made from; 0 for a new one.
    pub seen_version: i64,
    pub fields: Vec<FieldOut>,
    /// What nobody types: since when, by whom.
    pub facts: Vec<FieldOut>,
    /// It can be written and removed now, as far as the person may.
    pub is_open: bool,
    pub related: Vec<RelatedOut>,
    /// Notes can be added to it.
    pub takes_notes: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RelatedOut {
    pub title: String,
    pub columns: Vec<String>,
    pub rows: Vec<RecordRow>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedRecord {
    pub href: String,
}

/// The id of one that is to be made.
pub const NEW: &str = "new";

#[server(prefix = "/fn", endpoint = "list_records", input = Form)]
pub async fn list_records(
    kind: RecordKind,
    #[server(default)] q: String,
    #[server(default)] status: String,
    #[server(default)] cursor: String,
) -> Result<RecordList, ApiError> {
    let visitor = crate::request::visitor();
    Ok(crate::records::list(&visitor, kind, crate::records::Asked { q, status, cursor }).await?)
}

/// One of them, or the empty form of a new one, which may be about a contact already.
#[server(prefix = "/fn", endpoint = "get_record", input = Form)]
pub async fn get_record(
    kind: RecordKind,
    id: String,
    #[server(default)] contact: String,
) -> Result<FoundRecord, ApiError> {
    let visitor = crate::request::visitor();
    let mut form = crate::records::form(&visitor, kind, &id, &contact).await?;
    if let Some((seen, said)) = crate::request::take_draft(&visitor, &draft_of(kind, &id)).await {
        form.seen_version = seen;
        form.fields = super::described::said_before(form.fields, said);
    }
    Ok(FoundRecord { id, form })
}

/// The name of what a refused plain form said.
#[cfg(feature = "ssr")]
fn draft_of(kind: RecordKind, id: &str) -> String {
    format!("save_record/{}/{id}", kind.as_str())
}

/// Makes one, or changes the one with that id. `seen_version` is the one that the form was made from: a change by somebody
/// else since then is a conflict, unless the person wants to write over it.
#[server(prefix = "/fn", endpoint = "save_record", input = Form)]
pub async fn save_record(
    kind: RecordKind,
    id: String,
    #[server(default)] seen_version: i64,
    #[server(default)] overwrite: bool,
    fields: BTreeMap<String, String>,
) -> Result<SavedRecord, ApiError> {
    let visitor = crate::request::visitor();
    let seen = (!overwrite).then_some(seen_version);
    let saved = crate::records::save(&visitor, kind, &id, fields.clone(), seen).await;
    let form = draft_of(kind, &id);
    let id = crate::request::or_keep(&visitor, &form, seen_version, &fields, saved).await?;
    let href = format!("{}/{id}", kind.path());
    crate::request::saved(&visitor).await?;
    leptos_axum::redirect(&href);
    Ok(SavedRecord { href })
}

/// Removes it; a message that waits is cancelled.
#[server(prefix = "/fn", endpoint = "delete_record", input = Form)]
pub async fn delete_record(kind: RecordKind, id: String) -> Result<SavedRecord, ApiError> {
    let visitor = crate::request::visitor();
    crate::records::delete(&visitor, kind, &id).await?;
    crate::request::saved(&visitor).await?;
    leptos_axum::redirect(kind.path());
    Ok(SavedRecord { href: kind.path().to_owned() })
}

/// A note for colleagues in a conversation; nothing is sent.
#[server(prefix = "/fn", endpoint = "add_note", input = Form)]
pub async fn add_note(id: String, text: String) -> Result<(), ApiError> {
    let visitor = crate::request::visitor();
    crate::records::add_note(&visitor, &id, text).await?;
    crate::request::saved(&visitor).await
}
