//! What is to run, with what, and what came of it.

use crate::Fault;
use futures::future::BoxFuture;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::{collections::BTreeMap, fmt, sync::Arc, time::Duration};

/// One call of a code tool.
#[derive(Clone)]
pub struct Script {
    /// An ES module whose default export is the function.
    pub code: Arc<str>,
    pub params: Value,
    pub context: Context,
    /// Name to value. Values of fewer than four bytes cannot be masked: they would hide ordinary words.
    pub secrets: BTreeMap<String, String>,
    pub limits: Limits,
}

/// Without the values of secrets, and without what somebody's customer wrote.
impl fmt::Debug for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Script")
            .field("context", &self.context)
            .field("secrets", &self.secrets.keys())
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

/// What `ctx` tells the script about its call.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Context {
    pub execution_id: String,
    pub agent_id: Option<String>,
    pub conversation_id: Option<String>,
    pub test_mode: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// From the moment the worker has the script. Waiting for room is not part of it; waiting for `fetch` is.
    pub time: Duration,
    /// What the script's values may take.
    pub memory_bytes: u64,
    /// Of the result, as JSON.
    pub output_bytes: usize,
    pub log_bytes: usize,
    /// Calls of `ctx.fetch`.
    pub fetches: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            time: Duration::from_secs(5),
            memory_bytes: 64 << 20,
            output_bytes: 256 << 10,
            log_bytes: 16 << 10,
            fetches: 10,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FetchRequest {
    pub url: String,
    /// As the script wrote it: not checked.
    pub method: String,
    pub headers: Vec<(String, String)>,
    pub body: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FetchResponse {
    pub status: u16,
    /// Names in lower case. Of several with one name the script sees the values joined by `, `.
    pub headers: Vec<(String, String)>,
    pub body: String,
}

/// The one thing that a script can reach. Whoever implements it decides which hosts, and how much may come back.
pub trait Outside: Send + Sync {
    /// An error is a sentence that the script gets as the message of an `Error`.
    fn fetch(&self, request: FetchRequest) -> BoxFuture<'_, Result<FetchResponse, String>>;

    /// A line of the log as it comes, masked: whoever stops the call has what it said until then.
    fn hear(&self, _line: &str) {}
}

/// What came of a call. Secrets are masked in all of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Finished {
    pub result: Result<Value, Fault>,
    /// One entry for each `ctx.log`, also of a script that was stopped.
    pub log: Vec<String>,
    /// The script logged more than it may.
    pub log_cut: bool,
    /// Something of this answer was cut: the log, or the message of the fault. A result is never cut, it is refused.
    pub truncated: bool,
    /// The script's own time.
    pub took: Duration,
    /// For room and for a worker, before that.
    pub waited: Duration,
}
