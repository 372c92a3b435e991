//! Scheduled messages arrive: at their time, once, also after a restart.

use super::{asked, contact, is_in_state, make_due, schedule, smtp::MailServer, verified};
use crate::{
    app::TestApp,
    workshop::{Asked, Backend, Upstream, agent, json_answer, workshop},
};
use axum::{http::StatusCode, response::IntoResponse};
use futures::FutureExt;
use reqwest::Method;
use serde_json::{Value, json};
use std::{
    collections::HashSet,
    sync::{Arc, Mutex},
    time::Duration,
};
use store::Moment;

async fn with_webhook(upstream: &Upstream) -> (TestApp, Backend, String) {
    let (app, owner) = workshop().await;
    let made = owner.put_channel(201, "webhook", json!({ "url": upstream.url })).await;
    (app, owner, made["webhook_secret"].as_str().unwrap().to_owned())
}

async fn with_whatsapp(upstream: &Upstream) -> (TestApp, Backend) {
    let (app, owner) = workshop().await;
    let base = upstream.url.trim_end_matches("/hook").to_owned();
    let body = json!({ "base_url": base, "phone_number_id": "1055", "access_token": "EAAG" });
    owner.put_channel(201, "whatsapp", body).await;
    (app, owner)
}

/// As a process leaves it that was killed in the middle.
async fn interrupt(app: &TestApp, via: &str) {
    let left = "UPDATE scheduled_messages SET status = 'sending', attempts = 1, process_id = NULL";
    app.change(&format!("{left}, via = '{via}'")).await;
}

#[tokio::test]
async fn t13_a_message_arrives_at_its_time_signed_and_with_its_contact() {
    let arrived = Arc::new(Mutex::new(None));
    let seen = Arc::clone(&arrived);
    let upstream = Upstream::start(move |_| {
        *seen.lock().unwrap() = Some(Moment::now());
        StatusCode::NO_CONTENT.into_response()
    })
    .await;
    let (app, owner, secret) = with_webhook(&upstream).await;
    let contact = contact(&owner).await;
    agent(&owner, "vendas", &["scheduleMessage"], "never").await;
    let at = Moment::now().plus(time::Duration::seconds(5));
    let params = json!({
        "contact_id": contact,
        "channel": "web",
        "text": "Oi",
        "send_at": domain::Timestamp::from(at),
    });
    let answer: Value = owner.call("scheduleMessage", "vendas", params).await.json().await.unwrap();
    assert_eq!(answer["success"], true, "{answer}");
    let id = answer["result"]["scheduled_message_id"].as_str().unwrap();
    let row = is_in_state(&owner, id, "sent").await;
    let due = Moment::try_from(&serde_json::from_value(row["send_at"].clone()).unwrap()).unwrap();
    let arrived = arrived.lock().unwrap().unwrap();
    assert!(arrived >= due, "not before its time");
    assert!(arrived < due.plus(time::Duration::seconds(30)), "and not long after");
    let body = verified(&upstream.asked()[0], &secret);
    assert_eq!(upstream.asked()[0].headers["webhook-id"], id);
    assert_eq!(body["type"], "message.scheduled");
    assert_eq!((&body["message_id"], &body["contact"]["id"]), (&json!(id), &json!(contact)));
    assert_eq!((&body["channel"], &body["text"]), (&json!("web"), &json!("Oi")));
    assert_eq!(body["send_at"], row["send_at"]);
    let recorded = "SELECT count(*) FROM audit_entries WHERE action = 'scheduled_message.deliver'";
    assert_eq!(app.count(recorded).await, 1);
}

#[tokio::test]
async fn t13_each_message_arrives_once_with_two_processes() {
    let upstream = Upstream::start(|_| StatusCode::OK.into_response()).await;
    let (app, owner, _) = with_webhook(&upstream).await;
    let _replica = app.replica().await;
    let contact = contact(&owner).await;
    let mut ids = HashSet::new();
    for _ in 0..12 {
        ids.insert(schedule(&owner, &contact, "whatsapp").await);
    }
    make_due(&app).await;
    for id in &ids {
        is_in_state(&owner, id, "sent").await;
    }
    let arrived = upstream.asked();
    let named: HashSet<String> =
        arrived.iter().map(|asked| asked.headers["webhook-id"].to_str().unwrap().to_owned()).collect();
    assert_eq!((arrived.len(), named), (12, ids));
}

#[tokio::test]
async fn t13_a_failure_is_tried_again_later_with_the_same_id() {
    let upstream = Upstream::start(|count| match count {
        1 => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        _ => StatusCode::OK.into_response(),
    })
    .await;
    let (app, owner, secret) = with_webhook(&upstream).await;
    let id = schedule(&owner, &contact(&owner).await, "other").await;
    make_due(&app).await;
    asked(&upstream, 1).await;
    let row = super::until("put off", || async {
        let row = owner.get(&format!("/scheduled-messages/{id}")).await;
        Some(row).filter(|row| row["status"] == "scheduled" && row["last_error"].is_string())
    })
    .await;
    assert_eq!((&row["attempts"], upstream.asked().len()), (&json!(1), 1));
    let wait = app.count("SELECT next_attempt_at FROM scheduled_messages").await - Moment::now().0;
    assert!((50_000_000..=60_000_000).contains(&wait), "a minute: {wait}");
    make_due(&app).await;
    assert_eq!(is_in_state(&owner, &id, "sent").await["attempts"], 2);
    let arrived = upstream.asked();
    assert_eq!(arrived[0].headers["webhook-id"], arrived[1].headers["webhook-id"]);
    assert_eq!(verified(&arrived[0], &secret), verified(&arrived[1], &secret));
}

#[tokio::test]
async fn t13_four_failures_are_enough() {
    let upstream = Upstream::start(|_| StatusCode::BAD_REQUEST.into_response()).await;
    let (app, owner, _) = with_webhook(&upstream).await;
    let id = schedule(&owner, &contact(&owner).await, "other").await;
    for attempt in 1..=4_usize {
        make_due(&app).await;
        asked(&upstream, attempt).await;
        super::until("recorded", || async {
            let row = owner.get(&format!("/scheduled-messages/{id}")).await;
            (row["status"] != "sending").then_some(())
        })
        .await;
    }
    let row = is_in_state(&owner, &id, "failed").await;
    assert_eq!(row["last_error"], "upstream_error: The address answered 400.");
    let recorded = "SELECT count(*) FROM audit_entries WHERE action = 'scheduled_message.deliver'";
    assert_eq!(app.count(recorded).await, 4);
}

#[tokio::test]
async fn s21_an_interrupted_webhook_is_sent_again() {
    let upstream = Upstream::start(|_| StatusCode::OK.into_response()).await;
    let (app, owner, _) = with_webhook(&upstream).await;
    let id = schedule(&owner, &contact(&owner).await, "web").await;
    app.change("UPDATE scheduled_messages SET send_at = 1, status = 'cancelled'").await;
    interrupt(&app, "webhook").await;
    assert_eq!(is_in_state(&owner, &id, "sent").await["attempts"], 2);
    assert_eq!(upstream.asked().len(), 1);
}

#[tokio::test]
async fn s21_an_interrupted_whatsapp_message_is_not_sent_again() {
    let upstream = Upstream::start(|_| json_answer(json!({}))).await;
    let (app, owner) = with_whatsapp(&upstream).await;
    let id = schedule(&owner, &contact(&owner).await, "whatsapp").await;
    app.change("UPDATE scheduled_messages SET send_at = 1, status = 'cancelled'").await;
    interrupt(&app, "whatsapp").await;
    let row = is_in_state(&owner, &id, "failed").await;
    assert!(row["last_error"].as_str().unwrap().starts_with("interrupted: "), "{row}");
    let other = schedule(&owner, &contact_of(&owner).await, "whatsapp").await;
    make_due(&app).await;
    is_in_state(&owner, &other, "sent").await;
    assert_eq!(upstream.asked().len(), 1, "the other one only");
}

async fn contact_of(owner: &Backend) -> String {
    owner.get("/contacts").await["data"][0]["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn t13_whatsapp_gets_the_text_and_is_not_asked_twice() {
    let upstream = Upstream::start(|count| match count {
        1 => json_answer(json!({ "messages": [{ "id": "wamid.1" }] })),
        2 => StatusCode::BAD_GATEWAY.into_response(),
        _ => StatusCode::TOO_MANY_REQUESTS.into_response(),
    })
    .await;
    let (app, owner) = with_whatsapp(&upstream).await;
    let contact = contact(&owner).await;
    let first = schedule(&owner, &contact, "whatsapp").await;
    make_due(&app).await;
    is_in_state(&owner, &first, "sent").await;
    let request = upstream.asked().remove(0);
    assert_eq!(request.headers["authorization"], "Bearer EAAG");
    assert!(request.path.ends_with("/1055/messages"), "{}", request.path);
    let body: Value = serde_json::from_slice(&request.body).unwrap();
    let wanted = json!({
        "messaging_product": "whatsapp",
        "to": "5511988887777",
        "type": "text",
        "text": { "body": "Seu bolo está pronto." },
    });
    assert_eq!(body, wanted);
    let second = schedule(&owner, &contact, "whatsapp").await;
    make_due(&app).await;
    let row = is_in_state(&owner, &second, "failed").await;
    assert_eq!(row["last_error"], "whatsapp_error: WhatsApp answered 502.", "it may have arrived");
    let third = schedule(&owner, &contact, "whatsapp").await;
    make_due(&app).await;
    asked(&upstream, 3).await;
    let row = super::until("put off", || async {
        let row = owner.get(&format!("/scheduled-messages/{third}")).await;
        Some(row).filter(|row| row["last_error"].is_string())
    })
    .await;
    assert_eq!(row["status"], "scheduled", "a clear refusal for now");
}

#[tokio::test]
async fn t13_mail_has_its_own_channel() {
    let (app, owner) = workshop().await;
    let server = MailServer::start(None).await;
    let body = json!({
        "host": "127.0.0.1", "port": server.port, "security": "none", "from": "loja@example.org", "subject": "Recado",
    });
    owner.put_channel(201, "email", body).await;
    let id = schedule(&owner, &contact(&owner).await, "email").await;
    make_due(&app).await;
    is_in_state(&owner, &id, "sent").await;
    let mail = server.received().remove(0);
    assert!(mail.data.contains("Subject: Recado") && mail.data.contains(&format!("<{id}@example.org>")));
    assert!(mail.to[0].contains("<ana@example.org>"));
}

#[tokio::test]
async fn t13_what_is_cancelled_stays_and_what_has_no_channel_waits() {
    let (app, owner) = workshop().await;
    let contact = contact(&owner).await;
    let cancelled = schedule(&owner, &contact, "web").await;
    let path = format!("/scheduled-messages/{cancelled}/cancel");
    owner.expect(200, Method::POST, &path, None).await;
    let waiting = schedule(&owner, &contact, "web").await;
    app.change("UPDATE scheduled_messages SET send_at = 1").await;
    let row = super::until("put off", || async {
        let row = owner.get(&format!("/scheduled-messages/{waiting}")).await;
        Some(row).filter(|row| row["last_error"].is_string() && row["status"] == "scheduled")
    })
    .await;
    assert!(row["last_error"].as_str().unwrap().starts_with("channel_not_configured"), "{row}");
    let upstream = Upstream::start(|_| StatusCode::OK.into_response()).await;
    owner.put_channel(201, "webhook", json!({ "url": upstream.url })).await;
    make_due(&app).await;
    is_in_state(&owner, &waiting, "sent").await;
    assert_eq!(owner.get(&format!("/scheduled-messages/{cancelled}")).await["status"], "cancelled");
    assert_eq!(upstream.asked().len(), 1);
}

/// A stop waits for what is on its way, and begins nothing new.
#[tokio::test]
async fn t13_a_clean_stop_interrupts_nothing() {
    let (upstream, gate) = Upstream::held().await;
    let (app, owner, _) = with_webhook(&upstream).await;
    let contact = contact(&owner).await;
    let under_way = schedule(&owner, &contact, "web").await;
    make_due(&app).await;
    asked(&upstream, 1).await;
    let mut stop = std::pin::pin!(app.services.channels.stop_delivering(Duration::from_secs(60)));
    assert!(stop.as_mut().now_or_never().is_none(), "it has begun, and waits for the answer");
    gate.add_permits(1);
    stop.await;
    let sent = "SELECT count(*) FROM scheduled_messages WHERE status = 'sent' AND attempts = 1";
    assert_eq!(app.count(sent).await, 1, "its end is on the record when the stop is over");
    let id = schedule(&owner, &contact, "web").await;
    make_due(&app).await;
    gate.add_permits(1);
    let replica = app.replica().await;
    is_in_state(&owner, &id, "sent").await;
    let named = |asked: &Asked| asked.headers["webhook-id"].to_str().unwrap().to_owned();
    let arrived: Vec<String> = upstream.asked().iter().map(named).collect();
    assert_eq!(arrived, [under_way, id], "each once; the other process sent what came later");
    drop(replica);
}
