//! S3: workers come and go; callers do not notice, and nothing stays behind.

use crate::{
    processes::{eventually, kill, mark, marked, workers, zombies_of, zygote},
    support::{Echo, TENANT, config, run, script, value},
};
use futures::future::BoxFuture;
use sandbox::{Config, FaultKind, FetchRequest, FetchResponse, Limits, Outside, Sandbox, Script};
use serde_json::json;
use std::{sync::Arc, time::Duration};
use tokio::{process::Command, sync::Notify};

async fn marked_sandbox() -> (Sandbox, String) {
    let mark = mark();
    let config = Config { args: vec![mark.clone().into()], ..config() };
    let sandbox = Sandbox::start(config).await.expect("this kernel can confine workers");
    // The worker of the sandbox's own first script may still be on its way out.
    eventually("only the pool", || (sandbox.metrics().pool == 2 && workers(&mark).len() == 2).then_some(()))
        .await;
    (sandbox, mark)
}

/// Tells when it was asked, and never answers.
#[derive(Default)]
struct Silent(Notify);

impl Outside for Silent {
    fn fetch(&self, _: FetchRequest) -> BoxFuture<'_, Result<FetchResponse, String>> {
        self.0.notify_one();
        Box::pin(std::future::pending())
    }
}

const WAITS: &str = "export default (p, ctx) => ctx.fetch('https://a.test')";

#[tokio::test]
async fn s3_the_pool_heals_when_waiting_workers_die() {
    let (sandbox, mark) = marked_sandbox().await;
    for pid in workers(&mark) {
        kill(pid);
    }
    assert_eq!(value(&sandbox, "export default () => 1").await, json!(1));
    eventually("the pool is full", || (sandbox.metrics().pool == 2).then_some(())).await;
    let zygote = zygote(&mark);
    eventually("no zombie", || zombies_of(zygote).is_empty().then_some(())).await;
}

#[tokio::test]
async fn s3_a_crash_is_a_clear_fault_and_the_next_call_works() {
    let (sandbox, mark) = marked_sandbox().await;
    let outside = Arc::new(Silent::default());
    let waiting = workers(&mark);
    let call = tokio::spawn({
        let (sandbox, outside) = (sandbox.clone(), outside.clone());
        async move { sandbox.run(TENANT, script(WAITS), outside).await }
    });
    outside.0.notified().await;
    for pid in waiting {
        kill(pid);
    }
    let fault = call.await.unwrap().result.expect_err("killed");
    assert_eq!(fault.kind, FaultKind::Crashed);
    assert!(fault.message.contains("killed from outside"), "{fault}");
    assert_eq!(value(&sandbox, "export default () => 1").await, json!(1));
}

#[tokio::test]
async fn s3_the_pool_heals_when_the_zygote_dies() {
    let (sandbox, mark) = marked_sandbox().await;
    let outside = Arc::new(Silent::default());
    let call = tokio::spawn({
        let (sandbox, outside) = (sandbox.clone(), outside.clone());
        async move { sandbox.run(TENANT, script(WAITS), outside).await }
    });
    outside.0.notified().await;
    let (old_zygote, old) = (zygote(&mark), marked(&mark));
    // As in a container whose first process is the server: orphans are its children.
    rustix::process::set_child_subreaper(rustix::process::Pid::from_raw(1)).unwrap();
    kill(old_zygote);
    assert_eq!(call.await.unwrap().result.expect_err("killed").kind, FaultKind::Crashed);
    assert_eq!(value(&sandbox, "export default () => 1").await, json!(1));
    eventually("workers die with their zygote", || marked(&mark).is_disjoint(&old).then_some(())).await;
    assert_ne!(zygote(&mark), old_zygote);
    assert_eq!(sandbox.metrics().zygote_starts, 2);
    let us = std::process::id().cast_signed();
    eventually("no zombie", || zombies_of(us).is_disjoint(&old).then_some(())).await;
}

#[tokio::test]
async fn s3_dropping_a_call_kills_its_process() {
    let (sandbox, mark) = marked_sandbox().await;
    let outside = Arc::new(Silent::default());
    let call = tokio::spawn({
        let (sandbox, outside) = (sandbox.clone(), outside.clone());
        // It loops while the request is out: no message would reach it.
        let code = "export default (p, ctx) => { ctx.fetch('https://a.test'); for (;;); }";
        async move { sandbox.run(TENANT, script(code), outside).await }
    });
    outside.0.notified().await;
    eventually("it runs beside a full pool", || (workers(&mark).len() == 3).then_some(())).await;
    let before = workers(&mark);
    call.abort();
    assert!(call.await.is_err_and(|e| e.is_cancelled()));
    let after = eventually("one is gone", || Some(workers(&mark)).filter(|now| now.len() == 2)).await;
    assert!(after.is_subset(&before), "the others were not touched");
    let metrics = sandbox.metrics();
    assert_eq!((metrics.cancelled, metrics.running), (1, 0));
}

#[tokio::test]
async fn s3_a_worker_that_says_it_is_done_is_killed_too() {
    let program = env!("CARGO_BIN_EXE_js-probe").into();
    let sandbox =
        Sandbox::start(Config { program, args: vec![], ..config() }).await.expect("the probe starts");
    let finished = sandbox.run(TENANT, script("endless"), Arc::new(Echo::default())).await;
    let pid = finished.result.expect("done")["succeeded"].as_i64().expect("a pid");
    eventually("it is gone", || (!std::path::Path::new(&format!("/proc/{pid}")).exists()).then_some(()))
        .await;
}

#[tokio::test]
async fn s3_everything_ends_with_the_sandbox() {
    let (sandbox, mark) = marked_sandbox().await;
    let zygote = zygote(&mark);
    drop(sandbox);
    eventually("all are gone", || marked(&mark).is_empty().then_some(())).await;
    let us = std::process::id().cast_signed();
    eventually("no zombie", || (!zombies_of(us).contains(&zygote)).then_some(())).await;
}

#[tokio::test]
async fn s3_everything_ends_with_the_server() {
    let mark = mark();
    let mut server = Command::new(env!("CARGO_BIN_EXE_js-probe"))
        .args(["--server", env!("CARGO_BIN_EXE_js-worker"), &mark])
        .kill_on_drop(true)
        .spawn()
        .expect("a server");
    let server_pid = server.id().expect("it runs").cast_signed();
    // Eight that wait, the zygote, and the server itself, which has the mark too.
    eventually("workers wait", || (marked(&mark).len() == 10).then_some(())).await;
    kill(server_pid);
    server.wait().await.expect("it was ours");
    eventually("all are gone", || marked(&mark).is_empty().then_some(())).await;
}

#[tokio::test]
async fn s3_nothing_of_one_call_is_seen_by_the_next() {
    let (sandbox, _) = marked_sandbox().await;
    let code = "export default (p, ctx) => {
        const seen = [globalThis.left, Object.prototype.left, Array.prototype.left, JSON.left, ctx.log.left].join('');
        globalThis.left = Object.prototype.left = JSON.left = ctx.log.left = 'a secret of somebody';
        JSON.stringify = () => '\"changed\"';
        return seen;
    }";
    for _ in 0..12 {
        assert_eq!(value(&sandbox, code).await, json!(""));
    }
    assert!(sandbox.metrics().starts >= 12, "a process for each");
}

#[tokio::test]
async fn s3_many_callers_share_the_places() {
    let (sandbox, mark) = marked_sandbox().await;
    let calls = (0..60_u32).map(|call| {
        let mut script = script("export default (n) => n * 2");
        script.params = json!(call);
        let sandbox = sandbox.clone();
        async move { sandbox.run(u128::from(call % 5), script, Arc::new(Echo::default())).await }
    });
    let finished = futures::future::join_all(calls).await;
    for (call, finished) in finished.into_iter().enumerate() {
        assert_eq!(finished.result, Ok(json!(call * 2)));
    }
    let metrics = sandbox.metrics();
    assert_eq!((metrics.succeeded, metrics.running, metrics.queued), (60, 0, 0));
    assert_eq!(metrics.starting.count, 61, "the first script of all is the sandbox's own");
    assert!(metrics.starting.median().is_some());
    let zygote = zygote(&mark);
    eventually("no zombie", || zombies_of(zygote).is_empty().then_some(())).await;
}

#[tokio::test]
async fn s3_who_waits_too_long_is_told_so() {
    // The sandbox's own first script waits for its worker no longer than this either.
    let patience = Duration::from_secs(5);
    let config = Config { running: 1, patience, ..config() };
    let sandbox = Sandbox::start(config).await.expect("this kernel can confine workers");
    let outside = Arc::new(Silent::default());
    let blocked = sandbox.run(TENANT, script(WAITS), outside.clone());
    let other = async {
        outside.0.notified().await;
        run(&sandbox, "export default () => 1").await
    };
    tokio::select! {
        _ = blocked => panic!("nobody answers"),
        finished = other => {
            assert_eq!(finished.result.expect_err("no room").kind, FaultKind::NoRoom);
            assert_eq!(finished.took, Duration::ZERO);
            assert!(finished.waited >= patience);
        }
    }
}

#[tokio::test]
async fn s3_what_is_too_large_is_refused_before_a_worker_sees_it() {
    let (sandbox, _) = marked_sandbox().await;
    let huge = Script { params: json!("x".repeat(9 << 20)), ..script("export default () => 1") };
    let finished = sandbox.run(TENANT, huge, Arc::new(Echo::default())).await;
    assert_eq!(finished.result.expect_err("too large").kind, FaultKind::TooLarge);
    let large = Script { params: json!("x".repeat(7 << 20)), ..script("export default (p) => p.length") };
    let large = Script { limits: Limits { memory_bytes: 128 << 20, ..large.limits }, ..large };
    let finished = sandbox.run(TENANT, large, Arc::new(Echo::default())).await;
    assert_eq!(finished.result, Ok(json!(7 << 20)));
}

#[tokio::test]
async fn s5_without_a_confined_worker_nothing_runs() {
    for (program, expected) in
        [("/nonexistent", "cannot be started"), ("/bin/true", "ended before it was ready")]
    {
        let started = Sandbox::start(Config { program: program.into(), ..config() }).await;
        let unsupported = started.err().expect("nothing to run with");
        assert!(unsupported.reason.contains(expected), "{unsupported}");
    }
}
