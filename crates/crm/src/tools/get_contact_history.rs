//! `getContactHistory`

use super::{Kind, SystemTool, ToolCall, ToolFailure, ToolResult, args, planned};
use crate::contacts::history;
use domain::{ToolEffect, crm::ContactOut};
use sea_orm::ConnectionTrait;
use serde::Deserialize;
use serde_json::{Value, json};
use store::crm::Hold;

pub const TOOL: SystemTool = SystemTool {
    name: "getContactHistory",
    display_name: "Ver histórico do contato",
    description: "Mostra os dados de um contato e suas mensagens, negócios e tarefas mais recentes. Use no começo de um \
                  atendimento, para não perguntar de novo o que já se sabe.",
    effect: ToolEffect::Read,
    kind: Kind::GetContactHistory,
};

const MOST: u64 = 50;
/// Of one message: a model needs the gist, and its memory is short.
const MOST_CHARS: usize = 1_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Params {
    contact_id: String,
    limit: Option<u64>,
}

pub fn parameters() -> Value {
    let properties = json!({
        "contact_id": args::reference("Contato"),
        "limit": args::count("Quantas mensagens, negócios e tarefas de cada", MOST, 10),
    });
    args::object(properties, &["contact_id"])
}

async fn prepare(conn: &impl ConnectionTrait, call: &ToolCall<'_>) -> Result<(ContactOut, u64), ToolFailure> {
    let params: Params = args::parse(call.params)?;
    let limit = args::counted("limit", params.limit, MOST, 10)?;
    Ok((args::contact(conn, call, &params.contact_id, Hold::Free).await?, limit))
}

pub async fn plan(conn: &impl ConnectionTrait, call: &ToolCall<'_>) -> ToolResult {
    let (contact, _) = prepare(conn, call).await?;
    Ok(planned(format!("Ler o histórico de {}.", contact.name), Value::Null, Value::Null))
}

pub async fn run(tx: &impl ConnectionTrait, call: &ToolCall<'_>) -> ToolResult {
    let (contact, limit) = prepare(tx, call).await?;
    let mut found = history(tx, call.tenant, contact, limit).await?;
    for message in &mut found.messages {
        message.text = shortened(&message.text);
    }
    Ok(json!({
        "contact": without_notes(&found.contact),
        "messages": found.messages,
        "deals": found.deals,
        "tasks": found.tasks,
    }))
}

/// What the team writes about somebody stays among people.
fn without_notes(contact: &ContactOut) -> Value {
    let mut shown = json!(contact);
    if let Some(members) = shown.as_object_mut() {
        members.remove("notes");
    }
    shown
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MOST_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
