//! S21: what a process that is gone left running is found and closed: retried when that is harmless, else `unknown`.

use super::{open_params, row};
use crate::Engine;
use domain::{ServiceResult, TenantId, ToolId, execution::ExecutionStatus};
use std::{sync::Arc, time::Duration};
use store::{Moment, Signal, executions::Execution, processes::Process};
use tokio::sync::broadcast::error::RecvError;
use uuid::Uuid;

const EVERY: Duration = Duration::from_secs(5);
/// A process that was not seen for so long is gone, wherever it ran.
const SILENCE: time::Duration = time::Duration::seconds(30);

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

/// Changes with every boot: a process id means nothing after one.
fn host() -> String {
    std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default().trim().to_owned()
}

/// When the process with that id began, in ticks since boot; nothing when there is none.
fn started_at(pid: i64) -> Option<i64> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in brackets may hold anything; what follows the last bracket is numbers.
    stat.rsplit_once(')')?.1.split_whitespace().nth(19)?.parse().ok()
}

fn is_gone(process: &Process) -> bool {
    let is_silent = process.seen_at.plus(SILENCE).is_past();
    let was_here = !process.host.is_empty() && process.host == host();
    is_silent || (was_here && started_at(process.pid) != Some(process.started))
}

impl Engine {
    /// Announces this process, then looks after what others left, what waits too long and what is to be delivered, for as long as it runs.
    /// Called before the first call is taken.
    pub async fn look_after(&self) -> ServiceResult<()> {
        let tx = self.db.begin().await?;
        store::processes::see(&tx, self.calls.process.clone()).await?;
        self.db.commit(tx, &[]).await?;
        let engine = self.clone();
        tokio::spawn(async move {
            loop {
                if let Err(error) = engine.tidy().await {
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

    async fn tidy(&self) -> ServiceResult<()> {
        let tx = self.db.begin().await?;
        store::processes::see(&tx, self.calls.process.clone()).await?;
        store::idempotency::delete_expired(&tx).await?;
        self.db.commit(tx, &[]).await?;
        for process in store::processes::others(self.db.reader(), self.calls.process.id).await? {
            if is_gone(&process) {
                self.pick_up(&process).await?;
            }
        }
        self.expire_questions().await?;
        self.sign_chains().await
    }

    async fn pick_up(&self, process: &Process) -> ServiceResult<()> {
        let tx = self.db.begin().await?;
        if !store::processes::bury(&tx, process).await? {
            return Ok(());
        }
        let left = store::executions::left_by(&tx, process.id).await?;
        // Ours from here on: if this process dies too, the next one finds them under its name.
        store::executions::adopt(&tx, process.id, self.calls.process.id).await?;
        self.db.commit(tx, &[]).await?;
        if !left.is_empty() {
            tracing::warn!(calls = left.len(), "calls of a process that is gone are being closed");
        }
        for row in left {
            let id = row.id;
            if let Err(error) = self.close_or_retry(row).await {
                tracing::error!(execution = %id, %error, "a call that was left running was not closed");
            }
        }
        Ok(())
    }

    async fn close_or_retry(&self, mut row: Execution) -> ServiceResult<()> {
        let catalogue = self.catalogue(TenantId(row.tenant_id)).await?;
        let known = catalogue.tool(ToolId(row.tool_id)).filter(|known| {
            let tool = &known.tool;
            tool.definition.idempotent
                && tool.is_active
                && tool.version == row.tool_version
                && catalogue.switch_against(tool).is_none()
        });
        let params = known.and_then(|_| open_params(&self.vault, &row).ok());
        match known.zip(params) {
            Some((known, params)) => {
                self.calls.own(&mut row);
                let row = self.finish(row).await?;
                let (engine, known) = (self.clone(), Arc::clone(known));
                tokio::spawn(async move {
                    let ended = engine.perform(&known, row, &params).await;
                    if let Err(error) = engine.finish(ended).await {
                        tracing::error!(%error, "the end of a retried call was not recorded");
                    }
                });
            }
            None => {
                row.error_message = Some(
                    "The process ended during this call; whether it took effect is not known.".to_owned(),
                );
                row::close(&mut row, ExecutionStatus::Unknown, Duration::ZERO);
                self.finish(row).await?;
            }
        }
        Ok(())
    }
}

async fn cancel_on_news(engine: Engine) {
    let mut news = engine.db.signals().subscribe();
    loop {
        match news.recv().await {
            Ok(Signal::Cancel(id)) => {
                engine.calls.cancel(id);
            }
            Ok(_) | Err(RecvError::Lagged(_)) => {}
            Err(RecvError::Closed) => return,
        }
    }
}
