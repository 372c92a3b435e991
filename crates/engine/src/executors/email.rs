//! `sendEmail`: the one built-in tool whose effect is outside, by the tenant's own mail server.

use super::Outcome;
use crate::{Engine, KnownTool};
use channels::Mail;
use crm::tools::EmailDraft;
use domain::TenantId;
use serde_json::{Value, json};
use std::time::Duration;
use store::executions::Execution;

pub(super) async fn run(engine: &Engine, known: &KnownTool, row: &Execution, params: &Value) -> Outcome {
    let draft = match EmailDraft::from_params(params) {
        Ok(draft) => draft,
        Err(failure) => return Outcome::failure(failure.code(), failure.to_string()),
    };
    // The id of the call: a mail that was sent twice after all can be told by it.
    let mail =
        Mail { id: row.id, to: draft.to, subject: draft.subject, text: draft.text, reply_to: draft.reply_to };
    let longest = Duration::from_millis(known.tool.definition.timeout_ms.into());
    match engine.channels.send_mail(TenantId(row.tenant_id), &mail, longest).await {
        Ok(message_id) => Outcome::success(json!({ "sent": true, "to": mail.to, "message_id": message_id })),
        Err(failure) => Outcome::failure(failure.code, failure.message),
    }
}
