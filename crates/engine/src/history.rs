//! T9, T10: what was called. And stopping what runs.

use crate::{
    Engine,
    calls::is_final,
    confirmations::{CANCELLED, closing, events},
    schema::MASKED,
    tools::{is_seen_by, no_agent, no_tool},
};
use ability::{ReadAuditLog, ReadExecutions, Right, Subject, Target, TenantPermit, UpdateExecutions};
use domain::{
    ConfirmationId, ErrorCode, ExecutionId, ListOut, Page, ServiceError, ServiceResult, TenantId, ToolId,
    execution::{ExecutionOut, ExecutionStatus},
};
use items::tools::ItemTool;
use serde_json::{Map, Value};
use std::time::Duration;
use store::{
    Moment, Signal, StoreResult,
    audit::{self, Entry},
    executions::{Execution, Filter},
};
use tokio::time::Instant;

/// Which calls are wanted.
#[derive(Clone, Debug, Default)]
pub struct HistoryFilter {
    pub status: Option<ExecutionStatus>,
    pub tool: Option<ToolId>,
    /// Id or slug.
    pub agent: Option<String>,
    pub from: Option<Moment>,
    pub to: Option<Moment>,
    pub offset: u64,
}

/// Others may end a call too: then nobody here is told, and looking again is the way.
const LOOK_EVERY: Duration = Duration::from_millis(500);
const LONGEST_WAIT: Duration = Duration::from_secs(30);
const MOST_ENTRIES: u64 = 20;

/// Another one after every call that began or ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pulse((Option<uuid::Uuid>, i64));

impl Engine {
    pub async fn list_executions(
        &self,
        permit: &TenantPermit<ReadExecutions>,
        wanted: HistoryFilter,
        page: Page,
    ) -> ServiceResult<ListOut<ExecutionOut>> {
        let catalogue = self.catalogue(permit.tenant()).await?;
        let named = match &wanted.agent {
            Some(name) => Some(catalogue.agent(name).ok_or_else(no_agent)?.id),
            None => None,
        };
        // An agent sees its own calls only.
        let agent = permit.caller().agent.or(named);
        if named.is_some() && agent != named {
            return Err(no_agent());
        }
        let HistoryFilter { status, tool, from, to, offset, .. } = wanted;
        if let Some(id) = tool
            && !is_seen_by(&catalogue, permit.caller(), id)
        {
            return Err(no_tool());
        }
        // A tool that was removed keeps its history; one that never was has none.
        if let Some(id) = tool
            && catalogue.tool(id).is_none()
            && store::tools::versions(&self.db.reader_of(permit.tenant()).await?, permit.tenant(), id)
                .await?
                .is_empty()
        {
            return Err(no_tool());
        }
        let filter = Filter { status, tool, agent, from, to, offset };
        let rows = store::executions::list(
            &self.db.reader_of(permit.tenant()).await?,
            permit.tenant(),
            &filter,
            page,
        )
        .await?;
        let ListOut { data, next_cursor } = page.list(rows, |row| row.id);
        // What scripts and agents said can be long: it is shown with the one execution.
        let in_short = |row| shown(permit, Execution { log: None, circumstances: None, ..row });
        let data = data.into_iter().map(in_short).collect::<Result<_, _>>()?;
        Ok(ListOut { data, next_cursor })
    }

    /// Waits for its end, at most so long.
    pub async fn get_execution(
        &self,
        permit: &TenantPermit<ReadExecutions>,
        id: ExecutionId,
        wait: Duration,
    ) -> ServiceResult<ExecutionOut> {
        let until = Instant::now() + wait.min(LONGEST_WAIT);
        Ok(shown(permit, self.until_ended(permit, id, until).await?)?)
    }

    /// What the record says about a call and the question before it, oldest first.
    pub async fn audit_of_execution(
        &self,
        permit: &TenantPermit<ReadAuditLog>,
        id: ExecutionId,
    ) -> ServiceResult<Vec<audit::Recorded>> {
        let conn = self.db.reader_of(permit.tenant()).await?;
        let Some(row) = store::executions::find(&conn, permit.tenant(), id).await? else {
            return Ok(Vec::new());
        };
        let mut entries = audit::about(&conn, "execution", &id.to_string(), MOST_ENTRIES).await?;
        if let Some(place) = row.audit_seq {
            entries.extend(audit::at(&conn, permit.tenant(), place).await?);
        }
        if let Some(question) = row.confirmation_id {
            entries.extend(audit::about(&conn, "confirmation", &question.to_string(), MOST_ENTRIES).await?);
        }
        entries.sort_by_key(|entry| entry.seq);
        entries.dedup_by_key(|entry| entry.seq);
        entries.iter_mut().for_each(|entry| entry.after = entry.after.take().map(|text| own_part(text, id)));
        Ok(entries)
    }

    /// Whether anything was called or has ended since: for open pages, which then look again.
    pub async fn pulse(&self, tenant: TenantId) -> ServiceResult<Pulse> {
        let conn = self.db.reader_of(tenant).await?;
        Ok(Pulse(store::executions::pulse(&conn, tenant).await?))
    }

    async fn until_ended<R: Right>(
        &self,
        permit: &TenantPermit<R>,
        id: ExecutionId,
        until: Instant,
    ) -> ServiceResult<Execution> {
        // Heard from before the first look: an end in between is not missed.
        let mut ended = self.calls.ended.subscribe();
        loop {
            let row = self.visible(permit, id).await?;
            if is_final(&row) || Instant::now() >= until {
                return Ok(row);
            }
            let look_again = (Instant::now() + LOOK_EVERY).min(until);
            let told = async { while !matches!(ended.recv().await, Ok(ended) if ended == id) {} };
            let _ = tokio::time::timeout_at(look_again, told).await;
        }
    }

    /// What somebody may not see does not exist for them.
    async fn visible<R: Right>(&self, permit: &TenantPermit<R>, id: ExecutionId) -> ServiceResult<Execution> {
        let row =
            store::executions::find(&self.db.reader_of(permit.tenant()).await?, permit.tenant(), id).await?;
        let may_see = |row: &Execution| {
            let target = Target::one(Subject::Execution);
            permit.allows(match row.agent_id {
                Some(agent) => target.with("agent_id", agent),
                None => target,
            })
        };
        row.filter(may_see)
            .ok_or_else(|| ServiceError::new(ErrorCode::NotFound, "There is no such execution."))
    }

    /// X4: really stops the work, in whatever process it runs.
    pub async fn cancel_execution(
        &self,
        permit: &TenantPermit<UpdateExecutions>,
        id: ExecutionId,
    ) -> ServiceResult<ExecutionOut> {
        let row = self.visible(permit, id).await?;
        let too_late =
            || ServiceError::new(ErrorCode::ExecutionFinished, "This execution has ended already.");
        if is_final(&row) {
            return Err(too_late());
        }
        let tenant = permit.tenant();
        let tx = self.db.begin_for(tenant).await?;
        // Of a call that runs, another entry tells what came of it.
        let mut after = None;
        // The question first, as whoever decides it does: nobody waits in a circle.
        if let Some(question) = row.confirmation_id.map(ConfirmationId) {
            match store::confirmations::expire(&tx, tenant, question, Some(CANCELLED)).await? {
                Some(closed) => {
                    let (cancelled, message) = (ExecutionStatus::Cancelled, Some(CANCELLED.to_owned()));
                    let call = store::executions::end_pending(&tx, tenant, id, cancelled, message).await?;
                    after = Some(closing::told(&closed, call.as_ref()));
                    events::tell(&tx, closed).await?;
                }
                None if store::confirmations::is_approved(&tx, tenant, question).await? => {}
                // Somebody else, or its time, closed it first.
                None => return Err(too_late()),
            }
        }
        let entry = Entry {
            tenant: Some(tenant),
            action: "execution.cancel",
            subject_kind: "execution",
            subject_id: id.to_string(),
            before: None,
            after,
            reason: None,
        };
        audit::append(&tx, permit.caller(), entry).await?;
        self.db.commit(tx, &[Signal::Cancel(id), Signal::Confirmations(tenant)]).await?;
        let row = self.until_ended(permit, id, Instant::now() + Duration::from_secs(5)).await?;
        // Its end may have been on its way to the record: then nothing was stopped.
        match ExecutionStatus::from_name(&row.status) {
            Some(
                ExecutionStatus::Success
                | ExecutionStatus::Error
                | ExecutionStatus::Refused
                | ExecutionStatus::Expired,
            ) => Err(too_late()),
            _ => Ok(shown(permit, row)?),
        }
    }
}

/// What people save is theirs alone: others see that something was saved, and not what.
fn shown<R: Right>(permit: &TenantPermit<R>, row: Execution) -> StoreResult<ExecutionOut> {
    let is_private = ItemTool::find(&row.tool_name).is_some() && row.actor_id != permit.caller().actor.id();
    let view = store::executions::view(row)?;
    if !is_private {
        return Ok(view);
    }
    let output_result = view.output_result.map(|_| Value::String(MASKED.to_owned()));
    let message = view.message.map(|_| MASKED.to_owned());
    Ok(ExecutionOut { input_params: masked(&view.input_params), output_result, message, ..view })
}

fn masked(params: &Value) -> Value {
    let names = params.as_object().into_iter().flat_map(|members| members.keys());
    names.map(|name| (name.clone(), Value::String(MASKED.to_owned()))).collect::<Map<_, _>>().into()
}

/// Of what an entry says about several calls, what it says about this one.
fn own_part(text: String, id: ExecutionId) -> String {
    let Ok(whole) = serde_json::from_str::<Value>(&text) else { return text };
    let Some(calls) = whole["calls"].as_array() else { return text };
    let own = calls.iter().find(|call| call["execution_id"].as_str() == Some(&id.to_string()));
    own.map_or(text, Value::to_string)
}
