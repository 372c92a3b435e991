//! Contacts.

use super::{Asked, Desk, parts};
use crate::{
    api::{
        described::{FieldKind, Given, choice, field},
        records::{CellKind, RecordForm, RecordKind, RecordList, RecordRow, RelatedOut},
    },
    texts::Texts,
};
use domain::{
    ContactId, ServiceResult,
    crm::{
        ContactHistoryOut, ContactIn, ContactOut, ContactPatch, ContactQuery, ContactStatus, DealStatus,
        HistoryQuery, TaskStatus,
    },
};

pub const FIELDS: &[&str] = &["name", "email", "phone", "status", "tags", "notes", "external_id"];

/// As many of each kind as the page of a contact shows.
const NEWEST: u64 = 10;

pub async fn list(desk: &Desk<'_>, asked: Asked) -> ServiceResult<RecordList> {
    let t = desk.t;
    let query = ContactQuery { limit: None, cursor: asked.cursor(), status: asked.status(), q: asked.q() };
    let list = desk.crm.list_contacts(&desk.visitor.tenant_permit()?, query).await?;
    Ok(RecordList {
        columns: [t.crm_status(), t.crm_phone(), t.crm_tags(), t.crm_updated()].map(str::to_owned).into(),
        rows: list.data.into_iter().map(|contact| row(t, contact)).collect(),
        next_cursor: list.next_cursor,
        filter: parts::filter(t, t.crm_status(), &asked.status, statuses(t)),
        has_search: true,
    })
}

fn statuses(t: Texts) -> Vec<crate::api::described::ChoiceOut> {
    ContactStatus::ALL.iter().map(|one| choice(one.as_str(), t.contact_status(*one))).collect()
}

fn row(t: Texts, contact: ContactOut) -> RecordRow {
    let tone = match contact.status {
        ContactStatus::Customer => CellKind::On,
        ContactStatus::Lost => CellKind::Danger,
        _ => CellKind::Plain,
    };
    RecordRow {
        href: Some(format!("{}/{}", RecordKind::Contacts.path(), contact.id)),
        cells: vec![
            parts::state(tone, t.contact_status(contact.status)),
            parts::text(contact.phone.unwrap_or_default()),
            parts::text(contact.tags.join(", ")),
            parts::moment(Some(&contact.updated_at)),
        ],
        title: contact.name,
        detail: contact.email.unwrap_or_default(),
    }
}

pub async fn form(desk: &Desk<'_>, id: Option<ContactId>) -> ServiceResult<RecordForm> {
    let history = match id {
        None => None,
        Some(id) => {
            let query = HistoryQuery { limit: Some(NEWEST) };
            Some(desk.crm.contact_history(&desk.visitor.tenant_permit()?, id, query).await?)
        }
    };
    let t = desk.t;
    let contact = history.as_ref().map(|history| &history.contact);
    let text = |of: fn(&ContactOut) -> Option<String>| contact.and_then(of).unwrap_or_default();
    let status = contact.map_or(ContactStatus::Lead, |contact| contact.status);
    let fields = vec![
        field(FieldKind::Line, "name", t.crm_name(), text(|c| Some(c.name.clone()))).required(),
        field(FieldKind::Email, "email", t.crm_email(), text(|c| c.email.clone())),
        field(FieldKind::Phone, "phone", t.crm_phone(), text(|c| c.phone.clone())).hint(t.crm_phone_hint()),
        field(FieldKind::Choice, "status", t.crm_status(), status.as_str()).required().choices(statuses(t)),
        field(FieldKind::Line, "tags", t.crm_tags(), text(|c| Some(c.tags.join(", "))))
            .hint(t.crm_tags_hint()),
        field(FieldKind::Paragraph, "notes", t.crm_notes(), text(|c| c.notes.clone())),
        field(FieldKind::Line, "external_id", t.crm_external_id(), text(|c| c.external_id.clone()))
            .hint(t.crm_external_id_hint()),
    ];
    let facts = contact.map(|contact| vec![parts::fact(t.crm_created(), &contact.created_at)]);
    Ok(RecordForm {
        title: contact.map(|contact| contact.name.clone()).unwrap_or_default(),
        seen_version: contact.map_or(0, |contact| contact.version),
        fields,
        facts: facts.unwrap_or_default(),
        is_open: true,
        related: history.map(|history| related(t, history)).unwrap_or_default(),
        takes_notes: false,
    })
}

/// The newest of what concerns the contact.
fn related(t: Texts, history: ContactHistoryOut) -> Vec<RelatedOut> {
    let row = |kind: RecordKind, id: String, title: String, cells| RecordRow {
        href: Some(format!("{}/{id}", kind.path())),
        title,
        detail: String::new(),
        cells,
    };
    let deals = history.deals.into_iter().map(|deal| {
        let value = parts::money(t, deal.value_cents, &deal.currency);
        let tone = if deal.status == DealStatus::Won { CellKind::On } else { CellKind::Plain };
        let cells = vec![parts::state(tone, t.deal_status(deal.status)), parts::number(value)];
        row(RecordKind::Deals, deal.id.to_string(), deal.title, cells)
    });
    let tasks = history.tasks.into_iter().map(|task| {
        let tone = if task.status == TaskStatus::Done { CellKind::On } else { CellKind::Plain };
        let cells = vec![parts::state(tone, t.task_status(task.status)), parts::moment(task.due_at.as_ref())];
        row(RecordKind::Tasks, task.id.to_string(), task.title, cells)
    });
    let messages = history.messages.into_iter().map(|message| {
        let cells = vec![parts::text(message.author), parts::moment(Some(&message.sent_at))];
        row(RecordKind::Conversations, message.conversation_id.to_string(), message.text, cells)
    });
    let sections = [
        (t.crm_deals(), vec![t.crm_status(), t.crm_value()], deals.collect::<Vec<_>>()),
        (t.crm_tasks(), vec![t.crm_status(), t.crm_due()], tasks.collect()),
        (t.crm_messages(), vec![t.crm_author(), t.crm_sent()], messages.collect()),
    ];
    let shown = |(title, columns, rows): (&str, Vec<&str>, Vec<RecordRow>)| RelatedOut {
        title: title.to_owned(),
        columns: columns.into_iter().map(str::to_owned).collect(),
        rows,
    };
    sections.into_iter().filter(|(_, _, rows)| !rows.is_empty()).map(shown).collect()
}

pub async fn save(
    desk: &Desk<'_>,
    id: Option<ContactId>,
    given: Given,
    seen: Option<i64>,
) -> ServiceResult<String> {
    let tags = given.text("tags").unwrap_or_default();
    let tags: Vec<String> =
        tags.split(',').map(|tag| tag.trim().to_owned()).filter(|tag| !tag.is_empty()).collect();
    let input = ContactIn {
        name: given.required("name")?,
        email: given.text("email"),
        phone: given.text("phone"),
        status: given.read("status")?.unwrap_or_default(),
        tags,
        notes: given.text("notes"),
        external_id: given.text("external_id"),
    };
    let Some(id) = id else {
        return Ok(desk.crm.create_contact(&desk.visitor.tenant_permit()?, input).await?.id.to_string());
    };
    let patch = ContactPatch {
        name: Some(input.name),
        email: Some(input.email),
        phone: Some(input.phone),
        status: Some(input.status),
        tags: Some(input.tags),
        notes: Some(input.notes),
        external_id: Some(input.external_id),
    };
    Ok(desk.crm.update_contact(&desk.visitor.tenant_permit()?, id, patch, seen).await?.id.to_string())
}
