//! What a model and the tools say to each other, as text: calls stand in fenced blocks of an answer, results go back
//! as fenced blocks of JSON; and what people and the assistant without a model say to each other, as a menu. Knows no network, no database and no runtime, so that it also compiles to wasm.

pub mod menu;
mod parser;
mod result;

pub use parser::{Call, DEFAULT_LIMIT, Fault, Malformed, Parser, Piece, parse};
pub use result::ToolResult;
