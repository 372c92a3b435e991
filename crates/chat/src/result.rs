//! What a call brought, as the model reads it.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Shown (`Display`) as the fenced block that goes back to the model:
///
/// ````text
/// ```json
/// {
///   "tool": "bash",
///   "success": true,
///   "output": "total 64",
///   "truncated": false,
///   "execution_time_ms": 45
/// }
/// ```
/// ````
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolResult {
    pub tool: String,
    pub success: bool,
    pub output: String,
    /// Whether `output` is only the beginning of what there was.
    pub truncated: bool,
    pub execution_time_ms: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

impl fmt::Display for ToolResult {
    /// JSON keeps a fence in the output away from the beginning of a line. Readers that are less exact than
    /// CommonMark look for marks anywhere, so the fence is longer than every run of them.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let json = serde_json::to_string_pretty(self).map_err(|_| fmt::Error)?;
        let fence = "`".repeat(3.max(longest_run(&json) + 1));
        writeln!(formatter, "{fence}json\n{json}\n{fence}")
    }
}

fn longest_run(text: &str) -> usize {
    text.split(|next| next != '`').map(str::len).max().unwrap_or(0)
}
