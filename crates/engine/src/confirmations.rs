//! B1, B2: a person decides before a call runs. The approval is single-use, expires, and is bound to what was shown:
//! arguments, version of the tool, policy and agent.

mod approval;
pub(crate) mod closing;
pub(crate) mod events;

use crate::{
    Engine,
    calls::{Call, Called, Found, Placed, Step, answer_of},
    executors,
    gate::Decision,
};
use ability::{
    Actor, DecideConfirmations, ReadConfirmations, Right, Role, Target, TenantPermit, policy::Principal,
};
use domain::{
    AgentId, ApiKeyId, ConfirmationId, ErrorCode, ListOut, Page, ServiceError, ServiceResult, TenantId,
    TenantRole, UserId,
    execution::{ConfirmationOut, ConfirmationStatus, ExecutionAnswer, ExecutionStatus},
    tool::ExecutionType,
};
use serde_json::{Value, json};
use store::{Moment, confirmations::Confirmation, executions::Execution};
use time::Duration;

/// What became of a decision.
#[derive(Clone, Debug)]
pub struct Decided {
    pub confirmation: ConfirmationOut,
    pub execution: ExecutionAnswer,
}

impl Engine {
    /// The call waits; nothing has happened yet.
    pub(crate) async fn ask_people(
        &self,
        call: &Call,
        found: &Found,
        decision: &Decision,
        mut row: Execution,
    ) -> ServiceResult<Option<Called>> {
        let id = ConfirmationId::new();
        row.status = ExecutionStatus::Pending.as_str().to_owned();
        row.confirmation_id = Some(id.0);
        let plan = self.plan(found, &row, &call.params).await;
        let caller = call.permit.caller();
        let lifetime = Duration::seconds(found.catalogue.limits.confirmation_lifetime_seconds.into());
        let question = Confirmation {
            id: id.0,
            tenant_id: row.tenant_id,
            execution_id: row.id,
            tool_id: row.tool_id,
            tool_name: row.tool_name.clone(),
            agent_id: row.agent_id,
            status: ConfirmationStatus::Pending.as_str().to_owned(),
            binding: self.binding(found, &call.params),
            params: row.params.clone(),
            edited_params: None,
            plan: plan.map(|plan| plan.to_string()),
            reason: decision.reason.to_string(),
            requested_by_kind: caller.actor.kind().to_owned(),
            requested_by_id: caller.actor.id(),
            requested_by: caller.name.clone(),
            second_person: found.tool.tool.definition.requires_second_person,
            decided_by: None,
            decided_at: None,
            note: None,
            expires_at: Moment::now().plus(lifetime),
            created_at: Moment::now(),
        };
        let expires_at = question.expires_at;
        match self.place(call, found, row, Step::Ask(Box::new(question))).await? {
            Placed::Written(row) => {
                let answer = ExecutionAnswer { expires_at: Some(expires_at.into()), ..answer_of(&row)? };
                Ok(Some(Called { answer, is_replay: false }))
            }
            other => self.other(call, other).await,
        }
    }

    /// A waiting call says until when.
    pub(crate) async fn with_deadline(
        &self,
        answer: ExecutionAnswer,
        row: &Execution,
    ) -> ServiceResult<ExecutionAnswer> {
        let Some(id) = answer.confirmation_id else { return Ok(answer) };
        let tenant = TenantId(row.tenant_id);
        let question = store::confirmations::find(&self.db.reader_of(tenant).await?, tenant, id).await?;
        Ok(ExecutionAnswer { expires_at: question.map(|question| question.expires_at.into()), ..answer })
    }

    /// B1: what would happen, as far as it can be told without doing it. Secrets are masked.
    async fn plan(&self, found: &Found, row: &Execution, params: &Value) -> Option<Value> {
        let definition = &found.tool.tool.definition;
        let mut shown = params.clone();
        found.tool.mask.apply_to_params(&mut shown);
        let mut plan = match definition.execution_type {
            ExecutionType::Internal => {
                let call = self.internal_call(&found.tool, params);
                call.plan(&self.db.reader_of(TenantId(row.tenant_id)).await.ok()?, row).await?
            }
            ExecutionType::Webhook => executors::webhook::preview(&found.tool, row, &shown)?,
            ExecutionType::Code => json!({
                "summary": format!("{}, version {}", definition.name, found.tool.tool.version),
                "fetch_hosts": definition.fetch_hosts,
                "secret_names": definition.secret_names,
                "params": shown,
            }),
        };
        found.tool.mask.apply(&mut plan);
        Some(plan)
    }

    /// What an approval is bound to. It is about the arguments with their secrets.
    fn binding(&self, found: &Found, params: &Value) -> String {
        let tool = &found.tool.tool;
        let agent = found.agent.as_ref().map(|agent| agent.id);
        let whole = json!([tool.id, tool.version, agent, self.policy_version, params]);
        self.vault.fingerprint("confirmation", whole.to_string().as_bytes())
    }

    pub async fn list_confirmations(
        &self,
        permit: &TenantPermit<ReadConfirmations>,
        status: Option<ConfirmationStatus>,
        page: Page,
    ) -> ServiceResult<ListOut<ConfirmationOut>> {
        let conn = self.db.reader_of(permit.tenant()).await?;
        let rows = store::confirmations::list(&conn, permit.tenant(), status, page).await?;
        let ListOut { data, next_cursor } = page.list(rows, |row| row.id);
        let data = store::confirmations::views(&conn, permit.tenant(), data).await?;
        Ok(ListOut { data, next_cursor })
    }

    /// For the badge beside the inbox.
    pub async fn count_confirmations(
        &self,
        permit: &TenantPermit<ReadConfirmations>,
        most: u64,
    ) -> ServiceResult<u64> {
        let conn = self.db.reader_of(permit.tenant()).await?;
        Ok(store::confirmations::count_waiting(&conn, permit.tenant(), most).await?)
    }

    /// The roles that may decide this question.
    pub fn deciding_roles(&self, tenant: TenantId, question: &ConfirmationOut) -> Vec<TenantRole> {
        let target = target(&question.tool_name, question.agent_id).with("tenant_id", tenant);
        let decides = |role: &TenantRole| {
            let (id, tenant) = (uuid::Uuid::nil(), Some(tenant));
            let principal = Principal { id, tenant, roles: vec![Role::Tenant(*role)] };
            self.policy.ability_for(&principal).decide(DecideConfirmations::ACTION, &target).is_allowed()
        };
        TenantRole::ALL.into_iter().filter(decides).collect()
    }

    pub async fn get_confirmation(
        &self,
        permit: &TenantPermit<ReadConfirmations>,
        id: ConfirmationId,
    ) -> ServiceResult<ConfirmationOut> {
        self.shown_question(permit.tenant(), id).await
    }

    /// Whether the caller asked for this call, and somebody else has to approve it.
    pub async fn needs_somebody_else(
        &self,
        permit: &TenantPermit<ReadConfirmations>,
        question: &ConfirmationOut,
    ) -> ServiceResult<bool> {
        if !question.requires_second_person || question.status != ConfirmationStatus::Pending {
            return Ok(false);
        }
        let question = self.question(permit.tenant(), question.id).await?;
        self.is_same_person(asked_by(&question), permit.caller().actor).await
    }

    /// Rules may be about the tool, or about the agent: then it depends on the question who decides it.
    pub fn may_decide(&self, permit: &TenantPermit<ReadConfirmations>, question: &ConfirmationOut) -> bool {
        let target = target(&question.tool_name, question.agent_id).with("tenant_id", permit.tenant());
        permit.caller().ability.can(DecideConfirmations::ACTION, target)
    }

    async fn shown_question(&self, tenant: TenantId, id: ConfirmationId) -> ServiceResult<ConfirmationOut> {
        let question = self.question(tenant, id).await?;
        Ok(store::confirmations::view(&self.db.reader_of(tenant).await?, question).await?)
    }

    async fn question(&self, tenant: TenantId, id: ConfirmationId) -> ServiceResult<Confirmation> {
        let found = store::confirmations::find(&self.db.reader_of(tenant).await?, tenant, id).await?;
        found.ok_or_else(|| ServiceError::new(ErrorCode::NotFound, "There is no such confirmation."))
    }

    async fn decided(&self, tenant: TenantId, id: ConfirmationId, row: &Execution) -> ServiceResult<Decided> {
        let confirmation = self.shown_question(tenant, id).await?;
        Ok(Decided { confirmation, execution: answer_of(row)? })
    }
}

fn target(tool_name: &str, agent: Option<AgentId>) -> Target {
    let target = Target::one(DecideConfirmations::SUBJECT).with("tool_name", tool_name);
    match agent {
        Some(agent) => target.with("agent_id", agent),
        None => target,
    }
}

fn must_decide(permit: &TenantPermit<DecideConfirmations>, question: &Confirmation) -> ServiceResult<()> {
    Ok(permit.on(target(&question.tool_name, question.agent_id.map(AgentId)))?)
}

fn is_open(question: &Confirmation) -> ServiceResult<()> {
    match store::confirmations::status_of(question)? {
        ConfirmationStatus::Pending => Ok(()),
        // What closed it before its time stands in its note.
        ConfirmationStatus::Expired => Err(match question.note.as_deref() {
            Some(CANCELLED) => {
                let detail = "The call was cancelled: there is nothing left to decide.";
                ServiceError::new(ErrorCode::AlreadyDecided, detail)
            }
            Some(why) => ServiceError::new(ErrorCode::BindingChanged, why),
            None => too_late(),
        }),
        ConfirmationStatus::Approved | ConfirmationStatus::Refused => Err(decided_already()),
    }
}

fn asked_by(question: &Confirmation) -> Actor {
    match (question.requested_by_kind.as_str(), question.requested_by_id) {
        ("user", Some(id)) => Actor::User(UserId(id)),
        ("api_key", Some(id)) => Actor::ApiKey(ApiKeyId(id)),
        _ => Actor::Operator,
    }
}

fn too_late() -> ServiceError {
    ServiceError::new(ErrorCode::ConfirmationExpired, "The time to decide this is over.")
}

fn decided_already() -> ServiceError {
    ServiceError::new(ErrorCode::AlreadyDecided, "Somebody decided this already, or its time is over.")
}

/// Why a question was closed before its time, in its note.
pub(crate) const CANCELLED: &str = "The call was cancelled.";
const CHANGED: &str =
    "The tool, its arguments, the agent or the policy changed since this was asked; call again.";

const ASKER_IS_GONE: &str =
    "Whoever asked for this call was taken away since: their key was revoked, or they are no longer here.";

fn changed() -> ServiceError {
    ServiceError::new(ErrorCode::BindingChanged, CHANGED)
}
