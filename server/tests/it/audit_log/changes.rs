//! What is done and what is refused leaves its entry: who, what, and about which thing.

use super::holds;
use crate::{
    app::problem,
    workshop::{Backend, TENANT, Upstream, agent, id, json_answer, pending, webhook_tool, workshop},
};
use reqwest::Method;
use serde_json::{Value, json};

/// A call of the tool `hook` that is refused, and what the record says about it as soon as the answer is there.
async fn denial(caller: &Backend, owner: &Backend, agent: &str) -> (Value, Value) {
    let before = denials(owner).await.len();
    let answer = caller.call("hook", agent, json!({ "title": "x" })).await;
    assert_eq!(answer.status(), 403);
    let refused: Value = answer.json().await.unwrap();
    let mut entries = denials(owner).await;
    assert_eq!(entries.len(), before + 1, "one call, one entry: {refused}");
    (refused, entries.remove(0))
}

/// Newest first.
async fn denials(owner: &Backend) -> Vec<Value> {
    let found = owner.get("/audit?action=execution.deny").await;
    found["data"].as_array().unwrap().clone()
}

#[tokio::test]
async fn b4_a_refused_call_is_on_the_record_before_it_is_answered() {
    let (app, owner) = workshop().await;
    let admin = app.sign_in("admin@example.org").await;
    let upstream = Upstream::start(|_| json_answer(json!({ "ok": true }))).await;
    let hook = id(&owner.post(201, "/tools", webhook_tool("hook", &upstream.url)).await);
    for (name, tools) in [("vendas", &["hook"][..]), ("caixa", &[])] {
        agent(&owner, name, tools, "never").await;
    }
    let toggle = async |on: bool| {
        let body = Some(json!({ "is_active": on }));
        owner.expect(200, Method::PATCH, &format!("/tools/{hook}/toggle"), body).await;
    };
    let switch_kind = async |on: bool| {
        let body = Some(json!({ "enabled": on }));
        let answer = admin.api(Method::PATCH, "/api/admin/tools/webhook_tools", body).await;
        assert_eq!(answer.status(), 200);
    };
    let assert_denied = async |agent: &str, code: &str, rule: &str| {
        let caller = app.agent_backend(TENANT, agent).await;
        let (refused, entry) = denial(&caller, &owner, agent).await;
        assert_eq!(refused["code"], code, "{refused}");
        let told = json!({ "tool": "hook", "agent": agent, "code": code, "rule": rule });
        assert_eq!(entry["after"], told, "{entry}");
        assert_eq!(
            (&entry["subject_kind"], &entry["subject_id"], &entry["actor_kind"]),
            (&json!("tool"), &json!(hook), &json!("api_key"))
        );
        assert_eq!(entry["reason"], refused["detail"], "in the words of the answer");
    };
    assert_denied("caixa", "tool_not_assigned", "assignment").await;
    toggle(false).await;
    assert_denied("vendas", "tool_disabled", "tool_active").await;
    toggle(true).await;
    switch_kind(false).await;
    assert_denied("vendas", "tool_disabled", "global_switch").await;
    switch_kind(true).await;
    owner.patch("/agents/vendas", json!({ "is_active": false })).await;
    assert_denied("vendas", "forbidden", "agent_active").await;

    assert!(upstream.asked().is_empty(), "nothing left");
    assert_eq!(app.count("SELECT count(*) FROM executions").await, 0, "nothing began");
    owner.patch("/agents/vendas", json!({ "is_active": true })).await;
    assert_eq!(owner.call("hook", "vendas", json!({ "title": "x" })).await.status(), 200);
    assert_eq!(denials(&owner).await.len(), 4, "a call that is allowed is no denial");
    holds(&app).await.unwrap();
}

/// Something that somebody in charge does, and what its entry says.
struct Change {
    method: Method,
    path: String,
    body: Option<Value>,
    status: u16,
    action: &'static str,
    /// Kind and id.
    subject: (&'static str, String),
    /// Where the entry has what, for those that the action alone does not tell apart.
    shows: Option<(&'static str, Value)>,
}

const CANARY: &str = "canario-do-segredo";

/// The tool is at its second version, the call waits for a person, and the channel is set up.
fn changes(tool: &str, call: &str) -> Vec<Change> {
    let of_tool = |method: Method, path: &str, body: Option<Value>, shows: (&'static str, Value)| Change {
        method,
        path: format!("/tools/{tool}/{path}"),
        body,
        status: 200,
        action: "tool.update",
        subject: ("tool", tool.to_owned()),
        shows: Some(shows),
    };
    let of_secret =
        |method: Method, status: u16, action: &'static str, shows: (&'static str, Value)| Change {
            body: (method == Method::PUT).then(|| json!({ "value": CANARY })),
            method,
            path: "/secrets/TOKEN".to_owned(),
            status,
            action,
            subject: ("secret", "TOKEN".to_owned()),
            shows: Some(shows),
        };
    let (restored, rotated) = (json!("version 1 restored"), json!("signing secret rotated"));
    let off = Some(json!({ "is_active": false }));
    vec![
        of_tool(Method::PATCH, "toggle", off, ("/after/is_active", json!(false))),
        of_tool(Method::POST, "versions/1/restore", None, ("/reason", restored)),
        of_tool(Method::POST, "rotate-secret", None, ("/reason", rotated)),
        of_secret(Method::PUT, 201, "secret.create", ("/before", Value::Null)),
        of_secret(Method::PUT, 200, "secret.update", ("/before/name", json!("TOKEN"))),
        of_secret(Method::DELETE, 204, "secret.delete", ("/after", Value::Null)),
        Change {
            method: Method::POST,
            path: format!("/executions/{call}/cancel"),
            body: None,
            status: 200,
            action: "execution.cancel",
            subject: ("execution", call.to_owned()),
            shows: None,
        },
        Change {
            method: Method::DELETE,
            path: "/channels/webhook".to_owned(),
            body: None,
            status: 204,
            action: "channel.delete",
            subject: ("channel", "webhook".to_owned()),
            shows: Some(("/before/kind", json!("webhook"))),
        },
    ]
}

async fn newest(owner: &Backend) -> Value {
    owner.get("/audit?limit=1").await["data"][0].clone()
}

#[tokio::test]
async fn b4_every_administrative_change_leaves_its_entry() {
    let (app, owner) = workshop().await;
    let tool = id(&owner.post(201, "/tools", webhook_tool("hook", "https://example.org/hook")).await);
    owner.put(&format!("/tools/{tool}"), json!({ "description": "Outra" })).await;
    agent(&owner, "medrosa", &["createTask"], "always").await;
    let call = pending(&owner, "createTask", "medrosa", json!({ "title": "x" })).await;
    let call = call["execution_id"].as_str().unwrap().to_owned();
    let channel = Some(json!({ "url": "https://example.org/mensagens" }));
    owner.expect(201, Method::PUT, "/channels/webhook", channel).await;
    let mut shown = Vec::new();
    for change in changes(&tool, &call) {
        let Change { method, path, body, status, action, subject, shows } = change;
        let before = newest(&owner).await["seq"].as_i64().unwrap();
        let answer = owner.expect(status, method, &path, body).await;
        let entry = newest(&owner).await;
        assert_eq!(entry["seq"], before + 1, "one change, one entry: {path}");
        let found = (entry["action"].as_str(), entry["subject_kind"].as_str(), entry["subject_id"].as_str());
        assert_eq!(found, (Some(action), Some(subject.0), Some(subject.1.as_str())), "{path}");
        if let Some((place, value)) = shows {
            assert_eq!(entry.pointer(place), Some(&value), "{path}: {entry}");
        }
        assert_eq!((&entry["actor_kind"], &entry["actor_name"]), (&json!("api_key"), &json!("backend")));
        shown.extend(answer["webhook_secret"].as_str().map(str::to_owned));
    }
    assert_eq!(shown.len(), 1, "the rotated secret was shown, once");
    let record = owner.send(Method::GET, "/audit/export", None).await.text().await.unwrap();
    for secret in [CANARY, shown[0].trim_start_matches("whsec_")] {
        assert!(!record.contains(secret), "s16: the record says that it changed, and not to what");
    }
    holds(&app).await.unwrap();
}

/// Whoever asks again and again is told no each time; the record says how often, and does not grow with it.
#[tokio::test]
async fn b4_a_flood_of_denied_calls_is_counted_on_the_record() {
    let (app, owner) = workshop().await;
    agent(&owner, "vendas", &[], "never").await;
    let calls = (0..150).map(|_| owner.call("createTask", "vendas", json!({ "title": "x" })));
    for answer in futures::future::join_all(calls).await {
        assert_eq!(problem(answer).await, (403, "tool_not_assigned".to_owned()));
    }
    let entries = "SELECT count(*) FROM audit_entries WHERE action = 'execution.deny'";
    assert_eq!(app.count(entries).await, 100);
    app.services.engine.until_calls_ended(std::time::Duration::ZERO).await;
    assert_eq!(app.count(entries).await, 101, "a stop does not lose the others");
    let last = owner.get("/audit?action=execution.deny&limit=1").await["data"][0].clone();
    assert_eq!(last["after"]["repeated"], 50, "{last}");
    assert_eq!(
        (&last["after"]["tool"], &last["after"]["rule"]),
        (&json!("createTask"), &json!("assignment"))
    );
}
