//! `transferToHuman`

use super::{Kind, SystemTool, ToolCall, ToolFailure, ToolResult, args, planned};
use domain::{
    ToolEffect, UserId,
    crm::{ConversationOut, ConversationPatch, ConversationStatus, Direction, MessageIn, check::paragraph},
};
use sea_orm::ConnectionTrait;
use serde::Deserialize;
use serde_json::{Value, json};
use store::crm::{Hold, conversations, messages};

pub const TOOL: SystemTool = SystemTool {
    name: "transferToHuman",
    display_name: "Transferir para uma pessoa",
    description: "Passa a conversa para uma pessoa da equipe, com uma nota que só a equipe vê. Use quando o contato \
                  pedir, quando houver reclamação ou quando você não puder resolver.",
    effect: ToolEffect::Write,
    kind: Kind::TransferToHuman,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Params {
    conversation_id: Option<String>,
    reason: String,
    assign_to: Option<String>,
}

struct Prepared {
    before: ConversationOut,
    reason: String,
    /// Whoever had it keeps it unless somebody is named.
    assigned_to: Option<UserId>,
}

pub fn parameters() -> Value {
    let properties = json!({
        "conversation_id": args::reference("Conversa; sem ela, a conversa da chamada"),
        "reason": args::text("Por que uma pessoa precisa assumir, para a equipe ler", 2000),
        "assign_to": args::text("Quem assume: o UUID ou o e-mail de um membro da organização", 254),
    });
    args::object(properties, &["reason"])
}

async fn prepare(
    conn: &impl ConnectionTrait,
    call: &ToolCall<'_>,
    hold: Hold,
) -> Result<Prepared, ToolFailure> {
    let params: Params = args::parse(call.params)?;
    let reason = paragraph("reason", &params.reason, 2_000)?;
    let before = args::conversation(conn, call, params.conversation_id.as_deref(), hold).await?;
    let member = args::member(conn, call, params.assign_to.as_deref()).await?;
    let assigned_to = member.map(|member| member.user_id).or(before.assigned_to);
    Ok(Prepared { before, reason, assigned_to })
}

fn shown(status: ConversationStatus, assigned_to: Option<UserId>) -> Value {
    json!({ "status": status, "assigned_to": assigned_to })
}

pub async fn plan(conn: &impl ConnectionTrait, call: &ToolCall<'_>) -> ToolResult {
    let Prepared { before, reason, assigned_to } = prepare(conn, call, Hold::Free).await?;
    let summary = format!("Passar a conversa para uma pessoa: {reason}");
    let after = shown(ConversationStatus::WaitingHuman, assigned_to);
    Ok(planned(summary, shown(before.status, before.assigned_to), after))
}

pub async fn run(tx: &impl ConnectionTrait, call: &ToolCall<'_>) -> ToolResult {
    let Prepared { before, reason, assigned_to } = prepare(tx, call, Hold::Change).await?;
    let (id, status) = (before.id, ConversationStatus::WaitingHuman);
    let patch = ConversationPatch {
        status: Some(status),
        assigned_to: Some(assigned_to),
        ..ConversationPatch::default()
    };
    conversations::update(tx, call.tenant, &before, &patch.onto(before.clone()), before.agent_id).await?;
    let note = MessageIn { direction: Direction::Note, text: reason, ..MessageIn::default() };
    messages::insert(tx, call.tenant, id, &note, call.actor_name).await?;
    Ok(json!({ "transferred": true, "conversation_id": id, "status": status, "assigned_to": assigned_to }))
}
