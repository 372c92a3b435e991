//! Processes that share a Redis count together.

use super::{exceeded, times};
use crate::{
    app::{fresh_database, raw_sql},
    cli::{Serving, alcada},
};
use reqwest::{Client, Method, Response};
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader, Lines},
    net::TcpListener,
    process::{Child, ChildStdout, Command, Stdio},
};
use tempfile::TempDir;

/// One of the test's own, killed when the test ends.
struct Redis {
    url: String,
    child: Child,
    /// Kept open: it goes on writing its log.
    _log: Lines<BufReader<ChildStdout>>,
    _folder: TempDir,
}

impl Redis {
    fn start() -> Self {
        loop {
            let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
            // Somebody else may have been given the port meanwhile.
            if let Some(redis) = Self::launch(port) {
                return redis;
            }
        }
    }

    /// Nothing when it ends before it is ready.
    fn launch(port: u16) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new("redis-server");
        command.args(["--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]);
        command.args(["--port", &port.to_string()]).arg("--dir").arg(folder.path());
        let child = command.stdout(Stdio::piped()).spawn();
        let mut child = child.expect("redis-server is missing: scripts/install test");
        let mut log = BufReader::new(child.stdout.take().unwrap()).lines();
        let is_ready = log.by_ref().map_while(Result::ok).any(|line| line.contains("Ready to accept"));
        let redis = Self { url: format!("redis://127.0.0.1:{port}"), child, _log: log, _folder: folder };
        is_ready.then_some(redis)
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Two processes over one database and one Redis, and the key of an owner.
struct Replicas {
    processes: [Serving; 2],
    database: String,
    key: String,
    client: Client,
    _kept: Vec<Box<dyn std::any::Any>>,
}

impl Replicas {
    async fn start(redis: &Redis) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (database, kept) = fresh_database().await;
        let command = || {
            let mut command = alcada(folder.path());
            command.env("DATABASE_URL", &database).env("REDIS_URL", &redis.url);
            command
        };
        let make = |arguments: &[&str]| {
            let output = command().args(arguments).output().unwrap();
            assert!(output.status.success(), "{arguments:?}: {output:?}");
            String::from_utf8(output.stdout).unwrap().trim().to_owned()
        };
        make(&["tenant", "create", "--name", "Dupla", "--slug", "dupla"]);
        make(&["agent", "create", "--tenant", "dupla", "--name", "agente"]);
        let key = make(&["api-key", "create", "--name", "k", "--tenant", "dupla", "--role", "owner"]);
        let processes = [0, 1].map(|_| Serving::start(&mut command()));
        for process in &processes {
            process.until_ready().await;
        }
        let client = Client::builder().no_proxy().build().unwrap();
        Self { processes, database, key, client, _kept: vec![Box::new(folder), Box::new(kept)] }
    }

    /// The answer of that process.
    async fn send(&self, at: usize, method: Method, path: &str, body: Option<Value>) -> Response {
        let request = self.client.request(method, format!("{}/api/v1{path}", self.processes[at].url));
        let request = match body {
            Some(body) => request.json(&body),
            None => request,
        };
        request.bearer_auth(&self.key).send().await.unwrap()
    }

    /// The agent may call one tool, and the tool may be called so often.
    async fn limit(&self, limit: u32) {
        let given = json!({ "allowed_tools": ["createTask"], "tool_confirmation_mode": "never" });
        let given = self.send(0, Method::PUT, "/agents/agente/tools", Some(given)).await;
        assert_eq!(given.status(), 200);
        let found = self.send(0, Method::GET, "/tools?q=createTask", None).await;
        let found: Value = found.json().await.unwrap();
        let path = format!("/tools/{}", found["data"][0]["id"].as_str().unwrap());
        let limited = json!({ "rate_limit": times(limit) });
        assert_eq!(self.send(0, Method::PUT, &path, Some(limited)).await.status(), 200);
    }

    async fn call(&self, at: usize) -> Response {
        let call = json!({ "tool_name": "createTask", "agent_id": "agente", "params": { "title": "x" } });
        self.send(at, Method::POST, "/tools/execute-for-agent", Some(call)).await
    }

    async fn tasks(&self) -> i64 {
        let sql = raw_sql(&self.database).await;
        let query = Statement::from_string(sql.get_database_backend(), "SELECT count(*) FROM tasks");
        let count = sql.query_one_raw(query).await.unwrap().unwrap().try_get_by_index(0).unwrap();
        sql.close().await.unwrap();
        count
    }
}

#[tokio::test]
async fn t17_two_processes_with_one_redis_let_through_as_many_calls_as_one() {
    for _ in 0..5 {
        let redis = Redis::start();
        let mut replicas = Replicas::start(&redis).await;
        replicas.limit(3).await;
        let answers = futures::future::join_all((0..10).map(|n| replicas.call(n % 2))).await;
        let later = [replicas.call(0).await, replicas.call(1).await];
        let logs = replicas.processes.each_mut().map(Serving::stopped);
        // Then they counted alone: such a round proves nothing.
        if logs.iter().any(|log| log.contains("Redis does not answer")) {
            continue;
        }
        let (done, refused): (Vec<_>, Vec<_>) =
            answers.into_iter().partition(|answer| answer.status() == 200);
        assert_eq!((done.len(), refused.len()), (3, 7));
        for answer in refused {
            assert_eq!(exceeded(answer).await, "tool");
        }
        for (at, answer) in later.into_iter().enumerate() {
            assert_eq!(exceeded(answer).await, "tool", "both know: {at}");
        }
        assert_eq!(replicas.tasks().await, 3);
        return;
    }
    panic!("Redis was too slow for this machine, five times");
}
