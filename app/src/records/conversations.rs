//! Conversations, with what was said.

use super::{Asked, Desk, parts};
use crate::{
    api::{
        described::{ChoiceOut, FieldKind, Given, choice, field},
        records::{CellKind, RecordForm, RecordKind, RecordList, RecordRow, RelatedOut},
    },
    texts::Texts,
};
use domain::{
    ContactId, ConversationId, ServiceResult,
    crm::{
        Channel, ConversationIn, ConversationOut, ConversationPatch, ConversationQuery, ConversationStatus,
        Direction, MessageOut, MessageQuery,
    },
};
use std::collections::HashMap;

pub const FIELDS: &[&str] =
    &["subject", "contact_id", "channel", "status", "assigned_to", "resolution", "external_id"];

pub async fn list(desk: &Desk<'_>, asked: Asked) -> ServiceResult<RecordList> {
    let t = desk.t;
    let query =
        ConversationQuery { cursor: asked.cursor(), status: asked.status(), ..ConversationQuery::default() };
    let list = desk.crm.list_conversations(&desk.visitor.tenant_permit()?, query).await?;
    let names = desk.contact_names(list.data.iter().map(|one| one.contact_id)).await?;
    Ok(RecordList {
        columns: [t.crm_status(), t.crm_channel_label(), t.crm_opened(), t.crm_updated()]
            .map(str::to_owned)
            .into(),
        rows: list.data.into_iter().map(|one| row(t, one, &names)).collect(),
        next_cursor: list.next_cursor,
        filter: parts::filter(t, t.crm_status(), &asked.status, statuses(t)),
        has_search: false,
    })
}

fn statuses(t: Texts) -> Vec<ChoiceOut> {
    ConversationStatus::ALL.iter().map(|one| choice(one.as_str(), t.conversation_status(*one))).collect()
}

fn row(t: Texts, one: ConversationOut, names: &HashMap<ContactId, String>) -> RecordRow {
    let tone = match one.status {
        ConversationStatus::Resolved => CellKind::On,
        ConversationStatus::WaitingHuman => CellKind::Danger,
        ConversationStatus::Open => CellKind::Plain,
    };
    let contact = one.contact_id.and_then(|id| names.get(&id).cloned());
    RecordRow {
        href: Some(format!("{}/{}", RecordKind::Conversations.path(), one.id)),
        cells: vec![
            parts::state(tone, t.conversation_status(one.status)),
            parts::text(t.crm_channel(one.channel)),
            parts::moment(Some(&one.opened_at)),
            parts::moment(Some(&one.updated_at)),
        ],
        title: one.subject.unwrap_or_else(|| t.conversation_untitled().to_owned()),
        detail: contact.unwrap_or_default(),
    }
}

pub async fn form(desk: &Desk<'_>, id: Option<ConversationId>, contact: &str) -> ServiceResult<RecordForm> {
    let t = desk.t;
    let (one, messages) = match id {
        None => (None, Vec::new()),
        Some(id) => {
            let permit = desk.visitor.tenant_permit()?;
            let query = MessageQuery { limit: Some(200), cursor: None };
            let messages = desk.crm.list_messages(&permit, id, query).await?.data;
            (Some(desk.crm.find_conversation(&permit, id).await?), messages)
        }
    };
    let one = one.as_ref();
    let chosen: Option<ContactId> = one.map_or_else(|| contact.parse().ok(), |one| one.contact_id);
    let contacts = parts::open_choice(t, desk.contact_choices(chosen).await?);
    let people = parts::open_choice(t, desk.people_choices().await?);
    let text = |of: fn(&ConversationOut) -> Option<String>| one.and_then(of).unwrap_or_default();
    let channel = one.map_or(Channel::Whatsapp, |one| one.channel);
    let status = one.map_or(ConversationStatus::Open, |one| one.status);
    let fields = vec![
        field(FieldKind::Line, "subject", t.crm_subject(), text(|one| one.subject.clone())),
        field(
            FieldKind::Choice,
            "contact_id",
            t.crm_contact(),
            chosen.map(|id| id.to_string()).unwrap_or_default(),
        )
        .choices(contacts),
        field(FieldKind::Choice, "channel", t.crm_channel_label(), channel.as_str())
            .required()
            .choices(parts::channels(t)),
        field(FieldKind::Choice, "status", t.crm_status(), status.as_str()).required().choices(statuses(t)),
        field(
            FieldKind::Choice,
            "assigned_to",
            t.crm_assignee(),
            text(|one| Some(one.assigned_to?.to_string())),
        )
        .choices(people),
        field(FieldKind::Paragraph, "resolution", t.crm_resolution(), text(|one| one.resolution.clone())),
        field(FieldKind::Line, "external_id", t.crm_external_id(), text(|one| one.external_id.clone()))
            .hint(t.crm_external_id_hint()),
    ];
    let title = one.map(|one| one.subject.clone().unwrap_or_else(|| t.conversation_untitled().to_owned()));
    Ok(RecordForm {
        title: title.unwrap_or_default(),
        seen_version: one.map_or(0, |one| one.version),
        fields,
        facts: one.map(|one| vec![parts::fact(t.crm_opened(), &one.opened_at)]).unwrap_or_default(),
        is_open: true,
        related: one.map(|_| said(t, messages)).into_iter().collect(),
        takes_notes: one.is_some(),
    })
}

/// What was said, the newest first.
fn said(t: Texts, messages: Vec<MessageOut>) -> RelatedOut {
    let row = |message: MessageOut| {
        let tone = if message.direction == Direction::Note { CellKind::On } else { CellKind::Plain };
        RecordRow {
            href: None,
            title: message.text,
            detail: message.author,
            cells: vec![
                parts::state(tone, t.message_direction(message.direction)),
                parts::moment(Some(&message.sent_at)),
            ],
        }
    };
    RelatedOut {
        title: t.crm_messages().to_owned(),
        columns: vec![t.crm_direction().to_owned(), t.crm_sent().to_owned()],
        rows: messages.into_iter().map(row).collect(),
    }
}

pub async fn save(
    desk: &Desk<'_>,
    id: Option<ConversationId>,
    given: Given,
    seen: Option<i64>,
) -> ServiceResult<String> {
    let input = ConversationIn {
        contact_id: given.read("contact_id")?,
        channel: given.read("channel")?.unwrap_or_default(),
        status: given.read("status")?.unwrap_or_default(),
        assigned_to: given.read("assigned_to")?,
        subject: given.text("subject"),
        agent_id: None,
        resolution: given.text("resolution"),
        external_id: given.text("external_id"),
    };
    let Some(id) = id else {
        return Ok(desk.crm.create_conversation(&desk.visitor.tenant_permit()?, input).await?.id.to_string());
    };
    let patch = ConversationPatch {
        contact_id: Some(input.contact_id),
        channel: Some(input.channel),
        status: Some(input.status),
        assigned_to: Some(input.assigned_to),
        subject: Some(input.subject),
        agent_id: None,
        resolution: Some(input.resolution),
        external_id: Some(input.external_id),
    };
    Ok(desk.crm.update_conversation(&desk.visitor.tenant_permit()?, id, patch, seen).await?.id.to_string())
}
