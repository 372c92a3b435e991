//! What one version of a definition changed, field by field, down to the leaves of objects.

use super::secrets::Values;
use crate::schema::MASKED;
use domain::tool::{FieldChange, ToolDefinition};
use serde_json::Value;

pub fn difference(before: Option<&ToolDefinition>, after: &ToolDefinition) -> Vec<FieldChange> {
    let Some(before) = before.and_then(|before| serde_json::to_value(before).ok()) else { return Vec::new() };
    let Ok(after) = serde_json::to_value(after) else { return Vec::new() };
    let mut changes = Vec::new();
    compare(String::new(), &before, &after, &mut changes);
    changes
}

/// A header that is in both and has another value now; an address that reads as before and is another. What they are is not
/// told.
pub fn replaced_values(before: &Values, after: &Values, shown: Option<(&str, &str)>) -> Vec<FieldChange> {
    let change =
        |field: String, value: &str| FieldChange { field, before: value.into(), after: value.into() };
    let address = shown.filter(|(old, new)| old == new && before.address != after.address);
    let address = address.map(|(_, new)| change("webhook_url".to_owned(), new));
    let replaced =
        |(name, new): &(&String, &String)| before.headers.get(*name).is_some_and(|old| old != *new);
    let headers = after.headers.iter().filter(replaced);
    let headers = headers.map(|(name, _)| change(format!("webhook_headers.{name}"), MASKED));
    address.into_iter().chain(headers).collect()
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
