//! What comes out of the parser.

use serde_json::Value;

/// A part of an answer, in the order of the answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Piece {
    /// To be shown as it is; never empty.
    Text(String),
    Call(Call),
    Malformed(Malformed),
}

/// What the model asks for. Nothing is checked but the form: neither that there is such a tool nor its arguments.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// Never empty.
    pub name: String,
    /// Always an object; empty when the block has none.
    pub args: Value,
    pub reason: Option<String>,
    /// The whole lines of the block, from the opening fence to the end of the closing one.
    pub raw: String,
    /// Where `raw` begins, in bytes from the beginning of the answer.
    pub start: u64,
}

/// A block that was meant to be a call and is none.
#[derive(Debug, Clone, PartialEq)]
pub struct Malformed {
    pub fault: Fault,
    /// As in [`Call::raw`]; of a block that is too large, the beginning.
    pub raw: String,
    /// As in [`Call::start`].
    pub start: u64,
}

/// Why a block is no call. The text tells a model what to write instead; lines and columns are those of the JSON.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    #[error("the answer ended before the closing fence")]
    CutOff,
    #[error("the block has more than {limit} bytes")]
    TooLarge { limit: usize },
    #[error("nothing may follow `tool` in the line of the opening fence")]
    ExtraInfo,
    #[error("no valid JSON: {0}")]
    InvalidJson(String),
    #[error("{0}")]
    DuplicateKey(String),
    #[error("the block must hold one JSON object with `name`, `args` and `reason`")]
    NotAnObject,
    #[error("unknown field {0:?}: only `name`, `args` and `reason` are allowed")]
    UnknownField(String),
    #[error("`name` must be the name of a tool")]
    InvalidName,
    #[error("`args` must be an object")]
    InvalidArgs,
    #[error("`reason` must be a text")]
    InvalidReason,
}

impl Fault {
    /// Stable, for records, metrics and texts in other languages.
    pub fn code(&self) -> &'static str {
        match self {
            Self::CutOff => "cut_off",
            Self::TooLarge { .. } => "too_large",
            Self::ExtraInfo => "extra_info",
            Self::InvalidJson(_) => "invalid_json",
            Self::DuplicateKey(_) => "duplicate_key",
            Self::NotAnObject => "not_an_object",
            Self::UnknownField(_) => "unknown_field",
            Self::InvalidName => "invalid_name",
            Self::InvalidArgs => "invalid_args",
            Self::InvalidReason => "invalid_reason",
        }
    }
}

/// Enough of a key to find it: a message is not to be as long as the block.
pub(super) fn shortened(key: &str) -> String {
    key.chars().take(40).collect()
}

/// Collects pieces; neighbouring texts become one.
#[derive(Debug, Default)]
pub(super) struct Pieces(pub(super) Vec<Piece>);

impl Pieces {
    pub(super) fn text(&mut self, text: &str) {
        match self.0.last_mut() {
            _ if text.is_empty() => {}
            Some(Piece::Text(before)) => before.push_str(text),
            _ => self.0.push(Piece::Text(text.to_owned())),
        }
    }

    pub(super) fn add(&mut self, piece: Piece) {
        self.0.push(piece);
    }
}
