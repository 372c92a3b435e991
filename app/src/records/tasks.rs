//! Tasks.

use super::{Asked, Desk, parts};
use crate::{
    api::{
        described::{FieldKind, Given, choice, field},
        records::{CellKind, RecordForm, RecordKind, RecordList, RecordRow},
    },
    texts::Texts,
};
use domain::{
    ContactId, ServiceResult, TaskId,
    crm::{TaskIn, TaskOut, TaskPatch, TaskQuery, TaskStatus},
};
use std::collections::HashMap;

pub const FIELDS: &[&str] =
    &["title", "description", "due_at", "due_at_utc", "contact_id", "assignee", "status"];

pub async fn list(desk: &Desk<'_>, asked: Asked) -> ServiceResult<RecordList> {
    let t = desk.t;
    let query = TaskQuery { cursor: asked.cursor(), status: asked.status(), ..TaskQuery::default() };
    let list = desk.crm.list_tasks(&desk.visitor.tenant_permit()?, query).await?;
    let names = desk.contact_names(list.data.iter().map(|task| task.contact_id)).await?;
    Ok(RecordList {
        columns: [t.crm_status(), t.crm_contact(), t.crm_due(), t.crm_created_by()].map(str::to_owned).into(),
        rows: list.data.into_iter().map(|task| row(t, task, &names)).collect(),
        next_cursor: list.next_cursor,
        filter: parts::filter(t, t.crm_status(), &asked.status, statuses(t)),
        has_search: false,
    })
}

fn statuses(t: Texts) -> Vec<crate::api::described::ChoiceOut> {
    TaskStatus::ALL.iter().map(|one| choice(one.as_str(), t.task_status(*one))).collect()
}

fn row(t: Texts, task: TaskOut, names: &HashMap<ContactId, String>) -> RecordRow {
    let tone = if task.status == TaskStatus::Done { CellKind::On } else { CellKind::Plain };
    let contact = task.contact_id.and_then(|id| names.get(&id).cloned()).unwrap_or_default();
    RecordRow {
        href: Some(format!("{}/{}", RecordKind::Tasks.path(), task.id)),
        cells: vec![
            parts::state(tone, t.task_status(task.status)),
            parts::text(contact),
            parts::moment(task.due_at.as_ref()),
            parts::text(task.created_by),
        ],
        title: task.title,
        detail: task.description.map(|text| text.chars().take(120).collect()).unwrap_or_default(),
    }
}

pub async fn form(desk: &Desk<'_>, id: Option<TaskId>, contact: &str) -> ServiceResult<RecordForm> {
    let task = match id {
        None => None,
        Some(id) => Some(desk.crm.find_task(&desk.visitor.tenant_permit()?, id).await?),
    };
    let (t, task) = (desk.t, task.as_ref());
    let chosen = task.map_or_else(|| contact.parse().ok(), |task| task.contact_id);
    let contacts = parts::open_choice(t, desk.contact_choices(chosen).await?);
    let people = parts::open_choice(t, desk.people_choices().await?);
    let text = |of: fn(&TaskOut) -> Option<String>| task.and_then(of).unwrap_or_default();
    let status = task.map_or(TaskStatus::Open, |task| task.status);
    let id_of = |id: Option<ContactId>| id.map(|id| id.to_string()).unwrap_or_default();
    let fields = vec![
        field(FieldKind::Line, "title", t.crm_title(), text(|task| Some(task.title.clone()))).required(),
        field(
            FieldKind::Paragraph,
            "description",
            t.crm_description(),
            text(|task| task.description.clone()),
        ),
        field(FieldKind::Moment, "due_at", t.crm_due(), text(|task| Some(task.due_at.as_ref()?.to_string()))),
        field(FieldKind::Choice, "contact_id", t.crm_contact(), id_of(chosen)).choices(contacts),
        field(FieldKind::Choice, "assignee", t.crm_assignee(), text(|task| Some(task.assignee?.to_string())))
            .choices(people),
        field(FieldKind::Choice, "status", t.crm_status(), status.as_str()).required().choices(statuses(t)),
    ];
    Ok(RecordForm {
        title: text(|task| Some(task.title.clone())),
        seen_version: task.map_or(0, |task| task.version),
        fields,
        facts: task.map(|task| vec![parts::fact(t.crm_created(), &task.created_at)]).unwrap_or_default(),
        is_open: true,
        related: Vec::new(),
        takes_notes: false,
    })
}

pub async fn save(
    desk: &Desk<'_>,
    id: Option<TaskId>,
    given: Given,
    seen: Option<i64>,
) -> ServiceResult<String> {
    let input = TaskIn {
        title: given.required("title")?,
        description: given.text("description"),
        due_at: given.moment("due_at")?,
        contact_id: given.read("contact_id")?,
        deal_id: None,
        assignee: given.read("assignee")?,
        status: given.read("status")?.unwrap_or_default(),
    };
    let Some(id) = id else {
        return Ok(desk.crm.create_task(&desk.visitor.tenant_permit()?, input).await?.id.to_string());
    };
    let patch = TaskPatch {
        title: Some(input.title),
        description: Some(input.description),
        due_at: Some(input.due_at),
        contact_id: Some(input.contact_id),
        deal_id: None,
        assignee: Some(input.assignee),
        status: Some(input.status),
    };
    Ok(desk.crm.update_task(&desk.visitor.tenant_permit()?, id, patch, seen).await?.id.to_string())
}
