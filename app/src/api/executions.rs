//! What was called (T9, T10): the history, one call with everything about it, running it again, stopping it.

use super::{ApiError, Form, confirmations::QuestionOut, explain::VerdictOut};
use domain::{
    AgentId, ConfirmationId, ExecutionId, Timestamp, ToolId,
    decision::{AttemptOut, DecisionThen},
    status::ExecutionStatus,
};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CallOut {
    pub id: ExecutionId,
    pub tool_id: ToolId,
    pub tool_name: String,
    pub agent_id: Option<AgentId>,
    /// For those who may see agents.
    pub agent_name: Option<String>,
    pub status: ExecutionStatus,
    pub error_code: Option<String>,
    pub error_message: Option<String>,
    pub test_mode: bool,
    pub execution_time_ms: Option<i64>,
    pub called_by: String,
    pub executed_at: Timestamp,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HistoryOut {
    pub calls: Vec<CallOut>,
    pub next_cursor: Option<String>,
    /// The same filter as a query of the REST door, for the export.
    pub export_query: String,
    /// The browser told no zone.
    pub days_in_utc: bool,
}

/// One line of the record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EntryOut {
    pub seq: i64,
    pub at: Timestamp,
    pub actor: String,
    pub action: String,
    pub after: Option<String>,
    pub reason: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CallDetailOut {
    pub call: CallOut,
    pub tool_version: i64,
    /// The version that the tool has now; nothing when it is gone.
    pub current_version: Option<i64>,
    pub conversation_id: Option<String>,
    pub confirmation_id: Option<ConfirmationId>,
    pub truncated: bool,
    pub started_at: Option<Timestamp>,
    pub finished_at: Option<Timestamp>,
    /// JSON, to be read; secrets are masked.
    pub input: String,
    pub output: Option<String>,
    pub log: Vec<String>,
    /// What the agent said.
    pub message: Option<String>,
    /// How the address of a webhook was tried.
    pub attempts: Vec<AttemptOut>,
    /// What the gate said when the call was made.
    pub then: Option<DecisionThen>,
    pub question: Option<QuestionOut>,
    /// What the gate says to the same call now; for those who may call.
    pub verdict: Option<VerdictOut>,
    /// The record; for those who may read it.
    pub entries: Option<Vec<EntryOut>>,
    pub may_cancel: bool,
    pub may_run: bool,
    /// A secret was masked: the same call cannot be made from what was kept.
    pub has_secret: bool,
}

/// Filters as the address has them. `tool` is a name or an id, `agent` a slug or an id. Days are the
/// reader's own, both included.
#[server(prefix = "/fn", endpoint = "list_executions", input = Form)]
pub async fn list_executions(
    status: Option<ExecutionStatus>,
    tool: Option<String>,
    agent: Option<String>,
    from: Option<String>,
    to: Option<String>,
    cursor: Option<String>,
) -> Result<HistoryOut, ApiError> {
    let visitor = crate::request::visitor();
    let permit = visitor.tenant_permit()?;
    let engine = crate::request::backend().engine;
    let page = domain::Page::parse(None, cursor.as_deref()).map_err(domain::ServiceError::from)?;
    let days = crate::request::Days::of(&visitor);
    let wish = server::Wish { status, tool, agent, from, to };
    let catalogue = engine.catalogue(permit.tenant()).await?;
    let filter = wish.filter(&catalogue, &days)?;
    let export_query = server::export_query(&filter);
    let domain::ListOut { data, next_cursor } = engine.list_executions(&permit, filter, page).await?;
    let sees_agents = visitor.ability().can(ability::Action::Read, ability::Subject::Agent);
    let t = crate::texts::Texts::of(visitor.language);
    let calls = data.into_iter().map(|row| server::row(t, &catalogue, sees_agents, row)).collect();
    Ok(HistoryOut { calls, next_cursor, export_query, days_in_utc: days.are_utc() })
}

#[server(prefix = "/fn", endpoint = "get_execution", input = Form)]
pub async fn get_execution(execution_id: String) -> Result<CallDetailOut, ApiError> {
    let execution_id = server::id(&execution_id)?;
    let visitor = crate::request::visitor();
    let permit = visitor.tenant_permit()?;
    let engine = crate::request::backend().engine;
    let row = engine.get_execution(&permit, execution_id, std::time::Duration::ZERO).await?;
    Ok(server::detail(&engine, &visitor, row).await?)
}

/// The same tool, agent and input, once more; leads to the new call.
#[server(prefix = "/fn", endpoint = "run_again", input = Form)]
pub async fn run_again(execution_id: ExecutionId) -> Result<ExecutionId, ApiError> {
    let visitor = crate::request::visitor();
    let engine = crate::request::backend().engine;
    let call = server::again(&engine, &visitor, execution_id).await?;
    let id = engine.call(call).await?.answer.execution_id;
    leptos_axum::redirect(&format!("/executions/{id}"));
    Ok(id)
}

#[server(prefix = "/fn", endpoint = "cancel_execution", input = Form)]
pub async fn cancel_execution(execution_id: ExecutionId) -> Result<(), ApiError> {
    let visitor = crate::request::visitor();
    crate::request::backend().engine.cancel_execution(&visitor.tenant_permit()?, execution_id).await?;
    crate::request::saved(&visitor).await
}

#[cfg(feature = "ssr")]
mod server {
    use super::{CallDetailOut, CallOut, EntryOut};
    use crate::{
        api::{audit::rows::text_without_hashes, confirmations, explain},
        request::{Days, Visitor},
        texts::Texts,
    };
    use ability::{Action, ExecuteTools, ReadAuditLog, ReadConfirmations, ReadExecutions, Subject};
    use domain::{
        ErrorCode, ExecutionId, ServiceError, ServiceResult, ToolId,
        execution::{ExecutionOut, ExecutionStatus},
        tool::ToolDefinition,
    };
    use engine::{Call, CalledTool, Catalogue, Engine, HistoryFilter, schema::MASKED};
    use std::time::Duration;

    pub struct Wish {
        pub status: Option<ExecutionStatus>,
        pub tool: Option<String>,
        pub agent: Option<String>,
        pub from: Option<String>,
        pub to: Option<String>,
    }

    impl Wish {
        pub fn filter(self, catalogue: &Catalogue, days: &Days) -> ServiceResult<HistoryFilter> {
            let named = |text: Option<String>| {
                text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
            };
            let no_tool = || ServiceError::new(ErrorCode::ToolNotFound, "There is no such tool.");
            let tool = named(self.tool).map(|name| tool_called(catalogue, &name).ok_or_else(no_tool));
            let agent = named(self.agent).map(|name| agent_called(catalogue, &name).unwrap_or(name));
            Ok(HistoryFilter {
                status: self.status,
                tool: tool.transpose()?,
                agent,
                from: named(self.from).map(|day| days.start("from", &day)).transpose()?,
                to: named(self.to).map(|day| days.end("to", &day)).transpose()?,
                offset: 0,
            })
        }
    }

    /// As people write it. Its own name or id names a tool, also one that is gone, before another is called the same.
    fn tool_called(catalogue: &Catalogue, name: &str) -> Option<ToolId> {
        let exact = catalogue.tool_named(name).map(|known| known.tool.id);
        let tools = catalogue.tools().iter();
        let meant = || only(tools.filter(|known| is_called(&known.tool.definition, name)));
        exact.or_else(|| name.parse().ok()).or_else(|| meant().map(|known| known.tool.id))
    }

    /// The slug of whom people mean. Its own slug or id names an agent before another is called the same.
    fn agent_called(catalogue: &Catalogue, name: &str) -> Option<String> {
        let agents = catalogue.agents().iter();
        let meant = || only(agents.filter(|agent| same(&agent.slug, name) || same(&agent.name, name)));
        catalogue.agent(name).or_else(meant).map(|agent| agent.slug.clone())
    }

    /// By its name for models or for people.
    fn is_called(tool: &ToolDefinition, name: &str) -> bool {
        same(tool.name.as_str(), name)
            || same(&tool.display_name, name)
            || same(&Texts::of(domain::Language::En).label_of(true, tool), name)
    }

    /// In capitals or not.
    fn same(one: &str, other: &str) -> bool {
        one.to_lowercase() == other.to_lowercase()
    }

    /// Of several, none is meant: the history of one of them would look like that of all.
    fn only<T>(mut found: impl Iterator<Item = T>) -> Option<T> {
        found.next().filter(|_| found.next().is_none())
    }

    /// The same filter for the export of the REST door.
    #[derive(serde::Serialize)]
    struct ExportQuery {
        status: Option<ExecutionStatus>,
        tool_id: Option<ToolId>,
        agent_id: Option<String>,
        from: Option<domain::Timestamp>,
        to: Option<domain::Timestamp>,
    }

    pub fn export_query(filter: &HistoryFilter) -> String {
        let query = ExportQuery {
            status: filter.status,
            tool_id: filter.tool,
            agent_id: filter.agent.clone(),
            from: filter.from.map(Into::into),
            to: filter.to.map(Into::into),
        };
        serde_qs::to_string(&query).unwrap_or_default()
    }

    /// What is no id names nothing.
    pub fn id(text: &str) -> ServiceResult<ExecutionId> {
        text.parse().map_err(|_| ServiceError::new(ErrorCode::NotFound, "There is no such execution."))
    }

    pub fn row(t: Texts, catalogue: &Catalogue, sees_agents: bool, row: ExecutionOut) -> CallOut {
        let agent = row.agent_id.filter(|_| sees_agents).and_then(|id| catalogue.agent(&id.to_string()));
        CallOut {
            id: row.id,
            tool_id: row.tool_id,
            tool_name: row.tool_name,
            agent_id: row.agent_id,
            agent_name: agent.map(|agent| agent.name.clone()),
            status: row.status,
            error_message: t.recorded(row.error_code.as_deref(), row.error_message),
            error_code: row.error_code,
            test_mode: row.test_mode,
            execution_time_ms: row.execution_time_ms,
            called_by: row.called_by,
            executed_at: row.executed_at,
        }
    }

    pub async fn detail(
        engine: &Engine,
        visitor: &Visitor,
        row: ExecutionOut,
    ) -> ServiceResult<CallDetailOut> {
        let (ability, t) = (visitor.ability(), Texts::of(visitor.language));
        let tenant = visitor.tenant_permit::<ReadExecutions>()?.tenant();
        let catalogue = engine.catalogue(tenant).await?;
        let pretty = |value: &serde_json::Value| serde_json::to_string_pretty(value).unwrap_or_default();
        let input = pretty(&row.input_params);
        let tool = catalogue.tool(row.tool_id);
        let question = match (row.confirmation_id, visitor.tenant_permit::<ReadConfirmations>()) {
            (Some(id), Ok(permit)) => {
                let question = engine.get_confirmation(&permit, id).await?;
                Some(confirmations::server::view(engine, &permit, visitor.language, question).await?)
            }
            _ => None,
        };
        let may_call = tool.is_some() && ability.can(Action::Execute, Subject::ToolManagement);
        let verdict = match tool.is_some() {
            true => {
                let (question, _) = engine.question_of(&visitor.tenant_permit()?, row.id).await?;
                // An agent that is gone leaves nothing to ask about.
                explain::server::asked(engine, question).await.ok()
            }
            false => None,
        };
        Ok(CallDetailOut {
            tool_version: row.tool_version,
            current_version: tool.map(|known| known.tool.version),
            conversation_id: row.conversation_id.clone(),
            confirmation_id: row.confirmation_id,
            truncated: row.truncated,
            started_at: row.started_at.clone(),
            finished_at: row.finished_at.clone(),
            output: row.output_result.as_ref().map(pretty),
            log: row.log.clone().unwrap_or_default(),
            message: row.message.clone(),
            attempts: row.attempts.clone(),
            then: row.decision.clone(),
            question,
            verdict,
            entries: entries(engine, visitor, row.id).await?,
            may_cancel: !row.status.is_final() && ability.can(Action::Update, Subject::Execution),
            may_run: may_call,
            has_secret: input.contains(&format!("\"{MASKED}\"")),
            input,
            call: self::row(t, &catalogue, ability.can(Action::Read, Subject::Agent), row),
        })
    }

    async fn entries(
        engine: &Engine,
        visitor: &Visitor,
        id: ExecutionId,
    ) -> ServiceResult<Option<Vec<EntryOut>>> {
        let Ok(permit) = visitor.tenant_permit::<ReadAuditLog>() else { return Ok(None) };
        let entries = engine.audit_of_execution(&permit, id).await?;
        let t = Texts::of(visitor.language);
        let line = |entry: engine::AuditEntry| EntryOut {
            seq: entry.seq,
            at: entry.at.into(),
            actor: entry.actor_name,
            action: entry.action,
            // An entry may say nothing more than that it happened.
            after: entry.after.map(text_without_hashes).filter(|text| text != "{}"),
            reason: t.recorded(None, entry.reason),
        };
        Ok(Some(entries.into_iter().map(line).collect()))
    }

    pub async fn again(engine: &Engine, visitor: &Visitor, id: ExecutionId) -> ServiceResult<Call> {
        let caller = visitor.tenant_permit::<ExecuteTools>()?;
        let permit = visitor.tenant_permit::<ReadExecutions>()?;
        let row = engine.get_execution(&permit, id, Duration::ZERO).await?;
        if row.input_params.to_string().contains(&format!("\"{MASKED}\"")) {
            let detail = "A secret among the arguments was not kept: make this call anew.";
            return Err(ServiceError::new(ErrorCode::InvalidParams, detail));
        }
        Ok(Call {
            permit: caller.into(),
            tool: CalledTool::Id(row.tool_id),
            agent: row.agent_id.map(|agent| agent.to_string()),
            conversation: row.conversation_id,
            message: None,
            params: row.input_params,
            test_mode: row.test_mode,
            idempotency_key: None,
        })
    }

    #[cfg(test)]
    mod tests {
        use super::*;
        use serde_json::json;

        fn tool(name: &str, display_name: &str) -> ToolDefinition {
            let definition = json!({
                "name": name, "display_name": display_name, "description": "d", "type": "function",
                "parameters": { "type": "object" }, "execution_type": "webhook", "webhook_url": null,
                "webhook_method": "POST", "webhook_headers": {}, "requires_confirmation": false, "effect": "read",
                "timeout_ms": 1_000, "idempotent": false, "rate_limit": null, "max_output_bytes": 1_024,
                "requires_second_person": false, "fetch_hosts": [], "secret_names": [],
            });
            serde_json::from_value(definition).unwrap()
        }

        #[test]
        fn t9_a_name_that_several_tools_have_finds_none_of_them() {
            let tools = [
                tool("fetchStock", "Estoque"),
                tool("countStock", "ESTOQUE"),
                tool("sendParcel", "Enviar encomenda"),
            ];
            let found = |name: &str| {
                let meant = only(tools.iter().filter(|tool| is_called(tool, name)));
                meant.map(|tool| tool.name.as_str())
            };
            assert_eq!(found("estoque"), None, "the history of one would look like that of both");
            assert_eq!(found("fetchstock"), Some("fetchStock"));
            assert_eq!(found("enviar ENCOMENDA"), Some("sendParcel"));
            assert_eq!(found("nada"), None);
        }
    }
}
