//! The JSON between the fences of a call.

use super::{
    piece::{Fault, shortened},
    unique,
};
use serde_json::{Map, Value};

pub(super) struct Body {
    pub(super) name: String,
    pub(super) args: Value,
    pub(super) reason: Option<String>,
}

/// `args` and `reason` may be left out: tools without arguments exist, and a reason is a courtesy.
pub(super) fn read(text: &str) -> Result<Body, Fault> {
    let Value::Object(mut fields) = unique::from_str(text)? else { return Err(Fault::NotAnObject) };
    let name = fields.remove("name");
    let args = fields.remove("args").unwrap_or_else(|| Value::Object(Map::new()));
    let reason = fields.remove("reason");
    if let Some((unknown, _)) = fields.into_iter().next() {
        return Err(Fault::UnknownField(shortened(&unknown)));
    }
    Ok(Body { name: read_name(name)?, args: read_args(args)?, reason: read_reason(reason)? })
}

fn read_name(name: Option<Value>) -> Result<String, Fault> {
    match name {
        Some(Value::String(name)) if !name.trim().is_empty() => Ok(name),
        _ => Err(Fault::InvalidName),
    }
}

fn read_args(args: Value) -> Result<Value, Fault> {
    if args.is_object() { Ok(args) } else { Err(Fault::InvalidArgs) }
}

fn read_reason(reason: Option<Value>) -> Result<Option<String>, Fault> {
    match reason {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(reason)) => Ok(Some(reason)),
        Some(_) => Err(Fault::InvalidReason),
    }
}
