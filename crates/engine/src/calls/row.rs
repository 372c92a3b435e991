//! A call's row, from its first state to its last. Secrets never enter it: what has to run later is sealed beside it.

use super::{Call, Found};
use crate::{KnownTool, executors::Outcome};
use ability::Caller;
use domain::{ErrorCode, ExecutionId, ServiceError, ServiceResult, execution::ExecutionStatus};
use serde_json::Value;
use std::time::Duration;
use store::{Moment, executions::Execution};
use vault::Vault;

const PURPOSE: &str = "execution_params";

/// Whose arguments are sealed.
pub(crate) struct Subject {
    pub tenant: uuid::Uuid,
    pub execution: uuid::Uuid,
}

pub(crate) fn new_row(vault: &Vault, caller: &Caller, call: &Call, found: &Found) -> Execution {
    let id = ExecutionId::new();
    let tool = &found.tool.tool;
    let tenant = call.permit.tenant().0;
    let (params, sealed_params) =
        stored_params(vault, &found.tool, &Subject { tenant, execution: id.0 }, &call.params);
    Execution {
        id: id.0,
        tenant_id: tenant,
        tool_id: tool.id.0,
        tool_name: tool.definition.name.to_string(),
        tool_version: tool.version,
        agent_id: found.agent.as_ref().map(|agent| agent.id.0),
        conversation_id: call.conversation.clone(),
        actor_kind: caller.actor.kind().to_owned(),
        actor_id: caller.actor.id(),
        actor_name: caller.name.clone(),
        status: ExecutionStatus::Running.as_str().to_owned(),
        params,
        sealed_params,
        result: None,
        error_code: None,
        error_message: None,
        truncated: false,
        test_mode: call.test_mode,
        execution_time_ms: None,
        confirmation_id: None,
        process_id: None,
        executed_at: Moment::now(),
        started_at: None,
        finished_at: None,
        log: None,
        circumstances: None,
        audit_seq: None,
    }
}

/// The arguments with secrets masked; and sealed whole, when there were any.
pub(crate) fn stored_params(
    vault: &Vault,
    known: &KnownTool,
    subject: &Subject,
    params: &Value,
) -> (String, Option<Vec<u8>>) {
    let mut shown = params.clone();
    let has_secrets = known.mask.apply_to_params(&mut shown);
    let owner = [subject.tenant, subject.execution];
    let sealed = has_secrets.then(|| vault.seal(PURPOSE, &owner, params.to_string().as_bytes()).into_bytes());
    (shown.to_string(), sealed)
}

/// The arguments as they were sent.
pub(crate) fn open_params(vault: &Vault, row: &Execution) -> ServiceResult<Value> {
    let lost = |error: String| {
        tracing::error!(execution = %row.id, error, "the arguments of a call cannot be opened");
        ServiceError::new(ErrorCode::Internal, "The arguments of this call cannot be opened.")
    };
    let text = match &row.sealed_params {
        None => row.params.clone().into_bytes(),
        Some(sealed) => {
            vault.open(PURPOSE, &[row.tenant_id, row.id], sealed).map_err(|error| lost(error.to_string()))?
        }
    };
    serde_json::from_slice(&text).map_err(|error| lost(error.to_string()))
}

pub(crate) fn end(row: &mut Execution, known: &KnownTool, outcome: Outcome, took: Duration) {
    let most = usize::try_from(known.tool.definition.max_output_bytes).unwrap_or(usize::MAX);
    let status = if outcome.error.is_none() { ExecutionStatus::Success } else { ExecutionStatus::Error };
    let mut result = outcome.result;
    if let Some(value) = &mut result {
        known.mask.apply_to_result(value);
    }
    let (text, is_cut) = result.map(|value| capped(&value, most)).unzip();
    row.result = text;
    row.truncated = outcome.truncated || is_cut.unwrap_or(false);
    row.log = log_of(outcome.log);
    let told = |(code, text): (String, String)| {
        (without_zeros(code), without_zeros(known.mask.apply_to_text(&text)))
    };
    (row.error_code, row.error_message) = outcome.error.map(told).unzip();
    close(row, status, Some(took));
}

/// A database keeps no text with a zero in it. JSON, as which results and logs are kept, writes it in other letters.
fn without_zeros(text: String) -> String {
    if text.contains('\0') { text.replace('\0', "\u{fffd}") } else { text }
}

/// Something broke off inside the server: whether it took effect, nobody can tell.
pub(crate) fn break_off(row: &mut Execution, said: Vec<String>, took: Option<Duration>) {
    row.log = log_of(said);
    row.error_code = Some(ErrorCode::Internal.as_str().to_owned());
    row.error_message =
        Some("The call broke off inside the server; whether it took effect is not known.".to_owned());
    close(row, ExecutionStatus::Unknown, took);
}

pub(crate) fn cancel(row: &mut Execution, said: Vec<String>, took: Duration) {
    row.log = log_of(said);
    row.error_message = Some("The call was cancelled.".to_owned());
    close(row, ExecutionStatus::Cancelled, Some(took));
}

fn log_of(lines: Vec<String>) -> Option<String> {
    (!lines.is_empty()).then(|| serde_json::json!(lines).to_string())
}

/// Nobody may have seen when it ended: that is not the same as at once.
pub(crate) fn close(row: &mut Execution, status: ExecutionStatus, took: Option<Duration>) {
    row.status = status.as_str().to_owned();
    row.sealed_params = None;
    row.process_id = None;
    row.execution_time_ms = took.map(|took| i64::try_from(took.as_millis()).unwrap_or(i64::MAX));
    row.started_at = row.started_at.or(Some(row.executed_at));
    row.finished_at = Some(Moment::now());
}

/// X6: more than the cap becomes the beginning of its text.
fn capped(value: &Value, most: usize) -> (String, bool) {
    let text = value.to_string();
    if text.len() <= most {
        return (text, false);
    }
    let whole = match value {
        Value::String(text) => text.as_str(),
        _ => text.as_str(),
    };
    let end = (0..=most.min(whole.len())).rev().find(|at| whole.is_char_boundary(*at)).unwrap_or(0);
    (Value::String(whole[..end].to_owned()).to_string(), true)
}
