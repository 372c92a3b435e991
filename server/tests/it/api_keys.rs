//! Keys of a tenant: shown once, dead at once when revoked, and for owners only.

use crate::workshop::{Callers, NOBODY, agent, id, workshop};
use domain::TenantRole;
use reqwest::Method;
use serde_json::{Value, json};

#[tokio::test]
async fn s5_keys_are_for_owners() {
    let (app, owner) = workshop().await;
    agent(&owner, "vendas", &[], "never").await;
    let callers = Callers::of(&app, "vendas").await;
    callers.assert_allowed("owner", Method::GET, "/api-keys").await;
    callers.assert_allowed("owner", Method::POST, "/api-keys").await;
    callers.assert_allowed("owner", Method::DELETE, &format!("/api-keys/{NOBODY}")).await;
}

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
    for action in ["create", "revoke"] {
        let query = format!(
            "SELECT count(*) FROM audit_entries WHERE action = 'api_key.{action}' AND tenant_id IS NOT NULL"
        );
        assert!(app.count(&query).await >= 1, "{action}");
    }
}

#[tokio::test]
async fn a_key_ends_when_it_was_said_to() {
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
async fn what_cannot_be_a_key_is_refused_by_field() {
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
