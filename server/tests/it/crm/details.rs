//! What only one resource does.

use super::{contact, get, id, invalid, manager, patch, pipeline, post, refused, tomorrow};
use crate::workshop::{agent, workshop};
use reqwest::Method;
use serde_json::{Value, json};

fn names(list: &Value) -> Vec<&str> {
    list["data"].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn contacts_are_found_without_regard_to_case_and_accents() {
    let (_app, manager) = manager().await;
    for (name, email) in [("José Álvares", "jose@example.org"), ("100%_Pão", "pao@example.org")] {
        post(&manager, "/contacts", json!({ "name": name, "email": email, "phone": "+55 11 90000-0009" }))
            .await;
    }
    for q in ["JOSE", "álvares", "jose%40example", "%C3%81LVARES"] {
        assert_eq!(names(&get(&manager, &format!("/contacts?q={q}")).await), ["José Álvares"], "{q}");
    }
    assert_eq!(names(&get(&manager, "/contacts?q=%25_").await), ["100%_Pão"], "no wildcards");
    assert_eq!(names(&get(&manager, "/contacts?q=90000").await).len(), 2);
    for q in ["", "%20", "'%22--", "%F0%9F%A5%90", "%5C", "%5C%25"] {
        get(&manager, &format!("/contacts?q={q}")).await;
    }
    assert_eq!(names(&get(&manager, "/contacts?status=lead").await).len(), 2);
    assert_eq!(names(&get(&manager, "/contacts?status=lost").await).len(), 0);
}

#[tokio::test]
async fn external_ids_are_unique_in_a_tenant_only() {
    let (app, manager) = manager().await;
    app.tenant("Outra", "outra").await;
    let other = app.member("other@example.org", "outra", "owner").await;
    let body = json!({ "name": "Ana", "external_id": "7" });
    let ours = id(&post(&manager, "/contacts", body.clone()).await);
    post(&other, "/contacts", body.clone()).await;
    assert_eq!(refused(&manager, Method::POST, "/contacts", Some(body)).await, invalid("external_id"));
    let second = format!("/contacts/{}", contact(&manager, "Bia").await);
    let taken = Some(json!({ "external_id": "7" }));
    assert_eq!(refused(&manager, Method::PATCH, &second, taken).await, invalid("external_id"));
    let cleared = patch(&manager, &format!("/contacts/{ours}"), json!({ "external_id": null })).await;
    assert_eq!((&cleared["external_id"], &cleared["name"]), (&Value::Null, &json!("Ana")));
    patch(&manager, &second, json!({ "external_id": "7" })).await;
}

#[tokio::test]
async fn a_stage_with_deals_stays() {
    let (_app, manager) = manager().await;
    let pipeline = pipeline(&manager).await;
    let deal = post(&manager, "/deals", json!({ "title": "Bolo", "pipeline_id": pipeline })).await;
    assert_eq!((&deal["stage"], &deal["currency"]), (&json!("novo"), &json!("BRL")), "the first one");
    for (stage, count) in [("novo", 1), ("proposta", 0), ("'", 0)] {
        let found = get(&manager, &format!("/deals?stage={stage}&pipeline_id={pipeline}")).await;
        assert_eq!(found["data"].as_array().unwrap().len(), count, "{stage}");
    }
    let one = format!("/pipelines/{pipeline}");
    let without = json!({ "stages": [{ "slug": "proposta", "name": "Proposta" }] });
    assert_eq!(refused(&manager, Method::PATCH, &one, Some(without.clone())).await.1, "conflict");
    assert_eq!(refused(&manager, Method::DELETE, &one, None).await.1, "conflict");
    patch(&manager, &format!("/deals/{}", id(&deal)), json!({ "stage": "proposta" })).await;
    patch(&manager, &one, without).await;
    let gone = manager.api(Method::DELETE, &format!("/api/v1/deals/{}", id(&deal)), None).await;
    assert_eq!(gone.status(), 204);
    assert_eq!(manager.api(Method::DELETE, &format!("/api/v1{one}"), None).await.status(), 204);
}

#[tokio::test]
async fn a_conversation_is_closed_while_it_is_resolved() {
    let (_app, manager) = manager().await;
    let contact = contact(&manager, "Ana").await;
    let made = post(&manager, "/conversations", json!({ "channel": "web", "contact_id": contact })).await;
    let one = format!("/conversations/{}", id(&made));
    assert_eq!(made["closed_at"], Value::Null);
    let closed = patch(&manager, &one, json!({ "status": "resolved", "resolution": "ok" })).await;
    assert!(closed["closed_at"].is_string());
    let again = patch(&manager, &one, json!({ "subject": "Bolo" })).await;
    assert_eq!(again["closed_at"], closed["closed_at"]);
    assert_eq!(patch(&manager, &one, json!({ "status": "open" })).await["closed_at"], Value::Null);

    let messages = format!("{one}/messages");
    for text in ["um", "dois\nlinhas", "três"] {
        post(&manager, &messages, json!({ "direction": "inbound", "author": "Ana", "text": text })).await;
    }
    let first = get(&manager, &format!("{messages}?limit=2")).await;
    assert_eq!(first["data"][0]["text"], "três");
    let rest = format!("{messages}?limit=2&cursor={}", first["next_cursor"].as_str().unwrap());
    assert_eq!(get(&manager, &rest).await["data"][0]["text"], "um");
    for (field, value) in [("text", " "), ("direction", "up"), ("sent_at", "now"), ("author", "a\u{0}")] {
        let mut body = json!({ "direction": "note", "text": "x" });
        body[field] = json!(value);
        assert_eq!(refused(&manager, Method::POST, &messages, Some(body)).await, invalid(field));
    }
    let history = get(&manager, &format!("/contacts/{contact}/history?limit=2")).await;
    assert_eq!(history["messages"].as_array().unwrap().len(), 2);
    assert_eq!(history["contact"]["id"], json!(contact));
}

#[tokio::test]
async fn b4_a_message_that_is_added_is_on_the_record() {
    let (app, owner) = workshop().await;
    let conversation = id(&owner.post(201, "/conversations", json!({ "channel": "web" })).await);
    let path = format!("/conversations/{conversation}/messages");
    let made = id(&owner.post(201, &path, json!({ "direction": "inbound", "text": "Oi" })).await);
    let record = owner.get(&format!("/audit?subject_kind=message&subject_id={made}")).await;
    let actions: Vec<_> = record["data"].as_array().unwrap().iter().map(|entry| &entry["action"]).collect();
    assert_eq!(actions, [&json!("message.create")], "{record}");
    owner.invalid(Method::POST, &path, json!({ "direction": "up", "text": "Oi" })).await;
    let recorded = "SELECT count(*) FROM audit_entries WHERE action = 'message.create'";
    assert_eq!(app.count(recorded).await, 1, "what was refused is not there");
}

#[tokio::test]
async fn s9_messages_and_history_of_another_tenant_do_not_exist() {
    let (app, manager) = manager().await;
    app.tenant("Outra", "outra").await;
    let other = app.member("other@example.org", "outra", "owner").await;
    let contact = contact(&manager, "Ana").await;
    let made = post(&manager, "/conversations", json!({ "channel": "web", "contact_id": contact })).await;
    let messages = format!("/conversations/{}/messages", id(&made));
    let body = json!({ "direction": "note", "text": "x" });
    assert_eq!(refused(&other, Method::GET, &messages, None).await.0, 404);
    assert_eq!(refused(&other, Method::POST, &messages, Some(body.clone())).await.0, 404);
    assert_eq!(refused(&other, Method::GET, &format!("/contacts/{contact}/history"), None).await.0, 404);
    assert_eq!(refused(&app.visitor(""), Method::POST, &messages, Some(body)).await.0, 401);
    assert_eq!(app.count("SELECT count(*) FROM messages").await, 0);
}

#[tokio::test]
async fn a_scheduled_message_is_cancelled_once() {
    let (app, manager) = manager().await;
    let contact = contact(&manager, "Ana").await;
    let body = json!({ "contact_id": contact, "channel": "whatsapp", "text": "Oi", "send_at": tomorrow() });
    let made = post(&manager, "/scheduled-messages", body).await;
    assert_eq!((&made["status"], &made["attempts"]), (&json!("scheduled"), &json!(0)));
    let cancel = format!("/scheduled-messages/{}/cancel", id(&made));
    app.tenant("Outra", "outra").await;
    let other = app.member("other@example.org", "outra", "owner").await;
    assert_eq!(refused(&other, Method::POST, &cancel, None).await.0, 404);
    let answer = manager.api(Method::POST, &format!("/api/v1{cancel}"), None).await;
    let cancelled: Value = answer.json().await.unwrap();
    assert_eq!(cancelled["status"], "cancelled");
    assert_eq!(refused(&manager, Method::POST, &cancel, None).await.1, "conflict");
    let recorded = "SELECT count(*) FROM audit_entries WHERE action = 'scheduled_message.cancel'";
    assert_eq!(app.count(recorded).await, 1);
    assert_eq!(get(&manager, "/scheduled-messages?status=scheduled").await["data"], json!([]));
}

#[tokio::test]
async fn what_a_removed_contact_leaves_behind() {
    let (app, manager) = manager().await;
    let contact = contact(&manager, "Ana").await;
    let task = post(&manager, "/tasks", json!({ "title": "Ligar", "contact_id": contact })).await;
    let body = json!({ "contact_id": contact, "channel": "whatsapp", "text": "Oi", "send_at": tomorrow() });
    post(&manager, "/scheduled-messages", body).await;
    let gone = manager.api(Method::DELETE, &format!("/api/v1/contacts/{contact}"), None).await;
    assert_eq!(gone.status(), 204);
    assert_eq!(get(&manager, &format!("/tasks/{}", id(&task))).await["contact_id"], Value::Null);
    assert_eq!(app.count("SELECT count(*) FROM scheduled_messages").await, 0, "nobody to send it to");
}

/// An agent has an id and a slug: both are accepted wherever `agent_id` stands.
#[tokio::test]
async fn c8_a_conversation_names_its_agent_by_id_or_by_slug() {
    let (app, owner) = workshop().await;
    let agent = agent(&owner, "vendas_2", &[], "never").await;
    app.tenant("Outra", "outra").await;
    let others = app.backend("outra", domain::TenantRole::Owner).await;
    let others = crate::workshop::agent(&others, "suporte", &[], "never").await;
    let with = |name: &str| json!({ "channel": "whatsapp", "agent_id": name });
    for name in ["vendas_2", agent.as_str()] {
        assert_eq!(owner.post(201, "/conversations", with(name)).await["agent_id"], agent, "{name}");
    }
    for name in ["nobody", "suporte", others.as_str()] {
        let refused = owner.invalid(Method::POST, "/conversations", with(name)).await;
        assert_eq!(refused, [("agent_id".to_owned(), "unknown".to_owned())], "{name}");
    }
    let made = owner.post(201, "/conversations", json!({ "channel": "email" })).await;
    let path = format!("/conversations/{}", id(&made));
    let named = owner.patch(&path, json!({ "agent_id": "vendas_2" })).await;
    assert_eq!(named["agent_id"], agent);
    owner.expect(204, Method::DELETE, "/agents/vendas_2", None).await;
    let later = owner.patch(&path, json!({ "subject": "Bolo" })).await;
    assert_eq!(later["agent_id"], agent, "one that is gone stays on the record");
}
