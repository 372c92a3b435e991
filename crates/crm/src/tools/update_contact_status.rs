//! `updateContactStatus`

use super::{Kind, SystemTool, ToolCall, ToolFailure, ToolResult, args, planned};
use domain::{
    ToolEffect,
    crm::{ContactOut, ContactStatus},
};
use sea_orm::ConnectionTrait;
use serde::Deserialize;
use serde_json::{Value, json};
use store::crm::{Hold, contacts};

pub const TOOL: SystemTool = SystemTool {
    name: "updateContactStatus",
    display_name: "Atualizar status do contato",
    description: "Muda o status de um contato no funil de relacionamento. Use quando a conversa mostrar que o contato \
                  avançou, por exemplo de lead para qualified ou customer, ou que desistiu (lost).",
    effect: ToolEffect::Write,
    kind: Kind::UpdateContactStatus,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Params {
    contact_id: String,
    status: ContactStatus,
    /// For the record of the call, which keeps the arguments.
    #[serde(rename = "reason")]
    _reason: Option<String>,
}

pub fn parameters() -> Value {
    let statuses = ContactStatus::ALL.iter().map(|status| status.as_str());
    let properties = json!({
        "contact_id": args::reference("Contato"),
        "status": args::one_of(statuses, "O novo status"),
        "reason": args::text("Por que o status muda; fica no registro da execução", 500),
    });
    args::object(properties, &["contact_id", "status"])
}

async fn prepare(
    conn: &impl ConnectionTrait,
    call: &ToolCall<'_>,
    hold: Hold,
) -> Result<(ContactOut, ContactStatus), ToolFailure> {
    let params: Params = args::parse(call.params)?;
    Ok((args::contact(conn, call, &params.contact_id, hold).await?, params.status))
}

pub async fn plan(conn: &impl ConnectionTrait, call: &ToolCall<'_>) -> ToolResult {
    let (contact, status) = prepare(conn, call, Hold::Free).await?;
    let summary = format!("Mudar o status de {} de {} para {status}.", contact.name, contact.status);
    Ok(planned(summary, json!({ "status": contact.status }), json!({ "status": status })))
}

pub async fn run(tx: &impl ConnectionTrait, call: &ToolCall<'_>) -> ToolResult {
    let (contact, status) = prepare(tx, call, Hold::Change).await?;
    let differs = contact.status != status;
    if differs {
        contacts::set_status(tx, call.tenant, &contact, status).await?;
    }
    Ok(json!({
        "updated": differs,
        "contact_id": contact.id,
        "previous_status": contact.status,
        "new_status": status,
    }))
}
