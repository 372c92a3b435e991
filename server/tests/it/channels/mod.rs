//! Ways to the outside: how they are set up, and what arrives on them.

mod authority;
mod events;
mod mail;
mod messages;
mod settings;
mod smtp;

use crate::{
    app::TestApp,
    workshop::{Asked, Backend, Upstream, until},
};
use egress::signature::{self, Secret};
use reqwest::Method;
use serde_json::{Value, json};

impl Backend {
    async fn put_channel(&self, status: u16, kind: &str, body: Value) -> Value {
        self.expect(status, Method::PUT, &format!("/channels/{kind}"), Some(body)).await
    }
}

async fn asked(upstream: &Upstream, count: usize) -> Vec<Asked> {
    upstream.until_asked(count).await
}

/// The body, after its signature was checked.
fn verified(asked: &Asked, secret: &str) -> Value {
    let header = |name: &str| asked.headers[name].to_str().unwrap().to_owned();
    let (id, timestamp) = (header(signature::ID), header(signature::TIMESTAMP).parse().unwrap());
    let secret = Secret::parse(secret).unwrap();
    let given = header(signature::SIGNATURE);
    signature::verify(&[&secret], &id, timestamp, &given, &asked.body, timestamp).unwrap();
    serde_json::from_slice(&asked.body).unwrap()
}

async fn contact(owner: &Backend) -> String {
    let body = json!({ "name": "Ana", "email": "ana@example.org", "phone": "+5511988887777" });
    owner.post(201, "/contacts", body).await["id"].as_str().unwrap().to_owned()
}

/// Planned for a year from now at the latest; `make_due` brings the moment.
async fn schedule(owner: &Backend, contact: &str, channel: &str) -> String {
    let at = store::Moment::now().plus(time::Duration::hours(1));
    let body = json!({
        "contact_id": contact,
        "channel": channel,
        "text": "Seu bolo está pronto.",
        "send_at": domain::Timestamp::from(at),
    });
    owner.post(201, "/scheduled-messages", body).await["id"].as_str().unwrap().to_owned()
}

async fn make_due(app: &TestApp) {
    app.change(
        "UPDATE scheduled_messages SET send_at = 1, next_attempt_at = NULL WHERE status = 'scheduled'",
    )
    .await;
}

/// Waits for a state.
async fn is_in_state(owner: &Backend, message: &str, status: &str) -> Value {
    until(status, || async {
        let row = owner.get(&format!("/scheduled-messages/{message}")).await;
        Some(row).filter(|row| row["status"] == status)
    })
    .await
}
