//! Calls: by hand and by agents, inside and outside, once and again (T7, T8, T10, B2).

mod circumstances;
mod getting;
mod history;
mod idempotency;
mod neighbours;
mod signatures;
mod stopping;
mod values;
mod webhooks;

use crate::{
    app::problem,
    workshop::{Upstream, agent, id, json_answer, pending, webhook_tool, workshop},
};
use reqwest::Method;
use serde_json::{Value, json};

#[tokio::test]
async fn t8_t13_an_agent_creates_a_task_and_the_record_says_so() {
    let (app, owner) = workshop().await;
    agent(&owner, "vendas", &["createTask", "searchProducts"], "never").await;
    let answer = owner.call("createTask", "vendas", json!({ "title": "Ligar para o cliente" })).await;
    assert_eq!(answer.status(), 200);
    let body: Value = answer.json().await.unwrap();
    assert_eq!((&body["status"], &body["success"]), (&json!("success"), &json!(true)), "{body}");
    assert_eq!(app.count("SELECT count(*) FROM tasks").await, 1);
    let id = body["execution_id"].as_str().unwrap();
    let row = owner.get(&format!("/executions/{id}")).await;
    assert_eq!(
        (&row["tool_name"], &row["tool_version"], &row["conversation_id"]),
        (&json!("createTask"), &json!(1), &json!("c1"))
    );
    assert_eq!(row["input_params"]["title"], "Ligar para o cliente");
    assert_eq!(
        (&row["execution_id"], &row["success"], &row["result"]),
        (&body["execution_id"], &json!(true), &body["result"]),
        "under the names of the answer, too"
    );
    assert_eq!(app.count("SELECT count(*) FROM audit_entries WHERE action = 'execution.record'").await, 1);
    let tool = &owner.get("/tools?q=createTask").await["data"][0];
    assert_eq!((&tool["execution_count"], &tool["error_count"]), (&json!(1), &json!(0)));
    let hours = owner.get("/analytics/hours").await;
    assert_eq!(hours["data"][0]["executions"], 1, "{hours}");
}

#[tokio::test]
async fn t18_calls_are_counted_by_tool_and_by_agent() {
    let (app, owner) = workshop().await;
    agent(&owner, "vendas", &["createTask", "sendEmail"], "never").await;
    agent(&owner, "caixa", &["createTask"], "never").await;
    for name in ["vendas", "vendas", "caixa"] {
        assert_eq!(owner.call("createTask", name, json!({ "title": "x" })).await.status(), 200);
    }
    let mail = json!({ "to": ["ana@example.org"], "subject": "x", "text": "x" });
    let failed = owner.call("sendEmail", "vendas", mail).await;
    assert_eq!(failed.json::<Value>().await.unwrap()["success"], false, "no mail server is set up");

    let agents = owner.get("/analytics/agents").await;
    let counted: Vec<(&str, i64, i64)> = agents["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            let number = |name: &str| row[name].as_i64().unwrap();
            (row["agent_name"].as_str().unwrap(), number("executions"), number("errors"))
        })
        .collect();
    assert_eq!(counted, [("vendas", 3, 1), ("caixa", 1, 0)], "the busiest first");
    let of = |path: &'static str| {
        let owner = owner.clone();
        async move {
            let hours = owner.get(path).await;
            hours["data"]
                .as_array()
                .unwrap()
                .iter()
                .map(|hour| hour["executions"].as_i64().unwrap())
                .sum::<i64>()
        }
    };
    assert_eq!(of("/analytics/hours").await, 4);
    assert_eq!(of("/analytics/hours?agent_id=vendas").await, 3);
    assert_eq!(of("/analytics/hours?agent_id=caixa").await, 1);
    let unknown = owner.refused(Method::GET, "/analytics/hours?agent_id=nobody", None).await;
    assert_eq!(unknown, (404, "agent_not_found".into()));
    let tool = owner.get("/tools?q=createTask").await["data"][0]["id"].as_str().unwrap().to_owned();
    let both =
        owner.refused(Method::GET, &format!("/analytics/hours?agent_id=caixa&tool_id={tool}"), None).await;
    assert_eq!(both, (422, "validation_failed".into()));
    app.tenant("Outra", "outra").await;
    let stranger = app.backend("outra", domain::TenantRole::Owner).await;
    assert_eq!(stranger.get("/analytics/agents").await["data"], json!([]));
}

#[tokio::test]
async fn t8_what_an_agent_may_not_do_is_refused_before_it_runs() {
    let (app, owner) = workshop().await;
    agent(&owner, "vendas", &["createTask"], "never").await;
    let refused = |tool: &'static str, agent: &'static str, params: Value| {
        let owner = owner.clone();
        async move { problem(owner.call(tool, agent, params).await).await }
    };
    let task = || json!({ "title": "x" });
    assert_eq!(refused("endConversation", "vendas", json!({})).await, (403, "tool_not_assigned".into()));
    assert_eq!(refused("nothing", "vendas", json!({})).await, (404, "tool_not_found".into()));
    assert_eq!(refused("CreateTask", "vendas", task()).await, (404, "tool_not_found".into()));
    assert_eq!(refused("createTask", "nobody", task()).await, (404, "agent_not_found".into()));
    assert_eq!(
        refused("createTask", "vendas", json!({ "titel": "x" })).await,
        (422, "invalid_params".into())
    );
    let tools = owner.get("/tools?q=createTask").await;
    let id = tools["data"][0]["id"].as_str().unwrap().to_owned();
    owner
        .expect(200, Method::PATCH, &format!("/tools/{id}/toggle"), Some(json!({ "is_active": false })))
        .await;
    assert_eq!(refused("createTask", "vendas", task()).await, (403, "tool_disabled".into()));
    assert_eq!(app.count("SELECT count(*) FROM tasks").await, 0);
    assert_eq!(app.count("SELECT count(*) FROM executions").await, 0);
}

/// Whoever sends wrong arguments is told which, on every way in.
#[tokio::test]
async fn t7_t8_b2_wrong_arguments_are_named_by_their_field() {
    let (app, owner) = workshop().await;
    let upstream = Upstream::start(|_| json_answer(json!(1))).await;
    let mut tool = webhook_tool("hook", &upstream.url);
    tool["parameters"]["properties"]["guests"] =
        json!({ "type": "array", "items": { "type": "object", "required": ["email"] } });
    let by_hand = format!("/tools/{}/execute", id(&owner.post(201, "/tools", tool).await));
    agent(&owner, "vendas", &["hook"], "always").await;
    let asked = pending(&owner, "hook", "vendas", json!({ "title": "x" })).await;
    let approve = format!("/confirmations/{}/approve", asked["confirmation_id"].as_str().unwrap());
    for (params, field, code) in [
        (json!({}), "params.title", "required"),
        (json!({ "title": 1 }), "params.title", "invalid"),
        (json!({ "title": "x".repeat(51) }), "params.title", "too_long"),
        (json!({ "title": "x", "titel": "x" }), "params.titel", "unknown"),
        (json!({ "title": "x", "guests": [{ "email": "a" }, {}] }), "params.guests.1.email", "required"),
        (json!([]), "params", "invalid"),
    ] {
        let by_agent = json!({ "tool_name": "hook", "agent_id": "vendas", "params": params });
        let alone = json!({ "params": params });
        for (path, body) in [
            ("/tools/execute-for-agent", by_agent),
            (by_hand.as_str(), alone.clone()),
            (approve.as_str(), alone),
        ] {
            let refused = owner.expect(422, Method::POST, path, Some(body)).await;
            assert_eq!(refused["code"], "invalid_params", "{path}: {refused}");
            let errors = refused["errors"].as_array().unwrap();
            let named: Vec<_> = errors.iter().map(|error| (&error["field"], &error["code"])).collect();
            assert_eq!(named, [(&json!(field), &json!(code))], "{path} {params}: {refused}");
        }
    }
    assert_eq!(app.count("SELECT count(*) FROM executions").await, 1, "only the one that waits");
    assert!(upstream.asked().is_empty());
    owner.post(200, &approve, json!({ "params": { "title": "y" } })).await;
    let sent: Value = serde_json::from_slice(&upstream.asked()[0].body).unwrap();
    assert_eq!(sent["params"], json!({ "title": "y" }), "the question was still open");
}

#[tokio::test]
async fn t17_a_tool_is_called_as_often_as_its_limit_says() {
    let (_app, owner) = workshop().await;
    let upstream = Upstream::start(|_| json_answer(json!(1))).await;
    let mut body = webhook_tool("limited", &upstream.url);
    body["rate_limit"] = json!({ "limit": 3, "window_seconds": 3600 });
    let tool = owner.post(201, "/tools", body).await;
    let path = format!("/tools/{}/execute", tool["id"].as_str().unwrap());
    let call = || owner.send(Method::POST, &path, Some(json!({ "params": { "title": "x" } })));
    for _ in 0..3 {
        assert_eq!(call().await.status(), 200);
    }
    let refused = call().await;
    assert!(refused.headers()["retry-after"].to_str().unwrap().parse::<u64>().unwrap() >= 1);
    assert_eq!(problem(refused).await, (429, "rate_limited".into()));
    assert_eq!(upstream.asked().len(), 3);
}

#[tokio::test]
async fn t7_test_mode_changes_nothing_and_is_marked() {
    let (app, owner) = workshop().await;
    let tools = owner.get("/tools?q=createTask").await;
    let path = format!("/tools/{}/execute", tools["data"][0]["id"].as_str().unwrap());
    let answer =
        owner.post(200, &path, json!({ "params": { "title": "só um teste" }, "test_mode": true })).await;
    assert_eq!(answer["success"], true, "{answer}");
    assert!(answer["result"]["summary"].is_string());
    assert_eq!(app.count("SELECT count(*) FROM tasks").await, 0);
    assert_eq!(owner.get("/executions").await["data"][0]["test_mode"], true);
    let upstream = Upstream::start(|_| json_answer(json!(1))).await;
    let tool = owner.post(201, "/tools", webhook_tool("hook", &upstream.url)).await;
    let path = format!("/tools/{}/execute", tool["id"].as_str().unwrap());
    owner.post(200, &path, json!({ "params": { "title": "x" }, "test_mode": true })).await;
    let sent: Value = serde_json::from_slice(&upstream.asked()[0].body).unwrap();
    assert_eq!(sent["test_mode"], true);
}

/// S23: the switch for a whole kind holds at once, also in another process.
#[tokio::test]
async fn s23_a_kind_that_is_switched_off_does_not_start() {
    let (app, owner) = workshop().await;
    let upstream = Upstream::start(|_| json_answer(json!(1))).await;
    owner.post(201, "/tools", webhook_tool("hook", &upstream.url)).await;
    agent(&owner, "vendas", &["hook"], "never").await;
    assert_eq!(owner.call("hook", "vendas", json!({ "title": "x" })).await.status(), 200);
    let replica = app.replica().await;
    let admin = replica.sign_in("admin@example.org").await;
    let switch = [("tool_name", "webhook_tools"), ("enabled", "false")];
    assert_eq!(admin.call("switch_global_tool", &switch).await.status(), 200);
    let refused = problem(owner.call("hook", "vendas", json!({ "title": "x" })).await).await;
    assert_eq!(refused, (403, "tool_disabled".into()));
    assert_eq!(upstream.asked().len(), 1);
    let listed = owner.get("/agents/vendas/tools").await;
    assert_eq!(listed["data"].as_array().unwrap().len(), 0, "G6: absent from the list as well");
}
