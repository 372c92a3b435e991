//! Demo data: agents, tools, some days of history and two open questions, on top of a bakery's contacts and products.
//! Safe to repeat: what is there is left as it is.
//!
//! Everything goes the way that it always goes, so that the record and the statistics hold. Only the history is made up:
//! its calls were never made, and are written as if they had been.

mod rows;

use crate::{
    Call, CalledTool, Engine,
    calls::{Found, Step, new_row},
    tools::no_tool,
};
use ability::{Caller, Right, TenantPermit};
use domain::{
    Page, ServiceResult, TenantId,
    agent::AgentIn,
    execution::ExecutionStatus,
    limits::TenantLimitsIn,
    tool::{ConfirmationMode, ToolIn},
};
use rows::{AGENTS, Past};
use serde_json::{Value, json};
use store::{
    Moment,
    audit::{self, Entry},
    executions::Execution,
};
use time::Duration;
use uuid::{NoContext, Timestamp, Uuid};

const CALLS: i64 = 300;
/// On average; together they reach back five days.
const MINUTES_BETWEEN: i64 = 24;
/// Nobody looks around within an hour only.
const QUESTIONS_LIVE: u32 = 7 * 24 * 60 * 60;

impl Engine {
    /// Fills the tenant with something to look at.
    pub async fn seed_demo(&self, tenant: TenantId) -> ServiceResult<()> {
        self.demo_customers(tenant).await?;
        self.demo_tools(tenant).await?;
        self.demo_agents(tenant).await?;
        self.demo_history(tenant).await?;
        self.demo_questions(tenant).await
    }

    async fn demo_customers(&self, tenant: TenantId) -> ServiceResult<()> {
        let is_new = self.catalogue(tenant).await?.agents().is_empty();
        let tx = self.db.begin().await?;
        crm::demo(&tx, tenant).await?;
        if is_new {
            let entry = Entry {
                tenant: Some(tenant),
                action: "demo.seed",
                subject_kind: "tenant",
                subject_id: tenant.to_string(),
                before: None,
                after: None,
                reason: None,
            };
            audit::append(&tx, &caller(tenant), entry).await?;
        }
        Ok(self.db.commit(tx, &[]).await?)
    }

    async fn demo_tools(&self, tenant: TenantId) -> ServiceResult<()> {
        let catalogue = self.catalogue(tenant).await?;
        for tool in rows::tools() {
            let is_known = tool.name.as_deref().is_some_and(|name| catalogue.tool_named(name).is_some());
            if !is_known {
                self.create_tool(&permit(tenant)?, tool).await?;
            }
        }
        Ok(())
    }

    async fn demo_agents(&self, tenant: TenantId) -> ServiceResult<()> {
        let catalogue = self.catalogue(tenant).await?;
        for agent in AGENTS.iter().filter(|agent| catalogue.agent(agent.slug).is_none()) {
            let input = AgentIn {
                name: agent.name.to_owned(),
                slug: Some(agent.slug.to_owned()),
                description: Some(agent.description.to_owned()),
                persona: Some(agent.persona.to_owned()),
                allowed_tools: Some(agent.tools.iter().map(|tool| (*tool).to_owned()).collect()),
                tool_confirmation_mode: Some(ConfirmationMode::Dangerous),
                ..AgentIn::default()
            };
            self.create_agent(&permit(tenant)?, input).await?;
        }
        Ok(())
    }

    /// Oldest first, as it would have happened.
    async fn demo_history(&self, tenant: TenantId) -> ServiceResult<()> {
        let page = Page { limit: 1, before: None };
        let known = store::executions::list(self.db.reader(), tenant, &Default::default(), page).await?;
        if !known.is_empty() {
            return Ok(());
        }
        let (pasts, now) = (rows::pasts(), Moment::now());
        for (number, past) in (0..CALLS).zip(pasts.iter().cycle()) {
            let call = call(tenant, past.agent, past.tool, past.params.clone())?;
            let found = self.find(&call).await?;
            self.write_at_last(&self.past_row(&call, &found, past, number, now), Step::Write, None).await?;
        }
        Ok(())
    }

    fn past_row(&self, call: &Call, found: &Found, past: &Past, number: i64, now: Moment) -> Execution {
        // A little out of step, and always later than the one before.
        let ago = (CALLS - number) * MINUTES_BETWEEN - (number * 7) % (MINUTES_BETWEEN - 4);
        let at = now.plus(-Duration::minutes(ago));
        let took = past.milliseconds * (70 + (number * 37) % 61) / 100;
        let failure = past.failure.filter(|failure| number % failure.one_in == failure.one_in / 2);
        let status = if failure.is_some() { ExecutionStatus::Error } else { ExecutionStatus::Success };
        Execution {
            id: id_at(at),
            status: status.as_str().to_owned(),
            result: failure.is_none().then(|| past.result.to_string()),
            error_code: failure.map(|failure| failure.code.to_owned()),
            error_message: failure.map(|failure| failure.message.to_owned()),
            execution_time_ms: Some(took),
            executed_at: at,
            started_at: Some(at),
            finished_at: Some(at.plus(Duration::milliseconds(took))),
            sealed_params: None,
            ..new_row(&self.vault, call.permit.caller(), call, found)
        }
    }

    async fn demo_questions(&self, tenant: TenantId) -> ServiceResult<()> {
        let page = Page { limit: 1, before: None };
        if !store::confirmations::list(self.db.reader(), tenant, None, page).await?.is_empty() {
            return Ok(());
        }
        let longer = TenantLimitsIn {
            confirmation_lifetime_seconds: Some(Some(QUESTIONS_LIVE)),
            ..Default::default()
        };
        self.set_tenant_limits(&permit(tenant)?, longer).await?;
        for one in rows::questions() {
            let asked = call(tenant, one.agent, one.tool, one.params)?;
            self.call(Call { message: Some(one.message.to_owned()), ..asked }).await?;
        }
        Ok(())
    }
}

fn caller(tenant: TenantId) -> Caller {
    Caller { tenant: Some(tenant), name: "demo".to_owned(), ..Caller::operator() }
}

fn permit<R: Right>(tenant: TenantId) -> ServiceResult<TenantPermit<R>> {
    caller(tenant).permit()?.in_tenant().ok_or_else(no_tool)
}

fn call(tenant: TenantId, agent: &str, tool: &str, params: Value) -> ServiceResult<Call> {
    Ok(Call {
        permit: permit::<ability::ExecuteTools>(tenant)?.into(),
        tool: CalledTool::Name(tool.to_owned()),
        agent: Some(agent.to_owned()),
        conversation: Some("demo-conversa-1".to_owned()),
        message: None,
        params,
        test_mode: false,
        idempotency_key: None,
    })
}

/// The history is in the order of its ids, and those are in the order of time.
fn id_at(at: Moment) -> Uuid {
    let seconds = u64::try_from(at.seconds()).unwrap_or_default();
    let nanoseconds = u32::try_from(at.0 % 1_000_000 * 1_000).unwrap_or_default();
    Uuid::new_v7(Timestamp::from_unix(NoContext, seconds, nanoseconds))
}

/// What a webhook tool of the demo takes.
fn object(properties: Value, required: &[&str]) -> Value {
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

/// A webhook tool that is switched off: nobody listens where it points.
fn webhook(name: &str, display_name: &str, description: &str, parameters: Value) -> ToolIn {
    ToolIn {
        name: Some(name.to_owned()),
        display_name: Some(display_name.to_owned()),
        description: Some(description.to_owned()),
        webhook_url: Some(Some(format!("https://loja.localhost/{name}"))),
        parameters: Some(parameters),
        is_active: Some(false),
        ..ToolIn::default()
    }
}
