//! The messages between the server and the worker of one call.

use crate::{Context, Fault, FetchRequest, FetchResponse};
use serde::{Deserialize, Serialize};
use std::{borrow::Cow, collections::BTreeMap};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    Run,
    /// The module is evaluated, its function is not called.
    Check,
}

/// The one job of a worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job<'a> {
    pub mode: Mode,
    pub code: Cow<'a, str>,
    /// JSON, parsed by the engine: it has no depth to fear there.
    pub params: Cow<'a, str>,
    pub context: Cow<'a, Context>,
    pub secrets: Cow<'a, BTreeMap<String, String>>,
    pub time_ms: u64,
    pub memory_bytes: u64,
    pub output_bytes: usize,
    pub log_bytes: usize,
    pub fetches: u32,
    /// The server masks before it cuts, so the worker sends this much more than will be kept.
    pub longest_secret: usize,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ToWorker<'a> {
    Job(Box<Job<'a>>),
    Answer { id: u32, answer: Result<FetchResponse, String> },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum FromWorker {
    /// The limits are set; from here on it is the author's code that runs.
    Started,
    Log(String),
    /// There was more to log.
    LogCut,
    Fetch {
        id: u32,
        request: FetchRequest,
    },
    /// The result, JSON as text.
    Done(String),
    Failed(Fault),
}
