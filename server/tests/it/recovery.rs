//! S21: calls that say they run, and nobody runs them; and X4, cancellations that nearly got lost.

use crate::{
    app::TestApp,
    workshop::{Backend, Upstream, agent, json_answer, pending, until, webhook_tool, workshop},
};
use ability::Caller;
use domain::ExecutionId;
use reqwest::Method;
use serde_json::{Value, json};
use store::{Signal, audit::Entry};
use uuid::Uuid;

async fn has_status(owner: &Backend, id: &str, status: &str) -> Value {
    until(status, || async {
        let row = owner.get(&format!("/executions/{id}")).await;
        Some(row).filter(|row| row["status"] == status)
    })
    .await
}

/// An id as the database writes it.
fn id_in_sql(id: &str) -> String {
    match crate::app::on_postgres() {
        true => format!("'{id}'"),
        false => format!("x'{}'", id.replace('-', "")),
    }
}

/// As if a process of another machine had been running this call, and was last seen then.
async fn belongs_to_another(app: &TestApp, execution: &str, process: Uuid, seen_at: i64) {
    let (process, execution) = (id_in_sql(&process.to_string()), id_in_sql(execution));
    app.change(&format!(
        "INSERT INTO processes (id, host, pid, started, seen_at) VALUES ({process}, 'elsewhere', 1, 1, {seen_at})"
    ))
    .await;
    for table in ["executions", "intents"] {
        app.change(&format!("UPDATE {table} SET process_id = {process} WHERE id = {execution}")).await;
    }
}

/// A webhook tool that is being called and does not answer yet: the id of the call, and who waits for its end.
async fn held_call(owner: &Backend, upstream: &Upstream) -> (String, tokio::task::JoinHandle<Value>) {
    let tool = owner.post(201, "/tools", webhook_tool("hook", &upstream.url)).await;
    let path = format!("/tools/{}/execute", tool["id"].as_str().unwrap());
    let call = tokio::spawn({
        let owner = owner.clone();
        async move { owner.post(200, &path, json!({ "params": { "title": "x" } })).await }
    });
    upstream.until_asked(1).await;
    let running = owner.get("/executions?status=running").await;
    (running["data"][0]["id"].as_str().unwrap().to_owned(), call)
}

/// S16, S21: what is sent again after a crash is what was approved, not its masked half.
#[tokio::test]
async fn s21_an_approved_call_that_a_crash_interrupted_is_sent_again_whole() {
    let (app, owner) = workshop().await;
    let (upstream, gate) = Upstream::held().await;
    let mut tool = webhook_tool("hook", &upstream.url);
    tool["idempotent"] = json!(true);
    owner.post(201, "/tools", tool).await;
    agent(&owner, "vendas", &["hook"], "always").await;
    let params = json!({ "title": "Reunião", "senha": "s3gr3do" });
    let asked = pending(&owner, "hook", "vendas", params.clone()).await;
    let id = asked["execution_id"].as_str().unwrap().to_owned();
    let approving = tokio::spawn({
        let (owner, question) = (owner.clone(), asked["confirmation_id"].as_str().unwrap().to_owned());
        async move { owner.post(200, &format!("/confirmations/{question}/approve"), json!({})).await }
    });
    upstream.until_asked(1).await;
    belongs_to_another(&app, &id, Uuid::now_v7(), 1).await;
    let twice = upstream.until_asked(2).await;
    let bodies: Vec<Value> = twice.iter().map(|one| serde_json::from_slice(&one.body).unwrap()).collect();
    assert_eq!(bodies[0]["params"], params);
    assert_eq!(bodies[1]["params"], params, "the secret, not its mask");
    gate.add_permits(10);
    assert_eq!(approving.await.unwrap()["execution"]["status"], "success");
    has_status(&owner, &id, "success").await;
    let records = "SELECT count(*) FROM audit_entries WHERE action = 'execution.record'";
    until("both are back", || async { (app.count(records).await >= 2).then_some(()) }).await;
    assert_eq!(app.count(records).await, 2, "the question, and one end: two came back with one");
    let tool = &owner.get("/tools?q=hook").await["data"][0];
    assert_eq!(tool["execution_count"], 1, "counted once");
}

/// B7: sending a call again asks the gate again.
#[tokio::test]
async fn s21_what_was_taken_from_an_agent_meanwhile_is_not_sent_again() {
    for (method, path, body, rule) in [
        (Method::PUT, "/agents/vendas/tools", Some(json!({ "allowed_tools": [] })), Some("assignment")),
        (Method::PATCH, "/agents/vendas", Some(json!({ "is_active": false })), Some("agent_active")),
        (Method::DELETE, "/agents/vendas", None, None),
    ] {
        assert_not_sent_again(method, path, body, rule).await;
    }
}

/// After that change. The rule is on the record, where there is still an agent to speak of.
async fn assert_not_sent_again(method: Method, path: &str, body: Option<Value>, rule: Option<&str>) {
    let (app, owner) = workshop().await;
    let (upstream, gate) = Upstream::held().await;
    let mut tool = webhook_tool("hook", &upstream.url);
    tool["idempotent"] = json!(true);
    owner.post(201, "/tools", tool).await;
    agent(&owner, "vendas", &["hook"], "never").await;
    let call = tokio::spawn({
        let owner = owner.clone();
        async move { owner.call("hook", "vendas", json!({ "title": "x" })).await.status() }
    });
    upstream.until_asked(1).await;
    let id = owner.get("/executions?status=running").await["data"][0]["id"].as_str().unwrap().to_owned();
    assert!(owner.send(method, path, body).await.status().is_success(), "{path}");
    belongs_to_another(&app, &id, Uuid::now_v7(), 1).await;
    has_status(&owner, &id, "unknown").await;
    gate.add_permits(10);
    call.await.unwrap();
    assert_eq!(upstream.asked().len(), 1, "not a second time");
    let denials = owner.get("/audit?action=execution.deny").await["data"].clone();
    let rules: Vec<_> =
        denials.as_array().unwrap().iter().filter_map(|entry| entry["after"]["rule"].as_str()).collect();
    assert_eq!(rules, rule.into_iter().collect::<Vec<_>>());
}

/// The clock of another machine may be wrong; the database's decides.
#[tokio::test]
async fn s21_a_process_that_was_seen_a_moment_ago_keeps_its_calls() {
    let (app, owner) = workshop().await;
    let (upstream, gate) = Upstream::held().await;
    let (id, call) = held_call(&owner, &upstream).await;
    let process = Uuid::now_v7();
    belongs_to_another(&app, &id, process, store::Moment::now().0).await;
    // Two rounds of whoever looks after calls: the second begins when the first has signed what came before it.
    for _ in 0..2 {
        // Alive all the time, however long a round takes.
        let (process, now) = (id_in_sql(&process.to_string()), store::Moment::now().0);
        app.change(&format!("UPDATE processes SET seen_at = {now} WHERE id = {process}")).await;
        let checkpoints = "SELECT CAST(coalesce(sum(seq), 0) AS bigint) FROM audit_checkpoints";
        let signed = app.count(checkpoints).await;
        owner.post(201, "/agents", json!({ "name": format!("a{signed}"), "allowed_tools": [] })).await;
        until("signed", || async { (app.count(checkpoints).await > signed).then_some(()) }).await;
    }
    assert_eq!(owner.get(&format!("/executions/{id}")).await["status"], "running");
    gate.add_permits(1);
    assert_eq!(call.await.unwrap()["status"], "success");
}

#[tokio::test]
async fn s21_a_call_of_this_process_that_nobody_works_on_is_closed() {
    let (app, owner) = workshop().await;
    let upstream = Upstream::start(|_| json_answer(json!(1))).await;
    let tool = owner.post(201, "/tools", webhook_tool("hook", &upstream.url)).await;
    let path = format!("/tools/{}/execute", tool["id"].as_str().unwrap());
    let answer = owner.post(200, &path, json!({ "params": { "title": "x" } })).await;
    let id = answer["execution_id"].as_str().unwrap();
    app.change(
        "UPDATE executions SET status = 'running', finished_at = NULL, process_id = (SELECT id FROM processes)",
    )
    .await;
    let closed = has_status(&owner, id, "unknown").await;
    assert!(closed["finished_at"].is_string() && closed["error_message"].is_string(), "{closed}");
    assert_eq!(closed["execution_time_ms"], Value::Null, "nobody saw it end");
    let counted = owner.get(&format!("/tools/{}", tool["id"].as_str().unwrap())).await;
    assert_eq!((&counted["execution_count"], &counted["error_count"]), (&json!(2), &json!(1)), "{counted}");
    let (mean, took) = (&counted["avg_execution_time_ms"], &answer["execution_time_ms"]);
    assert_eq!(mean.as_f64(), took.as_f64(), "t18: the mean is of times that are known");
    assert_eq!(upstream.asked().len(), 1, "it is not repeated");
}

/// A process of an older version, which knows no intents, buried the one that ran this call.
#[tokio::test]
async fn s21_a_call_whose_process_was_forgotten_is_closed() {
    let (app, owner) = workshop().await;
    let (upstream, gate) = Upstream::held().await;
    let (id, call) = held_call(&owner, &upstream).await;
    let (execution, nobody) = (id_in_sql(&id), id_in_sql(&Uuid::now_v7().to_string()));
    app.change(&format!("UPDATE intents SET process_id = {nobody}, started_at = 1 WHERE id = {execution}"))
        .await;
    let closed = has_status(&owner, &id, "unknown").await;
    assert!(closed["finished_at"].is_string() && closed["error_message"].is_string(), "{closed}");
    assert_eq!(app.count("SELECT count(*) FROM intents").await, 0);
    gate.add_permits(1);
    assert_eq!(call.await.unwrap()["status"], "unknown", "what is on the record stands");
}

/// X4: more news than can be kept, and the one that counts is lost among it.
#[tokio::test]
async fn x4_a_cancellation_that_was_not_heard_is_looked_up() {
    let (app, owner) = workshop().await;
    let (upstream, _gate) = Upstream::held().await;
    let (id, call) = held_call(&owner, &upstream).await;
    let db = &app.services.engine.db;
    let tx = db.begin().await.unwrap();
    let entry = Entry {
        tenant: Some(app.tenant_id(crate::workshop::TENANT).await),
        action: "execution.cancel",
        subject_kind: "execution",
        subject_id: id.clone(),
        before: None,
        after: None,
        reason: None,
    };
    store::audit::append(&tx, &Caller::operator(), entry).await.unwrap();
    let mut news = vec![Signal::Cancel(ExecutionId(id.parse().unwrap()))];
    news.extend([Signal::GlobalTools; 400]);
    db.commit(tx, &news).await.unwrap();
    assert_eq!(call.await.unwrap()["status"], "cancelled");
    let finished = owner.refused(Method::POST, &format!("/executions/{id}/cancel"), None).await;
    assert_eq!(finished, (409, "execution_finished".into()));
}
