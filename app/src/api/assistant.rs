//! Talking to the assistant.

use super::{ApiError, Form};
use domain::{
    AssistantConversationId, AssistantMenuId,
    assistant::{AssistantConversationOut, LinkCodeOut},
};
use leptos::prelude::*;

/// The conversation that the person moved last; nothing, when they never said anything.
#[server(prefix = "/fn", endpoint = "get_assistant", input = Form)]
pub async fn get_assistant() -> Result<Option<AssistantConversationOut>, ApiError> {
    let visitor = crate::request::visitor();
    let permit = visitor.tenant_permit()?;
    Ok(crate::request::backend().assistant.look(&permit, None, visitor.language).await?)
}

/// One message, or a choice of the menu that the page showed. Without a conversation it begins one.
#[server(prefix = "/fn", endpoint = "send_to_assistant", input = Form)]
pub async fn send_to_assistant(
    text: String,
    conversation_id: Option<AssistantConversationId>,
    menu_id: Option<AssistantMenuId>,
) -> Result<(), ApiError> {
    let visitor = crate::request::visitor();
    let permit = visitor.tenant_permit()?;
    let input = domain::assistant::AssistantMessageIn { conversation_id, text, menu_id };
    crate::request::backend().assistant.hear_from_page(&permit, input, visitor.language).await?;
    Ok(())
}

/// A code to send from one's phone; shown once, on the page that follows.
#[server(prefix = "/fn", endpoint = "create_link_code", input = Form)]
pub async fn create_link_code() -> Result<LinkCodeOut, ApiError> {
    let visitor = crate::request::visitor();
    let code = crate::request::backend().assistant.new_link_code(&visitor.tenant_permit()?).await?;
    crate::request::link_code(&visitor, &code).await?;
    Ok(code)
}
