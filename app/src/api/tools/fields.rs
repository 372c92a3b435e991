//! The fields of a tool's form, as people type them, and what they mean.

#[cfg(feature = "ssr")]
use crate::api::form::typed;
use domain::{
    ToolEffect,
    tool_words::{ExecutionType, ToolType, WebhookMethod},
};
use serde::{Deserialize, Serialize};

/// What a form says. A field that it does not have stays as it is; an empty one clears what may be empty, and is refused where
/// something has to be.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ToolFields {
    #[cfg_attr(feature = "ssr", serde(deserialize_with = "typed"))]
    pub name: Option<String>,
    #[cfg_attr(feature = "ssr", serde(deserialize_with = "typed"))]
    pub display_name: Option<String>,
    #[cfg_attr(feature = "ssr", serde(deserialize_with = "typed"))]
    pub description: Option<String>,
    pub r#type: Option<ToolType>,
    pub execution_type: Option<ExecutionType>,
    /// A JSON Schema, as text.
    #[cfg_attr(feature = "ssr", serde(deserialize_with = "typed"))]
    pub parameters: Option<String>,
    #[cfg_attr(feature = "ssr", serde(deserialize_with = "typed"))]
    pub webhook_url: Option<String>,
    pub webhook_method: Option<WebhookMethod>,
    /// `Name: value`, one a line. A value that reads `***` stays.
    #[cfg_attr(feature = "ssr", serde(deserialize_with = "typed"))]
    pub webhook_headers: Option<String>,
    #[cfg_attr(feature = "ssr", serde(deserialize_with = "typed"))]
    pub code: Option<String>,
    pub effect: Option<ToolEffect>,
    /// Checkboxes: absent is no.
    pub requires_confirmation: bool,
    pub requires_second_person: bool,
    pub idempotent: Option<bool>,
    #[cfg_attr(feature = "ssr", serde(deserialize_with = "typed"))]
    pub timeout_ms: Option<String>,
    #[cfg_attr(feature = "ssr", serde(deserialize_with = "typed"))]
    pub max_output_bytes: Option<String>,
    #[cfg_attr(feature = "ssr", serde(deserialize_with = "typed"))]
    pub rate_limit: Option<String>,
    #[cfg_attr(feature = "ssr", serde(deserialize_with = "typed"))]
    pub rate_window: Option<String>,
    #[cfg_attr(feature = "ssr", serde(deserialize_with = "typed"))]
    pub memory_mb: Option<String>,
    #[cfg_attr(feature = "ssr", serde(deserialize_with = "typed"))]
    pub max_fetches: Option<String>,
    /// One a line.
    #[cfg_attr(feature = "ssr", serde(deserialize_with = "typed"))]
    pub fetch_hosts: Option<String>,
    #[cfg_attr(feature = "ssr", serde(deserialize_with = "typed"))]
    pub secret_names: Option<String>,
    /// Why, for the list of versions.
    pub note: Option<String>,
}

/// A parameter as the form beside the schema shows it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Param {
    pub name: String,
    /// One of [`PARAM_KINDS`]; empty when the schema says something else.
    pub kind: String,
    pub description: String,
    /// The values it is limited to, with commas between them.
    pub choices: String,
    /// The values cannot be written in one line: the schema itself has them.
    pub has_odd_choices: bool,
    pub is_required: bool,
}

pub const PARAM_KINDS: [&str; 6] = ["string", "integer", "number", "boolean", "array", "object"];

#[cfg(feature = "ssr")]
pub(super) use reading::{
    fields_of, input, params_in, params_of, with_usual_limits, without_blanks, without_repeats,
    without_secrets,
};

#[cfg(feature = "ssr")]
mod reading {
    use super::{PARAM_KINDS, Param, ToolFields};
    use domain::{
        FieldCode, FieldError, ServiceError, ServiceResult,
        tool::{RateLimit, ToolDefinition, ToolIn, WebhookMethod},
    };
    use engine::LimitRange;
    use serde_json::Value;
    use std::collections::BTreeMap;

    /// The form of a tool that exists.
    pub fn fields_of(definition: &ToolDefinition) -> ToolFields {
        let number = |value: Option<u32>| Some(value.map(|value| value.to_string()).unwrap_or_default());
        let limit = definition.rate_limit;
        let headers = definition.webhook_headers.iter().map(|(name, value)| format!("{name}: {value}"));
        ToolFields {
            name: Some(definition.name.to_string()),
            display_name: Some(definition.display_name.clone()),
            description: Some(definition.description.clone()),
            r#type: Some(definition.r#type),
            execution_type: Some(definition.execution_type),
            parameters: Some(pretty(&definition.parameters)),
            webhook_url: definition.webhook_url.clone(),
            webhook_method: Some(definition.webhook_method),
            webhook_headers: Some(headers.collect::<Vec<_>>().join("\n")),
            code: definition.code.clone(),
            effect: Some(definition.effect),
            requires_confirmation: definition.requires_confirmation,
            requires_second_person: definition.requires_second_person,
            idempotent: Some(definition.idempotent),
            timeout_ms: number(Some(definition.timeout_ms)),
            max_output_bytes: number(Some(definition.max_output_bytes)),
            rate_limit: number(limit.map(|limit| limit.limit)),
            rate_window: number(limit.map(|limit| limit.window_seconds)),
            memory_mb: number(definition.memory_mb),
            max_fetches: number(definition.max_fetches),
            fetch_hosts: Some(definition.fetch_hosts.join("\n")),
            secret_names: Some(definition.secret_names.join("\n")),
            note: None,
        }
    }

    fn pretty(value: &Value) -> String {
        serde_json::to_string_pretty(value).unwrap_or_default()
    }

    /// What the services take. Everything that cannot be read is told at once.
    pub fn input(fields: ToolFields) -> ServiceResult<ToolIn> {
        let mut errors = Vec::new();
        let mut note = |error: FieldError| errors.push(error);
        let input = ToolIn {
            name: fields.name,
            display_name: fields.display_name,
            description: fields.description.map(one_kind_of_line),
            r#type: fields.r#type,
            execution_type: fields.execution_type,
            parameters: fields.parameters.and_then(|text| schema(&text).map_err(&mut note).ok()),
            webhook_url: fields.webhook_url.map(filled),
            webhook_method: fields.webhook_method,
            webhook_headers: fields.webhook_headers.and_then(|text| headers(&text).map_err(&mut note).ok()),
            code: fields.code.map(|text| Some(one_kind_of_line(text)).filter(|text| !is_blank(text))),
            effect: fields.effect,
            requires_confirmation: Some(fields.requires_confirmation),
            requires_second_person: Some(fields.requires_second_person),
            idempotent: fields.idempotent,
            timeout_ms: optional("timeout_ms", fields.timeout_ms, &mut note).flatten(),
            max_output_bytes: optional("max_output_bytes", fields.max_output_bytes, &mut note).flatten(),
            rate_limit: rate_limit(fields.rate_limit, fields.rate_window, &mut note),
            memory_mb: optional("memory_mb", fields.memory_mb, &mut note),
            max_fetches: optional("max_fetches", fields.max_fetches, &mut note),
            fetch_hosts: fields.fetch_hosts.map(|text| lines(&text)),
            secret_names: fields.secret_names.map(|text| lines(&text)),
            note: fields.note.and_then(filled),
            allowed_agents: None,
            is_active: None,
            expected_version: None,
        };
        if errors.is_empty() { Ok(input) } else { Err(ServiceError::fields(errors)) }
    }

    fn filled(text: String) -> Option<String> {
        Some(text.trim().to_owned()).filter(|text| !text.is_empty())
    }

    fn is_blank(text: &str) -> bool {
        text.trim().is_empty()
    }

    /// A form sends the line ends of another age.
    fn one_kind_of_line(text: String) -> String {
        text.replace("\r\n", "\n")
    }

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
    }

    fn schema(text: &str) -> Result<Value, FieldError> {
        if is_blank(text) {
            return Err(FieldError::new("parameters", FieldCode::Required));
        }
        let schema = serde_json::from_str(text).map_err(|error| FieldError {
            message: error.to_string(),
            line: u32::try_from(error.line()).ok(),
            column: u32::try_from(error.column()).ok(),
            ..FieldError::new("parameters", FieldCode::Invalid)
        })?;
        match domain::exact::refused_in(text.as_bytes()) {
            Some(changed) => Err(FieldError { field: "parameters".to_owned(), ..changed }),
            None => Ok(schema),
        }
    }

    /// Of two lines with one name neither is dropped: the services, which refuse that too, would not hear of the first.
    fn headers(text: &str) -> Result<BTreeMap<String, String>, FieldError> {
        let invalid = |field: &str| FieldError::new(field, FieldCode::Invalid);
        let mut headers = BTreeMap::new();
        for line in lines(text) {
            let (name, value) = line.split_once(':').ok_or_else(|| invalid("webhook_headers"))?;
            let (name, value) = (name.trim(), value.trim());
            if headers.insert(name.to_owned(), value.to_owned()).is_some() {
                let message = "is given twice: capitals make no difference".to_owned();
                return Err(FieldError { message, ..invalid(&format!("webhook_headers.{name}")) });
            }
        }
        Ok(headers)
    }

    fn number(field: &str, text: &str) -> Result<Option<u32>, FieldError> {
        match text.trim() {
            "" => Ok(None),
            digits => digits.parse().map(Some).map_err(|_| FieldError::new(field, FieldCode::Invalid)),
        }
    }

    fn optional(field: &str, text: Option<String>, note: &mut impl FnMut(FieldError)) -> Option<Option<u32>> {
        text.and_then(|text| number(field, &text).map_err(note).ok())
    }

    fn rate_limit(
        limit: Option<String>,
        window: Option<String>,
        note: &mut impl FnMut(FieldError),
    ) -> Option<Option<RateLimit>> {
        let limit = optional("rate_limit", limit, note)?;
        let window = optional("rate_window", window, note)?;
        match (limit, window) {
            (None, None) => Some(None),
            (Some(limit), Some(window_seconds)) => Some(Some(RateLimit { limit, window_seconds })),
            (limit, _) => {
                let missing = if limit.is_none() { "rate_limit" } else { "rate_window" };
                note(FieldError::new(missing, FieldCode::Required));
                None
            }
        }
    }

    /// Out of the text of a form; none while it is no JSON.
    pub fn params_in(fields: &ToolFields) -> Vec<Param> {
        let schema = fields.parameters.as_deref().and_then(|text| serde_json::from_str(text).ok());
        params_of(&schema.unwrap_or_default())
    }

    /// The form says everything, also what nobody touched. What is only repeated of a GET is not said of what it becomes.
    pub fn without_repeats(mut input: ToolIn, before: &ToolDefinition) -> ToolIn {
        if before.webhook_method == WebhookMethod::Get && input.webhook_method == Some(WebhookMethod::Post) {
            input.effect = input.effect.filter(|effect| *effect != before.effect);
            input.idempotent = input.idempotent.filter(|idempotent| *idempotent != before.idempotent);
        }
        input
    }

    /// Of a new tool, what is left empty is not said: there is a usual one.
    pub fn without_blanks(mut fields: ToolFields) -> ToolFields {
        let ToolFields { display_name, parameters, timeout_ms, max_output_bytes, .. } = &mut fields;
        for field in [display_name, parameters, timeout_ms, max_output_bytes] {
            *field = field.take().filter(|text| !is_blank(text));
        }
        fields
    }

    /// Of a tool that exists, too, the usual limits hold where the form is left empty, as it says itself.
    pub fn with_usual_limits(mut fields: ToolFields, [time, output, ..]: [LimitRange; 4]) -> ToolFields {
        for (field, limit) in [(&mut fields.timeout_ms, time), (&mut fields.max_output_bytes, output)] {
            if field.as_deref().is_some_and(is_blank) {
                *field = Some(limit.usual.to_string());
            }
        }
        fields
    }

    /// As it may be kept in the open: the address as it may be shown, and headers without their values, but those that were
    /// masked already.
    pub fn without_secrets(mut fields: ToolFields) -> ToolFields {
        let bare = |line: &str| match line.split_once(':') {
            Some((name, value)) if value.trim() == "***" => format!("{name}: ***"),
            Some((name, _)) => format!("{name}: "),
            None => String::new(),
        };
        fields.webhook_url = fields.webhook_url.map(|url| channels::Address::of(&url).shown);
        let text = fields.webhook_headers.take();
        fields.webhook_headers = text.map(|text| text.lines().map(bare).collect::<Vec<_>>().join("\n"));
        fields
    }

    /// The browser reads the same out of the text, in `browser/schema.rs`.
    pub fn params_of(schema: &Value) -> Vec<Param> {
        let required = |name: &str| {
            schema["required"].as_array().is_some_and(|names| names.iter().any(|known| known == name))
        };
        let param = |(name, property): (&String, &Value)| {
            let kind =
                property["type"].as_str().filter(|kind| PARAM_KINDS.contains(kind)).unwrap_or_default();
            let choices = choices(&property["enum"]);
            Param {
                name: name.clone(),
                kind: kind.to_owned(),
                description: property["description"].as_str().unwrap_or_default().to_owned(),
                has_odd_choices: choices.is_none(),
                choices: choices.unwrap_or_default(),
                is_required: required(name),
            }
        };
        schema["properties"].as_object().map(|all| all.iter().map(param).collect()).unwrap_or_default()
    }

    fn choices(values: &Value) -> Option<String> {
        let Some(values) = values.as_array() else { return Some(String::new()) };
        let plain = |value: &Value| match value {
            Value::String(text) if !text.contains(',') && text.trim() == text && !text.is_empty() => {
                Some(text.clone())
            }
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        };
        Some(values.iter().map(plain).collect::<Option<Vec<_>>>()?.join(", "))
    }

    #[cfg(test)]
    mod tests {
        use super::*;
        use crate::api::form::StrictForm;
        use leptos::server_fn::{Bytes, Decodes};
        use serde_json::json;

        /// As a browser sends them.
        fn sent(form: &'static str) -> ToolFields {
            #[derive(serde::Deserialize)]
            struct Sent {
                tool: ToolFields,
            }
            let read: Result<Sent, String> = StrictForm::decode(Bytes::from_static(form.as_bytes()));
            read.unwrap().tool
        }

        #[test]
        fn t4_what_has_to_be_there_is_not_passed_over_when_it_is_emptied() {
            let emptied = sent(
                "tool[name]=&tool[display_name]=&tool[description]=&tool[webhook_url]=&tool[code]=&tool[note]=",
            );
            let input = input(emptied).unwrap();
            let empty = || Some(String::new());
            assert_eq!((input.name, input.display_name, input.description), (empty(), empty(), empty()));
            assert_eq!((input.webhook_url, input.code), (Some(None), Some(None)));
            assert_eq!(input.note, None);
        }

        #[test]
        fn t4_a_schema_that_is_emptied_is_missing() {
            let errors = input(sent("tool[parameters]=+%0D%0A")).unwrap_err().errors;
            assert_eq!(errors, [FieldError::new("parameters", FieldCode::Required)]);
        }

        #[test]
        fn t4_a_field_that_the_form_does_not_have_stays() {
            let fields = with_usual_limits(sent("tool[requires_confirmation]=true"), limits());
            let input = input(fields).unwrap();
            assert_eq!((input.name, input.display_name, input.parameters), (None, None, None));
            assert_eq!((input.webhook_url, input.code), (None, None));
            assert_eq!((input.timeout_ms, input.max_output_bytes), (None, None));
        }

        fn limits() -> [LimitRange; 4] {
            [10_000, 100, 64, 10].map(|usual| LimitRange { least: 0, most: usual, usual })
        }

        #[test]
        fn t4_limits_that_are_left_empty_are_the_usual_ones() {
            let fields = with_usual_limits(sent("tool[timeout_ms]=&tool[max_output_bytes]=7"), limits());
            let input = input(fields).unwrap();
            assert_eq!((input.timeout_ms, input.max_output_bytes), (Some(10_000), Some(7)));
        }

        #[test]
        fn t3_what_is_left_empty_of_a_new_tool_is_not_said() {
            let form =
                "tool[name]=&tool[display_name]=+&tool[parameters]=&tool[timeout_ms]=&tool[description]=";
            let input = input(without_blanks(sent(form))).unwrap();
            assert_eq!((input.display_name, input.parameters, input.timeout_ms), (None, None, None));
            assert_eq!((input.name.as_deref(), input.description.as_deref()), (Some(""), Some("")));
        }

        #[test]
        fn t15_a_header_that_is_given_twice_is_refused() {
            let twice = sent("tool[webhook_headers]=x-one%3A+1%0D%0Ax-two%3A+2%0D%0Ax-one+%3A+3");
            let errors = input(twice).unwrap_err().errors;
            let told: Vec<_> = errors.iter().map(|error| (error.field.as_str(), error.code)).collect();
            assert_eq!(told, [("webhook_headers.x-one", FieldCode::Invalid)]);
            assert!(errors[0].message.contains("given twice"), "{}", errors[0].message);
        }

        #[test]
        fn a_form_becomes_what_the_services_take() {
            let text = |text: &str| Some(text.to_owned());
            let fields = ToolFields {
                code: text("a\r\nb"),
                parameters: text("{\"type\": \"object\"}"),
                webhook_headers: text("X-One: 1\n\n x-two : a:b "),
                timeout_ms: text(" 500 "),
                rate_limit: text(""),
                rate_window: text(""),
                memory_mb: text(""),
                fetch_hosts: text("a.example\r\nb.example\n"),
                ..ToolFields::default()
            };
            let input = input(fields).unwrap();
            assert_eq!(input.code, Some(text("a\nb")));
            assert_eq!(input.parameters, Some(json!({ "type": "object" })));
            let headers = input.webhook_headers.unwrap();
            assert_eq!((headers["X-One"].as_str(), headers["x-two"].as_str()), ("1", "a:b"));
            assert_eq!(
                (input.timeout_ms, input.rate_limit, input.memory_mb),
                (Some(500), Some(None), Some(None))
            );
            assert_eq!(input.fetch_hosts.unwrap(), ["a.example", "b.example"]);
            assert_eq!(
                (input.name, input.description, input.max_fetches),
                (None, None, None),
                "absent stays"
            );
        }

        #[test]
        fn everything_that_cannot_be_read_is_told_at_once() {
            let text = |text: &str| Some(text.to_owned());
            let fields = ToolFields {
                parameters: text("{\n  nope"),
                webhook_headers: text("no colon"),
                timeout_ms: text("soon"),
                rate_limit: text("5"),
                rate_window: text(""),
                max_fetches: text("-1"),
                ..ToolFields::default()
            };
            let errors = input(fields).unwrap_err().errors;
            let names: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
            assert_eq!(names, ["parameters", "webhook_headers", "timeout_ms", "rate_window", "max_fetches"]);
            assert_eq!((errors[0].line, errors[0].column), (Some(2), Some(3)));
        }

        #[test]
        fn s16_a_draft_keeps_no_value_of_a_header() {
            let fields = ToolFields {
                webhook_headers: Some("X-Key: secret\nX-Old: ***\nsecret".to_owned()),
                ..ToolFields::default()
            };
            assert_eq!(without_secrets(fields).webhook_headers.unwrap(), "X-Key: \nX-Old: ***\n");
        }

        #[test]
        fn parameters_are_read_out_of_a_schema() {
            let schema = json!({ "type": "object", "required": ["a"], "properties": {
                "a": { "type": "string", "description": "d", "enum": ["x", "y"] },
                "b": { "type": ["string", "null"] },
                "c": { "type": "integer", "enum": [1, 2] },
                "d": { "type": "string", "enum": ["one, two"] },
            }});
            let found = params_of(&schema);
            let a = Param {
                name: "a".into(),
                kind: "string".into(),
                description: "d".into(),
                choices: "x, y".into(),
                has_odd_choices: false,
                is_required: true,
            };
            assert_eq!(found[0], a);
            assert_eq!((found[1].kind.as_str(), found[2].choices.as_str()), ("", "1, 2"));
            assert!(found[3].has_odd_choices && found[3].choices.is_empty());
            assert_eq!(params_of(&json!({})), Vec::new());
        }
    }
}
