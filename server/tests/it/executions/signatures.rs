//! T15: requests as they really left, checked by those who will check them: the published libraries of Standard Webhooks,
//! the Rust crate here and the npm package in node.

use crate::{
    code_tools,
    workshop::{Asked, Backend, NOBODY, Upstream, id, json_answer, webhook_tool, workshop},
};
use axum::{http::StatusCode, response::IntoResponse};
use base64::{Engine, prelude::BASE64_STANDARD};
use egress::signature::{ID, TIMESTAMP, TOLERANCE};
use reqwest::Method;
use serde_json::{Map, Value, json};
use standardwebhooks::Webhook;
use std::{
    io::Write,
    process::{Command, Stdio},
};

/// Where `scripts/install test` puts the npm package.
const NPM_FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../end2end");

/// What the Rust crate says, and what the npm package says.
type Verdict = [&'static str; 2];

const ACCEPTED: Verdict = ["accepted", "accepted"];
const FORGED: Verdict = ["signature invalid", "No matching signature found"];
const OLD: Verdict = ["signature timestamp too old", "Message timestamp too old"];

/// A request, the secret that its receiver has, and what is to be said of it.
struct Case {
    what: &'static str,
    sent: Asked,
    secret: String,
    expected: Verdict,
}

fn case(what: &'static str, sent: &Asked, secret: &str, expected: Verdict) -> Case {
    Case { what, sent: sent.clone(), secret: secret.to_owned(), expected }
}

fn assert_verdicts(cases: &[Case]) {
    let theirs = npm_package(cases);
    assert_eq!(theirs.len(), cases.len());
    for (case, npm) in cases.iter().zip(theirs) {
        assert_eq!([rust_crate(case), npm], case.expected, "{}", case.what);
    }
}

fn rust_crate(case: &Case) -> String {
    let verified = Webhook::new(&case.secret).unwrap().verify(&case.sent.body, &case.sent.headers);
    verified.map_or_else(|error| error.to_string(), |()| "accepted".to_owned())
}

fn npm_package(cases: &[Case]) -> Vec<String> {
    let requests = Value::Array(cases.iter().map(as_json).collect()).to_string();
    let mut node = Command::new("node");
    node.args(["-e", include_str!("verify.js")]).current_dir(NPM_FOLDER);
    let child = node.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.expect("node or end2end/ is missing: scripts/install test");
    // Without the package it is gone before it reads: its own words tell.
    let _ = child.stdin.take().unwrap().write_all(requests.as_bytes());
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "the npm package cannot be used: scripts/install test\n{said}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn as_json(case: &Case) -> Value {
    let header = |(name, value): (&axum::http::HeaderName, &axum::http::HeaderValue)| {
        (name.to_string(), json!(value.to_str().unwrap()))
    };
    let headers: Map<String, Value> = case.sent.headers.iter().map(header).collect();
    json!({ "secret": case.secret, "headers": headers, "body": BASE64_STANDARD.encode(&case.sent.body) })
}

fn secret(made: &Value) -> String {
    made["webhook_secret"].as_str().unwrap().to_owned()
}

/// What arrives when the tool is called.
async fn sent(owner: &Backend, tool: &Value, upstream: &Upstream) -> Asked {
    let path = format!("/tools/{}/execute", id(tool));
    let answer = owner.post(200, &path, json!({ "params": { "title": "Pão \"às 9h\" \\ 🎬" } })).await;
    assert_eq!(answer["success"], true, "{answer}");
    upstream.asked().pop().unwrap()
}

fn with_header(sent: &Asked, name: &'static str, value: &str) -> Asked {
    let mut changed = sent.clone();
    changed.headers.insert(name, value.parse().unwrap());
    changed
}

/// What was a test becomes the real thing, or the other way round.
fn with_another_body(sent: &Asked) -> Asked {
    let text = std::str::from_utf8(&sent.body).unwrap();
    Asked { body: text.replace("\"test_mode\":false", "\"test_mode\":true").into_bytes(), ..sent.clone() }
}

#[tokio::test]
async fn t15_the_published_libraries_accept_what_was_sent_and_nothing_else() {
    let (_app, owner) = workshop().await;
    let upstream = Upstream::start(|_| json_answer(json!({ "ok": true }))).await;
    let posting = owner.post(201, "/tools", webhook_tool("agendar", &upstream.url)).await;
    let mut getting = webhook_tool("olhar", &upstream.url);
    getting["webhook_method"] = json!("GET");
    let getting = owner.post(201, "/tools", getting).await;
    let channel = json!({ "url": upstream.url });
    let channel = owner.expect(201, Method::PUT, "/channels/webhook", Some(channel)).await;
    let (posted, got) = (sent(&owner, &posting, &upstream).await, sent(&owner, &getting, &upstream).await);
    let test = owner.post(200, "/channels/webhook/test", json!({})).await;
    assert_eq!(test["success"], true, "{test}");
    let told = upstream.asked().pop().unwrap();
    let (own, other) = (secret(&posting), secret(&getting));
    let at: i64 = posted.headers[TIMESTAMP].to_str().unwrap().parse().unwrap();
    let old = at - 2 * i64::try_from(TOLERANCE).unwrap();
    let longer = Asked { body: [&posted.body[..], b" "].concat(), ..posted.clone() };
    assert_verdicts(&[
        case("as it was sent", &posted, &own, ACCEPTED),
        case("in the query, without a body", &got, &other, ACCEPTED),
        case("a message of a channel", &told, &secret(&channel), ACCEPTED),
        case("another body", &with_another_body(&posted), &own, FORGED),
        case("a blank more", &longer, &own, FORGED),
        case("another id", &with_header(&posted, ID, NOBODY), &own, FORGED),
        case("another second", &with_header(&posted, TIMESTAMP, &(at - 1).to_string()), &own, FORGED),
        case("another day", &with_header(&posted, TIMESTAMP, &old.to_string()), &own, OLD),
        case("the secret of another tool", &posted, &other, FORGED),
        case("another tool's request", &got, &own, FORGED),
    ]);
}

#[tokio::test]
async fn t15_during_a_rotation_the_published_libraries_accept_the_old_secret_and_the_new() {
    let (_app, owner) = workshop().await;
    let upstream = Upstream::start(|_| json_answer(json!({ "ok": true }))).await;
    let tool = owner.post(201, "/tools", webhook_tool("agendar", &upstream.url)).await;
    let path = format!("/tools/{}/rotate-secret", id(&tool));
    let rotated = async || secret(&owner.expect(200, Method::POST, &path, None).await);
    let first = secret(&tool);
    let before = sent(&owner, &tool, &upstream).await;
    let second = rotated().await;
    let during = sent(&owner, &tool, &upstream).await;
    let third = rotated().await;
    let after = sent(&owner, &tool, &upstream).await;
    let changed = with_another_body(&during);
    assert_verdicts(&[
        case("before, the only one", &before, &first, ACCEPTED),
        case("before, one that was not there", &before, &second, FORGED),
        case("during, the old one", &during, &first, ACCEPTED),
        case("during, the new one", &during, &second, ACCEPTED),
        case("during, changed, the old one", &changed, &first, FORGED),
        case("during, changed, the new one", &changed, &second, FORGED),
        case("after the next, the first one", &after, &first, FORGED),
        case("after the next, the one before", &after, &second, ACCEPTED),
        case("after the next, the newest", &after, &third, ACCEPTED),
    ]);
}

/// Made as something else, it has no secret yet: the change that makes it a webhook tells one, once.
#[tokio::test]
async fn t15_a_tool_that_becomes_a_webhook_signs_from_its_first_call() {
    let (_app, owner) = code_tools::workshop().await;
    let upstream = Upstream::start(|_| json_answer(json!({ "ok": true }))).await;
    let code = "export default () => 1";
    let made = owner.post(201, "/tools", code_tools::code_tool("agendar", code)).await;
    assert!(made.get("webhook_secret").is_none(), "code signs nothing");
    let path = format!("/tools/{}", id(&made));
    let to_webhook = json!({ "execution_type": "webhook", "code": null, "webhook_url": upstream.url });
    let changed = owner.put(&path, to_webhook.clone()).await;
    let own = secret(&changed);
    let first = sent(&owner, &changed, &upstream).await;
    assert_verdicts(&[case("its first call", &first, &own, ACCEPTED)]);
    let away = json!({ "execution_type": "code", "code": code, "webhook_url": null });
    owner.put(&path, away).await;
    let back = owner.put(&path, to_webhook).await;
    assert!(back.get("webhook_secret").is_none(), "who has signed before keeps the secret");
    let again = sent(&owner, &back, &upstream).await;
    assert_verdicts(&[case("after a detour", &again, &own, ACCEPTED)]);
}

/// A receiver refuses what seems old: whoever waits before a retry signs anew.
#[tokio::test]
async fn t15_a_retry_is_signed_at_its_own_time() {
    let (_app, owner) = workshop().await;
    let upstream = Upstream::start(|count| match count {
        1 => (StatusCode::SERVICE_UNAVAILABLE, [("retry-after", "1")]).into_response(),
        _ => json_answer(json!({ "ok": true })),
    })
    .await;
    let mut body = webhook_tool("agendar", &upstream.url);
    body["idempotent"] = json!(true);
    let tool = owner.post(201, "/tools", body).await;
    sent(&owner, &tool, &upstream).await;
    let [first, second] = <[Asked; 2]>::try_from(upstream.asked()).unwrap();
    assert_eq!((&first.headers[ID], &first.body), (&second.headers[ID], &second.body), "one call");
    let time = |asked: &Asked| asked.headers[TIMESTAMP].to_str().unwrap().parse::<i64>().unwrap();
    assert!(time(&second) > time(&first), "after the second that it was asked to wait");
    let own = secret(&tool);
    assert_verdicts(&[case("the first", &first, &own, ACCEPTED), case("the retry", &second, &own, ACCEPTED)]);
}
