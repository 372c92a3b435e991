//! S4: what somebody could do who has broken out of the engine. Native code sits in the worker's place, behind the
//! same walls, and tries; then each wall is taken away, to see that it was the wall.

use crate::support::{Echo, TENANT, config, limits, script};
use sandbox::{Config, FaultKind, Finished, Privileges, Sandbox};
use serde_json::{Value, json};
use std::sync::Arc;

async fn probe(without: &[&str]) -> Sandbox {
    let program = env!("CARGO_BIN_EXE_js-probe").into();
    let args = without.iter().map(Into::into).collect();
    Sandbox::start(Config { program, args, waiting: 1, ..config() }).await.expect("the probe starts")
}

async fn run(sandbox: &Sandbox, attempt: &str, parameters: Value) -> Finished {
    let mut script = script(attempt);
    script.params = parameters;
    script.limits = limits();
    sandbox.run(TENANT, script, Arc::new(Echo::default())).await
}

#[derive(Debug, PartialEq)]
enum Seen {
    Succeeded(Value),
    Failed(String),
    Killed,
}

async fn attempt(without: &[&str], attempt: &str, parameters: Value) -> Seen {
    let finished = run(&probe(without).await, attempt, parameters).await;
    match finished.result {
        Ok(Value::Object(mut seen)) if seen.contains_key("succeeded") => {
            Seen::Succeeded(seen["succeeded"].take())
        }
        Ok(seen) => Seen::Failed(seen["failed"].as_str().expect("a reason").to_owned()),
        Err(fault) if fault.kind == FaultKind::Forbidden => Seen::Killed,
        Err(fault) => panic!("{attempt} without {without:?}: {fault}"),
    }
}

/// More than the script's limit and the engine's own room are together.
fn too_much() -> Value {
    json!(limits().memory_bytes + (80 << 20))
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

#[tokio::test]
async fn s4_every_attempt_fails_behind_all_walls() {
    let killed = [
        "open",
        "socket",
        "exec",
        "fork",
        "thread",
        "ptrace",
        "signal",
        "code",
        "descriptors",
        "user",
        "groups",
        "capabilities",
        "dumpable",
        "priority",
    ];
    for name in killed {
        assert_eq!(attempt(&[], name, json!(1)).await, Seen::Killed, "{name}");
    }
    assert_eq!(attempt(&[], "read", json!(3)).await, Seen::Killed, "another descriptor");
    assert!(matches!(attempt(&[], "memory", too_much()).await, Seen::Failed(_)));
    assert!(matches!(attempt(&[], "raise", json!(0)).await, Seen::Failed(_)));
    assert_eq!(attempt(&[], "environment", json!(0)).await, Seen::Succeeded(json!([])));
}

/// An attempt, and the walls that stop it, each of them alone.
async fn stopped_by(name: &str, parameters: Value, walls: &[&str]) {
    for kept in walls {
        let without: Vec<_> = walls.iter().copied().filter(|wall| wall != kept).collect();
        let seen = attempt(&without, name, parameters.clone()).await;
        assert!(!matches!(seen, Seen::Succeeded(_)), "{name} with {kept} alone: {seen:?}");
    }
    let seen = attempt(walls, name, parameters).await;
    assert!(matches!(seen, Seen::Succeeded(_)), "{name} without {walls:?}: {seen:?}");
}

#[tokio::test]
async fn s4_files_are_behind_three_walls() {
    stopped_by("open", json!(0), &["seccomp", "landlock", "files"]).await;
}

#[tokio::test]
async fn s4_sockets_are_behind_walls() {
    let mut walls = vec!["seccomp", "files"];
    if probe(&[]).await.landlock_abi() >= 4 {
        walls.push("landlock");
    }
    stopped_by("socket", json!(0), &walls).await;
}

#[tokio::test]
async fn s4_programs_are_behind_two_walls() {
    // The limits of files and memory would stop the new program when it loads its libraries.
    let others = ["files", "memory"];
    for kept in ["seccomp", "landlock"] {
        let gone = if kept == "seccomp" { "landlock" } else { "seccomp" };
        let seen = attempt(&[&others[..], &[gone]].concat(), "exec", json!(0)).await;
        assert!(!matches!(seen, Seen::Succeeded(_)), "exec with {kept}: {seen:?}");
    }
    let seen = attempt(&["files", "memory", "seccomp", "landlock"], "exec", json!(0)).await;
    assert_eq!(seen, Seen::Succeeded(json!("executed")));
}

#[tokio::test]
async fn s4_processes_are_behind_two_walls() {
    stopped_by("fork", json!(0), &["seccomp", "processes"]).await;
}

#[tokio::test]
async fn s4_tracing_is_behind_a_wall() {
    stopped_by("ptrace", json!(0), &["seccomp"]).await;
    stopped_by("code", json!(0), &["seccomp"]).await;
}

#[tokio::test]
async fn s4_signals_to_the_server_are_behind_walls() {
    let sandbox = probe(&[]).await;
    let mut walls = vec!["seccomp"];
    if sandbox.landlock_abi() >= 6 {
        walls.push("landlock");
    }
    if is_root() {
        walls.push("user");
    }
    stopped_by("signal", json!(std::process::id()), &walls).await;
}

#[tokio::test]
async fn s4_memory_is_behind_a_wall() {
    stopped_by("memory", too_much(), &["memory"]).await;
    let within = json!(limits().memory_bytes);
    assert_eq!(attempt(&[], "memory", within.clone()).await, Seen::Succeeded(within));
}

#[tokio::test]
async fn s4_a_worker_has_two_descriptors() {
    assert_eq!(attempt(&["seccomp"], "descriptors", json!(0)).await, Seen::Succeeded(json!([0, 1])));
    let seen = attempt(&["seccomp", "descriptors"], "descriptors", json!(0)).await;
    assert!(matches!(&seen, Seen::Succeeded(Value::Array(open)) if open.len() > 2), "{seen:?}");
}

#[tokio::test]
async fn s4_a_worker_is_nobody_and_may_nothing() {
    let user = attempt(&["seccomp"], "user", json!(0)).await;
    let sandbox = probe(&["seccomp"]).await;
    if is_root() {
        assert_eq!(sandbox.privileges(), Privileges::Dropped);
        assert_eq!(user, Seen::Succeeded(json!([65534, 65534])));
        assert_eq!(attempt(&["seccomp"], "groups", json!(0)).await, Seen::Succeeded(json!(0)));
        let kept = attempt(&["seccomp", "user"], "user", json!(0)).await;
        assert_eq!(kept, Seen::Succeeded(json!([0, 0])));
        let kept = attempt(&["seccomp", "user"], "capabilities", json!(0)).await;
        assert!(matches!(kept, Seen::Succeeded(all) if all != json!(0)));
    } else {
        assert!(matches!(sandbox.privileges(), Privileges::Kept { reason } if reason.contains("root")));
    }
    assert_eq!(attempt(&["seccomp"], "capabilities", json!(0)).await, Seen::Succeeded(json!(0)));
}

#[tokio::test]
async fn s4_a_worker_leaves_no_core_and_cannot_be_looked_into() {
    assert_eq!(attempt(&["seccomp"], "dumpable", json!(0)).await, Seen::Succeeded(json!(0)));
    if !is_root() {
        let seen = attempt(&["seccomp", "dumpable"], "dumpable", json!(0)).await;
        assert_eq!(seen, Seen::Succeeded(json!(1)));
    }
    let Seen::Succeeded(limits) = attempt(&["seccomp"], "limits", json!(0)).await else {
        panic!("limits can be read without seccomp");
    };
    for (name, most) in [("core", 0), ("size", 0), ("locked", 0), ("files", 2), ("processes", 0), ("cpu", 61)]
    {
        assert_eq!(limits[name], json!(most), "{name}");
    }
}

#[tokio::test]
async fn s3_a_worker_has_low_priority_and_soon_the_lowest() {
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    let Seen::Succeeded(early) = attempt(&["seccomp"], "priority", json!(0)).await else {
        panic!("the priority can be read without seccomp");
    };
    assert_eq!((&early["nice"], &early["processors"]), (&json!(10), &json!(all)));
    // Nothing: a kernel before 6.12, where all turns are alike.
    let late_turn = if early["turn_ms"] == 0 { 0 } else { 100 };
    assert_ne!(early["turn_ms"], json!(100), "short scripts take turns like everybody's");
    let late = json!({"nice": 19, "processors": all.div_ceil(2), "turn_ms": late_turn});
    assert_eq!(attempt(&["seccomp"], "late-priority", json!(0)).await, Seen::Succeeded(late));
}

#[tokio::test]
async fn s4_the_environment_is_empty_because_the_server_empties_it() {
    // `env` puts something in again, from outside.
    let args = ["CANARY=1", env!("CARGO_BIN_EXE_js-probe")].iter().map(Into::into).collect();
    let config = Config { program: "/usr/bin/env".into(), args, ..config() };
    let sandbox = Sandbox::start(config).await.expect("the probe starts");
    let seen = run(&sandbox, "environment", json!(0)).await;
    assert_eq!(seen.result, Ok(json!({"succeeded": ["CANARY"]})));
}

#[tokio::test]
async fn s3_a_worker_that_was_taken_over_cannot_hurt_the_server() {
    let sandbox = probe(&[]).await;
    for name in ["flood", "nonsense"] {
        let fault = run(&sandbox, name, json!(0)).await.result.expect_err(name);
        assert_eq!(fault.kind, FaultKind::Crashed, "{name}: {fault}");
        assert!(fault.message.contains("makes no sense"), "{name}: {fault}");
    }
    let fault = run(&sandbox, "crash", json!(0)).await.result.expect_err("a crash");
    assert!(matches!(fault.kind, FaultKind::Crashed | FaultKind::Forbidden), "{fault}");
}
