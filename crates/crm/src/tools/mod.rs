//! The nine system tools: what agents may do with a tenant's data. One file per tool.
//!
//! Each can be planned, which changes nothing and tells what would happen, and run inside a transaction of the engine,
//! which records and commits it. Texts are in Portuguese: models and the people who confirm a call read them.

pub mod args;
mod create_task;
mod end_conversation;
mod failure;
mod get_contact_history;
mod schedule_message;
mod search_products;
mod send_email;
mod transfer_to_human;
mod unwritten;
mod update_contact_status;
mod update_pipeline_stage;

pub use failure::ToolFailure;
pub use send_email::EmailDraft;
pub use unwritten::Unwritten;

use domain::{AgentId, ExecutionId, TenantId, ToolEffect};
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

/// A tool as models and people see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SystemTool {
    pub name: &'static str,
    pub display_name: &'static str,
    /// When a model should use it.
    pub description: &'static str,
    pub effect: ToolEffect,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    UpdateContactStatus,
    UpdatePipelineStage,
    CreateTask,
    SendEmail,
    ScheduleMessage,
    SearchProducts,
    GetContactHistory,
    TransferToHuman,
    EndConversation,
}

/// One call, as the engine passes it on after its checks.
#[derive(Clone, Copy, Debug)]
pub struct ToolCall<'a> {
    pub tenant: TenantId,
    pub execution: ExecutionId,
    pub agent: Option<AgentId>,
    /// The agent or person, as tasks and notes name them.
    pub actor_name: &'a str,
    /// The conversation that the call comes from, unless the arguments name one: an id or an external id.
    pub conversation: Option<&'a str>,
    pub params: &'a Value,
}

type ToolResult = Result<Value, ToolFailure>;

pub const SYSTEM_TOOLS: &[SystemTool] = &[
    update_contact_status::TOOL,
    update_pipeline_stage::TOOL,
    create_task::TOOL,
    send_email::TOOL,
    schedule_message::TOOL,
    search_products::TOOL,
    get_contact_history::TOOL,
    transfer_to_human::TOOL,
    end_conversation::TOOL,
];

impl SystemTool {
    pub fn find(name: &str) -> Option<&'static Self> {
        SYSTEM_TOOLS.iter().find(|tool| tool.name == name)
    }

    /// Nothing that calls before it have added makes a difference to it.
    pub fn only_adds(&self) -> bool {
        self.kind == Kind::CreateTask
    }

    /// The arguments, as a JSON Schema (2020-12).
    pub fn parameters(&self) -> Value {
        match self.kind {
            Kind::UpdateContactStatus => update_contact_status::parameters(),
            Kind::UpdatePipelineStage => update_pipeline_stage::parameters(),
            Kind::CreateTask => create_task::parameters(),
            Kind::SendEmail => send_email::parameters(),
            Kind::ScheduleMessage => schedule_message::parameters(),
            Kind::SearchProducts => search_products::parameters(),
            Kind::GetContactHistory => get_contact_history::parameters(),
            Kind::TransferToHuman => transfer_to_human::parameters(),
            Kind::EndConversation => end_conversation::parameters(),
        }
    }
}

/// What the call would do: `{"summary", "before", "after"}`. Changes nothing.
pub async fn plan(conn: &impl ConnectionTrait, tool: &SystemTool, call: &ToolCall<'_>) -> ToolResult {
    match tool.kind {
        Kind::UpdateContactStatus => update_contact_status::plan(conn, call).await,
        Kind::UpdatePipelineStage => update_pipeline_stage::plan(conn, call).await,
        Kind::CreateTask => create_task::plan(conn, call).await,
        Kind::SendEmail => send_email::plan(call),
        Kind::ScheduleMessage => schedule_message::plan(conn, call).await,
        Kind::SearchProducts => search_products::plan(call),
        Kind::GetContactHistory => get_contact_history::plan(conn, call).await,
        Kind::TransferToHuman => transfer_to_human::plan(conn, call).await,
        Kind::EndConversation => end_conversation::plan(conn, call).await,
    }
}

/// Does it inside the given transaction. The engine writes the audit entry and commits; on an error it rolls back.
///
/// `unwritten` takes what it adds and nothing has to see yet. The engine writes that at the end, or before a tool that
/// does more than to add ([`SystemTool::only_adds`]).
pub async fn run(
    tx: &impl ConnectionTrait,
    tool: &SystemTool,
    call: &ToolCall<'_>,
    unwritten: &mut Unwritten,
) -> ToolResult {
    match tool.kind {
        Kind::UpdateContactStatus => update_contact_status::run(tx, call).await,
        Kind::UpdatePipelineStage => update_pipeline_stage::run(tx, call).await,
        Kind::CreateTask => create_task::run(tx, call, unwritten).await,
        Kind::SendEmail => send_email::run(call),
        Kind::ScheduleMessage => schedule_message::run(tx, call).await,
        Kind::SearchProducts => search_products::run(tx, call).await,
        Kind::GetContactHistory => get_contact_history::run(tx, call).await,
        Kind::TransferToHuman => transfer_to_human::run(tx, call).await,
        Kind::EndConversation => end_conversation::run(tx, call).await,
    }
}

/// What a plan looks like.
pub fn planned(summary: String, before: Value, after: Value) -> Value {
    json!({ "summary": summary, "before": before, "after": after })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t13_nine_tools_with_closed_schemas() {
        let names: Vec<&str> = SYSTEM_TOOLS.iter().map(|tool| tool.name).collect();
        let wanted = [
            "updateContactStatus",
            "updatePipelineStage",
            "createTask",
            "sendEmail",
            "scheduleMessage",
            "searchProducts",
            "getContactHistory",
            "transferToHuman",
            "endConversation",
        ];
        assert_eq!(names, wanted);
        for tool in SYSTEM_TOOLS {
            let schema = tool.parameters();
            assert_eq!(schema["type"], "object", "{}", tool.name);
            assert_eq!(schema["additionalProperties"], false, "{}", tool.name);
            let properties = schema["properties"].as_object().expect("properties");
            for (name, property) in properties {
                assert!(property["description"].is_string(), "{}.{name}", tool.name);
            }
            for name in schema["required"].as_array().expect("required") {
                assert!(properties.contains_key(name.as_str().expect("a name")), "{} {name}", tool.name);
            }
        }
    }
}
