//! Who does the work outside our own database. Each kind ends in an [`Outcome`]; none of them decides anything.

mod code;
mod email;
mod enrich;
mod webhook;

use crate::{Engine, KnownTool};
use domain::tool::ExecutionType;
use items::tools::{ItemTool, Kind};
use serde_json::Value;
use std::sync::{Arc, Mutex, PoisonError};
use store::executions::Execution;

/// How a tool ended.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub result: Option<Value>,
    /// A stable code, and a sentence for people.
    pub error: Option<(String, String)>,
    pub truncated: bool,
    /// What a script said.
    pub log: Vec<String>,
}

impl Outcome {
    pub fn success(result: Value) -> Self {
        Self { result: Some(result), error: None, truncated: false, log: Vec::new() }
    }

    pub fn failure(code: &str, message: impl Into<String>) -> Self {
        let error = Some((code.to_owned(), message.into()));
        Self { result: None, error, truncated: false, log: Vec::new() }
    }
}

/// What a script has said so far: a call that is cancelled keeps its log.
#[derive(Clone, Default)]
pub(crate) struct Said(Arc<Mutex<Vec<String>>>);

impl Said {
    fn add(&self, line: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(line);
    }

    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// S5: an unknown kind does nothing.
pub(crate) async fn run(
    engine: &Engine,
    known: &KnownTool,
    row: &Execution,
    params: &Value,
    said: &Said,
) -> Outcome {
    match known.tool.definition.execution_type {
        ExecutionType::Webhook => webhook::run(engine, known, row, params).await,
        ExecutionType::Internal if known.tool.definition.name.as_str() == "sendEmail" => {
            email::run(engine, known, row, params).await
        }
        ExecutionType::Code => code::run(engine, known, row, params, said).await,
        ExecutionType::Internal => match ItemTool::find(known.tool.definition.name.as_str()) {
            Some(ItemTool { kind: Kind::Enrich(kind), .. }) => enrich::run(engine, *kind, row, params).await,
            _ => Outcome::failure("not_runnable", "Nothing here runs tools of this kind."),
        },
    }
}
