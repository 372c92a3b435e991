//! S5, S9: who is let in at every route of the document, in one table. A route without its line fails here.
//!
//! What only its own thing can decide is tested in the file of its resource: this is about the doors. That an agent
//! decides no question (S24), that everybody but agents has things of their own (G12), who reads the record (B4) and who
//! changes limits (T17), channels, secrets and keys are lines like all others.

use super::idor::{filled, one_of_each};
use crate::{
    openapi::{document, operations},
    workshop::{Backend, Callers, NOBODY, TENANT, agent, workshop},
};
use domain::TenantRole;
use reqwest::Method;
use serde_json::json;
use std::collections::{BTreeSet, HashMap};

/// Method, path as the document has it, and the roles of keys that are let in; `agent` is a key bound to one.
type Route = (&'static str, &'static str, &'static str);

const EVERYBODY: &str = "owner manager operator viewer auditor agent";
const MEMBERS: &str = "owner manager operator viewer auditor";
const READERS_OF_AGENTS: &str = "owner manager operator auditor agent";
const READERS_OF_QUESTIONS: &str = "owner manager operator auditor";
const READERS_OF_CHANNELS: &str = "owner manager auditor";
const RUNNERS: &str = "owner manager operator agent";
const STOPPERS: &str = "owner operator agent";
const WRITERS: &str = "owner manager operator";
const DECIDERS: &str = "owner operator";
const AUDITORS: &str = "owner auditor";
const MANAGERS: &str = "owner manager";
const OWNERS: &str = "owner";
/// No key of an organisation opens it.
const NO_KEY: &str = "";

const ROUTES: &[Route] = &[
    // For whoever runs the installation: see `admin_tools.rs`.
    ("GET", "/api/admin/tools", NO_KEY),
    ("PATCH", "/api/admin/tools/{tool_name}", NO_KEY),
    ("GET", "/api/v1/agents", READERS_OF_AGENTS),
    ("POST", "/api/v1/agents", MANAGERS),
    ("GET", "/api/v1/agents/{id}", READERS_OF_AGENTS),
    ("DELETE", "/api/v1/agents/{id}", MANAGERS),
    ("PATCH", "/api/v1/agents/{id}", MANAGERS),
    ("GET", "/api/v1/agents/{id}/tools", READERS_OF_AGENTS),
    ("PUT", "/api/v1/agents/{id}/tools", MANAGERS),
    ("GET", "/api/v1/analytics/agents", MEMBERS),
    ("GET", "/api/v1/analytics/hours", MEMBERS),
    ("GET", "/api/v1/analytics/tools", MEMBERS),
    ("GET", "/api/v1/api-keys", OWNERS),
    ("POST", "/api/v1/api-keys", OWNERS),
    ("DELETE", "/api/v1/api-keys/{id}", OWNERS),
    ("GET", "/api/v1/assistant/conversations/{id}", MEMBERS),
    // For people, at their pages: a key has no phone. See `assistant/inbound.rs`.
    ("POST", "/api/v1/assistant/link-codes", NO_KEY),
    ("POST", "/api/v1/assistant/messages", MEMBERS),
    ("GET", "/api/v1/audit", AUDITORS),
    ("GET", "/api/v1/audit/chain", AUDITORS),
    ("GET", "/api/v1/audit/export", AUDITORS),
    ("POST", "/api/v1/audit/verify", AUDITORS),
    ("GET", "/api/v1/channels", READERS_OF_CHANNELS),
    ("GET", "/api/v1/channels/{kind}", READERS_OF_CHANNELS),
    ("PUT", "/api/v1/channels/{kind}", MANAGERS),
    ("DELETE", "/api/v1/channels/{kind}", MANAGERS),
    ("POST", "/api/v1/channels/{kind}/rotate-secret", MANAGERS),
    ("POST", "/api/v1/channels/{kind}/test", MANAGERS),
    ("GET", "/api/v1/confirmations", READERS_OF_QUESTIONS),
    ("GET", "/api/v1/confirmations/{id}", READERS_OF_QUESTIONS),
    ("POST", "/api/v1/confirmations/{id}/approve", DECIDERS),
    ("POST", "/api/v1/confirmations/{id}/refuse", DECIDERS),
    ("GET", "/api/v1/contacts", MEMBERS),
    ("POST", "/api/v1/contacts", WRITERS),
    ("GET", "/api/v1/contacts/{id}", MEMBERS),
    ("DELETE", "/api/v1/contacts/{id}", MANAGERS),
    ("PATCH", "/api/v1/contacts/{id}", WRITERS),
    ("GET", "/api/v1/contacts/{id}/history", MEMBERS),
    ("GET", "/api/v1/conversations", MEMBERS),
    ("POST", "/api/v1/conversations", WRITERS),
    ("GET", "/api/v1/conversations/{id}", MEMBERS),
    ("DELETE", "/api/v1/conversations/{id}", MANAGERS),
    ("PATCH", "/api/v1/conversations/{id}", WRITERS),
    ("GET", "/api/v1/conversations/{id}/messages", MEMBERS),
    ("POST", "/api/v1/conversations/{id}/messages", WRITERS),
    ("GET", "/api/v1/deals", MEMBERS),
    ("POST", "/api/v1/deals", WRITERS),
    ("GET", "/api/v1/deals/{id}", MEMBERS),
    ("DELETE", "/api/v1/deals/{id}", MANAGERS),
    ("PATCH", "/api/v1/deals/{id}", WRITERS),
    ("POST", "/api/v1/decisions/explain", EVERYBODY),
    ("GET", "/api/v1/executions", EVERYBODY),
    ("GET", "/api/v1/executions/export", EVERYBODY),
    ("GET", "/api/v1/executions/{id}", EVERYBODY),
    ("POST", "/api/v1/executions/{id}/cancel", STOPPERS),
    ("GET", "/api/v1/items", MEMBERS),
    ("GET", "/api/v1/items/export", MEMBERS),
    ("GET", "/api/v1/items/{id}", MEMBERS),
    ("DELETE", "/api/v1/items/{id}", MEMBERS),
    ("PATCH", "/api/v1/items/{id}", MEMBERS),
    ("POST", "/api/v1/items/{id}/restore", MEMBERS),
    ("GET", "/api/v1/pipelines", MEMBERS),
    ("POST", "/api/v1/pipelines", WRITERS),
    ("GET", "/api/v1/pipelines/{id}", MEMBERS),
    ("DELETE", "/api/v1/pipelines/{id}", MANAGERS),
    ("PATCH", "/api/v1/pipelines/{id}", WRITERS),
    ("GET", "/api/v1/products", MEMBERS),
    ("POST", "/api/v1/products", WRITERS),
    ("GET", "/api/v1/products/{id}", MEMBERS),
    ("DELETE", "/api/v1/products/{id}", MANAGERS),
    ("PATCH", "/api/v1/products/{id}", WRITERS),
    ("GET", "/api/v1/scheduled-messages", MEMBERS),
    ("POST", "/api/v1/scheduled-messages", WRITERS),
    ("GET", "/api/v1/scheduled-messages/{id}", MEMBERS),
    ("POST", "/api/v1/scheduled-messages/{id}/cancel", WRITERS),
    ("GET", "/api/v1/secrets", READERS_OF_CHANNELS),
    ("GET", "/api/v1/secrets/{name}", READERS_OF_CHANNELS),
    ("PUT", "/api/v1/secrets/{name}", MANAGERS),
    ("DELETE", "/api/v1/secrets/{name}", MANAGERS),
    ("GET", "/api/v1/settings/limits", EVERYBODY),
    ("PUT", "/api/v1/settings/limits", MANAGERS),
    ("GET", "/api/v1/tasks", MEMBERS),
    ("POST", "/api/v1/tasks", WRITERS),
    ("GET", "/api/v1/tasks/{id}", MEMBERS),
    ("DELETE", "/api/v1/tasks/{id}", MANAGERS),
    ("PATCH", "/api/v1/tasks/{id}", WRITERS),
    ("GET", "/api/v1/tools", EVERYBODY),
    ("POST", "/api/v1/tools", MANAGERS),
    ("POST", "/api/v1/tools/execute-for-agent", RUNNERS),
    ("GET", "/api/v1/tools/{id}", EVERYBODY),
    ("PUT", "/api/v1/tools/{id}", MANAGERS),
    ("DELETE", "/api/v1/tools/{id}", MANAGERS),
    ("POST", "/api/v1/tools/{id}/execute", RUNNERS),
    ("GET", "/api/v1/tools/{id}/executions", EVERYBODY),
    ("POST", "/api/v1/tools/{id}/rotate-secret", MANAGERS),
    ("PATCH", "/api/v1/tools/{id}/toggle", MANAGERS),
    ("GET", "/api/v1/tools/{id}/versions", EVERYBODY),
    ("POST", "/api/v1/tools/{id}/versions/{version}/restore", MANAGERS),
    ("GET", "/events", READERS_OF_QUESTIONS),
];

/// Whoever comes is no caller of an organisation: method, path, and what guards it instead.
const WITHOUT_A_KEY: &[Route] =
    &[("POST", "/api/v1/assistant/inbound/{tenant}", "a gateway signs, see `assistant/inbound.rs`")];

type Ids = HashMap<&'static str, String>;

/// The path, about a thing that is there.
fn real(path: &str, ids: &Ids) -> String {
    match path {
        "/api/v1/executions/export" => format!("{path}?format=jsonl"),
        "/api/admin/tools/{tool_name}" => path.replace("{tool_name}", "save_note"),
        _ if path.contains('{') => filled(path, ids),
        _ => path.to_owned(),
    }
}

/// The path, about a thing that is not there: whoever is let in changes nothing.
fn of_nobody(path: &str) -> String {
    let path = path.replace("{id}", NOBODY).replace("{version}", "1");
    path.replace("{kind}", "events").replace("{name}", "NOTHING")
}

/// One of everything that a tenant has: with an id, with a name, and figures. By the name that paths give it.
async fn everything_of(owner: &Backend) -> Ids {
    let mut ids = one_of_each(owner).await;
    let url = "https://example.org/only-ours";
    owner.expect(201, Method::PUT, "/channels/webhook", Some(json!({ "url": url }))).await;
    owner.expect(201, Method::PUT, "/secrets/API_KEY", Some(json!({ "value": "not-told" }))).await;
    ids.extend([("channels", url.to_owned()), ("secrets", "API_KEY".to_owned())]);
    owner.put("/settings/limits", json!({ "confirmation_lifetime_seconds": 7200 })).await;
    agent(owner, "calls", &["createTask"], "never").await;
    assert_eq!(owner.call("createTask", "calls", json!({ "title": "x" })).await.status(), 200);
    ids
}

fn is_for_agents(allowed: &str) -> bool {
    allowed.split(' ').any(|role| role == "agent")
}

#[test]
fn s5_no_route_is_without_its_callers() {
    let name = |method: &str, path: &str| format!("{method} {path}");
    let all: Vec<String> =
        ROUTES.iter().chain(WITHOUT_A_KEY).map(|(method, path, _)| name(method, path)).collect();
    let told: BTreeSet<String> = all.iter().cloned().collect();
    assert_eq!(told.len(), all.len(), "a route that is told twice");
    let documented: BTreeSet<String> =
        operations().iter().map(|(method, path)| name(method.as_str(), path)).collect();
    let forgotten: Vec<&String> = documented.difference(&told).collect();
    assert!(forgotten.is_empty(), "who may call {forgotten:?}?");
    let gone: Vec<&String> = told.difference(&documented).collect();
    assert!(gone.is_empty(), "no operations: {gone:?}");
}

#[tokio::test]
async fn s5_every_route_lets_in_those_who_may_and_nobody_else() {
    let (app, owner) = workshop().await;
    let ids = everything_of(&owner).await;
    let callers = Callers::of(&app, "vendas").await;
    for (method, path, allowed) in ROUTES {
        let (method, there): (Method, String) = (method.parse().unwrap(), real(path, &ids));
        callers.assert_others_refused(allowed, &method, &there).await;
        let address = if method == Method::GET { there } else { of_nobody(path) };
        // What somebody has alone, and what an agent has nothing to do with, is not there for the others.
        let is_own = path.contains("/items/{") || path.contains("/assistant/conversations/");
        let shared = !path.contains('{') || !(is_own || is_for_agents(allowed));
        callers.assert_let_in(allowed, &method, &address, shared).await;
    }
}

/// Neither nobody nor a key of the organisation gets past what guards the rest, and the document says so.
#[tokio::test]
async fn s5_what_takes_no_key_has_another_guard() {
    let (app, owner) = workshop().await;
    let document = document();
    for (method, path, guard) in WITHOUT_A_KEY {
        let operation = &document["paths"][path][method.to_lowercase()];
        assert_eq!(operation["security"], json!([{}]), "{method} {path}");
        assert!(operation["responses"]["401"].is_object(), "{method} {path}");
        let address = path.trim_start_matches("/api/v1").replace("{tenant}", TENANT);
        for caller in [&owner, &app.backend_of(None)] {
            let found = caller.refused(method.parse().unwrap(), &address, Some(json!({}))).await;
            assert_eq!(found, (401, "unauthenticated".to_owned()), "{method} {path}: {guard}");
        }
    }
}

async fn read(caller: &Backend, address: &str) -> String {
    let answer = caller.send(Method::GET, address.trim_start_matches("/api/v1"), None).await;
    assert_eq!(answer.status(), 200, "{address}");
    answer.text().await.unwrap()
}

/// What is asked for by its id is in `idor.rs`; here is what is read without one: lists, exports, figures, settings.
#[tokio::test]
async fn s9_no_list_has_anything_of_another_tenant() {
    let (app, owner) = workshop().await;
    let ids = everything_of(&owner).await;
    app.tenant("Outra", "outra").await;
    let stranger = app.backend("outra", TenantRole::Owner).await;
    let is_list = |(method, path, _): &&Route| *method == "GET" && !path.contains('{');
    for (_, path, _) in ROUTES.iter().filter(is_list).filter(|(_, path, _)| path.starts_with("/api/v1/")) {
        let address = real(path, &ids);
        let (ours, theirs) = (read(&owner, &address).await, read(&stranger, &address).await);
        assert_ne!(ours, theirs, "{path}: there is something to see");
        let resource = path.trim_start_matches("/api/v1/").split('/').next().unwrap();
        assert!(ids.get(resource).is_none_or(|mine| ours.contains(mine)), "{path}: {ours}");
        for mine in ids.values() {
            assert!(!theirs.contains(mine), "{path}: {mine} is in {theirs}");
        }
    }
}

/// What goes by a name and not by an id: each tenant has its own under the same name. A PUT makes one.
#[tokio::test]
async fn s9_what_has_a_name_is_not_there_for_another_tenant() {
    let (app, owner) = workshop().await;
    let ids = everything_of(&owner).await;
    app.tenant("Outra", "outra").await;
    let stranger = app.backend("outra", TenantRole::Owner).await;
    let before = [owner.get("/channels").await, owner.get("/secrets").await];
    let has_name = |path: &str| path.contains('{') && !path.contains("{id}");
    for (method, path, _) in ROUTES.iter().filter(|(method, ..)| *method != "PUT") {
        let Some(within) = path.strip_prefix("/api/v1").filter(|path| has_name(path)) else { continue };
        let body = (*method != "GET").then(|| json!({}));
        let found = stranger.refused(method.parse().unwrap(), &real(within, &ids), body).await;
        assert_eq!(found, (404, "not_found".to_owned()), "{method} {path}");
    }
    assert_eq!([owner.get("/channels").await, owner.get("/secrets").await], before, "nothing was touched");
}
