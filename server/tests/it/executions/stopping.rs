//! Calls that are stopped: by their time, by a person, by their agent (X4), by a switch (S23).

use crate::{
    app::on_postgres,
    workshop::{Backend, TENANT, Upstream, agent, id, pending, webhook_tool, workshop},
};
use axum::{
    body::Body,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use domain::TenantRole;
use futures::stream;
use reqwest::Method;
use serde_json::{Value, json};
use std::{convert::Infallible, sync::Arc, time::Duration};
use tokio::sync::Semaphore;

/// Hangs until the connection is closed, and tells when that happened.
async fn hanging() -> (String, tokio::sync::mpsc::UnboundedReceiver<&'static str>) {
    use tokio::io::AsyncReadExt;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let (tell, told) = tokio::sync::mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let tell = tell.clone();
            tokio::spawn(async move {
                let mut buffer = [0; 4096];
                let _ = tell.send("opened");
                while stream.read(&mut buffer).await.is_ok_and(|read| read > 0) {}
                let _ = tell.send("closed");
            });
        }
    });
    (url, told)
}

#[tokio::test]
async fn x4_a_deadline_ends_a_call_and_a_cancellation_really_stops_it() {
    let (app, owner) = workshop().await;
    let (url, mut told) = hanging().await;
    let mut body = webhook_tool("slow", &url);
    body["timeout_ms"] = json!(3_000);
    let tool = owner.post(201, "/tools", body).await;
    let id = tool["id"].as_str().unwrap().to_owned();
    let path = format!("/tools/{id}/execute");
    let late = owner.post(200, &path, json!({ "params": { "title": "x" } })).await;
    assert_eq!((&late["status"], &late["error_code"]), (&json!("error"), &json!("timed_out")), "{late}");
    let heard = async { (told.recv().await, told.recv().await) };
    let heard = tokio::time::timeout(Duration::from_secs(60), heard).await.unwrap();
    assert_eq!(heard, (Some("opened"), Some("closed")));

    owner.expect(200, Method::PUT, &format!("/tools/{id}"), Some(json!({ "timeout_ms": 60_000 }))).await;
    let running = tokio::spawn({
        let (owner, path) = (owner.clone(), path.clone());
        async move { owner.post(200, &path, json!({ "params": { "title": "x" } })).await }
    });
    assert_eq!(told.recv().await, Some("opened"));
    let rows = owner.get("/executions?status=running").await;
    let execution = rows["data"][0]["id"].as_str().unwrap().to_owned();
    let cancel = format!("/executions/{execution}/cancel");
    let viewer = app.backend(TENANT, TenantRole::Viewer).await;
    assert_eq!(viewer.refused(Method::POST, &cancel, None).await, (403, "forbidden".into()));
    let cancelled = owner.expect(200, Method::POST, &cancel, None).await;
    assert_eq!(cancelled["status"], "cancelled");
    assert_eq!(told.recv().await, Some("closed"), "the connection is gone");
    assert_eq!(running.await.unwrap()["status"], "cancelled");
    assert_eq!(owner.refused(Method::POST, &cancel, None).await, (409, "execution_finished".into()));
}

/// Whichever comes first: whoever is told 200 has stopped it, and whoever came too late is told so.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn x4_a_cancellation_that_comes_too_late_says_so() {
    let (_app, owner) = workshop().await;
    let (upstream, gate) = Upstream::held().await;
    let tool = owner.post(201, "/tools", webhook_tool("hook", &upstream.url)).await;
    let path = format!("/tools/{}/execute", id(&tool));
    for round in 1..=60 {
        let calling = tokio::spawn({
            let (owner, path) = (owner.clone(), path.clone());
            async move { owner.post(200, &path, json!({ "params": { "title": "x" } })).await }
        });
        upstream.until_asked(round).await;
        let rows = owner.get("/executions?status=running").await;
        let call = format!("/executions/{}", rows["data"][0]["id"].as_str().unwrap());
        gate.add_permits(1);
        // Sooner and later, so that each of the two is first at times.
        for _ in 0..round * 20 {
            tokio::task::yield_now().await;
        }
        let answer = owner.send(Method::POST, &format!("{call}/cancel"), None).await.status().as_u16();
        let ended = calling.await.unwrap();
        let expected = if ended["status"] == "cancelled" { 200 } else { 409 };
        assert_eq!(answer, expected, "{ended}");
        // A call that was stopped may have left its turn to the next one.
        gate.forget_permits(1);
    }
}

/// A call that hangs at the outside until it is stopped: its id.
async fn running(caller: &Backend, tool: &str, agent: &str) -> String {
    let (calling, tool, agent) = (caller.clone(), tool.to_owned(), agent.to_owned());
    tokio::spawn(async move { calling.call(&tool, &agent, json!({ "title": "x" })).await });
    crate::workshop::until("running", || async {
        let rows = caller.get("/executions?status=running").await;
        rows["data"][0]["id"].as_str().map(str::to_owned)
    })
    .await
}

/// Whoever cancels need not know where the call runs: PostgreSQL passes it on. On SQLite there is one process only.
#[tokio::test]
async fn x4_a_call_that_runs_in_another_process_is_stopped_there() {
    if !on_postgres() {
        return;
    }
    let (app, owner) = workshop().await;
    let (url, mut told) = hanging().await;
    let tool = id(&owner.post(201, "/tools", webhook_tool("slow", &url)).await);
    let there = app.replica().await.backend_of(owner.key.clone());
    app.hears_news().await;
    let calling = tokio::spawn({
        let owner = owner.clone();
        async move {
            owner.post(200, &format!("/tools/{tool}/execute"), json!({ "params": { "title": "x" } })).await
        }
    });
    assert_eq!(told.recv().await, Some("opened"));
    let call = id(&there.get("/executions?status=running").await["data"][0]);
    let cancelled = there.expect(200, Method::POST, &format!("/executions/{call}/cancel"), None).await;
    assert_eq!(cancelled["status"], "cancelled", "{cancelled}");
    let heard = tokio::time::timeout(Duration::from_secs(60), told.recv()).await.unwrap();
    assert_eq!(heard, Some("closed"), "the upstream is hung up on");
    let ended = calling.await.unwrap();
    assert_eq!((&ended["status"], &ended["execution_id"]), (&json!("cancelled"), &json!(call)), "{ended}");
    assert_eq!(owner.get(&format!("/executions/{call}")).await["status"], "cancelled");
}

#[tokio::test]
async fn t18_a_cancelled_call_is_counted_and_is_no_error_of_its_tool() {
    let (_app, owner) = workshop().await;
    let (url, _told) = hanging().await;
    owner.post(201, "/tools", webhook_tool("slow", &url)).await;
    agent(&owner, "vendas", &["slow"], "never").await;
    let works = running(&owner, "slow", "vendas").await;
    let cancelled = owner.expect(200, Method::POST, &format!("/executions/{works}/cancel"), None).await;
    let took = cancelled["execution_time_ms"].as_f64().unwrap();
    let statistics = owner.get("/analytics/tools").await;
    let rows = statistics["data"].as_array().unwrap();
    let slow = rows.iter().find(|row| row["tool_name"] == "slow").unwrap();
    assert_eq!((&slow["executions"], &slow["errors"]), (&json!(1), &json!(0)), "{slow}");
    for percentile in ["p50_ms", "p95_ms", "p99_ms", "mean_ms"] {
        assert_eq!(slow[percentile].as_f64().unwrap(), took, "of one call: {slow}");
    }
}

#[tokio::test]
async fn x4_an_agent_stops_its_own_calls_and_no_others() {
    let (app, owner) = workshop().await;
    let (url, _told) = hanging().await;
    owner.post(201, "/tools", webhook_tool("slow", &url)).await;
    agent(&owner, "vendas", &["slow"], "never").await;
    agent(&owner, "medrosa", &["slow"], "always").await;
    let vendas = app.agent_backend(TENANT, "vendas").await;
    let medrosa = app.agent_backend(TENANT, "medrosa").await;
    let cancel = |id: &str| format!("/executions/{id}/cancel");
    let works = running(&vendas, "slow", "vendas").await;
    let asked = pending(&medrosa, "slow", "medrosa", json!({ "title": "x" })).await;
    let waits = asked["execution_id"].as_str().unwrap().to_owned();
    let missing = (404, "not_found".to_owned());
    assert_eq!(medrosa.refused(Method::POST, &cancel(&works), None).await, missing);
    assert_eq!(vendas.refused(Method::POST, &cancel(&waits), None).await, missing);
    let by_hand = tokio::spawn({
        let owner = owner.clone();
        let tool = id(&owner.get("/tools?q=slow").await["data"][0]);
        async move {
            owner.post(200, &format!("/tools/{tool}/execute"), json!({ "params": { "title": "x" } })).await
        }
    });
    let nobodys = crate::workshop::until("by hand", || async {
        let rows = owner.get("/executions?status=running").await;
        let rows = rows["data"].as_array().unwrap().clone();
        rows.iter().find(|row| row["agent_id"].is_null()).map(id)
    })
    .await;
    assert_eq!(vendas.refused(Method::POST, &cancel(&nobodys), None).await, missing, "of no agent");
    assert_eq!(vendas.expect(200, Method::POST, &cancel(&works), None).await["status"], "cancelled");
    assert_eq!(medrosa.expect(200, Method::POST, &cancel(&waits), None).await["status"], "cancelled");
    owner.expect(200, Method::POST, &cancel(&nobodys), None).await;
    by_hand.await.unwrap();
}

/// An answer that asks to be tried again, and ends when there is a permit for it.
fn busy(gate: &Arc<Semaphore>) -> Response {
    let gate = Arc::clone(gate);
    let end = stream::once(async move {
        gate.acquire().await.unwrap().forget();
        Ok::<_, Infallible>("busy")
    });
    (StatusCode::SERVICE_UNAVAILABLE, Body::from_stream(end)).into_response()
}

#[tokio::test]
async fn s23_what_was_switched_off_meanwhile_is_not_tried_again() {
    let (app, owner) = workshop().await;
    let admin = app.sign_in("admin@example.org").await;
    for (way, attempts) in
        [("kept", 4), ("described", 4), ("toggled", 1), ("taken", 1), ("changed", 1), ("switched", 1)]
    {
        let gate = Arc::new(Semaphore::new(0));
        let held = Arc::clone(&gate);
        let upstream = Upstream::start(move |_| busy(&held)).await;
        let mut body = webhook_tool(way, &upstream.url);
        body["idempotent"] = json!(true);
        let path = format!("/tools/{}", id(&owner.post(201, "/tools", body).await));
        agent(&owner, way, &[way], "never").await;
        let call = tokio::spawn({
            let owner = owner.clone();
            async move { owner.call(way, way, json!({ "title": "x" })).await.json::<Value>().await.unwrap() }
        });
        upstream.until_asked(1).await;
        match way {
            "toggled" => drop(owner.patch(&format!("{path}/toggle"), json!({ "is_active": false })).await),
            "taken" => drop(owner.put(&format!("/agents/{way}/tools"), json!({ "allowed_tools": [] })).await),
            "described" => drop(owner.put(&path, json!({ "description": "Outras palavras" })).await),
            "changed" => drop(owner.put(&path, json!({ "webhook_url": "https://example.org/" })).await),
            "switched" => {
                let off = [("tool_name", "webhook_tools"), ("enabled", "false")];
                assert_eq!(admin.call("switch_global_tool", &off).await.status(), 200);
            }
            _ => {}
        }
        gate.add_permits(9);
        let ended = call.await.unwrap();
        assert_eq!(
            (&ended["status"], &ended["error_code"], &ended["result"]),
            (&json!("error"), &json!("upstream_error"), &json!("busy")),
            "{way}: what the last attempt said: {ended}"
        );
        assert_eq!(upstream.asked().len(), attempts, "{way}");
    }
    let denials = "SELECT count(*) FROM audit_entries WHERE action = 'execution.deny'";
    assert_eq!(app.count(denials).await, 3, "the record has what a switch stopped");
}
