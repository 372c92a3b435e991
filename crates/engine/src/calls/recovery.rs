//! S21: what a process that is gone left running is found and closed: retried when that is harmless, else `unknown`.

use super::{
    ATTEMPTS, Asked, Found, Placed, Step,
    desk::Ticket,
    open_params,
    patience::Patience,
    row,
    slots::{Room, Slot},
};
use crate::{Engine, KnownTool, enrichment::the_product, gate::Verdict, tools::ToolSecrets};
use domain::{ExecutionId, ServiceResult, TenantId, ToolId, execution::ExecutionStatus};
use serde_json::Value;
use std::{collections::HashSet, sync::Arc, time::Duration};
use store::{Moment, Signal, WriteTx, executions::Execution, processes::Process, tools::Tool};
use tokio::{sync::broadcast::error::RecvError, time::Instant};
use uuid::Uuid;

const EVERY: Duration = Duration::from_secs(5);
/// Whoever got a turn so soon did not wait for it.
const AT_ONCE: Duration = Duration::from_millis(5);
const LOOK_AGAIN: Duration = Duration::from_millis(20);
/// A process of another machine that was not seen for so long is gone.
const SILENCE: time::Duration = time::Duration::seconds(30);
/// Longer between two rounds of our own: the database was away, or this machine slept.
const GAP: Duration = Duration::from_secs(15);
/// Calls that are younger are left to their process, which may have been buried by mistake and be known again in a moment.
const FORGOTTEN: time::Duration = time::Duration::minutes(1);

/// Who we are, so that others can tell whether we still run.
pub(crate) fn this_process() -> Process {
    let pid = i64::from(std::process::id());
    Process {
        id: Uuid::now_v7(),
        host: host(),
        pid,
        started: started_at(pid).unwrap_or_default(),
        seen_at: Moment::now(),
    }
}

/// Where a process id means something: until the next boot, and within one container.
fn host() -> String {
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let ids = std::fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    if boot.is_empty() { boot } else { format!("{} {}", boot.trim(), ids.display()) }
}

/// When the process with that id began, in ticks since boot; nothing when there is none.
fn started_at(pid: i64) -> Option<i64> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in brackets may hold anything; what follows the last bracket is numbers.
    stat.rsplit_once(')')?.1.split_whitespace().nth(19)?.parse().ok()
}

/// Here the system knows, whatever any clock says. Elsewhere only silence tells, by the one clock that both have.
fn is_gone(process: &Process, now: Moment, hears_others: bool) -> bool {
    let is_here = !process.host.is_empty() && process.host == host();
    match is_here {
        true => started_at(process.pid) != Some(process.started),
        false => hears_others && process.seen_at.plus(SILENCE) <= now,
    }
}

/// Whether the silence of others means anything. After an outage nobody has been heard for a while, and whoever is back first,
/// or starts then, must not take the others for gone.
struct Presence {
    last: Instant,
    /// Since when there was no gap; nothing when none is known of.
    back_since: Option<Instant>,
}

impl Presence {
    /// This process was seen now.
    fn seen(&mut self, now: Instant) -> bool {
        if now - self.last > GAP {
            self.back_since = Some(now);
        }
        self.last = now;
        self.back_since.is_none_or(|since| now - since > SILENCE)
    }
}

impl Engine {
    /// Announces this process, then looks after what others left, what waits too long and what is to be delivered, for as long as it runs.
    /// Called before the first call is taken.
    /// `after_outage` when the database was not there at first: then nobody has been heard for a while.
    pub async fn look_after(&self, after_outage: bool) -> ServiceResult<()> {
        if let Err(error) = self.renew_system_tools().await {
            tracing::error!(%error, "built-in tools are described as before; the next start tries again");
        }
        if let Err(error) = self.seal_addresses().await {
            tracing::error!(%error, "addresses of before this version are still in clear; the next start tries again");
        }
        let tx = self.db.begin().await?;
        store::processes::see(&tx, self.calls.process.clone()).await?;
        self.db.commit(tx, &[]).await?;
        let engine = self.clone();
        tokio::spawn(async move {
            let now = Instant::now();
            let mut presence = Presence { last: now, back_since: after_outage.then_some(now) };
            loop {
                if let Err(error) = engine.tidy(&mut presence).await {
                    tracing::warn!(%error, "looking after calls failed; trying again");
                }
                tokio::time::sleep(EVERY).await;
            }
        });
        tokio::spawn(cancel_on_news(self.clone()));
        self.channels.start_delivering(self.calls.process.id);
        tokio::spawn(self.clone().keep_enriching());
        Ok(())
    }

    /// For a process that is about to stop: what runs gets to its end, and its end onto the record.
    pub async fn until_calls_ended(&self, longest: Duration) {
        let ended = async {
            while !self.calls.running().is_empty() {
                tokio::time::sleep(LOOK_AGAIN).await;
            }
        };
        if tokio::time::timeout(longest, ended).await.is_err() {
            let count = self.calls.running().len();
            tracing::warn!(
                count,
                "stopped while calls were running: the next process closes or repeats them"
            );
        }
        self.note_repeated_denials(true).await;
    }

    async fn tidy(&self, presence: &mut Presence) -> ServiceResult<()> {
        let tx = self.db.begin().await?;
        store::processes::see(&tx, self.calls.process.clone()).await?;
        store::idempotency::delete_expired(&tx).await?;
        self.db.commit(tx, &[]).await?;
        let hears_others = presence.seen(Instant::now());
        let now = store::processes::clock(self.db.reader()).await?;
        for process in store::processes::others(self.db.reader(), self.calls.process.id).await? {
            if is_gone(&process, now, hears_others) {
                self.pick_up(&process).await?;
            }
        }
        if hears_others {
            self.pick_up_forgotten(now).await?;
        }
        self.close_orphans().await?;
        self.note_repeated_denials(false).await;
        self.sign_chains().await?;
        self.expire_questions().await
    }

    async fn pick_up(&self, process: &Process) -> ServiceResult<()> {
        let tx = self.db.begin().await?;
        if !store::processes::bury(&tx, process).await? {
            return Ok(());
        }
        self.take_over(tx, process.id).await
    }

    /// A process of an older version does not know intents, and may have buried one that left some.
    async fn pick_up_forgotten(&self, now: Moment) -> ServiceResult<()> {
        for process in store::executions::forgotten(self.db.reader(), now.plus(-FORGOTTEN)).await? {
            self.take_over(self.db.begin().await?, process).await?;
        }
        Ok(())
    }

    async fn take_over(&self, tx: WriteTx, process: Uuid) -> ServiceResult<()> {
        let left = store::executions::left_by(&tx, process).await?;
        // Ours from here on: if this process dies too, the next one finds them under its name.
        let adopted = store::executions::adopt(&tx, process, self.calls.process.id).await?;
        self.db.commit(tx, &[]).await?;
        if adopted == 0 {
            return Ok(());
        }
        tracing::warn!(calls = left.len(), "calls of a process that is gone are being closed");
        for row in left {
            let id = row.id;
            if let Err(error) = self.close_or_retry(row).await {
                tracing::error!(execution = %id, %error, "a call that was left running was not closed");
            }
        }
        Ok(())
    }

    /// Rows of this process that nobody here works on: their task broke off, or their end could not be written.
    async fn close_orphans(&self) -> ServiceResult<()> {
        let me = self.calls.process.id;
        let before = store::executions::left_by(self.db.reader(), me).await?;
        let running: HashSet<_> = self.calls.running().into_iter().collect();
        let suspects = before.into_iter().filter(|row| !running.contains(&ExecutionId(row.id)));
        let suspects: HashSet<Uuid> = suspects.map(|row| row.id).collect();
        if suspects.is_empty() {
            return Ok(());
        }
        // Asked again: one that ran before and runs still was running in between, and somebody should have known it.
        let after = store::executions::left_by(self.db.reader(), me).await?;
        for mut row in after.into_iter().filter(|row| suspects.contains(&row.id)) {
            let id = row.id;
            tracing::error!(execution = %id, "nobody works on a call that says it runs; it is closed");
            row::break_off(&mut row, Vec::new(), None);
            if let Err(error) = self.finish(row).await {
                tracing::error!(execution = %id, %error, "a call that nobody works on was not closed");
            }
        }
        Ok(())
    }

    /// B7: sending a call again is a door like any other. Whose right it was to call has been checked when it came; what
    /// was switched off, or taken from the agent, since then stays that way, and the record says so.
    async fn is_repeatable(
        &self,
        row: &Execution,
        is_same: impl Fn(&Tool) -> bool,
    ) -> ServiceResult<Option<Found>> {
        let tenant = TenantId(row.tenant_id);
        let catalogue = self.catalogue(tenant).await?;
        let agent = row.agent_id.map(|id| catalogue.agent(&id.to_string()).map(Arc::clone));
        let tool = catalogue
            .tool(ToolId(row.tool_id))
            .filter(|known| known.tool.definition.idempotent && is_same(&known.tool));
        let (Some(tool), None | Some(Some(_))) = (tool.map(Arc::clone), &agent) else { return Ok(None) };
        let found = Found { catalogue, tool, agent: agent.flatten(), rights: None };
        let caller = the_product(tenant);
        let asked = Asked { params: &Value::Null, fit: false, limits: None };
        let decision = self.ask_gate(&caller, &found, asked);
        self.note_denial(&caller, &found, &decision).await?;
        Ok((decision.verdict != Verdict::Denied).then_some(found))
    }

    /// The same, before the address of a call is tried again. Its words and what signs it may change meanwhile; not where it goes.
    /// When nobody can be asked, nothing is sent.
    pub(crate) async fn may_go_again(&self, row: &Execution, began: &Tool) -> bool {
        let goes = |tool: &Tool| {
            let secrets =
                ToolSecrets::open(&self.vault, TenantId(row.tenant_id), tool.id, tool.secrets.as_deref())
                    .ok()?;
            let address = secrets.address_of(&tool.definition)?.to_owned();
            Some((address, tool.definition.webhook_method))
        };
        match self.is_repeatable(row, |tool| goes(tool) == goes(began)).await {
            Ok(found) => found.is_some(),
            Err(error) => {
                tracing::warn!(execution = %row.id, %error, "a call is not sent again: nobody can be asked");
                false
            }
        }
    }

    async fn close_or_retry(&self, row: Execution) -> ServiceResult<()> {
        for _ in 0..ATTEMPTS {
            let Some(found) = self.is_repeatable(&row, |tool| tool.version == row.tool_version).await? else {
                break;
            };
            let Ok(params) = open_params(&self.vault, &row) else { break };
            if self.repeat(row.clone(), &found, params).await? {
                return Ok(());
            }
        }
        self.give_up(row).await
    }

    /// False, when tools have changed since the gate was asked: the transaction that begins it anew looks once more (S23).
    async fn repeat(&self, mut row: Execution, found: &Found, params: Value) -> ServiceResult<bool> {
        self.calls.own(&mut row);
        let ticket = self.calls.watch(ExecutionId(row.id));
        let row = match self.write_at_last(&row, Step::Update, Some(found.basis())).await? {
            Placed::Written(row) => *row,
            Placed::Stale => return Ok(false),
            // Somebody closed it before.
            _ => return Ok(true),
        };
        let (engine, known, room) = (self.clone(), Arc::clone(&found.tool), self.room_for(found));
        tokio::spawn(async move {
            let (slot, waited) = engine.turn_of(&row, &known, room, &ticket).await;
            // While it waited, tools may have been switched off.
            let version = row.tool_version;
            let goes_on = !waited
                || matches!(engine.is_repeatable(&row, |tool| tool.version == version).await, Ok(Some(_)));
            let ended = match slot {
                Some(_slot) if goes_on => engine.perform(&known, row, &params, &ticket).await,
                _ => interrupted(row),
            };
            if let Err(error) = engine.finish(ended).await {
                tracing::error!(%error, "the end of a retried call was not recorded");
            }
        });
        Ok(true)
    }

    /// Hundreds may have been left: they take turns like any others. No slot, when the call is cancelled meanwhile; and whether
    /// it had to wait.
    async fn turn_of(
        &self,
        row: &Execution,
        known: &KnownTool,
        room: Room,
        ticket: &Ticket,
    ) -> (Option<Slot>, bool) {
        let mut has_waited = false;
        loop {
            let started = Instant::now();
            let entered = tokio::select! {
                entered = self.calls.slots.enter(TenantId(row.tenant_id), known.tool.id, room) => entered,
                () = ticket.cancelled() => return (None, true),
            };
            has_waited |= entered.is_err() || started.elapsed() > AT_ONCE;
            if let Ok(slot) = entered {
                return (Some(slot), has_waited);
            }
        }
    }

    async fn give_up(&self, row: Execution) -> ServiceResult<()> {
        self.finish(interrupted(row)).await.map(drop)
    }
}

fn interrupted(mut row: Execution) -> Execution {
    row.error_message =
        Some("The process ended during this call; whether it took effect is not known.".to_owned());
    row::close(&mut row, ExecutionStatus::Unknown, None);
    row
}

async fn cancel_on_news(engine: Engine) {
    let mut news = engine.db.signals().subscribe();
    loop {
        match news.recv().await {
            Ok(Signal::Cancel(id)) => engine.calls.cancel(id),
            // Something was missed, and may have been this.
            Ok(Signal::Resync) | Err(RecvError::Lagged(_)) => engine.cancel_what_was_missed().await,
            Ok(_) => {}
            Err(RecvError::Closed) => return,
        }
    }
}

impl Engine {
    async fn cancel_what_was_missed(&self) {
        let running = self.calls.running();
        if running.is_empty() {
            return;
        }
        let look = || async { Ok(store::audit::asked_to_stop(self.db.reader(), &running).await?) };
        match Patience::default().through_outages(look).await {
            Ok(ids) => ids.into_iter().for_each(|id| self.calls.cancel(id)),
            Err(error) => tracing::error!(%error, "cancellations may have been missed"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hours(count: i64) -> time::Duration {
        time::Duration::hours(count)
    }

    #[test]
    fn s21_a_process_of_this_machine_lives_while_the_system_says_so() {
        let me = this_process();
        for clock in [Moment::now(), Moment::now().plus(hours(9)), Moment::now().plus(hours(-9))] {
            assert!(!is_gone(&me, clock, true), "a clock that jumps ends nobody");
        }
        let earlier = Process { started: me.started - 1, ..me.clone() };
        assert!(is_gone(&earlier, Moment::now(), false), "another process has its number now");
    }

    #[test]
    fn s21_a_process_of_another_machine_is_gone_when_it_is_silent() {
        let other = Process { host: "another boot".to_owned(), ..this_process() };
        assert!(!is_gone(&other, other.seen_at.plus(SILENCE / 2), true));
        assert!(!is_gone(&other, other.seen_at.plus(hours(-9)), true));
        assert!(is_gone(&other, other.seen_at.plus(SILENCE), true));
        assert!(!is_gone(&other, other.seen_at.plus(SILENCE), false), "nobody could be heard");
    }

    #[test]
    fn s21_after_an_outage_the_silence_of_others_means_nothing_for_a_while() {
        let start = Instant::now();
        let mut presence = Presence { last: start, back_since: None };
        let mut seen_at = |seconds| presence.seen(start + Duration::from_secs(seconds));
        assert!((0..=35).step_by(5).all(&mut seen_at), "others could say that they live");
        assert!(!seen_at(75), "nobody could say anything for 40 seconds");
        assert!((80..=105).step_by(5).all(|second| !seen_at(second)));
        let mut after_outage = Presence { last: start, back_since: Some(start) };
        assert!(!after_outage.seen(start), "whoever starts when the database is back knows no more");
        assert!(seen_at(110), "whoever lives has been heard since");
    }
}
