//! Messages that wait for their time. They are planned and cancelled, never changed.

use super::{Asked, Desk, nothing, parts};
use crate::{
    api::{
        described::{ChoiceOut, FieldKind, Given, choice, field},
        records::{CellKind, RecordForm, RecordKind, RecordList, RecordRow},
    },
    texts::Texts,
};
use domain::{
    ContactId, FieldCode, FieldError, ScheduledMessageId, ServiceResult,
    crm::{Channel, ScheduledMessageIn, ScheduledMessageOut, ScheduledMessageQuery, ScheduledStatus},
};
use std::collections::HashMap;

pub const FIELDS: &[&str] = &["contact_id", "channel", "text", "send_at", "send_at_utc"];

pub async fn list(desk: &Desk<'_>, asked: Asked) -> ServiceResult<RecordList> {
    let t = desk.t;
    let query = ScheduledMessageQuery {
        cursor: asked.cursor(),
        status: asked.status(),
        ..ScheduledMessageQuery::default()
    };
    let list = desk.crm.list_scheduled_messages(&desk.visitor.tenant_permit()?, query).await?;
    let names = desk.contact_names(list.data.iter().map(|one| Some(one.contact_id))).await?;
    Ok(RecordList {
        columns: [t.crm_status(), t.crm_contact(), t.crm_channel_label(), t.crm_send_at()]
            .map(str::to_owned)
            .into(),
        rows: list.data.into_iter().map(|one| row(t, one, &names)).collect(),
        next_cursor: list.next_cursor,
        filter: parts::filter(t, t.crm_status(), &asked.status, statuses(t)),
        has_search: false,
    })
}

fn statuses(t: Texts) -> Vec<ChoiceOut> {
    ScheduledStatus::ALL.iter().map(|one| choice(one.as_str(), t.scheduled_status(*one))).collect()
}

fn row(t: Texts, one: ScheduledMessageOut, names: &HashMap<ContactId, String>) -> RecordRow {
    let tone = match one.status {
        ScheduledStatus::Sent => CellKind::On,
        ScheduledStatus::Failed => CellKind::Danger,
        _ => CellKind::Plain,
    };
    RecordRow {
        href: Some(format!("{}/{}", RecordKind::Scheduled.path(), one.id)),
        cells: vec![
            parts::state(tone, t.scheduled_status(one.status)),
            parts::text(names.get(&one.contact_id).cloned().unwrap_or_default()),
            parts::text(t.crm_channel(one.channel)),
            parts::moment(Some(&one.send_at)),
        ],
        title: one.text.chars().take(120).collect(),
        detail: one.last_error.map(|error| t.recorded_with_code(error)).unwrap_or_default(),
    }
}

pub async fn form(
    desk: &Desk<'_>,
    id: Option<ScheduledMessageId>,
    contact: &str,
) -> ServiceResult<RecordForm> {
    let t = desk.t;
    let one = match id {
        None => None,
        Some(id) => Some(desk.crm.find_scheduled_message(&desk.visitor.tenant_permit()?, id).await?),
    };
    let one = one.as_ref();
    let chosen: Option<ContactId> = one.map_or_else(|| contact.parse().ok(), |one| Some(one.contact_id));
    let contacts = desk.contact_choices(chosen).await?;
    let text = |of: fn(&ScheduledMessageOut) -> Option<String>| one.and_then(of).unwrap_or_default();
    let channel = one.map_or(Channel::Whatsapp, |one| one.channel);
    let mut fields = vec![
        field(
            FieldKind::Choice,
            "contact_id",
            t.crm_contact(),
            chosen.map(|id| id.to_string()).unwrap_or_default(),
        )
        .required()
        .choices(contacts),
        field(FieldKind::Choice, "channel", t.crm_channel_label(), channel.as_str())
            .required()
            .choices(parts::channels(t)),
        field(FieldKind::Paragraph, "text", t.crm_text(), text(|one| Some(one.text.clone()))).required(),
        field(FieldKind::Moment, "send_at", t.crm_send_at(), text(|one| Some(one.send_at.to_string())))
            .required()
            .hint(t.crm_send_at_hint()),
    ];
    if let Some(one) = one {
        let state = t.scheduled_status(one.status);
        fields.push(field(FieldKind::Line, "status", t.crm_status(), state));
        let error = t.recorded_with_code(text(|one| one.last_error.clone()));
        fields.push(field(FieldKind::Line, "last_error", t.crm_last_error(), error));
    }
    Ok(RecordForm {
        title: text(|one| Some(one.text.chars().take(60).collect())),
        seen_version: 0,
        fields,
        facts: one.map(|one| vec![parts::fact(t.crm_created(), &one.created_at)]).unwrap_or_default(),
        is_open: one.is_none_or(|one| one.status == ScheduledStatus::Scheduled),
        related: Vec::new(),
        takes_notes: false,
    })
}

pub async fn save(desk: &Desk<'_>, id: Option<ScheduledMessageId>, given: Given) -> ServiceResult<String> {
    let permit = desk.visitor.tenant_permit()?;
    if id.is_some() {
        return Err(nothing());
    }
    let required = |name: &str| FieldError::new(name, FieldCode::Required);
    let input = ScheduledMessageIn {
        contact_id: given.read("contact_id")?.ok_or_else(|| required("contact_id"))?,
        channel: given.read("channel")?.unwrap_or_default(),
        text: given.required("text")?,
        send_at: given.moment("send_at")?.ok_or_else(|| required("send_at"))?,
    };
    Ok(desk.crm.schedule_message(&permit, input).await?.id.to_string())
}
