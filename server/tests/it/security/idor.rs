//! S9: another tenant's things do not exist. Generated from the document: a new route is in it by itself.

use crate::{
    app::problem,
    openapi::operations,
    workshop::{Backend, agent, id, pending, webhook_tool, workshop},
};
use domain::TenantRole;
use reqwest::Method;
use serde_json::{Value, json};
use std::collections::HashMap;

/// One of everything that has an id, by the name that paths give it.
pub async fn one_of_each(owner: &Backend) -> HashMap<&'static str, String> {
    let make = |path: &'static str, body: Value| async move { id(&owner.post(201, path, body).await) };
    let contact = make("/contacts", json!({ "name": "Marina", "phone": "+5511900000001" })).await;
    let stages = json!([{ "slug": "novo", "name": "Novo" }]);
    let pipeline = make("/pipelines", json!({ "name": "Vendas", "stages": stages })).await;
    let send_at = domain::Timestamp::from(store::Moment::now().plus(time::Duration::days(1))).to_string();
    let message = json!({ "contact_id": contact, "channel": "whatsapp", "text": "Oi", "send_at": send_at });
    let hook = webhook_tool("hook", "http://127.0.0.1:1/");
    let vendas = agent(owner, "vendas", &["createTask"], "always").await;
    let asked = pending(owner, "createTask", "vendas", json!({ "title": "x" })).await;
    HashMap::from([
        ("deals", make("/deals", json!({ "title": "Bolo", "pipeline_id": pipeline })).await),
        ("tasks", make("/tasks", json!({ "title": "Ligar" })).await),
        ("products", make("/products", json!({ "name": "Pão", "price_cents": 120 })).await),
        ("conversations", make("/conversations", json!({ "channel": "whatsapp" })).await),
        ("scheduled-messages", make("/scheduled-messages", message).await),
        ("contacts", contact),
        ("pipelines", pipeline),
        ("tools", make("/tools", hook).await),
        ("agents", vendas),
        ("executions", asked["execution_id"].as_str().unwrap().to_owned()),
        ("confirmations", asked["confirmation_id"].as_str().unwrap().to_owned()),
        ("items", saved_note(owner).await),
        ("assistant", owner.say(None, "Oi").await["conversation_id"].as_str().unwrap().to_owned()),
        ("api-keys", make("/api-keys", json!({ "name": "loja", "role": "viewer" })).await),
    ])
}

async fn saved_note(owner: &Backend) -> String {
    id(&owner.save("save_note", json!({ "text": "Oi" })).await)
}

/// The path with the id of the thing that it is about.
pub fn filled(path: &str, ids: &HashMap<&'static str, String>) -> String {
    // A channel is named by its kind: each tenant has its own of every kind.
    if path.contains("{kind}") {
        return path.replace("{kind}", "webhook");
    }
    // So is a secret by its name.
    if path.contains("{name}") {
        return path.replace("{name}", "API_KEY");
    }
    // A gateway is known by its signature.
    if path.contains("{tenant}") {
        return path.replace("{tenant}", crate::workshop::TENANT);
    }
    let resource = path.trim_start_matches("/api/v1/").split('/').next().unwrap();
    let id = ids.get(resource).cloned().unwrap_or_else(|| panic!("{path}: what is its id?"));
    path.replace("{id}", &id).replace("{version}", "1")
}

/// A body that its owner could send.
fn body(method: &Method, path: &str) -> Option<Value> {
    let (_, last) = path.rsplit_once('/').unwrap();
    Some(match (method.as_str(), last) {
        ("GET" | "DELETE", _) => return None,
        (_, "cancel" | "restore" | "rotate-secret") => return None,
        (_, "toggle") => json!({ "is_active": false }),
        (_, "execute") => json!({ "params": { "title": "x" } }),
        (_, "messages") => json!({ "direction": "inbound", "text": "Oi" }),
        ("PUT", "tools") => json!({ "allowed_tools": [] }),
        _ => json!({}),
    })
}

fn with_ids() -> impl Iterator<Item = (Method, String)> {
    operations().into_iter().filter(|(_, path)| path.starts_with("/api/v1/") && path.contains("{id}"))
}

/// Everything that the tenant could see of itself.
async fn seen(owner: &Backend, ids: &HashMap<&'static str, String>) -> Vec<Value> {
    let mut all = Vec::new();
    for (_, path) in with_ids().filter(|(method, path)| method == Method::GET && path.ends_with("{id}")) {
        all.push(owner.get(filled(&path, ids).trim_start_matches("/api/v1")).await);
    }
    all.push(owner.get("/api-keys").await);
    for row in all.last_mut().unwrap()["data"].as_array_mut().unwrap() {
        row["last_used_at"] = Value::Null;
    }
    all
}

#[tokio::test]
async fn s9_for_every_route_with_an_id_others_get_nothing() {
    let (app, owner) = workshop().await;
    let ids = one_of_each(&owner).await;
    app.tenant("Outra", "outra").await;
    let mut strangers = Vec::new();
    for role in [TenantRole::Owner, TenantRole::Operator, TenantRole::Viewer] {
        strangers.push(app.backend("outra", role).await);
    }
    agent(&strangers[0], "deles", &["createTask"], "never").await;
    strangers.push(app.agent_backend("outra", "deles").await);
    let platform = app.backend_of(Some(app.platform_key().await));
    let before = seen(&owner, &ids).await;
    let mut tried = 0;
    for (method, path) in with_ids() {
        let address = filled(&path, &ids);
        let address = address.trim_start_matches("/api/v1");
        let send = |caller: Backend| {
            let (method, body) = (method.clone(), body(&method, &path));
            async move { caller.send(method, address, body).await }
        };
        let found = problem(send(strangers[0].clone()).await).await;
        assert_eq!(found.0, 404, "{method} {path}: {found:?}");
        for stranger in &strangers[1..] {
            let found = problem(send(stranger.clone()).await).await;
            assert!([403, 404].contains(&found.0), "{method} {path}: {found:?}");
        }
        let found = problem(send(platform.clone()).await).await;
        assert_eq!(found, (403, "tenant_required".to_owned()), "{method} {path}");
        let found = problem(send(app.backend_of(None)).await).await;
        assert_eq!(found, (401, "unauthenticated".to_owned()), "{method} {path}");
        tried += 1;
    }
    assert!(tried >= 35, "{tried}");
    assert_eq!(seen(&owner, &ids).await, before, "nothing was touched");
}

/// Method, path, what it answers about a thing that is gone, and why that is not a 404.
type Kept = (&'static str, &'static str, u16, &'static str);

const KEPT: &[Kept] = &[
    ("DELETE", "/api/v1/api-keys/{id}", 204, "it stays in the list, revoked; twice changes nothing"),
    ("GET", "/api/v1/assistant/conversations/{id}", 200, "no route deletes what was said"),
    ("GET", "/api/v1/confirmations/{id}", 200, "a question is closed, and stays on the record"),
    ("POST", "/api/v1/confirmations/{id}/approve", 409, "it is closed"),
    ("POST", "/api/v1/confirmations/{id}/refuse", 409, "it is closed"),
    ("GET", "/api/v1/executions/{id}", 200, "a call is stopped, and stays in the history"),
    ("POST", "/api/v1/executions/{id}/cancel", 409, "it is stopped"),
    ("GET", "/api/v1/items/{id}", 200, "it is there for thirty days, and says that it was deleted"),
    ("POST", "/api/v1/items/{id}/restore", 200, "within these days it comes back"),
    ("GET", "/api/v1/tools/{id}/executions", 200, "T5: what was called stays in the history"),
    ("GET", "/api/v1/tools/{id}/versions", 200, "T4: every definition that it had is kept"),
];

/// What the route still has to say of it.
fn left(method: &Method, path: &str) -> Option<&'static Kept> {
    KEPT.iter().find(|(verb, known, ..)| *verb == method.as_str() && *known == path)
}

async fn delete_everything(owner: &Backend, ids: &HashMap<&'static str, String>) {
    // No route deletes a call. Its question is closed with it; a message goes with its contact.
    let cancel = format!("/executions/{}/cancel", ids["executions"]);
    owner.expect(200, Method::POST, &cancel, None).await;
    for (method, path) in with_ids().filter(|(method, _)| method == Method::DELETE) {
        owner.expect(204, method, filled(&path, ids).trim_start_matches("/api/v1"), None).await;
    }
}

/// Use after delete: an id that somebody kept is of no more use than one that never was.
#[tokio::test]
async fn s9_for_every_route_what_was_deleted_is_gone() {
    let (_app, owner) = workshop().await;
    let ids = one_of_each(&owner).await;
    delete_everything(&owner, &ids).await;
    let mut kept = 0;
    for (method, path) in with_ids() {
        let address = filled(&path, &ids);
        let address = address.trim_start_matches("/api/v1");
        let answer = owner.send(method.clone(), address, body(&method, &path)).await;
        match left(&method, &path) {
            Some((.., status, why)) => {
                assert_eq!(answer.status().as_u16(), *status, "{method} {path}: {why}");
                kept += 1;
            }
            None => assert_eq!(problem(answer).await.0, 404, "{method} {path}"),
        }
    }
    assert_eq!(kept, KEPT.len(), "every exception is a route");
}

/// A slug, an id in a body, an id in the query: those of others are unknown there, too.
#[tokio::test]
async fn s9_names_of_another_tenant_mean_nothing_in_bodies_and_queries() {
    let (app, owner) = workshop().await;
    let ids = one_of_each(&owner).await;
    app.tenant("Outra", "outra").await;
    let stranger = app.backend("outra", TenantRole::Owner).await;
    agent(&stranger, "deles", &["createTask"], "never").await;
    let (tool, theirs) = (&ids["tools"], &ids["agents"]);
    for name in [theirs.as_str(), "vendas"] {
        let refused = problem(stranger.call("createTask", name, json!({ "title": "x" })).await).await;
        assert_eq!(refused, (404, "agent_not_found".to_owned()));
        let mut body = webhook_tool("mine", "https://example.org/");
        body["allowed_agents"] = json!([name]);
        let found = stranger.invalid(Method::POST, "/tools", body).await;
        assert_eq!(found, [("allowed_agents".to_owned(), "unknown".to_owned())]);
        let key = json!({ "name": "k", "role": "operator", "agent_id": name });
        let refused = stranger.refused(Method::POST, "/api-keys", Some(key)).await;
        assert_eq!(refused, (404, "agent_not_found".to_owned()));
        for path in ["/tools", "/executions"] {
            let refused = stranger.refused(Method::GET, &format!("{path}?agent_id={name}"), None).await;
            assert_eq!(refused, (404, "agent_not_found".to_owned()), "{path}");
        }
    }
    let hook = problem(stranger.call("hook", "deles", json!({ "title": "x" })).await).await;
    assert_eq!(hook, (404, "tool_not_found".to_owned()));
    let found =
        stranger.invalid(Method::PUT, "/agents/deles/tools", json!({ "allowed_tools": ["hook"] })).await;
    assert_eq!(found, [("allowed_tools".to_owned(), "unknown".to_owned())]);
    let explain = json!({ "tool_name": "hook", "agent_id": "deles" });
    let refused = stranger.refused(Method::POST, "/decisions/explain", Some(explain)).await;
    assert_eq!(refused, (404, "tool_not_found".to_owned()));
    for path in ["/executions", "/analytics/hours"] {
        let refused = stranger.refused(Method::GET, &format!("{path}?tool_id={tool}"), None).await;
        assert_eq!(refused, (404, "tool_not_found".to_owned()), "{path}");
    }
    assert_eq!(stranger.get("/confirmations").await["data"], json!([]));
    assert!(!stranger.get("/analytics/tools").await.to_string().contains("hook"));
}
