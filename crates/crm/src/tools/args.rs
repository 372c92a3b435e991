//! Arguments: reading them, finding what they name, and the parts of schemas that tools share.

use super::{ToolCall, ToolFailure};
use domain::{
    UserId,
    crm::{ContactOut, ConversationOut, DealOut},
    tenant::MemberOut,
};
use sea_orm::ConnectionTrait;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use store::crm::{Hold, contacts, conversations, deals};

/// The engine checks the schema; what a tool reads is checked again here, with nothing unknown let through.
pub fn parse<T: DeserializeOwned>(params: &Value) -> Result<T, ToolFailure> {
    T::deserialize(params)
        .map_err(|error| ToolFailure::refused("invalid_params", format!("Parâmetros inválidos: {error}.")))
}

pub async fn contact(
    conn: &impl ConnectionTrait,
    call: &ToolCall<'_>,
    name: &str,
    hold: Hold,
) -> Result<ContactOut, ToolFailure> {
    let found = contacts::find_named(conn, call.tenant, name, hold).await?;
    found.ok_or_else(|| ToolFailure::refused("contact_not_found", format!("Não há contato {name}.")))
}

pub async fn deal(
    conn: &impl ConnectionTrait,
    call: &ToolCall<'_>,
    name: &str,
    hold: Hold,
) -> Result<DealOut, ToolFailure> {
    let found = deals::find_named(conn, call.tenant, name, hold).await?;
    found.ok_or_else(|| ToolFailure::refused("deal_not_found", format!("Não há negócio {name}.")))
}

/// The one that is named, or else the one that the call comes from.
pub async fn conversation(
    conn: &impl ConnectionTrait,
    call: &ToolCall<'_>,
    name: Option<&str>,
    hold: Hold,
) -> Result<ConversationOut, ToolFailure> {
    let missing = || ToolFailure::refused("conversation_required", "Informe conversation_id.");
    let name = name.or(call.conversation).ok_or_else(missing)?;
    let found = conversations::find_named(conn, call.tenant, name, hold).await?;
    found.ok_or_else(|| ToolFailure::refused("conversation_not_found", format!("Não há conversa {name}.")))
}

/// A member of the tenant who can sign in, by id or by e-mail.
pub async fn member(
    conn: &impl ConnectionTrait,
    call: &ToolCall<'_>,
    name: Option<&str>,
) -> Result<Option<MemberOut>, ToolFailure> {
    let Some(name) = name else { return Ok(None) };
    let (id, email) = (name.parse::<UserId>().ok(), name.trim().to_lowercase());
    let members = store::members::list(conn, call.tenant).await?;
    let found = members.into_iter().filter(|member| !member.is_disabled).find(|member| match id {
        Some(id) => member.user_id == id,
        None => member.email.as_str() == email,
    });
    let missing =
        || ToolFailure::refused("member_not_found", format!("Não há membro {name} na organização."));
    found.map(Some).ok_or_else(missing)
}

pub fn object(properties: Value, required: &[&str]) -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

pub fn text(description: &str, longest: usize) -> Value {
    json!({ "type": "string", "minLength": 1, "maxLength": longest, "description": description })
}

/// Something of the tenant's: its UUID, or its `external_id`.
pub fn reference(what: &str) -> Value {
    text(&format!("{what}: o UUID ou o external_id"), 200)
}

pub fn one_of(words: impl IntoIterator<Item = &'static str>, description: &str) -> Value {
    let words: Vec<&str> = words.into_iter().collect();
    json!({ "type": "string", "enum": words, "description": description })
}

pub fn moment(description: &str) -> Value {
    json!({ "type": "string", "format": "date-time", "description": description })
}

pub fn count(description: &str, most: u64, usual: u64) -> Value {
    json!({ "type": "integer", "minimum": 1, "maximum": most, "default": usual, "description": description })
}

/// A number within its bounds, or the usual one.
pub fn counted(field: &str, wanted: Option<u64>, most: u64, usual: u64) -> Result<u64, ToolFailure> {
    let count = wanted.unwrap_or(usual);
    let refused = || ToolFailure::refused("invalid_params", format!("O campo {field} vai de 1 a {most}."));
    if (1..=most).contains(&count) { Ok(count) } else { Err(refused()) }
}
