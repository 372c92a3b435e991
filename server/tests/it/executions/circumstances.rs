//! What a call keeps of what stood around it: the gate's decision at its time, and how an address was tried (B4, B7, T15).

use crate::workshop::{Backend, TENANT, Upstream, agent, id, json_answer, pending, webhook_tool, workshop};
use axum::{http::StatusCode, response::IntoResponse};
use reqwest::Method;
use serde_json::{Value, json};

async fn execution(caller: &Backend, answer: &Value) -> Value {
    caller.get(&format!("/executions/{}", answer["execution_id"].as_str().unwrap())).await
}

/// A webhook tool, and the path that runs it.
async fn tool(owner: &Backend, url: &str, more: Value) -> (String, String) {
    let mut body = webhook_tool("hook", url);
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let tool = id(&owner.post(201, "/tools", body).await);
    (format!("/tools/{tool}/execute"), tool)
}

fn outcomes(row: &Value) -> Vec<(i64, Value, Value)> {
    let attempts = row["attempts"].as_array().cloned().unwrap_or_default();
    let outcome =
        |one: Value| (one["number"].as_i64().unwrap(), one["http_status"].clone(), one["error_code"].clone());
    attempts.into_iter().map(outcome).collect()
}

#[tokio::test]
async fn t15_every_attempt_of_a_webhook_is_kept() {
    let (app, owner) = workshop().await;
    let upstream = Upstream::start(|count| match count {
        1 | 2 => (StatusCode::SERVICE_UNAVAILABLE, "canary-body").into_response(),
        _ => json_answer(json!("done")),
    })
    .await;
    let (path, _) = tool(&owner, &upstream.url, json!({ "idempotent": true })).await;
    let params = json!({ "params": { "title": "x", "senha": "canary-secret" } });
    let answer = owner.post(200, &path, params.clone()).await;
    assert_eq!(answer["result"], "done");
    let row = execution(&owner, &answer).await;
    let busy = |number| (number, json!(503), Value::Null);
    assert_eq!(outcomes(&row), [busy(1), busy(2), (3, json!(200), Value::Null)]);
    for (at, attempt) in row["attempts"].as_array().unwrap().iter().enumerate() {
        assert!(attempt["started_at"].as_str().unwrap().ends_with('Z'), "{attempt}");
        assert!(attempt["duration_ms"].as_i64().unwrap() >= 0, "{attempt}");
        assert_eq!(attempt["wait_ms"].is_i64(), at < 2, "a pause before each but the first: {attempt}");
    }
    assert_eq!(owner.get("/executions").await["data"][0].get("attempts"), None, "lists stay short");
    let leaked = "SELECT count(*) FROM executions WHERE circumstances LIKE '%canary%'";
    assert_eq!(app.count(leaked).await, 0, "never what was sent or came back");

    let once = owner.post(200, &path, params).await;
    let row = execution(&owner, &once).await;
    assert_eq!(outcomes(&row), [(1, json!(200), Value::Null)]);
    let long = "SELECT count(*) FROM executions WHERE circumstances NOT LIKE '%503%' AND length(circumstances) > 160";
    assert_eq!(app.count(long).await, 0, "and a usual call keeps little");
    let ana = app.member("ana@example.org", TENANT, "operator").await;
    let page = format!("/executions/{}", answer["execution_id"].as_str().unwrap());
    let html = ana.get(&page).await.text().await.unwrap();
    assert!(html.contains("HTTP 503") && html.contains("HTTP 200"), "the page has them, too");
}

#[tokio::test]
async fn t15_an_attempt_without_an_answer_tells_why() {
    let (_app, owner) = workshop().await;
    let (held, _gate) = Upstream::held().await;
    let (path, tool) = tool(&owner, &held.url, json!({ "timeout_ms": 300 })).await;
    let call = || json!({ "params": { "title": "x" } });
    let late = owner.post(200, &path, call()).await;
    let row = execution(&owner, &late).await;
    assert_eq!(outcomes(&row), [(1, Value::Null, json!("timed_out"))]);
    assert!(row["attempts"][0]["duration_ms"].as_i64().unwrap() >= 200, "{row}");

    owner.put(&format!("/tools/{tool}"), json!({ "timeout_ms": 60_000 })).await;
    let running = tokio::spawn({
        let (owner, path, call) = (owner.clone(), path.clone(), call());
        async move { owner.post(200, &path, call).await }
    });
    held.until_asked(2).await;
    let running_id = id(&owner.get("/executions?status=running").await["data"][0]);
    let cancelled = owner.expect(200, Method::POST, &format!("/executions/{running_id}/cancel"), None).await;
    assert_eq!(
        outcomes(&cancelled),
        [(1, Value::Null, json!("cancelled"))],
        "X4: it is known how far it came"
    );
    running.await.unwrap();
    let dead = json!({ "webhook_url": "http://127.0.0.1:1/", "idempotent": false });
    owner.put(&format!("/tools/{tool}"), dead).await;
    let lost = owner.post(200, &path, call()).await;
    assert_eq!(lost["success"], false, "{lost}");
    let row = execution(&owner, &lost).await;
    assert_eq!(outcomes(&row).iter().filter(|(_, status, _)| !status.is_null()).count(), 0, "{row}");
}

#[tokio::test]
async fn b4_b7_the_decision_is_kept_as_it_was() {
    let (app, owner) = workshop().await;
    let vendas = agent(&owner, "vendas", &["createTask"], "always").await;
    let asked = pending(&owner, "createTask", "vendas", json!({ "title": "x" })).await;
    let then = execution(&owner, &asked).await["decision"].clone();
    assert_eq!((&then["verdict"], &then["rule"]), (&json!("needs_confirmation"), &json!("confirmation")));
    assert_eq!(then["reason"], "A person decides first: the agent asks before every call.");
    assert_eq!(then["granted_by"], "manage ToolManagement of the role owner", "{then}");
    assert_eq!((&then["confirmation_mode"], &then["tool_version"]), (&json!("always"), &json!(1)));
    assert_eq!(then["policy_version"].as_str().unwrap().len(), 16);

    let mode = json!({ "allowed_tools": ["createTask"], "tool_confirmation_mode": "never" });
    owner.put(&format!("/agents/{vendas}/tools"), mode).await;
    assert_eq!(execution(&owner, &asked).await["decision"], then, "whatever was changed since");
    let why = owner.post(200, "/decisions/explain", json!({ "execution_id": asked["execution_id"] })).await;
    assert_eq!((&why["verdict"], &why["then"]), (&json!("allowed"), &then), "now, and then");
    assert!(why["checks"].as_array().unwrap().len() > 3, "{why}");

    let ran =
        owner.call("createTask", "vendas", json!({ "title": "y" })).await.json::<Value>().await.unwrap();
    let decision = execution(&owner, &ran).await["decision"].clone();
    assert_eq!((&decision["verdict"], &decision["confirmation_mode"]), (&json!("allowed"), &json!("never")));
    assert_eq!(decision["reason"], "Nobody has to be asked first.");

    let ana = app.member("ana@example.org", TENANT, "operator").await;
    let asked_id = asked["execution_id"].as_str().unwrap();
    let page = ana.ask("explain_call", &[("execution_id", asked_id)]).await;
    assert_eq!((&page["verdict"], &page["then"]), (&json!("allowed"), &then));
    for path in [format!("/executions/{asked_id}"), format!("/explain?execution={asked_id}")] {
        let html = ana.get(&path).await.text().await.unwrap();
        assert!(html.contains("data-then=\"needs_confirmation\""), "{path}");
        assert!(html.contains("data-verdict=\"confirmation\""), "and what it says now: {path}");
    }
    app.change("UPDATE executions SET circumstances = NULL").await;
    let old = execution(&owner, &asked).await;
    assert_eq!((old.get("decision"), old.get("attempts")), (None, None), "an older call has none");
    let why = owner.post(200, "/decisions/explain", json!({ "execution_id": asked["execution_id"] })).await;
    assert_eq!((&why["verdict"], why.get("then")), (&json!("allowed"), None));
}

#[tokio::test]
async fn b7_why_takes_a_call_that_was_or_one_that_might_be() {
    let (app, owner) = workshop().await;
    agent(&owner, "vendas", &["createTask"], "never").await;
    let ran =
        owner.call("createTask", "vendas", json!({ "title": "y" })).await.json::<Value>().await.unwrap();
    let id = &ran["execution_id"];
    for (body, field, code) in [
        (json!({}), "tool_name", "required"),
        (json!({ "agent_id": "vendas" }), "tool_name", "required"),
        (json!({ "execution_id": id, "tool_name": "createTask" }), "execution_id", "invalid"),
        (json!({ "execution_id": id, "params": {} }), "execution_id", "invalid"),
    ] {
        let errors = owner.invalid(Method::POST, "/decisions/explain", body).await;
        assert_eq!(errors, [(field.to_owned(), code.to_owned())]);
    }
    let body = || Some(json!({ "execution_id": id }));
    app.tenant("Outra", "outra").await;
    let stranger = app.backend("outra", domain::TenantRole::Owner).await;
    let refused = stranger.refused(Method::POST, "/decisions/explain", body()).await;
    assert_eq!(refused, (404, "not_found".to_owned()), "S9");
    agent(&owner, "caixa", &["createTask"], "never").await;
    let other = app.agent_backend(TENANT, "caixa").await;
    assert_eq!(other.refused(Method::POST, "/decisions/explain", body()).await.0, 404, "S24: not its call");
    let own = app.agent_backend(TENANT, "vendas").await;
    assert_eq!(
        own.post(200, "/decisions/explain", json!({ "execution_id": id })).await["then"]["verdict"],
        "allowed"
    );
}

/// Whoever may read a call may ask why; about a call that nobody made, only those who could make it.
#[tokio::test]
async fn b7_auditors_and_viewers_ask_why_a_call_of_the_history_was_allowed() {
    let (app, owner) = workshop().await;
    agent(&owner, "vendas", &["createTask"], "never").await;
    let operator = app.backend(TENANT, domain::TenantRole::Operator).await;
    let ran =
        operator.call("createTask", "vendas", json!({ "title": "y" })).await.json::<Value>().await.unwrap();
    let id = ran["execution_id"].as_str().unwrap();
    for role in [domain::TenantRole::Auditor, domain::TenantRole::Viewer] {
        let reader = app.backend(TENANT, role).await;
        let why = reader.post(200, "/decisions/explain", json!({ "execution_id": id })).await;
        assert_eq!(
            (&why["verdict"], &why["then"]["verdict"]),
            (&json!("allowed"), &json!("allowed")),
            "{why}"
        );
        let might_be = json!({ "tool_name": "createTask", "agent_id": "vendas" });
        let refused = reader.refused(Method::POST, "/decisions/explain", Some(might_be)).await;
        assert_eq!(refused, (403, "forbidden".to_owned()), "a call that nobody made");
        let person = app.member(&format!("{role}@example.org"), TENANT, role.as_str()).await;
        for path in [format!("/executions/{id}"), format!("/explain?execution={id}")] {
            let html = person.get(&path).await.text().await.unwrap();
            assert!(html.contains("data-then=\"allowed\""), "{path}");
            assert!(html.contains("data-verdict=\"confirmation\""), "and what it says now: {path}");
        }
        let empty = person.get("/explain").await.text().await.unwrap();
        assert!(!empty.contains("name=\"tool\""), "no form for what would be refused");
        assert_eq!(person.refused("explain_call", &[("tool", "createTask")]).await.0, 403);
    }
    owner.put("/agents/vendas/tools", json!({ "allowed_tools": [] })).await;
    let auditor = app.backend(TENANT, domain::TenantRole::Auditor).await;
    let why = auditor.post(200, "/decisions/explain", json!({ "execution_id": id })).await;
    assert_eq!((&why["verdict"], &why["rule"]), (&json!("denied"), &json!("assignment")), "{why}");
}
