//! Arguments as a form: what a tool's schema asks for, with what was given. JSON stays on the server; the browser gets one
//! line of text for each argument.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ArgumentKind {
    Line,
    Lines,
    Number,
    YesNo,
    Choice,
    /// A list or an object, written as JSON.
    Json,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ArgumentOut {
    pub name: String,
    /// The schema's title, or the name.
    pub label: String,
    pub description: Option<String>,
    pub kind: ArgumentKind,
    pub options: Vec<String>,
    pub required: bool,
    /// As a field shows it; empty when it was not given.
    pub value: String,
    /// What an approver made of it, when that is something else.
    pub edited: Option<String>,
}

#[cfg(feature = "ssr")]
pub use server::{arguments, given};

#[cfg(feature = "ssr")]
mod server {
    use super::{ArgumentKind, ArgumentOut};
    use serde_json::{Map, Value};
    use std::collections::BTreeMap;

    /// A text that is longer than this, or has lines, gets room.
    const ONE_LINE: usize = 80;

    /// What has to be there first, then what was given, then what else could be.
    pub fn arguments(schema: &Value, params: &Value, edited: Option<&Value>) -> Vec<ArgumentOut> {
        let none = Map::new();
        let properties = schema["properties"].as_object().unwrap_or(&none);
        let given = params.as_object().unwrap_or(&none);
        let names = properties.keys().chain(given.keys().filter(|name| !properties.contains_key(*name)));
        let mut arguments: Vec<ArgumentOut> =
            names.map(|name| argument(schema, name, params, edited)).collect();
        arguments.sort_by_key(|one| (!one.required, one.value.is_empty()));
        arguments
    }

    fn argument(schema: &Value, name: &str, params: &Value, edited: Option<&Value>) -> ArgumentOut {
        let of = &schema["properties"][name];
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let value = shown(&params[name]);
        let edited = edited.map(|edited| shown(&edited[name])).filter(|edited| *edited != value);
        ArgumentOut {
            name: name.to_owned(),
            label: text(&of["title"]).unwrap_or_else(|| name.to_owned()),
            description: text(&of["description"]),
            kind: kind(of, &params[name], &value),
            options: of["enum"].as_array().into_iter().flatten().map(shown).collect(),
            required: is_required(schema, name),
            value,
            edited,
        }
    }

    fn is_required(schema: &Value, name: &str) -> bool {
        schema["required"].as_array().is_some_and(|names| names.iter().any(|one| one == name))
    }

    fn kind(of: &Value, value: &Value, text: &str) -> ArgumentKind {
        match of["type"].as_str() {
            _ if of["enum"].is_array() => ArgumentKind::Choice,
            Some("string") if text.len() > ONE_LINE || text.contains('\n') => ArgumentKind::Lines,
            Some("string") => ArgumentKind::Line,
            Some("integer" | "number") => ArgumentKind::Number,
            Some("boolean") => ArgumentKind::YesNo,
            None if value.is_string() => ArgumentKind::Line,
            _ => ArgumentKind::Json,
        }
    }

    /// A text as it is, anything else as JSON, nothing as nothing.
    fn shown(value: &Value) -> String {
        match value {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            Value::Array(_) | Value::Object(_) => serde_json::to_string_pretty(value).unwrap_or_default(),
            other => other.to_string(),
        }
    }

    /// The arguments that the fields say. What a field does not change stays exactly as it was; what does not fit its type
    /// stays text, and the schema refuses it by name.
    pub fn given(schema: &Value, before: &Value, fields: &BTreeMap<String, String>) -> Value {
        let mut params = before.as_object().cloned().unwrap_or_default();
        for (name, text) in fields {
            // Browsers end lines in a field's text with two characters.
            let text = text.replace("\r\n", "\n");
            if text == shown(&before[name]) {
                continue;
            }
            let of = &schema["properties"][name];
            match read(of, &before[name], &text) {
                None if !is_required(schema, name) => drop(params.remove(name)),
                None => drop(params.insert(name.clone(), Value::String(text))),
                Some(value) => drop(params.insert(name.clone(), value)),
            }
        }
        Value::Object(params)
    }

    /// Nothing, when the field is empty.
    fn read(of: &Value, before: &Value, text: &str) -> Option<Value> {
        if text.trim().is_empty() {
            return None;
        }
        let chosen = of["enum"].as_array().into_iter().flatten().find(|option| shown(option) == text);
        let is_text = match of["type"].as_str() {
            Some(kind) => kind == "string",
            None => before.is_string(),
        };
        // What would become another number goes on as text: the schema refuses it.
        let is_exact = || domain::exact::refused_in(text.trim().as_bytes()).is_none();
        let parsed = || serde_json::from_str(text.trim()).ok().filter(|_| !is_text && is_exact());
        Some(chosen.cloned().or_else(parsed).unwrap_or_else(|| Value::String(text.to_owned())))
    }

    #[cfg(test)]
    mod tests {
        use super::*;
        use serde_json::json;

        fn schema() -> Value {
            json!({ "type": "object", "required": ["name"], "properties": {
                "name": { "type": "string" }, "amount": { "type": "integer" }, "paid": { "type": "boolean" },
                "stage": { "enum": ["new", 2] }, "tags": { "type": "array" },
            } })
        }

        fn fields(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
            pairs.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
        }

        #[test]
        fn b2_fields_become_arguments_of_their_types() {
            let before = json!({ "name": "Ana", "amount": 5, "beyond": { "a": 1 } });
            let typed = fields(&[
                ("name", "007"),
                ("amount", "7"),
                ("paid", "true"),
                ("stage", "2"),
                ("tags", "[\"a\"]"),
            ]);
            let after = json!({ "name": "007", "amount": 7, "paid": true, "stage": 2, "tags": ["a"], "beyond": { "a": 1 } });
            assert_eq!(given(&schema(), &before, &typed), after);
        }

        #[test]
        fn b2_what_is_not_touched_stays_and_what_is_emptied_goes() {
            let before = json!({ "name": "Ana", "amount": 5, "tags": ["a", "b"] });
            let arguments = arguments(&schema(), &before, None);
            let same: BTreeMap<String, String> = arguments
                .into_iter()
                .map(|argument| (argument.name, argument.value.replace('\n', "\r\n")))
                .collect();
            assert_eq!(given(&schema(), &before, &same), before);
            let emptied = given(&schema(), &before, &fields(&[("amount", ""), ("name", "")]));
            assert_eq!(emptied, json!({ "name": "", "tags": ["a", "b"] }));
        }

        #[test]
        fn what_does_not_fit_stays_text_for_the_schema_to_refuse() {
            let after =
                given(&schema(), &json!({ "name": "Ana" }), &fields(&[("amount", "many"), ("tags", "[")]));
            assert_eq!(after, json!({ "name": "Ana", "amount": "many", "tags": "[" }));
        }
    }
}
