//! Questions to people before a call runs: the inbox, and deciding (B1, B2).

use super::{ApiError, Form, arguments::ArgumentOut};
use crate::texts::Texts;
use domain::{
    AgentId, ConfirmationId, ExecutionId, TenantRole, Timestamp, ToolId,
    status::{ConfirmationStatus, ExecutionStatus},
};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct QuestionOut {
    pub id: ConfirmationId,
    pub execution_id: ExecutionId,
    pub tool_id: ToolId,
    pub tool_name: String,
    /// As people call it; the name when the tool is gone.
    pub tool_label: String,
    pub agent_id: Option<AgentId>,
    pub agent_name: Option<String>,
    pub status: ConfirmationStatus,
    pub reason: String,
    /// What the agent said.
    pub message: Option<String>,
    pub requested_by: String,
    pub requires_second_person: bool,
    /// Whether the reader may.
    pub may_decide: bool,
    pub deciders: Vec<TenantRole>,
    /// The reader asked for this call: somebody else has to approve it.
    pub needs_somebody_else: bool,
    pub test_mode: bool,
    pub plan_summary: Option<String>,
    /// Why the call would fail as things were when it was asked.
    pub plan_fails: Option<String>,
    /// JSON, to be read.
    pub plan: Option<String>,
    pub arguments: Vec<ArgumentOut>,
    pub decided_by: Option<String>,
    pub decided_at: Option<Timestamp>,
    pub note: Option<String>,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
    /// When the page was made.
    pub seconds_left: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InboxOut {
    pub questions: Vec<QuestionOut>,
    pub next_cursor: Option<String>,
}

/// What became of a decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DecisionMade {
    pub execution_id: ExecutionId,
    pub status: ExecutionStatus,
    pub error_message: Option<String>,
}

impl DecisionMade {
    /// How the call ended, and whether that is good: an approval that runs into an error is not a success.
    pub fn told(self, t: Texts) -> (bool, String) {
        match self.status {
            ExecutionStatus::Success => (true, t.approved_done().to_owned()),
            ExecutionStatus::Running => (true, t.approved_running().to_owned()),
            ExecutionStatus::Refused => (true, t.refused_done().to_owned()),
            ExecutionStatus::Error => (false, t.approved_but_failed(&self.error_message.unwrap_or_default())),
            ExecutionStatus::Unknown => (false, t.approved_but_unknown().to_owned()),
            ExecutionStatus::Cancelled => (false, t.approved_but_cancelled().to_owned()),
            // No decision leaves a call like this: should one ever do, it is not told as a yes.
            ExecutionStatus::Pending | ExecutionStatus::Expired => (false, t.not_decided().to_owned()),
        }
    }
}

#[server(prefix = "/fn", endpoint = "list_confirmations", input = Form)]
pub async fn list_confirmations(
    status: Option<ConfirmationStatus>,
    cursor: Option<String>,
) -> Result<InboxOut, ApiError> {
    let visitor = crate::request::visitor();
    let permit = visitor.tenant_permit()?;
    let engine = crate::request::backend().engine;
    let page =
        domain::Page::parse(Some(server::AT_ONCE), cursor.as_deref()).map_err(domain::ServiceError::from)?;
    let domain::ListOut { data, next_cursor } = engine.list_confirmations(&permit, status, page).await?;
    let mut questions = Vec::with_capacity(data.len());
    for one in data {
        questions.push(server::view(&engine, &permit, visitor.language, one).await?);
    }
    Ok(InboxOut { questions, next_cursor })
}

/// The inbox with that one question in it, decided or not.
#[server(prefix = "/fn", endpoint = "get_confirmation", input = Form)]
pub async fn get_confirmation(confirmation_id: String) -> Result<InboxOut, ApiError> {
    let visitor = crate::request::visitor();
    let permit = visitor.tenant_permit()?;
    let engine = crate::request::backend().engine;
    let question = engine.get_confirmation(&permit, server::id(&confirmation_id)?).await?;
    let question = server::view(&engine, &permit, visitor.language, question).await?;
    Ok(InboxOut { questions: vec![question], next_cursor: None })
}

/// How many wait, at most 100; nothing for those who may not decide them.
#[server(prefix = "/fn", endpoint = "count_confirmations", input = Form)]
pub async fn count_confirmations() -> Result<Option<u64>, ApiError> {
    let visitor = crate::request::visitor();
    visitor.user()?;
    Ok(server::waiting(&crate::request::backend().engine, &visitor).await?)
}

/// Runs the call. `args` are the corrected arguments, as the fields of a form say them.
#[server(prefix = "/fn", endpoint = "approve_confirmation", input = Form)]
pub async fn approve_confirmation(
    confirmation_id: ConfirmationId,
    #[server(default)] args: Option<BTreeMap<String, String>>,
    note: Option<String>,
) -> Result<DecisionMade, ApiError> {
    let visitor = crate::request::visitor();
    let engine = crate::request::backend().engine;
    let params = match args {
        Some(args) => Some(server::corrected(&engine, &visitor, confirmation_id, &args).await?),
        None => None,
    };
    let input = domain::execution::ApproveIn { params, note };
    let decided = engine.approve(&visitor.tenant_permit()?, confirmation_id, input).await?;
    crate::request::decided(&visitor, server::made(visitor.language, decided)).await
}

#[server(prefix = "/fn", endpoint = "refuse_confirmation", input = Form)]
pub async fn refuse_confirmation(
    confirmation_id: ConfirmationId,
    reason: Option<String>,
) -> Result<DecisionMade, ApiError> {
    let visitor = crate::request::visitor();
    let input = domain::execution::RefuseIn { reason };
    let engine = crate::request::backend().engine;
    let decided = engine.refuse(&visitor.tenant_permit()?, confirmation_id, input).await?;
    crate::request::decided(&visitor, server::made(visitor.language, decided)).await
}

#[cfg(feature = "ssr")]
pub(super) mod server {
    use super::{DecisionMade, QuestionOut};
    use crate::{
        api::arguments::{arguments, given},
        request::Visitor,
        texts::Texts,
    };
    use ability::{Action, ReadConfirmations, Subject, TenantPermit};
    use domain::{ConfirmationId, ErrorCode, ServiceError, ServiceResult, execution::ConfirmationOut};
    use engine::{Decided, Engine};
    use serde_json::{Value, json};
    use std::{collections::BTreeMap, time::SystemTime};

    pub const AT_ONCE: u64 = 25;
    pub const MOST_COUNTED: u64 = 100;

    /// What is no id names nothing.
    pub fn id(text: &str) -> ServiceResult<ConfirmationId> {
        text.parse().map_err(|_| ServiceError::new(ErrorCode::NotFound, "There is no such confirmation."))
    }

    /// Nobody is reminded of what others decide.
    pub async fn waiting(engine: &Engine, visitor: &Visitor) -> ServiceResult<Option<u64>> {
        let decides = visitor.ability().can(Action::Approve, Subject::Confirmation);
        match visitor.tenant_permit() {
            Ok(permit) if decides => Ok(Some(engine.count_confirmations(&permit, MOST_COUNTED).await?)),
            _ => Ok(None),
        }
    }

    pub async fn view(
        engine: &Engine,
        permit: &TenantPermit<ReadConfirmations>,
        language: domain::Language,
        one: ConfirmationOut,
    ) -> ServiceResult<QuestionOut> {
        let catalogue = engine.catalogue(permit.tenant()).await?;
        let tool = catalogue.tool(one.tool_id).map(|known| &known.tool);
        let schema = tool.map_or_else(|| json!({}), |tool| tool.definition.parameters.clone());
        let label = tool.map(|tool| Texts::of(language).label_of(tool.is_system, &tool.definition));
        let agent = one.agent_id.and_then(|id| catalogue.agent(&id.to_string()));
        Ok(QuestionOut {
            tool_label: label.unwrap_or_else(|| one.tool_name.clone()),
            agent_name: agent.map(|agent| agent.name.clone()),
            test_mode: one.test_mode,
            plan_summary: summary(one.plan.as_ref()),
            plan_fails: failure(language, one.plan.as_ref()),
            plan: one.plan.as_ref().and_then(|plan| serde_json::to_string_pretty(plan).ok()),
            arguments: arguments(&schema, &one.params, one.edited_params.as_ref()),
            seconds_left: seconds_until(&one.expires_at),
            may_decide: engine.may_decide(permit, &one),
            deciders: engine.deciding_roles(permit.tenant(), &one),
            needs_somebody_else: engine.needs_somebody_else(permit, &one).await?,
            id: one.id,
            execution_id: one.execution_id,
            tool_id: one.tool_id,
            tool_name: one.tool_name,
            agent_id: one.agent_id,
            status: one.status,
            reason: one.reason,
            message: one.message,
            requested_by: one.requested_by,
            requires_second_person: one.requires_second_person,
            decided_by: one.decided_by,
            decided_at: one.decided_at,
            note: Texts::of(language).recorded(None, one.note),
            created_at: one.created_at,
            expires_at: one.expires_at,
        })
    }

    fn summary(plan: Option<&Value>) -> Option<String> {
        Some(plan?.get("summary")?.as_str()?.to_owned())
    }

    fn failure(language: domain::Language, plan: Option<&Value>) -> Option<String> {
        let fails = plan?.get("fails")?;
        let message = fails.get("message")?.as_str()?.to_owned();
        Texts::of(language).recorded(fails.get("code")?.as_str(), Some(message))
    }

    fn seconds_until(at: &domain::Timestamp) -> i64 {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
        engine::seconds_of(at) - i64::try_from(now).unwrap_or_default()
    }

    /// What the approver made of the arguments; the engine checks them like any others.
    pub async fn corrected(
        engine: &Engine,
        visitor: &Visitor,
        id: ConfirmationId,
        args: &BTreeMap<String, String>,
    ) -> ServiceResult<Value> {
        let permit = visitor.tenant_permit::<ReadConfirmations>()?;
        let question = engine.get_confirmation(&permit, id).await?;
        let catalogue = engine.catalogue(permit.tenant()).await?;
        let tool = catalogue.tool(question.tool_id);
        let schema = tool.map_or_else(|| json!({}), |known| known.tool.definition.parameters.clone());
        Ok(given(&schema, &question.params, args))
    }

    pub fn made(language: domain::Language, decided: Decided) -> DecisionMade {
        let call = decided.execution;
        DecisionMade {
            execution_id: call.execution_id,
            status: call.status,
            error_message: Texts::of(language).recorded(call.error_code.as_deref(), call.error_message),
        }
    }
}
