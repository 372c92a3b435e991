//! What one version of a definition changed, field by field, down to the leaves of objects.

use super::secrets::Values;
use crate::schema::{MASKED, masked_address};
use domain::tool::{FieldChange, ToolDefinition};
use serde_json::Value;

pub fn difference(before: Option<&ToolDefinition>, after: &ToolDefinition) -> Vec<FieldChange> {
    let Some(before) = before.and_then(|before| serde_json::to_value(before).ok()) else { return Vec::new() };
    let Ok(after) = serde_json::to_value(after) else { return Vec::new() };
    let mut changes = Vec::new();
    compare(String::new(), &before, &after, &mut changes);
    // Only now: another secret is a change of the address, also where both read alike.
    for change in changes.iter_mut().filter(|change| change.field == "webhook_url") {
        for side in [&mut change.before, &mut change.after] {
            *side = side.as_str().map_or(Value::Null, |address| masked_address(address).into());
        }
    }
    changes
}

/// A header that is in both and has another value now. What the values are is not told.
pub fn replaced_values(before: &Values, after: &Values) -> Vec<FieldChange> {
    let replaced = after.iter().filter(|(name, new)| before.get(*name).is_some_and(|old| old != *new));
    let change = |(name, _): (&String, &String)| FieldChange {
        field: format!("webhook_headers.{name}"),
        before: MASKED.into(),
        after: MASKED.into(),
    };
    replaced.map(change).collect()
}

fn compare(path: String, before: &Value, after: &Value, changes: &mut Vec<FieldChange>) {
    match (before, after) {
        (Value::Object(old), Value::Object(new)) => {
            let added = new.keys().filter(|name| !old.contains_key(*name));
            for name in old.keys().chain(added) {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                compare(path, &before[name.as_str()], &after[name.as_str()], changes);
            }
        }
        _ if before == after => {}
        _ => changes.push(FieldChange { field: path, before: before.clone(), after: after.clone() }),
    }
}
