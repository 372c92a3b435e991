//! `createTask`

use super::{Kind, SystemTool, ToolCall, ToolFailure, ToolResult, Unwritten, args, planned};
use crate::tasks::checked;
use domain::{
    Timestamp, ToolEffect,
    crm::{TaskIn, TaskStatus},
};
use sea_orm::ConnectionTrait;
use serde::Deserialize;
use serde_json::{Value, json};
use store::crm::{Hold, tasks::NewTask};

pub const TOOL: SystemTool = SystemTool {
    name: "createTask",
    display_name: "Criar tarefa",
    description: "Cria uma tarefa para a equipe, com prazo e responsável opcionais. Use quando alguém precisar fazer \
                  algo depois da conversa, como ligar para o contato ou preparar uma proposta.",
    effect: ToolEffect::Write,
    kind: Kind::CreateTask,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Params {
    title: String,
    description: Option<String>,
    due_at: Option<Timestamp>,
    contact_id: Option<String>,
    deal_id: Option<String>,
    assignee: Option<String>,
}

pub fn parameters() -> Value {
    let properties = json!({
        "title": args::text("O que fazer, em uma linha", 200),
        "description": args::text("Detalhes para quem vai fazer", 5000),
        "due_at": args::moment("Prazo, em RFC 3339, por exemplo 2027-03-01T12:00:00-03:00"),
        "contact_id": args::reference("Contato da tarefa"),
        "deal_id": args::reference("Negócio da tarefa"),
        "assignee": args::text("Responsável: o UUID ou o e-mail de um membro da organização", 254),
    });
    args::object(properties, &["title"])
}

async fn prepare(
    conn: &impl ConnectionTrait,
    call: &ToolCall<'_>,
    hold: Hold,
) -> Result<TaskIn, ToolFailure> {
    let params: Params = args::parse(call.params)?;
    let contact_id = match &params.contact_id {
        Some(name) => Some(args::contact(conn, call, name, hold).await?.id),
        None => None,
    };
    let deal_id = match &params.deal_id {
        Some(name) => Some(args::deal(conn, call, name, hold).await?.id),
        None => None,
    };
    let assignee = args::member(conn, call, params.assignee.as_deref()).await?.map(|member| member.user_id);
    let Params { title, description, due_at, .. } = params;
    let status = TaskStatus::Open;
    Ok(checked(TaskIn { title, description, due_at, contact_id, deal_id, assignee, status })?)
}

pub async fn plan(conn: &impl ConnectionTrait, call: &ToolCall<'_>) -> ToolResult {
    let task = prepare(conn, call, Hold::Free).await?;
    let due = task.due_at.as_ref().map(|due| format!(" até {}", due.readable_utc())).unwrap_or_default();
    let after = json!({
        "title": task.title,
        "description": task.description,
        "due_at": task.due_at,
        "contact_id": task.contact_id,
        "deal_id": task.deal_id,
        "assignee": task.assignee,
        "status": task.status,
    });
    Ok(planned(format!("Criar a tarefa {}{due}.", task.title), Value::Null, after))
}

pub async fn run(tx: &impl ConnectionTrait, call: &ToolCall<'_>, unwritten: &mut Unwritten) -> ToolResult {
    let task = prepare(tx, call, Hold::Still).await?;
    let made = NewTask::new(call.tenant, &task, call.actor_name)?;
    let result = json!({ "created": true, "task_id": made.id(), "title": task.title, "due_at": task.due_at });
    unwritten.tasks.push(made);
    Ok(result)
}
