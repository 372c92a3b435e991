//! Each person has their own: to read, to change, to delete and restore, to take away.

use super::{titles, with_web};
use crate::workshop::{NOBODY, TENANT, agent};
use domain::TenantRole;
use reqwest::Method;
use serde_json::json;

#[tokio::test]
async fn g13_g14_nobody_sees_what_somebody_else_saved() {
    let (app, _web, ana) = with_web().await;
    let note = ana.save("save_note", json!({ "text": "O presente é um bolo" })).await;
    let path = format!("/items/{}", note["id"].as_str().unwrap());
    for role in [TenantRole::Owner, TenantRole::Operator, TenantRole::Auditor] {
        let other = app.backend(TENANT, role).await;
        assert_eq!(other.get("/items").await["data"], json!([]), "{role:?}");
        assert_eq!(other.get("/items?q=bolo").await["data"], json!([]));
        for method in [Method::GET, Method::DELETE] {
            assert_eq!(other.refused(method, &path, None).await, (404, "not_found".to_owned()));
        }
        let patch = Some(json!({ "title": "x" }));
        assert_eq!(other.refused(Method::PATCH, &path, patch).await, (404, "not_found".to_owned()));
        let seen = other.get("/executions").await.to_string();
        assert!(
            seen.contains("save_note") && !seen.contains("bolo"),
            "that something was saved, and not what: {seen}"
        );
    }
    let other = app.backend(TENANT, TenantRole::Operator).await;
    assert_eq!(other.run("search_items", json!({ "query": "bolo" })).await["result"]["count"], 0);
    let enrich = other.run("enrich_link", json!({ "item_id": note["id"] })).await;
    assert_eq!(enrich["error_code"], "item_not_found");
    assert!(ana.get("/executions").await.to_string().contains("bolo"), "one's own calls are one's own");
}

#[tokio::test]
async fn g12_an_agent_saves_with_what_it_was_given() {
    let (app, _web, _key) = with_web().await;
    let owner = app.backend(TENANT, TenantRole::Owner).await;
    agent(&owner, "vendas", &["save_note"], "never").await;
    let bound = app.agent_backend(TENANT, "vendas").await;
    let saved = bound.call("save_note", "vendas", json!({ "text": "oi" })).await;
    assert_eq!(saved.status(), 200, "what it was given it may call");
    assert_eq!(
        bound.call("save_link", "vendas", json!({ "url": "https://example.org" })).await.status(),
        403
    );
}

#[tokio::test]
async fn items_are_changed_deleted_and_restored() {
    let (app, _web, key) = with_web().await;
    let note = key.save("save_note", json!({ "text": "Comprar pão\namanhã" })).await;
    let path = format!("/items/{}", note["id"].as_str().unwrap());
    let changed = key.patch(&path, json!({ "title": "Padaria", "tags": ["Casa", "casa"] })).await;
    assert_eq!(
        (&changed["title"], &changed["tags"], &changed["text"]),
        (&json!("Padaria"), &json!(["casa"]), &note["text"])
    );
    assert_eq!(titles(&key.get("/items?tag=CASA").await["data"]), ["Padaria"]);
    assert_eq!(titles(&key.get("/items?q=padaria").await["data"]), ["Padaria"], "found by its new title");
    for (body, field) in [
        (json!({ "title": "" }), "title"),
        (json!({ "title": null }), "body"),
        (json!({ "tags": ["a,b"] }), "tags"),
        (json!({ "text": "x".repeat(65_537) }), "text"),
        (json!({ "owner_id": NOBODY }), "owner_id"),
    ] {
        let errors = key.invalid(Method::PATCH, &path, body.clone()).await;
        assert!(errors.iter().any(|(name, _)| name == field) || field == "body", "{body}: {errors:?}");
    }
    assert_eq!(key.send(Method::DELETE, &path, None).await.status(), 204);
    assert_eq!(key.get("/items").await["data"], json!([]));
    assert_eq!(key.get("/items?q=padaria").await["data"], json!([]), "and is not found");
    assert_eq!(titles(&key.get("/items?deleted=true").await["data"]), ["Padaria"]);
    assert_eq!(key.refused(Method::DELETE, &path, None).await, (404, "not_found".to_owned()));
    assert_eq!(
        key.refused(Method::PATCH, &path, Some(json!({ "title": "x" }))).await,
        (404, "not_found".to_owned())
    );
    key.post(200, &format!("{path}/restore"), json!({})).await;
    assert_eq!(titles(&key.get("/items?q=padaria").await["data"]), ["Padaria"]);
    let recorded = "SELECT count(*) FROM audit_entries WHERE action LIKE 'item.%' AND after IS NULL";
    assert_eq!(app.count(recorded).await, 3, "that it happened, and not what it says");
}

#[tokio::test]
async fn a_restored_item_does_not_become_a_second_one() {
    let (_app, _web, key) = with_web().await;
    let link = json!({ "url": "https://example.org/a" });
    let first = key.save("save_link", link.clone()).await;
    let path = format!("/items/{}", first["id"].as_str().unwrap());
    key.send(Method::DELETE, &path, None).await;
    key.save("save_link", link).await;
    assert_eq!(
        key.refused(Method::POST, &format!("{path}/restore"), None).await,
        (409, "already_exists".to_owned())
    );
}

#[tokio::test]
async fn everything_can_be_taken_away() {
    let (_app, _web, key) = with_web().await;
    for n in 0..3 {
        key.save("save_note", json!({ "text": format!("nota {n}") })).await;
    }
    let answer = key.send(Method::GET, "/items/export", None).await;
    assert!(answer.headers()["content-disposition"].to_str().unwrap().contains("attachment"));
    let lines = answer.text().await.unwrap();
    let lines: Vec<serde_json::Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        lines.iter().map(|line| line["title"].as_str().unwrap()).collect::<Vec<_>>(),
        ["nota 2", "nota 1", "nota 0"]
    );
}
