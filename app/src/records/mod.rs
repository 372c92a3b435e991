//! The records of an organisation as lists and forms, in the visitor's words. One file per kind; each says its columns,
//! its fields, and which service writes it.

mod contacts;
mod conversations;
mod deals;
mod parts;
mod pipelines;
mod products;
mod scheduled;
mod tasks;

use crate::{
    api::{
        described::Given,
        records::{NEW, RecordForm, RecordKind, RecordList},
    },
    request::{Visitor, backend},
    texts::Texts,
};
use ability::CreateCrm;
use crm::Crm;
use domain::{
    ErrorCode, ServiceError, ServiceResult,
    crm::{Direction, MessageIn},
};
use std::{collections::BTreeMap, str::FromStr};

/// Which part of a list is wanted.
pub struct Asked {
    pub q: String,
    pub status: String,
    pub cursor: String,
}

impl Asked {
    fn q(&self) -> Option<String> {
        Some(self.q.clone()).filter(|text| !text.trim().is_empty())
    }

    fn cursor(&self) -> Option<String> {
        Some(self.cursor.clone()).filter(|text| !text.is_empty())
    }

    /// A word of a closed list; one that nobody knows is no filter.
    fn status<T: FromStr>(&self) -> Option<T> {
        self.status.parse().ok()
    }
}

/// Who asks, in which language, and whom the records are asked of.
struct Desk<'a> {
    visitor: &'a Visitor,
    t: Texts,
    crm: Crm,
}

impl<'a> Desk<'a> {
    fn of(visitor: &'a Visitor) -> Self {
        Self { visitor, t: Texts::of(visitor.language), crm: backend().crm }
    }
}

pub async fn list(visitor: &Visitor, kind: RecordKind, asked: Asked) -> ServiceResult<RecordList> {
    let desk = Desk::of(visitor);
    match kind {
        RecordKind::Contacts => contacts::list(&desk, asked).await,
        RecordKind::Deals => deals::list(&desk, asked).await,
        RecordKind::Pipelines => pipelines::list(&desk, asked).await,
        RecordKind::Tasks => tasks::list(&desk, asked).await,
        RecordKind::Products => products::list(&desk, asked).await,
        RecordKind::Conversations => conversations::list(&desk, asked).await,
        RecordKind::Scheduled => scheduled::list(&desk, asked).await,
    }
}

pub async fn form(visitor: &Visitor, kind: RecordKind, id: &str, contact: &str) -> ServiceResult<RecordForm> {
    if id == NEW {
        visitor.tenant_permit::<CreateCrm>()?;
    }
    let desk = Desk::of(visitor);
    match kind {
        RecordKind::Contacts => contacts::form(&desk, known(id)?).await,
        RecordKind::Deals => deals::form(&desk, known(id)?, contact).await,
        RecordKind::Pipelines => pipelines::form(&desk, known(id)?).await,
        RecordKind::Tasks => tasks::form(&desk, known(id)?, contact).await,
        RecordKind::Products => products::form(&desk, known(id)?).await,
        RecordKind::Conversations => conversations::form(&desk, known(id)?, contact).await,
        RecordKind::Scheduled => scheduled::form(&desk, known(id)?, contact).await,
    }
}

/// The id of what was saved. `seen` is the version that a change was made from.
pub async fn save(
    visitor: &Visitor,
    kind: RecordKind,
    id: &str,
    fields: BTreeMap<String, String>,
    seen: Option<i64>,
) -> ServiceResult<String> {
    let desk = Desk::of(visitor);
    let given = |names: &[&str]| Given::parse(fields, names);
    match kind {
        RecordKind::Contacts => contacts::save(&desk, known(id)?, given(contacts::FIELDS)?, seen).await,
        RecordKind::Deals => deals::save(&desk, known(id)?, given(deals::FIELDS)?, seen).await,
        RecordKind::Pipelines => pipelines::save(&desk, known(id)?, given(pipelines::FIELDS)?, seen).await,
        RecordKind::Tasks => tasks::save(&desk, known(id)?, given(tasks::FIELDS)?, seen).await,
        RecordKind::Products => products::save(&desk, known(id)?, given(products::FIELDS)?, seen).await,
        RecordKind::Conversations => {
            conversations::save(&desk, known(id)?, given(conversations::FIELDS)?, seen).await
        }
        RecordKind::Scheduled => scheduled::save(&desk, known(id)?, given(scheduled::FIELDS)?).await,
    }
}

pub async fn delete(visitor: &Visitor, kind: RecordKind, id: &str) -> ServiceResult<()> {
    let crm = backend().crm;
    if kind == RecordKind::Scheduled {
        let permit = visitor.tenant_permit()?;
        return crm.cancel_scheduled_message(&permit, there(id)?).await.map(|_| ());
    }
    let permit = visitor.tenant_permit()?;
    match kind {
        RecordKind::Contacts => crm.delete_contact(&permit, there(id)?, None).await,
        RecordKind::Deals => crm.delete_deal(&permit, there(id)?, None).await,
        RecordKind::Pipelines => crm.delete_pipeline(&permit, there(id)?, None).await,
        RecordKind::Tasks => crm.delete_task(&permit, there(id)?, None).await,
        RecordKind::Products => crm.delete_product(&permit, there(id)?, None).await,
        RecordKind::Conversations => crm.delete_conversation(&permit, there(id)?, None).await,
        RecordKind::Scheduled => Err(nothing()),
    }
}

pub async fn add_note(visitor: &Visitor, id: &str, text: String) -> ServiceResult<()> {
    let permit = visitor.tenant_permit()?;
    let text = text.replace("\r\n", "\n");
    let note = MessageIn { direction: Direction::Note, author: None, text, sent_at: None };
    backend().crm.add_message(&permit, there(id)?, note).await.map(|_| ())
}

/// Nothing for a new one.
fn known<T: FromStr>(id: &str) -> ServiceResult<Option<T>> {
    if id == NEW { Ok(None) } else { there(id).map(Some) }
}

fn there<T: FromStr>(id: &str) -> ServiceResult<T> {
    id.parse().map_err(|_| nothing())
}

fn nothing() -> ServiceError {
    ServiceError::new(ErrorCode::NotFound, "There is nothing with that id.")
}
