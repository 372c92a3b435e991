//! S23: two processes of the binary run calls as fast as they can, and somebody switches something off through one of
//! them. Calls on their way may still end; nothing starts once the switch has answered, at either process.
//!
//! A built-in tool acts in one transaction with its record, and so does a switch: the tenant's chain of records tells
//! which of them came first, to the transaction. For other tools there are only clocks.

use crate::{
    app::{fresh_database, problem, raw_sql},
    cli::{Serving, alcada},
    workshop::{Upstream, json_answer, until, webhook_tool, workshop},
};
use reqwest::{Client, Method};
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};
use std::{
    path::Path,
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};
use store::Moment;

const ROUNDS: usize = 4;
const CALLERS_EACH: usize = 4;
/// So many answers before the switch, and again so many after it, from each process.
const ENOUGH: usize = 12;
const PATIENCE: Duration = Duration::from_secs(60);
const TOOLS: [&str; 2] = ["createTask", "hook"];

/// Two processes, one database, and two tools that an agent may call.
struct Pair {
    processes: [Serving; 2],
    database: String,
    owner: String,
    admin: String,
    task: String,
    client: Client,
    _kept: Vec<Box<dyn std::any::Any>>,
}

fn server(data: &Path, database: &str) -> Command {
    let mut command = alcada(data);
    command.env("DATABASE_URL", database).env("ALCADA_EGRESS_ALLOW", "127.0.0.0/8");
    command
}

impl Pair {
    async fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (database, kept) = fresh_database().await;
        let make = |arguments: &[&str]| {
            let output = server(folder.path(), &database).args(arguments).output().unwrap();
            assert!(output.status.success(), "{arguments:?}: {output:?}");
            String::from_utf8(output.stdout).unwrap().trim().to_owned()
        };
        make(&["tenant", "create", "--name", "Chave", "--slug", "chave"]);
        make(&["agent", "create", "--tenant", "chave", "--name", "agente"]);
        let owner = make(&["api-key", "create", "--name", "o", "--tenant", "chave", "--role", "owner"]);
        let admin = make(&["api-key", "create", "--name", "a", "--platform-admin"]);
        let upstream = Upstream::start(|_| json_answer(json!({ "ok": true }))).await;
        let processes = [0, 1].map(|_| Serving::start(&mut server(folder.path(), &database)));
        for process in &processes {
            process.until_ready().await;
        }
        let client = Client::builder().no_proxy().build().unwrap();
        let mut pair = Self {
            processes,
            database,
            owner,
            admin,
            task: String::new(),
            client,
            _kept: vec![Box::new(folder), Box::new(kept)],
        };
        pair.give_tools(&upstream.url).await;
        pair
    }

    async fn give_tools(&mut self, upstream: &str) {
        let tool = json!({
            "name": "hook", "description": "answers at once", "execution_type": "webhook", "webhook_url": upstream,
            "parameters": { "type": "object", "properties": { "title": { "type": "string" } } }
        });
        self.send(0, Method::POST, "/api/v1/tools", &self.owner, tool).await;
        let url = format!("{}/api/v1/tools?q=createTask", self.processes[0].url);
        let found = self.client.get(url).bearer_auth(&self.owner).send().await.unwrap();
        let found: Value = found.json().await.unwrap();
        self.task = found["data"][0]["id"].as_str().unwrap().to_owned();
        self.assign(0, true).await;
    }

    /// The answer of that process, which has to be a success.
    async fn send(&self, at: usize, method: Method, path: &str, key: &str, body: Value) -> Value {
        let request = self.client.request(method, format!("{}{path}", self.processes[at].url));
        let answer = request.bearer_auth(key).json(&body).send().await.unwrap();
        let (status, body) = (answer.status(), answer.json::<Value>().await.unwrap());
        assert!(status.is_success(), "{path}: {body}");
        body
    }

    async fn assign(&self, at: usize, on: bool) {
        let tools: &[&str] = if on { &TOOLS } else { &[] };
        let body = json!({ "allowed_tools": tools, "tool_confirmation_mode": "never" });
        self.send(at, Method::PUT, "/api/v1/agents/agente/tools", &self.owner, body).await;
    }

    async fn toggle(&self, at: usize, on: bool) {
        let path = format!("/api/v1/tools/{}/toggle", self.task);
        self.send(at, Method::PATCH, &path, &self.owner, json!({ "is_active": on })).await;
    }

    async fn switch_kind(&self, at: usize, on: bool) {
        let path = "/api/admin/tools/webhook_tools";
        self.send(at, Method::PATCH, path, &self.admin, json!({ "enabled": on })).await;
    }

    /// Callers at both processes who go on until they are told to stop.
    fn load(&self, tools: &'static [&'static str]) -> Load {
        let seen = Arc::new(Seen::default());
        let callers = (0..2 * CALLERS_EACH)
            .map(|n| {
                let url = format!("{}/api/v1/tools/execute-for-agent", self.processes[n % 2].url);
                let tool = tools[n / 2 % tools.len()];
                tokio::spawn(call(n % 2, url, self.owner.clone(), tool, Arc::clone(&seen)))
            })
            .collect();
        Load { seen, callers }
    }

    async fn count(&self, query: &str) -> i64 {
        let sql = raw_sql(&self.database).await;
        let row = sql.query_one_raw(Statement::from_string(sql.get_database_backend(), query)).await;
        let count = row.unwrap().unwrap().try_get_by_index(0).unwrap();
        sql.close().await.unwrap();
        count
    }

    /// Calls of these tools that began after that moment.
    async fn begun_after(&self, moment: Moment, tools: &[&str]) -> i64 {
        let (moment, tools) = (moment.0, tools.join("', '"));
        let query = format!(
            "SELECT count(*) FROM all_executions WHERE started_at > {moment} AND tool_name IN ('{tools}')"
        );
        self.count(&query).await
    }

    /// Tasks that were made by a transaction behind the last change in the tenant.
    async fn made_behind_the_switch(&self) -> i64 {
        let change = "SELECT max(chain_seq) FROM audit_entries \
             WHERE tenant_id IS NOT NULL AND action NOT LIKE 'execution.%'";
        let query = format!(
            "SELECT count(*) FROM audit_entries WHERE action = 'execution.record' \
             AND after LIKE '%\"tool\":\"createTask\"%' AND chain_seq > ({change})"
        );
        self.count(&query).await
    }
}

/// How many answers each process gave, by what they were.
#[derive(Default)]
struct Seen {
    done: [AtomicUsize; 2],
    refused: [AtomicUsize; 2],
    stop: AtomicBool,
}

impl Seen {
    async fn until(&self, count: impl Fn(&Self, usize) -> usize) {
        let enough = async {
            while (0..2).any(|at| count(self, at) < ENOUGH) {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        };
        tokio::time::timeout(PATIENCE, enough).await.expect("both processes answer");
    }

    async fn until_done(&self) {
        self.until(|seen, at| seen.done[at].load(Ordering::SeqCst)).await;
    }

    async fn until_refused(&self) {
        self.until(|seen, at| seen.refused[at].load(Ordering::SeqCst)).await;
    }
}

struct Load {
    seen: Arc<Seen>,
    callers: Vec<tokio::task::JoinHandle<Vec<Sent>>>,
}

/// A call that ran: when it was sent.
struct Sent {
    at: Instant,
    process: usize,
    execution: Value,
}

async fn call(process: usize, url: String, key: String, tool: &'static str, seen: Arc<Seen>) -> Vec<Sent> {
    let client = Client::builder().no_proxy().build().unwrap();
    let mut ran = Vec::new();
    while !seen.stop.load(Ordering::SeqCst) {
        let body = json!({ "tool_name": tool, "agent_id": "agente", "params": { "title": "x" } });
        let at = Instant::now();
        let answer = client.post(&url).bearer_auth(&key).json(&body).send().await.unwrap();
        let (status, answer) = (answer.status().as_u16(), answer.json::<Value>().await.unwrap());
        match status {
            200 => {
                seen.done[process].fetch_add(1, Ordering::SeqCst);
                ran.push(Sent { at, process, execution: answer["execution_id"].clone() });
            }
            403 => {
                assert!(["tool_disabled", "tool_not_assigned"].contains(&answer["code"].as_str().unwrap()));
                seen.refused[process].fetch_add(1, Ordering::SeqCst);
            }
            // The queue was too long: it did not start.
            503 => {}
            _ => panic!("{status}: {answer}"),
        }
    }
    ran
}

/// Off under load, through each process in turn; on again between the rounds.
async fn rounds(tools: &'static [&'static str], switch: impl AsyncFn(&Pair, usize, bool)) {
    let pair = Pair::start().await;
    for round in 0..ROUNDS {
        let load = pair.load(tools);
        load.seen.until_done().await;
        switch(&pair, round % 2, false).await;
        let (confirmed, moment) = (Instant::now(), Moment::now());
        load.seen.until_refused().await;
        load.seen.stop.store(true, Ordering::SeqCst);
        for caller in futures::future::join_all(load.callers).await {
            for sent in caller.unwrap() {
                let Sent { at, process, execution } = sent;
                assert!(at < confirmed, "{execution} ran at process {process} after the switch");
            }
        }
        assert_eq!(pair.begun_after(moment, tools).await, 0, "round {round}");
        assert_eq!(pair.made_behind_the_switch().await, 0, "round {round}");
        switch(&pair, round % 2, true).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s23_under_load_in_two_processes_a_tool_that_is_off_does_not_start() {
    rounds(&["createTask"], Pair::toggle).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s23_under_load_in_two_processes_a_global_switch_that_is_off_starts_nothing() {
    rounds(&["hook"], Pair::switch_kind).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s23_under_load_in_two_processes_a_tool_that_was_taken_away_does_not_start() {
    rounds(&TOOLS, Pair::assign).await;
}

/// The decision was a yes, the call waits for its turn, and meanwhile somebody switches it off.
#[tokio::test]
async fn s23_a_call_that_waits_for_its_turn_does_not_start_after_the_switch() {
    let (app, owner) = workshop().await;
    let admin = app.sign_in("admin@example.org").await;
    let (upstream, gate) = Upstream::held().await;
    owner.post(201, "/tools", webhook_tool("hook", &upstream.url)).await;
    owner.put("/settings/limits", json!({ "concurrent_calls_per_tool": 1 })).await;
    for (name, tools) in [("first", json!(["hook"])), ("second", json!(["hook", "createTask"]))] {
        let agent = json!({ "name": name, "slug": name, "allowed_tools": tools, "tool_confirmation_mode": "never",
            "rate_limit": { "limit": 1, "window_seconds": 86_400 } });
        owner.post(201, "/agents", agent).await;
    }
    let task = owner.get("/tools?q=createTask").await["data"][0]["id"].as_str().unwrap().to_owned();
    let once = json!({ "rate_limit": { "limit": 1, "window_seconds": 3_600 } });
    owner.put(&format!("/tools/{task}"), once).await;
    owner.post(200, &format!("/tools/{task}/execute"), json!({ "params": { "title": "a única" } })).await;

    let call = |agent: &'static str| {
        let owner = owner.clone();
        tokio::spawn(async move { owner.call("hook", agent, json!({ "title": agent })).await })
    };
    let first = call("first");
    upstream.until_asked(1).await;
    let second = call("second");
    // A call is counted after the gate's yes, and before it waits. Asking costs nothing: the task's own limit is used
    // up, and of two that are, the answer names the one that lasts longer.
    until("counted", || async {
        let refused = owner.call("createTask", "second", json!({ "title": "x" })).await;
        let refused: Value = refused.json().await.unwrap();
        assert_eq!(refused["code"], "rate_limited", "{refused}");
        (refused["exceeded"] == "agent").then_some(())
    })
    .await;
    let off =
        admin.api(Method::PATCH, "/api/admin/tools/webhook_tools", Some(json!({ "enabled": false }))).await;
    assert_eq!(off.status(), 200);
    gate.add_permits(2);
    assert_eq!(first.await.unwrap().status(), 200, "what has begun may end");
    assert_eq!(problem(second.await.unwrap()).await, (403, "tool_disabled".into()));
    assert_eq!(upstream.asked().len(), 1);
}
