//! `scheduleMessage`

use super::{Kind, SystemTool, ToolCall, ToolFailure, ToolResult, args, planned};
use crate::scheduled_messages::{is_reachable, soon};
use domain::{
    Timestamp, ToolEffect,
    crm::{Channel, ContactOut, ScheduledMessageIn},
};
use sea_orm::ConnectionTrait;
use serde::Deserialize;
use serde_json::{Value, json};
use store::crm::{Hold, scheduled_messages};

pub const TOOL: SystemTool = SystemTool {
    name: "scheduleMessage",
    display_name: "Agendar mensagem",
    description: "Agenda uma mensagem para um contato, em até um ano. Use para lembretes e retornos combinados, como \
                  avisar na véspera de uma entrega. Por WhatsApp o contato precisa ter telefone; por e-mail, endereço.",
    effect: ToolEffect::Message,
    kind: Kind::ScheduleMessage,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Params {
    contact_id: String,
    channel: Channel,
    text: String,
    send_at: Timestamp,
}

pub fn parameters() -> Value {
    let channels = Channel::ALL.iter().map(|channel| channel.as_str());
    let properties = json!({
        "contact_id": args::reference("Contato que recebe a mensagem"),
        "channel": args::one_of(channels, "Por onde enviar"),
        "text": args::text("O texto da mensagem", 4000),
        "send_at": args::moment("Quando enviar, em RFC 3339; no futuro e em até um ano"),
    });
    args::object(properties, &["contact_id", "channel", "text", "send_at"])
}

async fn prepare(
    conn: &impl ConnectionTrait,
    call: &ToolCall<'_>,
    hold: Hold,
) -> Result<(ContactOut, ScheduledMessageIn), ToolFailure> {
    let params: Params = args::parse(call.params)?;
    let contact = args::contact(conn, call, &params.contact_id, hold).await?;
    if !is_reachable(&contact, params.channel) {
        let message = format!("{} não pode ser alcançado por {}.", contact.name, params.channel);
        return Err(ToolFailure::refused("contact_unreachable", message));
    }
    let send_at = soon(&params.send_at).map_err(|_| {
        ToolFailure::refused("invalid_send_at", "send_at precisa estar no futuro e em até um ano.")
    })?;
    let input =
        ScheduledMessageIn { contact_id: contact.id, channel: params.channel, text: params.text, send_at };
    Ok((contact, input.checked()?))
}

pub async fn plan(conn: &impl ConnectionTrait, call: &ToolCall<'_>) -> ToolResult {
    let (contact, message) = prepare(conn, call, Hold::Free).await?;
    let when = message.send_at.readable_utc();
    let summary = format!("Agendar uma mensagem para {} por {}, {when}.", contact.name, message.channel);
    let after = json!({
        "contact_id": message.contact_id,
        "channel": message.channel,
        "text": message.text,
        "send_at": message.send_at,
        "status": "scheduled",
    });
    Ok(planned(summary, Value::Null, after))
}

pub async fn run(tx: &impl ConnectionTrait, call: &ToolCall<'_>) -> ToolResult {
    let (_, message) = prepare(tx, call, Hold::Still).await?;
    let made = scheduled_messages::insert(tx, call.tenant, &message, Some(call.execution)).await?;
    Ok(json!({ "scheduled": true, "scheduled_message_id": made.id, "send_at": made.send_at }))
}
