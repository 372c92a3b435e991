//! Keys of a tenant: shown once, dead at once when revoked, and for owners only.

use crate::workshop::{Backend, NOBODY, agent, id, until, workshop};
use domain::TenantRole;
use reqwest::Method;
use serde_json::{Value, json};

#[tokio::test]
async fn s16_a_key_is_shown_once_and_dies_at_once() {
    let (app, owner) = workshop().await;
    let made = owner.post(201, "/api-keys", json!({ "name": "loja", "role": "viewer" })).await;
    let key = made["key"].as_str().unwrap().to_owned();
    assert!(key.starts_with("alc_") && key.starts_with(made["prefix"].as_str().unwrap()));
    let shop = app.backend_of(Some(key.clone()));
    shop.get("/tools").await;
    let forbidden = (403, "forbidden".to_owned());
    assert_eq!(shop.refused(Method::POST, "/tools", Some(json!({}))).await, forbidden);
    let listed = owner.get("/api-keys").await;
    let row = listed["data"].as_array().unwrap().iter().find(|row| row["name"] == "loja").unwrap().clone();
    assert!(row.get("key").is_none() && !listed.to_string().contains(&key), "{row}");
    assert_eq!(
        (&row["role"], &row["revoked_at"], &row["agent_id"]),
        (&json!("viewer"), &Value::Null, &Value::Null)
    );
    app.tenant("Outra", "outra").await;
    let stranger = app.backend("outra", TenantRole::Owner).await;
    let one = format!("/api-keys/{}", id(&made));
    assert_eq!(stranger.refused(Method::DELETE, &one, None).await, (404, "not_found".to_owned()));
    assert!(!stranger.get("/api-keys").await.to_string().contains("loja"));
    shop.get("/tools").await;
    owner.expect(204, Method::DELETE, &one, None).await;
    assert_eq!(shop.refused(Method::GET, "/tools", None).await, (401, "unauthenticated".to_owned()));
    owner.expect(204, Method::DELETE, &one, None).await;
    let listed = owner.get("/api-keys").await;
    let row = listed["data"].as_array().unwrap().iter().find(|row| row["name"] == "loja").unwrap().clone();
    assert!(row["revoked_at"].is_string(), "it stays in the list");
}

/// Whoever reads the record learns what was granted, and what was taken back.
#[tokio::test]
async fn b4_the_record_says_what_a_key_may_do() {
    let (_app, owner) = workshop().await;
    let vendas = agent(&owner, "vendas", &[], "never").await;
    let body = json!({ "name": "loja", "role": "operator", "agent_id": "vendas", "expires_in_days": 7 });
    let made = owner.post(201, "/api-keys", body).await;
    let one = format!("/api-keys/{}", id(&made));
    for _ in 0..2 {
        owner.expect(204, Method::DELETE, &one, None).await;
    }
    let entries = owner.get(&format!("/audit?subject_kind=api_key&subject_id={}", id(&made))).await;
    let entries = entries["data"].as_array().unwrap();
    let granted = json!({
        "name": "loja", "prefix": made["prefix"], "role": "operator", "agent_id": vendas,
        "expires_at": made["expires_at"],
    });
    let told: Vec<_> =
        entries.iter().map(|entry| [&entry["action"], &entry["before"], &entry["after"]]).collect();
    let (revoke, create) = (json!("api_key.revoke"), json!("api_key.create"));
    assert_eq!(told, [[&revoke, &granted, &Value::Null], [&create, &Value::Null, &granted]]);
}

#[tokio::test]
async fn t1_a_key_ends_when_it_was_said_to() {
    let (app, owner) = workshop().await;
    let body = json!({ "name": "curta", "role": "viewer", "expires_in_days": 1 });
    let made = owner.post(201, "/api-keys", body).await;
    assert!(made["expires_at"].is_string());
    let short = app.backend_of(Some(made["key"].as_str().unwrap().to_owned()));
    short.get("/tools").await;
    app.change("UPDATE api_keys SET expires_at = 1 WHERE name = 'curta'").await;
    assert_eq!(short.refused(Method::GET, "/tools", None).await, (401, "unauthenticated".to_owned()));
    for key in ["", "alc_", "alc_nonsense", "x", "alc_\u{e9}"] {
        let nobody = app.backend_of(Some(key.to_owned()));
        let found = nobody.refused(Method::GET, "/tools", None).await;
        assert_eq!(found, (401, "unauthenticated".to_owned()), "{key:?}");
    }
}

#[tokio::test]
async fn t1_what_cannot_be_a_key_is_refused_by_field() {
    let (app, owner) = workshop().await;
    let vendas = agent(&owner, "vendas", &["createTask"], "never").await;
    let bad = [
        ("name", json!("")),
        ("name", json!("x".repeat(101))),
        ("role", json!("king")),
        ("role", json!("platform_admin")),
        ("expires_in_days", json!(0)),
        ("expires_in_days", json!(3_651)),
        ("expires_in_days", json!(-1)),
        ("key", json!("alc_mine")),
        ("tenant_id", json!(NOBODY)),
        ("is_platform_admin", json!(true)),
    ];
    for (field, value) in bad {
        let mut body = json!({ "name": "loja", "role": "viewer" });
        body[field] = value.clone();
        let found = owner.invalid(Method::POST, "/api-keys", body).await;
        assert_eq!(found[0].0, field, "{value}: {found:?}");
    }
    let never = json!({ "name": "loja", "role": "viewer", "expires_in_days": 0 });
    let told = owner.expect(422, Method::POST, "/api-keys", Some(never)).await;
    assert_eq!(told["errors"][0]["message"], "has to be from 1 to 3650");
    for role in ["viewer", "auditor"] {
        let body = json!({ "name": "agente", "role": role, "agent_id": "vendas" });
        let found = owner.invalid(Method::POST, "/api-keys", body).await;
        assert_eq!(found, [("role".to_owned(), "invalid".to_owned())], "an agent calls tools");
        let body = json!({ "name": "agente", "role": role, "agent_id": "vendas" });
        let told = owner.expect(422, Method::POST, "/api-keys", Some(body)).await["errors"][0].clone();
        let message = told["message"].as_str().unwrap();
        assert!(message.contains(role) && message.contains("calls tools"), "the reason is told: {message}");
    }
    let body = json!({ "name": "agente", "role": "operator", "agent_id": "nobody" });
    let found = owner.refused(Method::POST, "/api-keys", Some(body)).await;
    assert_eq!(found, (404, "agent_not_found".to_owned()));
    let body = json!({ "name": "agente", "role": "owner", "agent_id": "vendas" });
    let made = owner.post(201, "/api-keys", body).await;
    assert_eq!(made["agent_id"], json!(vendas));
    let own = app.backend_of(Some(made["key"].as_str().unwrap().to_owned()));
    let found = own.refused(Method::GET, "/api-keys", None).await;
    assert_eq!(found, (403, "forbidden".to_owned()), "S24: an agent's key is an agent's, whatever its role");
    assert_eq!(own.call("createTask", "vendas", json!({ "title": "x" })).await.status(), 200);
}

async fn listed(owner: &Backend, name: &str) -> Value {
    let keys = owner.get("/api-keys").await;
    let row = keys["data"].as_array().unwrap().iter().find(|row| row["name"] == name);
    row.unwrap_or_else(|| panic!("{name}: {keys}")).clone()
}

/// An owner finds the keys that nobody needs any more. Noted on the side: whoever only reads waits for no write.
#[tokio::test]
async fn t1_a_key_tells_when_it_was_last_used() {
    let (app, owner) = workshop().await;
    agent(&owner, "vendas", &["createTask"], "never").await;
    let mut keys = Vec::new();
    for name in ["reads", "calls", "idle"] {
        let made = owner.post(201, "/api-keys", json!({ "name": name, "role": "operator" })).await;
        assert_eq!(made.get("last_used_at"), Some(&Value::Null), "{made}");
        assert_eq!(listed(&owner, name).await.get("last_used_at"), Some(&Value::Null), "{name}");
        keys.push(app.backend_of(made["key"].as_str().map(str::to_owned)));
    }
    keys[0].get("/tools").await;
    assert_eq!(keys[1].call("createTask", "vendas", json!({ "title": "x" })).await.status(), 200);
    for name in ["reads", "calls"] {
        let used = until(name, || async {
            Some(listed(&owner, name).await).filter(|row| row["last_used_at"].is_string())
        })
        .await;
        assert!(used["last_used_at"].as_str() >= used["created_at"].as_str(), "{used}");
    }
    assert_eq!(listed(&owner, "idle").await["last_used_at"], Value::Null, "the others' use is not its own");
}

/// S24: calls do not ask who the caller is before every one of them; the transaction that begins one finds out.
#[tokio::test]
async fn s24_a_key_that_is_dead_begins_no_call_even_when_it_was_known_a_moment_ago() {
    let (app, owner) = workshop().await;
    agent(&owner, "vendas", &["createTask"], "never").await;
    let made = owner.post(201, "/api-keys", json!({ "name": "loja", "role": "operator" })).await;
    let shop = app.backend_of(made["key"].as_str().map(str::to_owned));
    for title in ["um", "dois"] {
        assert_eq!(shop.call("createTask", "vendas", json!({ "title": title })).await.status(), 200);
    }
    // By hand, in the database: no process was told.
    app.change("UPDATE api_keys SET revoked_at = 1 WHERE name = 'loja'").await;
    let dead = shop.call("createTask", "vendas", json!({ "title": "tarde" })).await;
    assert_eq!(dead.status(), 401);
    let garbled = shop.send(Method::POST, "/tools/execute-for-agent", Some(json!({ "x": 1 }))).await;
    assert_eq!(garbled.status(), 401, "and it does not learn what is wrong with its body");
    assert_eq!(app.count("SELECT count(*) FROM executions").await, 2);
    assert_eq!(app.count("SELECT count(*) FROM tasks").await, 2);
}

#[tokio::test]
async fn s24_a_key_that_gained_a_tool_a_moment_ago_may_call_it() {
    let (_app, owner) = workshop().await;
    agent(&owner, "vendas", &[], "never").await;
    let refused = owner.call("createTask", "vendas", json!({ "title": "cedo" })).await;
    assert_eq!(crate::app::problem(refused).await, (403, "tool_not_assigned".to_owned()));
    let given = json!({ "allowed_tools": ["createTask"], "tool_confirmation_mode": "never" });
    owner.expect(200, Method::PUT, "/agents/vendas/tools", Some(given)).await;
    assert_eq!(owner.call("createTask", "vendas", json!({ "title": "agora" })).await.status(), 200);
}
