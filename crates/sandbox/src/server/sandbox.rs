//! The entry point: the only way to run somebody's code.

use super::{
    call::{Conversation, Told},
    config::{Config, Privileges, Unsupported},
    gate::Gate,
    keeper::Keeper,
    metrics::Metrics,
    pool::Pool,
    prepared::Prepared,
    zygote::Zygote,
};
use crate::{
    Context, Fault, FaultKind, FetchRequest, FetchResponse, Finished, Limits, Outside, Script,
    protocol::{Hello, Mode},
};
use futures::future::BoxFuture;
use serde_json::Value;
use std::{
    collections::BTreeMap,
    sync::{Arc, atomic::Ordering::Relaxed},
    time::{Duration, Instant},
};
use tokio::sync::Semaphore;

/// Workers that ended before their script began: the next one gets it.
const ATTEMPTS: u32 = 3;
/// Of a check. A module that takes longer to say what it exports is not a tool.
const CHECK_TIME: Duration = Duration::from_secs(2);
const CHECKS_AT_ONCE: usize = 2;
/// Of the first script: a busy machine is no reason to have no code tools until the next start.
const FIRST_TIME: Duration = Duration::from_secs(30);

/// Cheap to clone. When the last one is dropped, all workers end.
#[derive(Clone)]
pub struct Sandbox(Arc<Inner>);

struct Inner {
    gate: Arc<Gate>,
    checks: Semaphore,
    pool: Arc<Pool>,
    patience: Duration,
    hello: Hello,
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.pool.close();
    }
}

impl Sandbox {
    /// Starts the zygote and tries one script: whatever is missing is found here, and not by the first caller.
    pub async fn start(config: Config) -> Result<Self, Unsupported> {
        let unsupported = |reason| Unsupported { reason };
        let (zygote, hello) = Zygote::start(&config).await.map_err(unsupported)?;
        let pool = Arc::new(Pool::new());
        let gate = Gate::new(config.running, config.per_tenant);
        let checks = Semaphore::new(CHECKS_AT_ONCE);
        let sandbox =
            Self(Arc::new(Inner { gate, checks, pool: Arc::clone(&pool), patience: config.patience, hello }));
        tokio::spawn(Keeper::new(config, pool).keep(zygote));
        match sandbox.checked("export default () => 1", FIRST_TIME).await {
            Ok(()) => Ok(sandbox),
            Err(fault) => Err(unsupported(format!("the first script failed: {fault}"))),
        }
    }

    /// Dropping the future kills the worker at once.
    pub async fn run(&self, tenant: u128, script: Script, outside: Arc<dyn Outside>) -> Finished {
        let arrived = Instant::now();
        match Prepared::new(&script, Mode::Run) {
            Ok(prepared) => self.counted(self.admitted(tenant, arrived, &prepared, &*outside)).await,
            Err(fault) => self.counted(async { finished(Err(fault), Told::default(), arrived, None) }).await,
        }
    }

    /// Whether it is a module with a default function, without calling it. Like everything of an author, it is looked
    /// at by a worker only.
    pub async fn check(&self, code: &str) -> Result<(), Fault> {
        self.checked(code, CHECK_TIME).await
    }

    async fn checked(&self, code: &str, time: Duration) -> Result<(), Fault> {
        let limits = Limits { time, log_bytes: 0, fetches: 0, ..Limits::default() };
        let context = Context::default();
        let script =
            Script { code: code.into(), params: Value::Null, context, secrets: BTreeMap::new(), limits };
        let prepared = Prepared::new(&script, Mode::Check)?;
        // Not in turn with scripts: whoever saves a tool waits for other savers only.
        let _place = self.0.checks.acquire().await;
        let finished = self.with_worker(Instant::now(), &prepared, &Nothing).await;
        finished.result.map(drop)
    }

    pub fn metrics(&self) -> Metrics {
        let (running, queued) = self.0.gate.counts();
        let count = |count| u64::try_from(count).unwrap_or(u64::MAX);
        Metrics {
            pool: count(self.0.pool.len()),
            running: count(running),
            queued: count(queued),
            ..self.0.pool.counters.read()
        }
    }

    pub fn privileges(&self) -> Privileges {
        match &self.0.hello.kept_user {
            None => Privileges::Dropped,
            Some(reason) => Privileges::Kept { reason: reason.clone() },
        }
    }

    /// Of the kernel. Signals to processes outside are refused by Landlock from version 6 on.
    pub fn landlock_abi(&self) -> i32 {
        self.0.hello.landlock_abi
    }

    async fn admitted(
        &self,
        tenant: u128,
        arrived: Instant,
        prepared: &Prepared,
        outside: &dyn Outside,
    ) -> Finished {
        match tokio::time::timeout(self.0.patience, self.0.gate.enter(tenant)).await {
            Ok(Some(_place)) => self.with_worker(arrived, prepared, outside).await,
            _ => no_room(arrived),
        }
    }

    async fn with_worker(&self, arrived: Instant, prepared: &Prepared, outside: &dyn Outside) -> Finished {
        let counters = &self.0.pool.counters;
        for _ in 0..ATTEMPTS {
            let Ok(worker) = tokio::time::timeout(self.0.patience, self.0.pool.take()).await else {
                return no_room(arrived);
            };
            let chosen = Instant::now();
            let frame = prepared.frame.clone();
            let mut conversation = Conversation::new(worker, frame, prepared.limits, &prepared.mask, outside);
            if !conversation.start().await {
                continue;
            }
            let started = Instant::now();
            counters.waiting.add(chosen - arrived);
            counters.starting.add(started - chosen);
            let result = conversation.finish(started).await.map_err(|fault| prepared.masked(fault));
            return finished(result, conversation.told, arrived, Some(started));
        }
        let lost = Fault::new(FaultKind::Crashed, "the worker ended before the script began");
        finished(Err(lost), Told::default(), arrived, None)
    }

    /// A call that is dropped on the way was cancelled.
    async fn counted(&self, call: impl Future<Output = Finished>) -> Finished {
        struct Cancelled<'a>(&'a Pool, bool);
        impl Drop for Cancelled<'_> {
            fn drop(&mut self) {
                if self.1 {
                    self.0.counters.cancelled.fetch_add(1, Relaxed);
                }
            }
        }
        let mut cancelled = Cancelled(&self.0.pool, true);
        let finished = call.await;
        cancelled.1 = false;
        match &finished.result {
            Ok(_) => drop(self.0.pool.counters.succeeded.fetch_add(1, Relaxed)),
            Err(fault) => self.0.pool.counters.fault(fault.kind),
        }
        finished
    }
}

fn no_room(arrived: Instant) -> Finished {
    let fault = Fault::new(FaultKind::NoRoom, "no worker became free in time");
    finished(Err(fault), Told::default(), arrived, None)
}

fn finished(
    result: Result<Value, Fault>,
    told: Told,
    arrived: Instant,
    started: Option<Instant>,
) -> Finished {
    let is_cut = result.as_ref().is_err_and(|fault| fault.message.ends_with('…'));
    Finished {
        result,
        truncated: told.log_cut || is_cut,
        log: told.log,
        log_cut: told.log_cut,
        took: started.map_or(Duration::ZERO, |started| started.elapsed()),
        waited: started.map_or_else(|| arrived.elapsed(), |started| started - arrived),
    }
}

/// For a check, which asks for nothing.
struct Nothing;

impl Outside for Nothing {
    fn fetch(&self, _: FetchRequest) -> BoxFuture<'_, Result<FetchResponse, String>> {
        Box::pin(async { Err("there is nothing outside".to_owned()) })
    }
}
