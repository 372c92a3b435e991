//! `endConversation`

use super::{Kind, SystemTool, ToolCall, ToolFailure, ToolResult, args, planned};
use domain::{
    ToolEffect,
    crm::{ConversationOut, ConversationPatch, ConversationStatus, check::optional_paragraph},
};
use sea_orm::ConnectionTrait;
use serde::Deserialize;
use serde_json::{Value, json};
use store::crm::{Hold, conversations};

pub const TOOL: SystemTool = SystemTool {
    name: "endConversation",
    display_name: "Encerrar conversa",
    description: "Marca a conversa como resolvida. Use quando o contato confirmar que não precisa de mais nada. Repetir \
                  não muda nada.",
    effect: ToolEffect::Write,
    kind: Kind::EndConversation,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Params {
    conversation_id: Option<String>,
    resolution: Option<String>,
}

pub fn parameters() -> Value {
    let properties = json!({
        "conversation_id": args::reference("Conversa; sem ela, a conversa da chamada"),
        "resolution": args::text("Como a conversa foi resolvida", 2000),
    });
    args::object(properties, &[])
}

async fn prepare(
    conn: &impl ConnectionTrait,
    call: &ToolCall<'_>,
    hold: Hold,
) -> Result<(ConversationOut, Option<String>), ToolFailure> {
    let params: Params = args::parse(call.params)?;
    let resolution = optional_paragraph("resolution", params.resolution.as_deref(), 2_000)?;
    Ok((args::conversation(conn, call, params.conversation_id.as_deref(), hold).await?, resolution))
}

pub async fn plan(conn: &impl ConnectionTrait, call: &ToolCall<'_>) -> ToolResult {
    let (before, resolution) = prepare(conn, call, Hold::Free).await?;
    let shown = json!({ "status": before.status, "resolution": before.resolution });
    if before.status == ConversationStatus::Resolved {
        return Ok(planned("A conversa já está resolvida.".to_owned(), shown.clone(), shown));
    }
    let resolution = resolution.or(before.resolution);
    let after = json!({ "status": ConversationStatus::Resolved, "resolution": resolution });
    Ok(planned("Encerrar a conversa.".to_owned(), shown, after))
}

pub async fn run(tx: &impl ConnectionTrait, call: &ToolCall<'_>) -> ToolResult {
    let (before, resolution) = prepare(tx, call, Hold::Change).await?;
    let (id, already_resolved) = (before.id, before.status == ConversationStatus::Resolved);
    if !already_resolved {
        let patch = ConversationPatch {
            status: Some(ConversationStatus::Resolved),
            resolution: resolution.map(Some),
            ..ConversationPatch::default()
        };
        conversations::update(tx, call.tenant, &before, &patch.onto(before.clone()), before.agent_id).await?;
    }
    Ok(json!({ "resolved": true, "already_resolved": already_resolved, "conversation_id": id }))
}
