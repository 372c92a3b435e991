//! Code tools and the machine: where it cannot confine them, when the process dies, what the operator sees.

use super::{code_tool, until, workshop};
use crate::{
    app::{TestApp, fresh_database, problem},
    cli::{Serving, alcada},
    workshop::{TENANT, agent, id},
};
use domain::TenantRole;
use reqwest::{Client, Method};
use serde_json::{Value, json};
use std::{path::Path, time::Duration};

/// A server whose sandbox did not start, on the data of one where it did.
#[tokio::test]
async fn x8_s5_without_walls_code_tools_are_refused_and_everything_else_works() {
    let (app, owner) = workshop().await;
    let code = "export default () => 1";
    let tool = owner.make(code_tool("soma_iva", code)).await;
    agent(&owner, "vendas", &["soma_iva", "createTask"], "never").await;
    let bare = app.replica().await;
    let there = bare.backend(TENANT, TenantRole::Owner).await;
    let refused = (403, "code_unavailable".to_owned());
    assert_eq!(problem(there.call("soma_iva", "vendas", json!({})).await).await, refused);
    let by_hand = there.send(Method::POST, &format!("/tools/{tool}/execute"), Some(json!({}))).await;
    let told: Value = by_hand.json().await.unwrap();
    assert!(told["detail"].as_str().unwrap().contains("this test starts no workers"), "{told}");
    let new = there.refused(Method::POST, "/tools", Some(code_tool("outra", code))).await;
    assert_eq!(new, refused, "what cannot be checked is not kept");
    let change = json!({ "code": "export default () => 2" });
    assert_eq!(there.refused(Method::PUT, &format!("/tools/{tool}"), Some(change)).await, refused);
    there.patch(&format!("/tools/{tool}/toggle"), json!({ "is_active": false })).await;
    there.patch(&format!("/tools/{tool}/toggle"), json!({ "is_active": true })).await;
    assert_eq!(there.call("createTask", "vendas", json!({ "title": "x" })).await.status(), 200);
    let offered = there.get("/agents/vendas/tools").await.to_string();
    assert!(!offered.contains("soma_iva") && offered.contains("createTask"), "{offered}");
    let question = json!({ "tool_name": "soma_iva", "agent_id": "vendas", "params": {} });
    let why = there.post(200, "/decisions/explain", question).await;
    assert_eq!((&why["code"], &why["rule"]), (&json!("code_unavailable"), &json!("runnable")), "{why}");
    assert_eq!(owner.call("soma_iva", "vendas", json!({})).await.status(), 200, "where it can, it runs");
}

#[tokio::test]
async fn s5_the_operator_sees_whether_code_tools_run() {
    let (app, owner) = workshop().await;
    owner.run_code("conta", "export default () => 1").await;
    owner.run_code("ruim", "export default () => { throw 1 }").await;
    let get = |app: &TestApp, path: &str| {
        let address = format!("{}{path}", app.url);
        async move { reqwest::get(address).await.unwrap().text().await.unwrap() }
    };
    let ready: Value = serde_json::from_str(&get(&app, "/readyz").await).unwrap();
    assert_eq!(ready, json!({ "status": "ready", "code_tools": "available" }));
    let metrics = get(&app, "/metrics").await;
    let expected = [
        "alcada_code_available 1",
        "alcada_code_calls_running 0",
        "alcada_code_calls_total{end=\"success\"} 1",
        "alcada_code_calls_total{end=\"thrown\"} 1",
        "alcada_code_workers_waiting ",
        "alcada_code_worker_starts_total ",
        // The two calls, the two checks, and the first script of all.
        "alcada_code_wait_seconds_count 5",
        "alcada_code_worker_start_seconds_bucket{le=\"+Inf\"} 5",
    ];
    for line in expected {
        assert!(metrics.lines().any(|found| found.starts_with(line)), "{line}: {metrics}");
    }
    let bare = app.replica().await;
    assert!(get(&bare, "/readyz").await.contains("\"code_tools\":\"unavailable\""));
    assert!(get(&bare, "/metrics").await.contains("alcada_code_available 0\n"));
}

#[tokio::test]
async fn s5_the_dashboard_tells_those_who_manage_tools() {
    let (app, admin) = TestApp::with_admin().await;
    let viewer = app.member("viewer@example.org", TENANT, "viewer").await;
    let manager = app.member("manager@example.org", TENANT, "manager").await;
    let page = |html: String| html.contains("this test starts no workers");
    assert!(page(admin.get("/").await.text().await.unwrap()));
    let html = manager.get("/").await.text().await.unwrap();
    assert!(html.contains("Ferramentas de código são recusadas nesta máquina"), "{html}");
    assert!(!page(viewer.get("/").await.text().await.unwrap()), "nothing that they could change");
    manager.call("set_language", &[("language", "en")]).await;
    let html = manager.get("/").await.text().await.unwrap();
    assert!(html.contains("Code tools are refused on this machine"), "{html}");
    let (app, _) = workshop().await;
    let admin = app.sign_in("admin@example.org").await;
    assert!(!admin.get("/").await.text().await.unwrap().contains("Ferramentas de código são recusadas"));
}

#[tokio::test]
async fn s23_the_switch_for_everybody_stops_code_tools() {
    let (app, owner) = workshop().await;
    let admin = app.sign_in("admin@example.org").await;
    let tool = owner.make(code_tool("soma", "export default () => 1")).await;
    let path = format!("/tools/{tool}/execute");
    let switch = |enabled: bool| {
        admin.api(Method::PATCH, "/api/admin/tools/code_tools", Some(json!({ "enabled": enabled })))
    };
    assert_eq!(switch(false).await.status(), 200);
    assert_eq!(owner.refused(Method::POST, &path, Some(json!({}))).await, (403, "tool_disabled".to_owned()));
    assert_eq!(switch(true).await.status(), 200);
    assert_eq!(owner.post(200, &path, json!({})).await["result"], 1);
}

/// It is for the server to start: alone it does nothing, and leaves nothing behind.
#[test]
fn s5_the_worker_is_no_command_for_people() {
    let folder = tempfile::tempdir().unwrap();
    let file = std::fs::File::open("/proc/self/stat").unwrap();
    for input in [std::process::Stdio::null(), std::process::Stdio::piped(), file.into()] {
        let worker = alcada(folder.path()).arg("js-worker").stdin(input).output().unwrap();
        assert_eq!(worker.status.code(), Some(2), "{worker:?}");
        assert!(worker.stdout.is_empty(), "{worker:?}");
        let said = String::from_utf8(worker.stderr).unwrap();
        assert!(said.starts_with("alcada: js-worker") && said.lines().count() == 1, "{said}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// Root's processes are not counted by the kernel: who cannot be anybody else runs no scripts.
#[tokio::test]
async fn s5_root_that_cannot_change_its_user_runs_no_code() {
    use std::os::unix::fs::PermissionsExt;
    let is_root = std::fs::read_to_string("/proc/self/status").unwrap().contains("\nUid:\t0\t");
    if !is_root || !Path::new("/usr/bin/setpriv").exists() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("alcada-without-setuid");
    let alcada = env!("CARGO_BIN_EXE_alcada");
    let text = format!("#!/bin/sh\nexec /usr/bin/setpriv --bounding-set=-setuid {alcada} \"$@\"\n");
    std::fs::write(&program, text).unwrap();
    // A worker gets as much address space as its program is large, and a little.
    let file = std::fs::OpenOptions::new().write(true).open(&program).unwrap();
    file.set_len(std::fs::metadata(alcada).unwrap().len()).unwrap();
    drop(file);
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let refused = sandbox::Sandbox::start(sandbox::Config { program, ..Default::default() }).await;
    let reason = refused.err().expect("refused").to_string();
    assert!(reason.contains("change its user") && reason.contains("CAP_SETUID"), "{reason}");
}

fn server(data: &Path, database: &str) -> std::process::Command {
    let mut command = alcada(data);
    command.env("DATABASE_URL", database);
    command
}

fn command(data: &Path, database: &str, arguments: &[&str]) -> String {
    let output = server(data, database).args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// The zygote and the workers of a server: those below it.
fn processes_below(parent: u32) -> Vec<u32> {
    let mut below = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else {
            continue;
        };
        let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        let rest = stat.rsplit_once(')').map(|(_, rest)| rest).unwrap_or_default();
        if rest.split_whitespace().nth(1) == Some(&parent.to_string()) {
            below.push(pid);
            below.extend(processes_below(pid));
        }
    }
    below
}

/// S21: whether it took effect is not known, and no worker outlives its server.
#[tokio::test]
async fn s21_a_call_of_a_process_that_was_killed_is_closed_as_unknown() {
    let folder = tempfile::tempdir().unwrap();
    let (data, (database, _kept)) = (folder.path(), fresh_database().await);
    command(data, &database, &["tenant", "create", "--name", "Queda", "--slug", "queda"]);
    let key = command(
        data,
        &database,
        &["api-key", "create", "--name", "k", "--tenant", "queda", "--role", "owner"],
    );
    let mut serving = Serving::start(&mut server(data, &database));
    serving.until_ready().await;
    let client = Client::new();
    let post = |url: &str, path: &str, body: Value| {
        client.post(format!("{url}/api/v1{path}")).bearer_auth(&key).json(&body).send()
    };
    let endless = code_tool("volta", "export default () => { while (true) {} }");
    let made: Value = post(&serving.url, "/tools", endless).await.unwrap().json().await.unwrap();
    let call = tokio::spawn(post(&serving.url, &format!("/tools/{}/execute", id(&made)), json!({})));
    let rows = |url: String, query: &'static str| {
        let request = client.get(format!("{url}/api/v1/executions{query}")).bearer_auth(&key);
        async move {
            let list: Value = request.send().await.unwrap().json().await.unwrap();
            list["data"].as_array().unwrap().first().cloned()
        }
    };
    until("it runs", || rows(serving.url.clone(), "?status=running")).await;
    let below = until("a worker", || async {
        Some(processes_below(serving.child.id())).filter(|below| below.len() > 1)
    })
    .await;
    serving.child.kill().unwrap();
    serving.child.wait().unwrap();
    assert!(call.await.unwrap().is_err());
    until("no worker is left", || async {
        let is_there = |pid: &&u32| Path::new(&format!("/proc/{pid}")).exists();
        below.iter().find(is_there).is_none().then_some(())
    })
    .await;
    let next = Serving::start(&mut server(data, &database));
    next.until_ready().await;
    let closed = until("it is closed", || rows(next.url.clone(), "?status=unknown"));
    let closed = tokio::time::timeout(Duration::from_secs(60), closed).await.unwrap();
    assert!(closed["error_message"].as_str().unwrap().contains("not known"), "{closed}");
}
