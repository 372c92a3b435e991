//! The test console: a call by hand, and what came of it. The call is in the history like any other.

use super::fields::Param;
use crate::api::{ApiError, Form};
use domain::{ExecutionId, Timestamp, ToolId, tool_words::ExecutionType};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What the console of a tool is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Console {
    pub name: String,
    pub display_name: String,
    pub execution_type: ExecutionType,
    pub is_active: bool,
    pub params: Vec<Param>,
    /// An example that fits the schema's types.
    pub example: String,
}

/// A call that was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrialOut {
    pub id: ExecutionId,
    /// `success`, `error`, `pending`, …
    pub status: String,
    pub test_mode: bool,
    pub request: String,
    pub response: String,
    pub error_code: Option<String>,
    pub error_message: Option<String>,
    pub is_truncated: bool,
    pub milliseconds: Option<i64>,
    pub log: Vec<String>,
    pub at: Timestamp,
}

/// The call that a form made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrialMade {
    pub address: String,
}

#[server(prefix = "/fn", endpoint = "get_console", input = Form)]
pub async fn get_console(tool_id: String) -> Result<Console, ApiError> {
    let tool_id = super::id_in(&tool_id)?;
    let visitor = crate::request::visitor();
    visitor.tenant_permit::<ability::ExecuteTools>()?;
    let tool = crate::request::backend().engine.get_tool(&visitor.tenant_permit()?, tool_id).await?;
    let params = super::fields::params_of(&tool.definition.parameters);
    let example = arguments::example(&tool.definition.parameters);
    Ok(Console {
        name: tool.definition.name.to_string(),
        display_name: crate::texts::Texts::of(visitor.language).label_of(tool.is_system, &tool.definition),
        execution_type: tool.definition.execution_type,
        is_active: tool.is_active,
        params,
        example,
    })
}

/// `arguments` are the fields of the generated form; with `json`, that is the whole of them.
#[server(prefix = "/fn", endpoint = "try_tool", input = Form)]
pub async fn try_tool(
    tool_id: ToolId,
    #[server(default)] arguments: BTreeMap<String, String>,
    json: Option<String>,
    #[server(default)] test_mode: bool,
) -> Result<TrialMade, ApiError> {
    let visitor = crate::request::visitor();
    let (engine, permit) =
        (crate::request::backend().engine, visitor.tenant_permit::<ability::ExecuteTools>()?);
    let tool = engine.get_tool(&visitor.tenant_permit()?, tool_id).await?;
    let params = match json {
        Some(text) => arguments::written(&text)?,
        None => arguments::filled_in(&tool.definition.parameters, &arguments)?,
    };
    let call = engine::Call {
        permit: permit.into(),
        tool: engine::CalledTool::Id(tool_id),
        agent: None,
        conversation: None,
        message: None,
        params,
        test_mode,
        idempotency_key: None,
    };
    let answer = engine.call(call).await?.answer;
    let address = format!("/tools/{tool_id}/test?run={}", answer.execution_id);
    leptos_axum::redirect(&address);
    Ok(TrialMade { address })
}

#[server(prefix = "/fn", endpoint = "get_trial", input = Form)]
pub async fn get_trial(execution_id: String) -> Result<TrialOut, ApiError> {
    use domain::{ErrorCode, ServiceError};
    let unknown = |_| ServiceError::new(ErrorCode::NotFound, "There is no such execution.");
    let execution_id: ExecutionId = execution_id.parse().map_err(unknown)?;
    let visitor = crate::request::visitor();
    let engine = crate::request::backend().engine;
    let done =
        engine.get_execution(&visitor.tenant_permit()?, execution_id, std::time::Duration::ZERO).await?;
    let tool = engine.get_tool(&visitor.tenant_permit()?, done.tool_id).await.ok();
    let text = |value: &serde_json::Value| serde_json::to_string_pretty(value).unwrap_or_default();
    let t = crate::texts::Texts::of(visitor.language);
    Ok(TrialOut {
        id: done.id,
        status: done.status.as_str().to_owned(),
        test_mode: done.test_mode,
        request: arguments::request(tool.as_ref().map(|tool| &tool.definition), &done),
        response: done.output_result.as_ref().map(text).unwrap_or_default(),
        error_message: t.recorded(done.error_code.as_deref(), done.error_message),
        error_code: done.error_code,
        is_truncated: done.truncated,
        milliseconds: done.execution_time_ms,
        log: done.log.unwrap_or_default(),
        at: done.executed_at,
    })
}

#[cfg(feature = "ssr")]
mod arguments {
    use domain::{
        FieldCode, FieldError, ServiceError, ServiceResult,
        execution::ExecutionOut,
        tool::{ExecutionType, ToolDefinition},
    };
    use serde_json::{Map, Value, json};
    use std::collections::BTreeMap;

    pub fn written(text: &str) -> ServiceResult<Value> {
        let refused = |message| FieldError { message, ..FieldError::new("json", FieldCode::Invalid) };
        let value = serde_json::from_str(text).map_err(|error| refused(error.to_string()))?;
        match domain::exact::refused_in(text.as_bytes()) {
            Some(wrong) => Err(refused(format!("{} {}", wrong.field, wrong.message)).into()),
            None => Ok(value),
        }
    }

    /// What was left empty is absent; the rest is read as its type says. What does not fit goes on as text: the schema
    /// refuses it with its own words.
    pub fn filled_in(schema: &Value, given: &BTreeMap<String, String>) -> ServiceResult<Value> {
        let mut params = Map::new();
        for (name, text) in given.iter().filter(|(_, text)| !text.is_empty()) {
            let property = &schema["properties"][name.as_str()];
            params.insert(name.clone(), value(property, text).map_err(|()| invalid(name))?);
        }
        Ok(Value::Object(params))
    }

    fn invalid(name: &str) -> ServiceError {
        ServiceError::field(&format!("arguments.{name}"), FieldCode::Invalid)
    }

    fn value(property: &Value, text: &str) -> Result<Value, ()> {
        let text = text.replace("\r\n", "\n");
        let is_text = |kind: &str| kind == "string";
        match &property["type"] {
            Value::String(kind) if is_text(kind) => Ok(Value::String(text)),
            Value::String(_) => exact(&text).ok_or(()),
            // Several types, or none named: JSON where it is, text otherwise.
            _ => Ok(exact(&text).unwrap_or(Value::String(text))),
        }
    }

    /// Nothing, when it is no JSON or has a number that would be changed.
    fn exact(text: &str) -> Option<Value> {
        let value = serde_json::from_str(text).ok()?;
        domain::exact::refused_in(text.as_bytes()).is_none().then_some(value)
    }

    /// Something to start from: every required field with a value of its type.
    pub fn example(schema: &Value) -> String {
        let mut params = Map::new();
        for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            params.insert(name.to_owned(), sample(&schema["properties"][name]));
        }
        serde_json::to_string_pretty(&params).unwrap_or_default()
    }

    fn sample(property: &Value) -> Value {
        let given = ["default", "const"].into_iter().map(|key| &property[key]).find(|value| !value.is_null());
        if let Some(value) = given.or(property["examples"].get(0)).or(property["enum"].get(0)) {
            return value.clone();
        }
        match property["type"].as_str() {
            Some("integer" | "number") => json!(0),
            Some("boolean") => json!(false),
            Some("array") => json!([]),
            Some("object") => json!({}),
            _ => json!(""),
        }
    }

    /// What went out, as far as it is not secret.
    pub fn request(tool: Option<&ToolDefinition>, done: &ExecutionOut) -> String {
        let pretty = |value: &Value| serde_json::to_string_pretty(value).unwrap_or_default();
        let Some(tool) = tool.filter(|tool| tool.execution_type == ExecutionType::Webhook) else {
            return pretty(&done.input_params);
        };
        let body = json!({
            "tool": done.tool_name,
            "execution_id": done.id,
            "agent_id": done.agent_id,
            "conversation_id": done.conversation_id,
            "params": done.input_params,
            "test_mode": done.test_mode,
        });
        let headers: String = tool.webhook_headers.keys().map(|name| format!("{name}: ***\n")).collect();
        format!(
            "{} {}\nwebhook-id: {}\nwebhook-signature: v1,***\n{headers}\n{}",
            tool.webhook_method.as_str(),
            tool.webhook_url.as_deref().unwrap_or_default(),
            done.id,
            pretty(&body),
        )
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn fields_become_arguments_of_their_type() {
            let schema = json!({ "properties": {
                "name": { "type": "string" }, "count": { "type": "integer" }, "sure": { "type": "boolean" },
                "tags": { "type": "array" }, "any": {}, "gone": { "type": "string" },
            }});
            let given = [
                ("name", "7"),
                ("count", "7"),
                ("sure", "true"),
                ("tags", "[1]"),
                ("any", "x"),
                ("gone", ""),
            ];
            let given = given.map(|(name, text)| (name.to_owned(), text.to_owned())).into();
            let params = filled_in(&schema, &given).unwrap();
            assert_eq!(params, json!({ "name": "7", "count": 7, "sure": true, "tags": [1], "any": "x" }));
            let wrong = [("count".to_owned(), "seven".to_owned())].into();
            assert_eq!(filled_in(&schema, &wrong).unwrap_err().errors[0].field, "arguments.count");
        }

        #[test]
        fn an_example_has_what_is_required() {
            let schema = json!({ "required": ["a", "b", "c"], "properties": {
                "a": { "type": "string", "enum": ["x", "y"] }, "b": { "type": "integer", "default": 3 },
                "c": { "type": "boolean" }, "d": { "type": "string" } }});
            let example: Value = serde_json::from_str(&example(&schema)).unwrap();
            assert_eq!(example, json!({ "a": "x", "b": 3, "c": false }));
        }
    }
}
