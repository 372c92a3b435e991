//! Who does the work outside our own database. Each kind ends in an [`Outcome`]; none of them decides anything.

mod code;
mod email;
mod enrich;
pub(crate) mod webhook;

pub(crate) use webhook::{Hook, TEST_MODE};

use crate::{Engine, KnownTool};
use domain::tool::ExecutionType;
use egress::Attempts;
use futures::FutureExt;
use items::tools::{ItemTool, Kind};
use serde_json::Value;
use std::{
    future::Future,
    panic::AssertUnwindSafe,
    sync::{Arc, Mutex, PoisonError},
};
use store::executions::Execution;
use uuid::Uuid;

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

    fn without(self, secrets: &sandbox::Mask) -> Self {
        Self {
            result: self.result.map(|value| secrets.value(value)),
            error: self.error.map(|(code, text)| (code, secrets.text(text))),
            log: self.log.into_iter().map(|line| secrets.text(line)).collect(),
            ..self
        }
    }
}

/// What a script has said so far, and how an address was tried: a call that is cancelled keeps both.
#[derive(Clone, Default)]
pub(crate) struct Said {
    lines: Arc<Mutex<Vec<String>>>,
    pub attempts: Attempts,
}

impl Said {
    fn add(&self, line: String) {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).push(line);
    }

    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.lines.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Nothing, when it broke off by a fault of ours: the call is closed all the same.
pub(crate) async fn run_caught(
    engine: &Engine,
    known: &KnownTool,
    row: &Execution,
    params: &Value,
    said: &Said,
) -> Option<Outcome> {
    let outcome = caught(row.id, run(engine, known, row, params, said)).await?;
    Some(outcome.without(&secrets_among(known, params)))
}

/// S16: what is secret among the arguments is secret in whatever comes of them.
pub(crate) fn secrets_among(known: &KnownTool, params: &Value) -> sandbox::Mask {
    sandbox::Mask::of(known.mask.secrets_in(params).iter().map(AsRef::as_ref))
}

async fn caught<T>(execution: Uuid, work: impl Future<Output = T>) -> Option<T> {
    let outcome = AssertUnwindSafe(work).catch_unwind().await;
    // The panic itself was told where it happened.
    outcome.inspect_err(|_| tracing::error!(%execution, "a call broke off")).ok()
}

/// S5: an unknown kind does nothing. Each kind in a box of its own: no call carries the room that another kind needs.
async fn run(engine: &Engine, known: &KnownTool, row: &Execution, params: &Value, said: &Said) -> Outcome {
    match known.tool.definition.execution_type {
        // T7: a test of our own tools is a look, made elsewhere. What reaches the outside has no other way to be one.
        ExecutionType::Internal if row.test_mode => {
            Outcome::failure("not_runnable", "A test of this tool sends nothing.")
        }
        ExecutionType::Webhook => Box::pin(webhook::run(engine, known, row, params, said)).await,
        ExecutionType::Internal if known.tool.definition.name.as_str() == "sendEmail" => {
            Box::pin(email::run(engine, known, row, params)).await
        }
        ExecutionType::Code => Box::pin(code::run(engine, known, row, params, said)).await,
        ExecutionType::Internal => match ItemTool::find(known.tool.definition.name.as_str()) {
            Some(ItemTool { kind: Kind::Enrich(kind), .. }) => {
                Box::pin(enrich::run(engine, *kind, row, params)).await
            }
            _ => Outcome::failure("not_runnable", "Nothing here runs tools of this kind."),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn s21_a_panic_ends_the_call_and_not_its_task() {
        assert_eq!(caught(Uuid::nil(), async { panic!("{}", 1) }).await, None::<()>);
        assert_eq!(caught(Uuid::nil(), async { 1 }).await, Some(1));
    }
}
