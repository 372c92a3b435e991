//! What only the moment of sending can tell: where a name leads, what the operator has closed since, and where an answer
//! points to.

use super::{INSIDE, Installation, Place, TRICKS, Tools, canary::Canary};
use crate::workshop::{Backend, Upstream, id, until};
use axum::{
    http::{StatusCode, header},
    response::IntoResponse,
};
use serde_json::{Value, json};

/// What the script says of each of these addresses.
async fn fetched(owner: &Backend, tools: &Tools, urls: &[String]) -> Vec<Value> {
    let path = format!("/tools/{}/execute", tools.script);
    let answer = owner.post(200, &path, json!({ "params": { "urls": urls } })).await;
    answer["result"].as_array().unwrap_or_else(|| panic!("{answer}")).clone()
}

async fn called(owner: &Backend, tools: &Tools) -> Value {
    let path = format!("/tools/{}/execute", tools.webhook);
    owner.post(200, &path, json!({ "params": { "title": "x" } })).await
}

async fn tested(owner: &Backend, channel: &str) -> Value {
    let to = if channel == "whatsapp" { json!({ "to": "+5511988887777" }) } else { json!({}) };
    owner.post(200, &format!("/channels/{channel}/test"), to).await
}

fn is_refusal(said: &Value) -> bool {
    let said = said.as_str().unwrap_or_default();
    said.contains("is not a public address") && said.contains("ALCADA_EGRESS_ALLOW")
}

/// Whatever sends something to where everything points now is told why it cannot.
async fn assert_refused(owner: &Backend, tools: &Tools, place: &Place<'_>) {
    let blocked = (&json!(false), &json!("blocked_address"));
    let answer = called(owner, tools).await;
    assert_eq!((&answer["success"], &answer["error_code"]), blocked, "{}: {answer}", place.url());
    for said in fetched(owner, tools, &[place.url()]).await {
        assert!(is_refusal(&said), "{}: {said}", place.url());
    }
    for channel in ["webhook", "events", "whatsapp", "email"] {
        let test = tested(owner, channel).await;
        assert_eq!((&test["success"], &test["error_code"]), blocked, "{channel} {}: {test}", place.url());
    }
    let mail = json!({ "to": ["ana@example.org"], "subject": "Pedido", "text": "Está pronto." });
    let mail: Value = owner.call("sendEmail", "correio", mail).await.json().await.unwrap();
    assert_eq!((&mail["success"], &mail["error_code"]), blocked, "{}: {mail}", place.url());
}

/// A message that is due goes there as little as a test does.
async fn assert_not_delivered(owner: &Backend) {
    let contact = id(&owner.post(201, "/contacts", json!({ "name": "Ana" })).await);
    let at = domain::Timestamp::from(store::Moment::now().plus(time::Duration::seconds(5)));
    let body = json!({ "contact_id": contact, "channel": "web", "text": "Oi", "send_at": at });
    let message = id(&owner.post(201, "/scheduled-messages", body).await);
    let row = until("failed", || async {
        let row = owner.get(&format!("/scheduled-messages/{message}")).await;
        Some(row).filter(|row| row["status"] == "failed")
    })
    .await;
    assert!(row["last_error"].as_str().unwrap().starts_with("blocked_address: "), "{row}");
}

#[tokio::test]
async fn s1_a_name_that_leads_inside_is_refused_when_something_is_sent_there() {
    let (installation, canary) = (Installation::new().await, Canary::start().await);
    let (_serving, owner) = installation.start(&[]).await;
    let tools = Tools::make(&owner).await;
    for host in ["localhost", "LOCALHOST", "localhost."] {
        let place = Place::secure(host, canary.port);
        tools.point_at(&owner, &place).await;
        assert_refused(&owner, &tools, &place).await;
    }
    assert_not_delivered(&owner).await;
    canary.heard_nobody().await;
}

#[tokio::test]
async fn s1_what_was_saved_while_it_was_open_is_refused_once_it_is_closed() {
    let (installation, canary) = (Installation::new().await, Canary::start().await);
    let place = Place::plain("127.0.0.1", canary.port);
    let (open, owner) = installation.start(&[("ALCADA_EGRESS_ALLOW", "127.0.0.0/8")]).await;
    let tools = Tools::make(&owner).await;
    tools.point_at(&owner, &place).await;
    drop(open);
    let (_serving, owner) = installation.start(&[]).await;
    assert_refused(&owner, &tools, &place).await;
    assert_not_delivered(&owner).await;
    canary.heard_nobody().await;
}

#[tokio::test]
async fn s1_a_script_fetches_no_form_of_an_address_inside() {
    let (installation, canary) = (Installation::new().await, Canary::start().await);
    let (_serving, owner) = installation.start(&[]).await;
    let tools = Tools::make(&owner).await;
    let urls = |host: &&str| {
        [Place::secure(host, canary.port), Place::plain(host, canary.port)].map(|place| place.url())
    };
    let inside: Vec<String> = INSIDE.iter().flat_map(urls).collect();
    let said = fetched(&owner, &tools, &inside).await;
    assert_eq!(said.len(), inside.len());
    for (url, said) in inside.iter().zip(said) {
        assert!(is_refusal(&said), "{url}: {said}");
    }
    let tricks: Vec<String> = TRICKS.iter().flat_map(urls).collect();
    let said = fetched(&owner, &tools, &tricks).await;
    assert_eq!(said.len(), tricks.len());
    for (url, said) in tricks.iter().zip(said) {
        let is_told = said.as_str().is_some_and(|said| said.contains("the address is not valid"));
        assert!(is_told, "{url}: {said}");
    }
    canary.heard_nobody().await;
}

/// Answers everything with that redirect.
async fn redirecting(status: u16, to: &str) -> Upstream {
    let (status, to) = (StatusCode::from_u16(status).unwrap(), to.to_owned());
    Upstream::start(move |_| (status, [(header::LOCATION, to.clone())]).into_response()).await
}

/// Host and port.
fn host_of(upstream: &Upstream) -> &str {
    upstream.url.trim_start_matches("http://").trim_end_matches("/hook")
}

#[tokio::test]
async fn s1_a_redirect_leads_nobody_inside() {
    let (installation, canary) = (Installation::new().await, Canary::start().await);
    let inside = Place::plain("127.0.0.1", canary.port).url();
    let mut upstreams = Vec::new();
    for status in [301, 302, 303, 307, 308] {
        upstreams.push((status, redirecting(status, &inside).await));
    }
    let open: Vec<&str> = upstreams.iter().map(|(_, upstream)| host_of(upstream)).collect();
    let (_serving, owner) = installation.start(&[("ALCADA_EGRESS_ALLOW", &open.join(","))]).await;
    let tools = Tools::make(&owner).await;
    for (status, upstream) in &upstreams {
        let port = host_of(upstream).rsplit_once(':').unwrap().1.parse().unwrap();
        let place = Place::plain("127.0.0.1", port);
        tools.point_at(&owner, &place).await;
        assert_eq!(called(&owner, &tools).await["error_code"], "redirected", "{status}");
        assert_eq!(fetched(&owner, &tools, &[place.url()]).await, [json!(status)], "an answer like others");
        for (channel, code) in
            [("webhook", "upstream_error"), ("events", "upstream_error"), ("whatsapp", "whatsapp_error")]
        {
            assert_eq!(tested(&owner, channel).await["error_code"], code, "{channel} {status}");
        }
        let link = owner.save("save_link", json!({ "url": format!("{}pagina", place.url()) })).await;
        let link = owner.enriched(&link, "failed").await;
        assert_eq!(link["enrichment"]["reason"], "blocked_address", "the next step is vetted like the first");
        assert_eq!(upstream.asked().len(), 6, "each asked once: {status}");
    }
    canary.heard_nobody().await;
}
