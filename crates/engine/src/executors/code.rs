//! T16: a tool in JavaScript. The sandbox runs it; this file says with what, and what came of it.

mod internet;

use super::{Outcome, Said};
use crate::{
    Engine, KnownTool,
    code::{USUAL_FETCHES, USUAL_MEMORY_MB},
    secrets::NoSecret,
};
use domain::{TenantId, tool::ToolDefinition};
use futures::future::BoxFuture;
use internet::Internet;
use sandbox::{Context, Fault, FetchRequest, FetchResponse, Finished, Limits, Outside, Script};
use serde_json::Value;
use std::{sync::Arc, time::Duration};
use store::executions::Execution;

/// To drop the future is to kill the worker.
pub(super) async fn run(
    engine: &Engine,
    known: &KnownTool,
    row: &Execution,
    params: &Value,
    said: &Said,
) -> Outcome {
    let definition = &known.tool.definition;
    let (sandbox, code) = match (&engine.sandbox, &definition.code) {
        (Err(unsupported), _) => return Outcome::failure("code_unavailable", unsupported.to_string()),
        (_, None) => return Outcome::failure("invalid_tool", "This tool has no code."),
        (Ok(sandbox), Some(code)) => (sandbox, code),
    };
    let secrets = match engine.open_secrets(TenantId(row.tenant_id), &definition.secret_names).await {
        Ok(secrets) => secrets,
        Err(NoSecret::Missing(name)) => {
            return Outcome::failure("secret_missing", format!("There is no secret {name} any more."));
        }
        Err(NoSecret::Failed(error)) => return Outcome::failure("secrets_unavailable", error.detail),
    };
    let limits = limits(engine, definition);
    let script =
        Script { code: code.as_str().into(), params: params.clone(), context: context(row), secrets, limits };
    let internet = Internet::new(engine, known, row, limits.time);
    let outside =
        Arc::new(Surroundings { internet, said: said.clone(), hidden: super::secrets_among(known, params) });
    let finished = sandbox.run(row.tenant_id.as_u128(), script, outside).await;
    outcome(finished)
}

/// What a script reaches, and who hears it.
struct Surroundings {
    internet: Internet,
    said: Said,
    /// A call that is cancelled keeps what was heard.
    hidden: sandbox::Mask,
}

impl Outside for Surroundings {
    fn fetch(&self, request: FetchRequest) -> BoxFuture<'_, Result<FetchResponse, String>> {
        Box::pin(self.internet.carry_out(request))
    }

    fn hear(&self, line: &str) {
        self.said.add(self.hidden.text(line.to_owned()));
    }
}

/// A limit that was saved before the operator lowered theirs counts as theirs.
fn limits(engine: &Engine, definition: &ToolDefinition) -> Limits {
    let most = engine.ceilings;
    let memory = definition.memory_mb.unwrap_or(USUAL_MEMORY_MB).min(most.code_memory_mb);
    let output = definition.max_output_bytes.min(most.code_output_bytes);
    Limits {
        time: Duration::from_millis(definition.timeout_ms.min(most.code_time_ms).into()),
        memory_bytes: u64::from(memory) << 20,
        output_bytes: usize::try_from(output).unwrap_or(usize::MAX),
        fetches: definition.max_fetches.unwrap_or(USUAL_FETCHES).min(most.code_fetches),
        ..Limits::default()
    }
}

fn context(row: &Execution) -> Context {
    Context {
        execution_id: row.id.to_string(),
        agent_id: row.agent_id.map(|agent| agent.to_string()),
        conversation_id: row.conversation_id.clone(),
        test_mode: row.test_mode,
    }
}

fn outcome(finished: Finished) -> Outcome {
    let Finished { result, log, truncated, .. } = finished;
    let (result, error) = match result {
        Ok(value) => (Some(value), None),
        Err(fault) => (None, Some((fault.kind.code().to_owned(), told(&fault)))),
    };
    Outcome { result, error, truncated, log }
}

/// With the place in the author's code. A database keeps no text with a zero in it.
fn told(fault: &Fault) -> String {
    let message = fault.message.replace('\0', "\u{fffd}");
    match (fault.line, fault.column) {
        (Some(line), Some(column)) => format!("{message} (line {line}, column {column})"),
        (Some(line), None) => format!("{message} (line {line})"),
        _ => message,
    }
}
