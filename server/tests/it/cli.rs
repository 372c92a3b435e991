//! The binary itself: commands, wrong settings, start and stop.

mod audit;
mod names;
mod people;

use crate::app::on_postgres;
use reqwest::StatusCode;
use std::{
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdout, Command, Output, Stdio},
    sync::mpsc::{Receiver, channel},
    time::Duration,
};

pub fn alcada(data: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_alcada"));
    command.current_dir(data).env_clear().env("ALCADA_DATA", data).env("ALCADA_ADDR", "127.0.0.1:0");
    command
}

fn run(data: &Path, args: &[&str], stdin: &str) -> Output {
    let mut command = alcada(data);
    let child =
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.unwrap();
    // A command that refuses its arguments may be gone before it reads.
    let _ = child.stdin.take().unwrap().write_all(stdin.as_bytes());
    child.wait_with_output().unwrap()
}

/// The server, killed when the test ends.
pub struct Serving {
    pub child: Child,
    lines: Receiver<String>,
    pub url: String,
}

const PATIENCE: Duration = Duration::from_secs(30);

impl Serving {
    pub fn start(command: &mut Command) -> Self {
        let mut child = command.arg("serve").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let lines = read_all(child.stdout.take().unwrap());
        let mut serving = Self { child, lines, url: String::new() };
        let line = serving.wait_for("listening on");
        serving.url = line.split("listening on ").nth(1).unwrap().split('"').next().unwrap().to_owned();
        serving
    }

    fn wait_for(&mut self, text: &str) -> String {
        loop {
            let line = self.lines.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("no line with {text:?}"));
            if line.contains(text) {
                return line;
            }
        }
    }

    pub async fn until_ready(&self) {
        let waiting = async {
            while reqwest::get(format!("{}/readyz", self.url))
                .await
                .map_or(true, |a| a.status() != StatusCode::OK)
            {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(PATIENCE, waiting).await.expect("ready in time");
    }

    /// Everything that was logged, once the process has ended.
    fn rest(&self) -> Vec<String> {
        self.lines.iter().collect()
    }

    /// Ends it, and answers with everything that it logged.
    pub fn stopped(&mut self) -> String {
        assert!(self.terminate());
        self.rest().join("\n")
    }

    fn terminate(&mut self) -> bool {
        let killed = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().unwrap();
        assert!(killed.success());
        self.child.wait().unwrap().success()
    }
}

/// Read to the end by a thread of its own: a full pipe would stop the server.
fn read_all(stdout: ChildStdout) -> Receiver<String> {
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        BufReader::new(stdout).lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
    });
    lines
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn s24_a_command_names_the_fields_that_were_refused_and_why() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    assert!(run(data, &["tenant", "create", "--name", "Oficina", "--slug", "oficina"], "").status.success());
    let agent = ["agent", "create", "--tenant", "oficina", "--name", "Vendas", "--slug", "vendas"];
    assert!(run(data, &agent, "").status.success());
    let key = |role| {
        ["api-key", "create", "--name", "k", "--tenant", "oficina", "--agent", "vendas", "--role", role]
    };
    for role in ["viewer", "auditor"] {
        let refused = run(data, &key(role), "");
        let line = String::from_utf8(refused.stderr).unwrap();
        assert!(!refused.status.success() && line.lines().count() == 1, "{line}");
        let wanted = format!("alcada: role cannot be {role} for a key of an agent: the key calls tools");
        assert!(line.starts_with(&wanted), "{line}");
    }
    assert!(run(data, &key("operator"), "").status.success());
    let again = run(data, &agent, "");
    assert_eq!(String::from_utf8(again.stderr).unwrap(), "alcada: slug is taken already\n");
    let tenant = run(data, &["tenant", "create", "--name", "", "--slug", "x"], "");
    assert!(String::from_utf8(tenant.stderr).unwrap().starts_with("alcada: name "));
}

#[test]
fn people_tenants_and_keys_are_made_from_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let tenant = run(data, &["tenant", "create", "--name", "Oficina", "--slug", "oficina"], "");
    assert!(tenant.status.success(), "{tenant:?}");
    assert!(String::from_utf8(tenant.stdout).unwrap().trim().ends_with(" oficina"));
    let user = ["user", "create", "--email", "op@example.org", "--tenant", "oficina", "--role", "operator"];
    assert!(run(data, &user, "uma frase comprida\n").status.success());
    let again = run(data, &["user", "create", "--email", "op@example.org"], "uma frase comprida\n");
    assert_eq!(String::from_utf8(again.stderr).unwrap(), "alcada: email is taken already\n");
    let weak = run(data, &["user", "create", "--email", "x@example.org"], "short\n");
    assert_eq!(String::from_utf8(weak.stderr).unwrap(), "alcada: password is too short\n");
    let key = run(data, &["api-key", "create", "--name", "ci", "--platform-admin"], "");
    let key = String::from_utf8(key.stdout).unwrap();
    assert!(key.starts_with("alc_") && key.lines().count() == 1, "the key alone on standard output: {key:?}");
    let scoped =
        run(data, &["api-key", "create", "--name", "ci", "--tenant", "oficina", "--role", "viewer"], "");
    assert!(scoped.status.success());
    let unknown =
        run(data, &["api-key", "create", "--name", "ci", "--tenant", "nowhere", "--role", "viewer"], "");
    assert!(!unknown.status.success());
    assert!(run(data, &["seed", "--demo"], "").status.success());
    assert!(run(data, &["seed", "--demo"], "").status.success());
    assert!(run(data, &["migrate"], "").status.success());
}

/// Everything that the demo has, as the API shows it.
async fn demo_figures(serving: &Serving, key: &str) -> serde_json::Value {
    let client = reqwest::Client::new();
    let mut all = serde_json::Map::new();
    for path in [
        "/agents",
        "/tools",
        "/contacts",
        "/deals",
        "/tasks",
        "/products",
        "/conversations",
        "/confirmations?status=pending",
        "/executions?limit=200",
        "/executions?limit=200&offset=200",
        "/analytics/tools",
    ] {
        let answer = client.get(format!("{}/api/v1{path}", serving.url)).bearer_auth(key).send().await;
        let body: serde_json::Value = answer.unwrap().json().await.unwrap();
        all.insert(path.to_owned(), body["data"].clone());
    }
    all.into()
}

#[tokio::test]
async fn the_demo_is_whole_holds_together_and_can_be_repeated() {
    let folder = tempfile::tempdir().unwrap();
    let (url, _own) = crate::app::fresh_database().await;
    let run = |args: &[&str]| {
        let output = alcada(folder.path()).env("DATABASE_URL", &url).args(args).output().unwrap();
        assert!(output.status.success(), "{args:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let first = run(&["seed", "--demo"]);
    let verified = run(&["audit", "verify", "--tenant", "demo"]);
    let key = run(&["api-key", "create", "--name", "k", "--tenant", "demo", "--role", "owner"]);
    let mut serving = Serving::start(alcada(folder.path()).env("DATABASE_URL", &url));
    serving.until_ready().await;
    let shown = demo_figures(&serving, key.trim()).await;
    assert!(serving.terminate());
    assert_eq!(run(&["seed", "--demo"]), first, "the same tenant");
    run(&["audit", "verify"]);
    assert!(verified.contains("chains that hold: 1,"), "{verified}");
    let mut again = Serving::start(alcada(folder.path()).env("DATABASE_URL", &url));
    again.until_ready().await;
    assert_eq!(demo_figures(&again, key.trim()).await, shown, "nothing twice");
    assert!(again.terminate());
    let rows = |path: &str| shown[path].as_array().unwrap_or_else(|| panic!("{path}")).clone();
    for (path, least) in
        [("/contacts", 5), ("/deals", 4), ("/tasks", 3), ("/products", 10), ("/conversations", 3)]
    {
        assert!(rows(path).len() >= least, "{path}");
    }
    assert_eq!(rows("/agents").len(), 2);
    let own: Vec<_> = rows("/tools").into_iter().filter(|tool| tool["is_system"] == false).collect();
    assert!(own.len() >= 2 && own.iter().all(|tool| tool["is_active"] == false), "nobody listens there");
    assert_eq!(rows("/confirmations?status=pending").len(), 2);
    assert!(
        rows("/confirmations?status=pending").iter().all(|question| question["plan"]["summary"].is_string())
    );
    let mut history = rows("/executions?limit=200");
    history.extend(rows("/executions?limit=200&offset=200"));
    history.retain(|call| call["status"] != "pending");
    let failed = |calls: &[serde_json::Value]| calls.iter().filter(|call| call["status"] == "error").count();
    assert!(history.len() >= 200 && failed(&history) >= 10, "{} {}", history.len(), failed(&history));
    assert!(
        history.iter().map(|call| call["executed_at"].to_string()).is_sorted_by(|a, b| a > b),
        "newest first"
    );
    let days: std::collections::HashSet<_> =
        history.iter().map(|call| call["executed_at"].as_str().unwrap()[..10].to_owned()).collect();
    assert!(days.len() >= 4, "{days:?}");
    for counted in rows("/analytics/tools") {
        let calls: Vec<_> =
            history.iter().filter(|call| call["tool_id"] == counted["tool_id"]).cloned().collect();
        assert_eq!(counted["executions"], calls.len(), "{counted}");
        assert_eq!(counted["errors"], failed(&calls), "{counted}");
    }
}

#[test]
fn a_wrong_setting_stops_the_start_with_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let cases = [
        ("ALCADA_ADDR", "nowhere"),
        ("DATABASE_URL", "mysql://u:hunter2@h/d"),
        ("ALCADA_PUBLIC_URL", "x"),
        ("ALCADA_LOG", "=!=,["),
        ("ALCADA_DATA", "/dev/null/x"),
        ("ALCADA_TRUSTED_PROXIES", "everybody"),
        ("ALCADA_MAX_CALLS_PER_TOOL", "many"),
        ("ALCADA_EXTRA_CA", "/nowhere/ca.pem"),
        ("ALCADA_EXTRA_CA", "/dev/null"),
    ];
    for (name, value) in cases {
        let output = alcada(folder.path()).env(name, value).arg("serve").output().unwrap();
        let line = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success(), "{name}");
        assert_eq!(line.lines().count(), 1, "{line}");
        assert!(line.contains(name), "{line}");
        assert!(!line.contains("hunter2"), "{line}");
    }
}

#[tokio::test]
async fn the_first_start_prints_a_code_and_a_signal_stops_it_cleanly() {
    let folder = tempfile::tempdir().unwrap();
    let mut serving = Serving::start(&mut alcada(folder.path()));
    let line = serving.wait_for("setup code: ");
    assert!(line.starts_with('{'), "JSON when standard output is not a terminal: {line}");
    serving.until_ready().await;
    assert!(serving.terminate(), "ends with success");
    let again = Serving::start(&mut alcada(folder.path()));
    again.until_ready().await;
}

/// S16: passwords, keys, cookies, invitation links, a tool's headers and secret arguments, with the log turned up.
#[tokio::test]
async fn s16_no_secret_is_in_the_log() {
    use serde_json::json;
    const PASSWORD: &str = "canario-na-mina-de-carvao";
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    assert!(run(data, &["tenant", "create", "--name", "O", "--slug", "o"], "").status.success());
    let key = run(data, &["api-key", "create", "--name", "k", "--tenant", "o", "--role", "owner"], "");
    let key = String::from_utf8(key.stdout).unwrap().trim().to_owned();
    let mut serving = Serving::start(alcada(data).env("ALCADA_LOG", "debug"));
    let line = serving.wait_for("setup code: ");
    let code = line.split("setup code: ").nth(1).unwrap().split(' ').next().unwrap().to_owned();
    serving.until_ready().await;
    let url = serving.url.clone();
    let client = reqwest::Client::builder().cookie_store(true).build().unwrap();
    let set_up = client.post(format!("{url}/fn/complete_setup")).header("accept", "application/json");
    let form = [
        ("code", code.as_str()),
        ("name", "A"),
        ("email", "a@example.org"),
        ("password", PASSWORD),
        ("organisation", "P"),
    ];
    let answer = set_up.form(&form).send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
    let cookie = answer.cookies().next().unwrap().value().to_owned();
    let wrong = [("email", "a@example.org"), ("password", "canario-errado")];
    client.post(format!("{url}/fn/sign_in")).form(&wrong).send().await.unwrap();
    client.get(format!("{url}/invite/canario-convite?next=canario-busca")).send().await.unwrap();
    let tool = json!({
        "name": "hook", "description": "d", "webhook_url": "https://127.0.0.1/canario-endereco",
        "webhook_headers": { "authorization": "Bearer canario-cabecalho" }
    });
    let api = |path: &str| client.post(format!("{url}/api/v1{path}")).bearer_auth(&key);
    // Refused for its address, created with another: both ways the log could repeat it.
    api("/tools").json(&tool).send().await.unwrap();
    let tool = json!({ "webhook_url": "https://upstream.invalid/canario-endereco", "name": "hook", "description": "d",
        "webhook_headers": { "authorization": "Bearer canario-cabecalho" } });
    let made: serde_json::Value = api("/tools").json(&tool).send().await.unwrap().json().await.unwrap();
    let secret = made["webhook_secret"].as_str().unwrap().to_owned();
    let call = json!({ "params": { "password": "canario-argumento" } });
    let called =
        api(&format!("/tools/{}/execute", made["id"].as_str().unwrap())).json(&call).send().await.unwrap();
    assert_eq!(called.status(), StatusCode::OK, "the tool ran, and failed");
    assert!(serving.terminate());
    let log = serving.rest().join("\n");
    assert!(log.contains("/api/v1/tools"), "requests are logged by their route:\n{log}");
    for canary in [PASSWORD, "canario", key.as_str(), cookie.as_str(), secret.as_str()] {
        assert!(!log.contains(canary), "{canary} is in the log:\n{log}");
    }
}

#[cfg(unix)]
#[test]
fn the_data_folder_is_its_owner_s_alone() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("new");
    std::fs::create_dir_all(folder.path()).unwrap();
    let output = alcada(folder.path()).env("ALCADA_DATA", &data).arg("migrate").output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(std::fs::metadata(&data).unwrap().permissions().mode() & 0o777, 0o700);
}

/// A PostgreSQL that is not there yet: the server listens, says so, and works as soon as it is.
#[tokio::test]
async fn a_database_that_comes_late_is_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = free.local_addr().unwrap().port();
    drop(free);
    let url = format!("postgres://nobody@127.0.0.1:{port}/none");
    let mut serving = Serving::start(alcada(folder.path()).env("DATABASE_URL", url));
    serving.wait_for("the database is not available");
    let status = |path: &str| {
        let url = format!("{}{path}", serving.url);
        async move { reqwest::get(url).await.unwrap().status() }
    };
    assert_eq!(status("/healthz").await, StatusCode::OK);
    assert_eq!(status("/readyz").await, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(status("/").await, StatusCode::SERVICE_UNAVAILABLE);
    assert!(serving.terminate());
}

/// A SQLite file that somebody else has locked at the start: waited for as well.
#[tokio::test]
async fn a_locked_file_is_waited_for() {
    if on_postgres() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    assert!(run(folder.path(), &["migrate"], "").status.success());
    let url = format!("sqlite://{}/alcada.db", folder.path().display());
    let lock = sea_orm::Database::connect(url).await.unwrap();
    sea_orm::ConnectionTrait::execute_unprepared(&lock, "BEGIN IMMEDIATE").await.unwrap();
    let mut serving = Serving::start(&mut alcada(folder.path()));
    serving.wait_for("the database is not available");
    let answer = reqwest::get(format!("{}/readyz", serving.url)).await.unwrap();
    assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
    sea_orm::ConnectionTrait::execute_unprepared(&lock, "ROLLBACK").await.unwrap();
    serving.until_ready().await;
}

#[test]
fn a_file_from_a_newer_version_stops_the_start_with_one_line() {
    let folder = tempfile::tempdir().unwrap();
    assert!(run(folder.path(), &["migrate"], "").status.success());
    let file = folder.path().join("alcada.db");
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let sql = sea_orm::Database::connect(format!("sqlite://{}", file.display())).await.unwrap();
        let newer = "INSERT INTO seaql_migrations (version, applied_at) VALUES ('m9999_future', 1)";
        sea_orm::ConnectionTrait::execute_unprepared(&sql, newer).await.unwrap();
    });
    let output = run(folder.path(), &["serve"], "");
    let line = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && line.contains("newer version"), "{line}");
    assert_eq!(line.lines().count(), 1, "{line}");
}
