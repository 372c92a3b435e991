//! Why a script gave no result.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The codes are stable: people's programs compare them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// The code is not an ES module, or imports something.
    Syntax,
    /// The module has no default export, or it is not a function.
    NoFunction,
    /// The script threw, or returned a promise that was rejected.
    Thrown,
    /// The script waits for something that can no longer happen.
    NeverSettled,
    Timeout,
    Memory,
    /// The result is larger than the limit.
    Output,
    /// The result is not JSON.
    BadResult,
    /// Code, parameters and secrets are together larger than a worker takes.
    TooLarge,
    /// The process ended in a way that scripts do not end.
    Crashed,
    /// The process asked the kernel for something that no script needs.
    Forbidden,
    /// No worker became free in time.
    NoRoom,
}

impl FaultKind {
    pub const ALL: [Self; 12] = [
        Self::Syntax,
        Self::NoFunction,
        Self::Thrown,
        Self::NeverSettled,
        Self::Timeout,
        Self::Memory,
        Self::Output,
        Self::BadResult,
        Self::TooLarge,
        Self::Crashed,
        Self::Forbidden,
        Self::NoRoom,
    ];

    pub fn code(self) -> &'static str {
        match self {
            Self::Syntax => "syntax",
            Self::NoFunction => "no_function",
            Self::Thrown => "thrown",
            Self::NeverSettled => "never_settled",
            Self::Timeout => "timeout",
            Self::Memory => "memory",
            Self::Output => "output",
            Self::BadResult => "bad_result",
            Self::TooLarge => "too_large",
            Self::Crashed => "crashed",
            Self::Forbidden => "forbidden",
            Self::NoRoom => "no_room",
        }
    }
}

/// Line and column are of the author's own code, from 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    pub kind: FaultKind,
    pub message: String,
    pub line: Option<u32>,
    pub column: Option<u32>,
}

impl Fault {
    pub(crate) fn new(kind: FaultKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), line: None, column: None }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.code(), self.message)?;
        match (self.line, self.column) {
            (Some(line), Some(column)) => write!(f, " (line {line}, column {column})"),
            (Some(line), None) => write!(f, " (line {line})"),
            _ => Ok(()),
        }
    }
}

impl std::error::Error for Fault {}
