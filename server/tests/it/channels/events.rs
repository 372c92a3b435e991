//! Confirmation events: told to whoever listens, signed, at least once.

use super::{asked, until, verified};
use crate::{
    app::TestApp,
    workshop::{Backend, Upstream, agent, webhook_tool, workshop},
};
use axum::{http::StatusCode, response::IntoResponse};
use reqwest::Method;
use serde_json::{Value, json};

async fn ask(owner: &Backend) -> String {
    let answer: Value =
        owner.call("hook", "vendas", json!({ "title": "x", "senha": "s3gr3do" })).await.json().await.unwrap();
    answer["confirmation_id"].as_str().unwrap().to_owned()
}

async fn prepare() -> (TestApp, Backend) {
    let (app, owner) = workshop().await;
    let tool = Upstream::start(|_| StatusCode::OK.into_response()).await;
    owner.post(201, "/tools", webhook_tool("hook", &tool.url)).await;
    agent(&owner, "vendas", &["hook"], "always").await;
    (app, owner)
}

async fn nothing_waits(app: &TestApp) {
    until("empty", || async { (app.count("SELECT count(*) FROM outbox").await == 0).then_some(()) }).await;
}

#[tokio::test]
async fn b1_who_listens_is_told_when_a_confirmation_appears_and_is_decided() {
    let (app, owner) = prepare().await;
    let unheard = ask(&owner).await;
    let refuse = |id: &str| format!("/confirmations/{id}/refuse");
    owner.post(200, &refuse(&unheard), json!({})).await;
    assert_eq!(app.count("SELECT count(*) FROM outbox").await, 0, "nobody listens");

    let upstream = Upstream::start(|_| StatusCode::OK.into_response()).await;
    let made = owner.put_channel(201, "events", json!({ "url": upstream.url })).await;
    let secret = made["webhook_secret"].as_str().unwrap();
    let approved = ask(&owner).await;
    let created = verified(&asked(&upstream, 1).await[0], secret);
    assert_eq!(
        (&created["type"], &created["confirmation"]["id"]),
        (&json!("confirmation.created"), &json!(approved))
    );
    assert_eq!(
        created["url"],
        json!(format!("{}/confirmations/{approved}", app.url)),
        "where a person decides"
    );
    assert_eq!(created["confirmation"]["status"], "pending");
    assert_eq!(created["confirmation"]["params"]["senha"], "***", "S16");
    assert!(!created.to_string().contains("s3gr3do"));
    owner.post(200, &format!("/confirmations/{approved}/approve"), json!({})).await;
    let decided = verified(&asked(&upstream, 2).await[1], secret);
    assert_eq!(
        (&decided["type"], &decided["confirmation"]["id"]),
        (&json!("confirmation.decided"), &json!(approved))
    );
    assert_eq!(decided["confirmation"]["status"], "approved");
    assert_eq!(decided["confirmation"], owner.get(&format!("/confirmations/{approved}")).await);

    let refused = ask(&owner).await;
    owner.post(200, &refuse(&refused), json!({ "reason": "não" })).await;
    let last = verified(&asked(&upstream, 4).await[3], secret);
    assert_eq!(
        (&last["confirmation"]["status"], &last["confirmation"]["note"]),
        (&json!("refused"), &json!("não"))
    );
    nothing_waits(&app).await;
    assert_eq!(upstream.asked().len(), 4);
}

#[tokio::test]
async fn b1_an_expired_confirmation_is_told_too() {
    let (app, owner) = prepare().await;
    let upstream = Upstream::start(|_| StatusCode::OK.into_response()).await;
    let made = owner.put_channel(201, "events", json!({ "url": upstream.url })).await;
    ask(&owner).await;
    asked(&upstream, 1).await;
    app.change("UPDATE confirmations SET expires_at = 1").await;
    owner.get("/confirmations").await;
    let told = verified(&asked(&upstream, 2).await[1], made["webhook_secret"].as_str().unwrap());
    assert_eq!(told["confirmation"]["status"], "expired");
}

#[tokio::test]
async fn b1_a_waiting_call_that_is_cancelled_is_told_too() {
    let (_app, owner) = prepare().await;
    let upstream = Upstream::start(|_| StatusCode::OK.into_response()).await;
    let made = owner.put_channel(201, "events", json!({ "url": upstream.url })).await;
    let id = ask(&owner).await;
    let execution = owner.get(&format!("/confirmations/{id}")).await["execution_id"].clone();
    let cancel = format!("/executions/{}/cancel", execution.as_str().unwrap());
    owner.expect(200, Method::POST, &cancel, None).await;
    let told = verified(&asked(&upstream, 2).await[1], made["webhook_secret"].as_str().unwrap());
    assert_eq!(
        (&told["type"], &told["confirmation"]["id"], &told["confirmation"]["status"]),
        (&json!("confirmation.decided"), &json!(id), &json!("expired"))
    );
}

#[tokio::test]
async fn an_event_is_told_again_with_the_same_id_and_dropped_after_a_day() {
    let (app, owner) = prepare().await;
    let upstream = Upstream::start(|count| match count {
        2 => StatusCode::OK.into_response(),
        _ => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    })
    .await;
    owner.put_channel(201, "events", json!({ "url": upstream.url })).await;
    ask(&owner).await;
    asked(&upstream, 1).await;
    let noted = "SELECT count(*) FROM outbox WHERE last_error IS NOT NULL";
    until("noted", || async { (app.count(noted).await == 1).then_some(()) }).await;
    app.change("UPDATE outbox SET next_attempt_at = 1").await;
    let twice = asked(&upstream, 2).await;
    assert_eq!(twice[0].headers["webhook-id"], twice[1].headers["webhook-id"]);
    nothing_waits(&app).await;

    ask(&owner).await;
    asked(&upstream, 3).await;
    until("noted", || async { (app.count(noted).await == 1).then_some(()) }).await;
    app.change("UPDATE outbox SET next_attempt_at = 1, created_at = 1").await;
    nothing_waits(&app).await;
    assert_eq!(app.count("SELECT count(*) FROM audit_entries WHERE action = 'event.drop'").await, 1);

    ask(&owner).await;
    asked(&upstream, 5).await;
    until("noted", || async { (app.count(noted).await == 1).then_some(()) }).await;
    owner.send(Method::DELETE, "/channels/events", None).await;
    app.change("UPDATE outbox SET next_attempt_at = 1").await;
    nothing_waits(&app).await;
    assert_eq!(upstream.asked().len(), 5, "nobody wants to know any more");
}
