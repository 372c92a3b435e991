//! S10: what is the server's cannot be said. Bodies that are otherwise right, of every route that takes one, each with a
//! field that nobody may send. A route that is not in the table fails.

use crate::{
    app::{Person, TestApp},
    assistant::inbound::Gateway,
    openapi::{document, operations},
    security::idor::{filled, one_of_each},
    workshop::{Backend, NOBODY, webhook_tool, workshop},
};
use reqwest::{Method, Response};
use serde_json::{Value, json};
use std::collections::{BTreeSet, HashMap};

const ADMIN: &str = "/api/admin/tools/{tool_name}";
const INBOUND: &str = "/api/v1/assistant/inbound/{tenant}";

type Ids = HashMap<&'static str, String>;
/// Method, path as the document has it, and a body that somebody could send.
type Right = (&'static str, &'static str, Value);

fn for_tools_and_agents() -> Vec<Right> {
    let params = json!({ "title": "x" });
    let call = json!({ "tool_name": "createTask", "agent_id": "vendas", "params": params });
    vec![
        ("PATCH", ADMIN, json!({ "enabled": true })),
        ("POST", "/api/v1/agents", json!({ "name": "Outro" })),
        ("PATCH", "/api/v1/agents/{id}", json!({ "description": "x" })),
        ("PUT", "/api/v1/agents/{id}/tools", json!({ "allowed_tools": ["createTask"] })),
        ("POST", "/api/v1/confirmations/{id}/approve", json!({ "note": "x" })),
        ("POST", "/api/v1/confirmations/{id}/refuse", json!({ "reason": "x" })),
        ("POST", "/api/v1/decisions/explain", call.clone()),
        ("POST", "/api/v1/tools", webhook_tool("other", "https://example.org/")),
        ("POST", "/api/v1/tools/execute-for-agent", call),
        ("PUT", "/api/v1/tools/{id}", json!({ "description": "x" })),
        ("POST", "/api/v1/tools/{id}/execute", json!({ "params": params, "test_mode": true })),
        ("PATCH", "/api/v1/tools/{id}/toggle", json!({ "is_active": true })),
    ]
}

fn for_settings_and_people() -> Vec<Right> {
    vec![
        ("POST", "/api/v1/api-keys", json!({ "name": "outra", "role": "viewer" })),
        ("POST", INBOUND, json!({ "from": "+5511900000009", "text": "Oi" })),
        ("POST", "/api/v1/assistant/messages", json!({ "text": "Oi" })),
        // Before there is a channel: nothing leaves.
        ("POST", "/api/v1/channels/{kind}/test", json!({})),
        ("PUT", "/api/v1/channels/{kind}", json!({ "url": "https://example.org/" })),
        ("PATCH", "/api/v1/items/{id}", json!({ "title": "Outra" })),
        ("PUT", "/api/v1/secrets/{name}", json!({ "value": "not-told" })),
        ("PUT", "/api/v1/settings/limits", json!({ "concurrent_calls_per_tool": 9 })),
    ]
}

fn for_the_crm(ids: &Ids) -> Vec<Right> {
    let (contact, pipeline) = (&ids["contacts"], &ids["pipelines"]);
    let stages = json!([{ "slug": "novo", "name": "Novo" }]);
    let send_at = domain::Timestamp::from(store::Moment::now().plus(time::Duration::days(1))).to_string();
    let message = json!({ "contact_id": contact, "channel": "whatsapp", "text": "Oi", "send_at": send_at });
    let said = json!({ "direction": "inbound", "text": "Oi" });
    vec![
        ("POST", "/api/v1/contacts", json!({ "name": "Bia" })),
        ("PATCH", "/api/v1/contacts/{id}", json!({ "name": "Bia" })),
        ("POST", "/api/v1/conversations", json!({ "channel": "web" })),
        ("PATCH", "/api/v1/conversations/{id}", json!({ "subject": "Bolo" })),
        ("POST", "/api/v1/conversations/{id}/messages", said),
        ("POST", "/api/v1/deals", json!({ "title": "Torta", "pipeline_id": pipeline })),
        ("PATCH", "/api/v1/deals/{id}", json!({ "title": "Torta" })),
        ("POST", "/api/v1/pipelines", json!({ "name": "Festas", "stages": stages })),
        ("PATCH", "/api/v1/pipelines/{id}", json!({ "name": "Festas" })),
        ("POST", "/api/v1/products", json!({ "name": "Sonho", "price_cents": 500 })),
        ("PATCH", "/api/v1/products/{id}", json!({ "price_cents": 500 })),
        ("POST", "/api/v1/scheduled-messages", message),
        ("POST", "/api/v1/tasks", json!({ "title": "Escrever" })),
        ("PATCH", "/api/v1/tasks/{id}", json!({ "title": "Escrever" })),
    ]
}

/// The body of a route, as the document describes it.
fn schema(document: &Value, method: &str, path: &str) -> Option<Value> {
    let operation = &document["paths"][path][method.to_lowercase()];
    let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
    let pointer = schema["$ref"].as_str().map(|name| name.trim_start_matches('#'));
    pointer
        .map_or(Some(schema), |pointer| document.pointer(pointer))
        .filter(|schema| schema.is_object())
        .cloned()
}

/// The table, after a look at whether every route with a body is in it.
fn right_bodies(ids: &Ids, document: &Value) -> Vec<Right> {
    let all = [for_tools_and_agents(), for_settings_and_people(), for_the_crm(ids)].concat();
    let name = |method: &str, path: &str| format!("{method} {path}");
    let told: BTreeSet<String> = all.iter().map(|(method, path, _)| name(method, path)).collect();
    let documented: BTreeSet<String> = operations()
        .iter()
        .filter(|(method, path)| schema(document, method.as_str(), path).is_some())
        .map(|(method, path)| name(method.as_str(), path))
        .collect();
    assert_eq!(told, documented, "a right body for each route that takes one");
    all
}

/// Whoever may send these bodies.
struct Senders {
    owner: Backend,
    admin: Person,
    gateway: Gateway,
    ids: Ids,
}

impl Senders {
    async fn send(&self, method: &str, path: &str, body: Value) -> Response {
        let method: Method = method.parse().unwrap();
        match path {
            ADMIN => self.admin.api(method, &path.replace("{tool_name}", "save_note"), Some(body)).await,
            INBOUND => {
                let id = format!("m{}", uuid::Uuid::now_v7().simple());
                self.gateway.signed(&id, &body.to_string()).await
            }
            _ => {
                let address = if path.contains('{') { filled(path, &self.ids) } else { path.to_owned() };
                self.owner.send(method, address.trim_start_matches("/api/v1"), Some(body)).await
            }
        }
    }
}

/// Everything that is written when something happens.
async fn written(app: &TestApp) -> [i64; 3] {
    [
        app.count("SELECT count(*) FROM audit_entries").await,
        app.count("SELECT count(*) FROM executions").await,
        app.count("SELECT count(*) FROM assistant_messages").await,
    ]
}

#[tokio::test]
async fn s10_no_body_says_whose_it_is_or_what_it_may() {
    let (app, owner) = workshop().await;
    let ids = one_of_each(&owner).await;
    let gateway = Gateway::of(&app, &owner).await;
    let senders = Senders { admin: app.sign_in("admin@example.org").await, owner, gateway, ids };
    let document = document();
    let right = right_bodies(&senders.ids, &document);
    let before = written(&app).await;
    for (method, path, body) in &right {
        let own = schema(&document, method, path).unwrap()["properties"].clone();
        for (field, value) in [
            ("tenant_id", json!(NOBODY)),
            ("role", json!("owner")),
            ("id", json!(NOBODY)),
            ("is_system", json!(true)),
        ] {
            if own.get(field).is_some() {
                continue;
            }
            let mut body = body.clone();
            body[field] = value;
            let answer = senders.send(method, path, body).await;
            assert_eq!(answer.status(), 422, "{method} {path} {field}");
            let refused: Value = answer.json().await.unwrap();
            let errors = refused["errors"].as_array().unwrap();
            let named: Vec<_> = errors.iter().map(|error| (&error["field"], &error["code"])).collect();
            assert_eq!(named, [(&json!(field), &json!("unknown"))], "{method} {path}: {refused}");
        }
    }
    assert_eq!(written(&app).await, before, "nothing was written");
    for (method, path, body) in right {
        let status = senders.send(method, path, body).await.status().as_u16();
        assert!(
            status < 500 && ![400, 401, 403, 422].contains(&status),
            "{method} {path}: {status} as it is"
        );
    }
}
