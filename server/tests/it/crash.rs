//! S21: the process is killed under load, again and again. Nothing that was acknowledged is lost, nothing happens twice
//! at a sink that knows ids, the chains hold, and the next process is ready soon. B3: whoever got no answer asks again
//! with the same key, and it happens once. At a sink that does not know ids nothing is tried again: a call that was
//! interrupted there ends as `unknown`.
//!
//! `ALCADA_CRASH_ROUNDS` says how often (`make test-crash` for many).

mod messages;

use crate::{
    app::{fresh_database, on_postgres, raw_sql},
    cli::{Serving, alcada},
    workshop::{Backend, Upstream, id, json_answer},
};
use reqwest::Client;
use sea_orm::{ConnectionTrait, DbBackend, Statement};
use serde_json::{Value, json};
use std::{
    collections::{HashMap, HashSet},
    path::Path,
    process::Command,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

/// One that only writes here, one at a sink that knows ids, and one at a sink that does not.
const TOOLS: [&str; 3] = ["createTask", "hook", "once"];
const CALLERS: usize = 16;
const READY_WITHIN: Duration = Duration::from_secs(5);
const ROUNDS: &str = "ALCADA_CRASH_ROUNDS";

/// What callers were told, over all rounds.
#[derive(Default)]
struct Told {
    /// Titles of tasks whose creation was acknowledged.
    tasks: Vec<String>,
    /// Webhook calls whose success was acknowledged.
    hooks: Vec<String>,
    /// Tool and key of those who got no answer.
    unanswered: Vec<(&'static str, String)>,
}

fn server(data: &Path, database: &str) -> Command {
    let mut command = alcada(data);
    command.env("DATABASE_URL", database).env("ALCADA_EGRESS_ALLOW", "127.0.0.0/8");
    command
}

fn command(data: &Path, database: &str, arguments: &[&str]) -> String {
    let output = server(data, database).args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

fn rounds() -> usize {
    std::env::var(ROUNDS).map_or(3, |text| text.parse().unwrap())
}

/// Asked for by itself: nothing excuses a slow start then. Beside all other tests something may.
fn is_long() -> bool {
    std::env::var_os(ROUNDS).is_some()
}

/// A server that is ready as soon as it has to be.
async fn ready(data: &Path, database: &str) -> Serving {
    let started = Instant::now();
    let serving = Serving::start(&mut server(data, database));
    serving.until_ready().await;
    let took = started.elapsed();
    if is_long() {
        assert!(took < READY_WITHIN, "ready after {took:?}");
    } else if took >= READY_WITHIN {
        let usual = usual_start().await;
        assert!(took < usual * 4, "ready after {took:?}; with nothing to repair after {usual:?}");
    }
    serving
}

/// Slow, or is it the machine? A start that has nothing to repair tells.
async fn usual_start() -> Duration {
    let folder = tempfile::tempdir().unwrap();
    let (database, _kept) = fresh_database().await;
    command(folder.path(), &database, &["tenant", "create", "--name", "Calma", "--slug", "calma"]);
    let started = Instant::now();
    let serving = Serving::start(&mut server(folder.path(), &database));
    serving.until_ready().await;
    started.elapsed()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s21_killed_under_load_nothing_acknowledged_is_lost_and_nothing_happens_twice() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let (database, _kept) = fresh_database().await;
    let make = |arguments: &[&str]| command(data, &database, arguments);
    make(&["tenant", "create", "--name", "Queda", "--slug", "queda"]);
    make(&["agent", "create", "--tenant", "queda", "--name", "agente"]);
    let key = make(&["api-key", "create", "--name", "k", "--tenant", "queda", "--role", "owner"]);
    let upstream = Upstream::start(|_| json_answer(json!({ "ok": true }))).await;
    let forgetful = Upstream::start(|_| json_answer(json!({ "ok": true }))).await;
    let told = Arc::new(Mutex::new(Told::default()));
    let mut first = true;
    for round in 0..rounds() {
        let mut serving = ready(data, &database).await;
        if std::mem::take(&mut first) {
            give_tools(&serving.url, &key, &[("hook", &upstream, true), ("once", &forgetful, false)]).await;
        }
        let load = load(round, &serving.url, &key, &told);
        until_acknowledged(&told, 20 * (round + 1)).await;
        serving.child.kill().unwrap();
        serving.child.wait().unwrap();
        futures::future::join_all(load).await.into_iter().for_each(|caller| caller.unwrap());
    }
    let told = std::mem::take(&mut *told.lock().unwrap());
    check(data, &database, &key, &told, [&upstream, &forgetful]).await;
}

async fn give_tools(url: &str, key: &str, sinks: &[(&str, &Upstream, bool)]) {
    let client = Client::new();
    for (name, upstream, idempotent) in sinks {
        let tool = json!({
            "name": name, "description": "a sink", "execution_type": "webhook",
            "webhook_url": upstream.url, "idempotent": idempotent,
            "parameters": { "type": "object", "properties": { "title": { "type": "string" } } }
        });
        let made =
            client.post(format!("{url}/api/v1/tools")).bearer_auth(key).json(&tool).send().await.unwrap();
        assert_eq!(made.status(), 201);
    }
    let given = json!({ "allowed_tools": TOOLS, "tool_confirmation_mode": "never" });
    let put = client.put(format!("{url}/api/v1/agents/agente/tools")).bearer_auth(key).json(&given);
    assert_eq!(put.send().await.unwrap().status(), 200);
}

/// Callers that go on until nobody answers any more.
fn load(round: usize, url: &str, key: &str, told: &Arc<Mutex<Told>>) -> Vec<tokio::task::JoinHandle<()>> {
    let call = |caller: usize| {
        let (url, key, told) =
            (format!("{url}/api/v1/tools/execute-for-agent"), key.to_owned(), Arc::clone(told));
        async move {
            let client = Client::builder().no_proxy().build().unwrap();
            for n in 0.. {
                let tool = TOOLS[n % TOOLS.len()];
                let title = format!("{round}-{caller}-{n}");
                let Some((status, answer)) = ask(&client, &url, &key, tool, &title).await else {
                    told.lock().unwrap().unanswered.push((tool, title));
                    return;
                };
                // It may be too busy, or not there yet. The key is of this request alone: nothing else is an answer.
                if status == 503 {
                    continue;
                }
                assert_eq!((status, &answer["success"]), (200, &json!(true)), "{answer}");
                let mut told = told.lock().unwrap();
                if tool == "createTask" {
                    told.tasks.push(title);
                } else {
                    told.hooks.push(answer["execution_id"].as_str().unwrap().to_owned());
                }
            }
        }
    };
    (0..CALLERS).map(|caller| tokio::spawn(call(caller))).collect()
}

/// Status and body; nothing when the connection broke before they were there.
async fn ask(client: &Client, url: &str, key: &str, tool: &str, title: &str) -> Option<(u16, Value)> {
    let body = json!({ "tool_name": tool, "agent_id": "agente", "params": { "title": title } });
    let request = client.post(url).bearer_auth(key).header("idempotency-key", title).json(&body);
    let answer = request.send().await.ok()?;
    Some((answer.status().as_u16(), answer.json().await.ok()?))
}

/// B3: the same request again, until it has its answer. What the crash interrupted may still be running.
async fn ask_again(client: &Client, url: &str, key: &str, told: &Told) {
    let url = format!("{url}/api/v1/tools/execute-for-agent");
    for (tool, title) in &told.unanswered {
        let answered = async {
            loop {
                match ask(client, &url, key, tool, title).await.unwrap() {
                    (200, answer) => return answer,
                    (409, answer) => assert_eq!(answer["code"], "idempotency_in_progress"),
                    other => panic!("{other:?}"),
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let answer = tokio::time::timeout(Duration::from_secs(60), answered).await.expect("an answer");
        let is_known = answer["success"] == true || (*tool == "once" && answer["status"] == "unknown");
        assert!(is_known, "{tool} {title}: {answer}");
    }
}

/// Under which ids everything reached the sink, by what its body says that it is.
fn ids_by(upstream: &Upstream, name: impl Fn(&Value) -> &Value) -> HashMap<String, HashSet<String>> {
    let mut all = HashMap::<String, HashSet<String>>::new();
    for asked in upstream.asked() {
        let body: Value = serde_json::from_slice(&asked.body).unwrap();
        let name = name(&body).as_str().unwrap().to_owned();
        all.entry(name).or_default().insert(asked.headers["webhook-id"].to_str().unwrap().to_owned());
    }
    all
}

async fn until_acknowledged(told: &Arc<Mutex<Told>>, count: usize) {
    let enough = async {
        loop {
            let done = {
                let told = told.lock().unwrap();
                told.tasks.len() + told.hooks.len()
            };
            if done >= count {
                return;
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), enough).await.expect("calls are acknowledged");
}

async fn check(data: &Path, database: &str, key: &str, told: &Told, [upstream, forgetful]: [&Upstream; 2]) {
    // One more start: it closes what the last kill left behind.
    let mut serving = ready(data, database).await;
    let client = Client::new();
    let nothing_runs = async {
        loop {
            let running =
                client.get(format!("{}/api/v1/executions?status=running", serving.url)).bearer_auth(key);
            let rows: Value = running.send().await.unwrap().json().await.unwrap();
            if rows["data"].as_array().unwrap().is_empty() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), nothing_runs)
        .await
        .expect("what was left running is closed");
    assert!(!told.unanswered.is_empty(), "somebody was left without an answer");
    ask_again(&client, &serving.url, key, told).await;
    let titles = column(database, "SELECT title FROM tasks").await;
    let once: HashSet<&String> = titles.iter().collect();
    assert_eq!(once.len(), titles.len(), "no task was made twice");
    for title in &told.tasks {
        assert!(once.contains(title), "an acknowledged task is gone: {title}");
    }
    let reached = ids_by(upstream, |body| &body["params"]["title"]);
    assert!(reached.values().all(|ids| ids.len() == 1), "one call for each key: {reached:?}");
    for (tool, title) in &told.unanswered {
        let happened = match *tool {
            "hook" => reached.contains_key(title),
            "createTask" => once.contains(title),
            // Nobody can know.
            _ => true,
        };
        assert!(happened, "{tool} {title}");
    }
    let there = ids_by(forgetful, |body| &body["params"]["title"]);
    assert_eq!(
        there.len(),
        forgetful.asked().len(),
        "nothing is sent twice to a sink that does not know ids"
    );
    let caller = Backend::at(&serving.url, Some(key.to_owned()));
    let succeeded: HashSet<String> =
        all_rows(&caller, "/executions?status=success").await.iter().map(id).collect();
    for id in &told.hooks {
        assert!(succeeded.contains(id), "an acknowledged call is gone: {id}");
    }
    let asked = upstream.asked().into_iter().chain(forgetful.asked());
    let sent: HashSet<_> = asked.map(|asked| asked.headers["webhook-id"].clone()).collect();
    assert!(sent.len() >= told.hooks.len(), "every acknowledged call reached its sink");
    serving.child.kill().unwrap();
    serving.child.wait().unwrap();
    let verified = server(data, database).args(["audit", "verify"]).output().unwrap();
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stderr));
}

/// Every row of a list, page by page.
async fn all_rows(caller: &Backend, list: &str) -> Vec<Value> {
    let (mut all, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = caller.get(&format!("{list}&limit=200{cursor}")).await;
        all.extend(page["data"].as_array().unwrap().iter().cloned());
        match page["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return all,
        }
    }
}

async fn column(database: &str, query: &str) -> Vec<String> {
    let sql = raw_sql(database).await;
    let backend = if on_postgres() { DbBackend::Postgres } else { DbBackend::Sqlite };
    let rows = sql.query_all_raw(Statement::from_string(backend, query)).await.unwrap();
    rows.iter().map(|row| row.try_get_by_index(0).unwrap()).collect()
}
