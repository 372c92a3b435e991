//! `ctx.fetch`: only to the hosts that the tool names, only outside, only so often.

use super::{code_tool, failure, until, with, workshop};
use crate::workshop::{Backend, Upstream, json_answer};
use axum::response::IntoResponse;
use serde_json::{Value, json};

const FETCH: &str = "export default async (p, ctx) => {
    const answer = await ctx.fetch(p.url, p.init);
    return { status: answer.status, kind: answer.headers.get('content-type'), body: await answer.text() };
}";

/// The host and port of the upstream.
fn host(upstream: &Upstream) -> String {
    upstream.url.trim_start_matches("http://").trim_end_matches("/hook").to_owned()
}

async fn fetcher(owner: &Backend, upstream: &Upstream) -> String {
    owner.make(with(code_tool("busca", FETCH), "fetch_hosts", json!([host(upstream)]))).await
}

#[tokio::test]
async fn t16_a_script_fetches_from_a_host_that_it_names() {
    let (_app, owner) = workshop().await;
    let upstream = Upstream::start(|_| json_answer(json!({ "cep": "01001-000" }))).await;
    let tool = fetcher(&owner, &upstream).await;
    let init = json!({ "method": "post", "headers": { "x-a": "1", "host": "evil" }, "body": "corpo" });
    let answer = owner
        .execute(&tool, json!({ "params": { "url": upstream.url.clone() + "?q=1", "init": init } }))
        .await;
    let expected = json!({ "status": 200, "kind": "application/json", "body": "{\"cep\":\"01001-000\"}" });
    assert_eq!(answer["result"], expected, "{answer}");
    let asked = &upstream.asked()[0];
    assert_eq!((asked.query.as_str(), asked.body.as_slice()), ("q=1", b"corpo".as_slice()));
    assert_eq!(
        (&asked.headers["x-a"], &asked.headers["host"]),
        (&"1".parse().unwrap(), &host(&upstream).parse().unwrap())
    );
}

#[tokio::test]
async fn s1_a_script_reaches_nothing_else() {
    let (_app, owner) = workshop().await;
    let (named, other) = (
        Upstream::start(|_| json_answer(json!({}))).await,
        Upstream::start(|_| json_answer(json!({}))).await,
    );
    let tool = fetcher(&owner, &named).await;
    let port = host(&named).rsplit_once(':').unwrap().1.to_owned();
    let cases = [
        (other.url.clone(), "not among the hosts"),
        (format!("http://127.0.0.2:{port}/"), "not among the hosts"),
        ("https://example.org/".to_owned(), "not among the hosts"),
        ("http://10.0.0.1/".to_owned(), "not a public address"),
        ("http://169.254.169.254/latest".to_owned(), "not a public address"),
        (format!("http://x@127.0.0.1:{port}/"), "user name"),
        ("file:///etc/passwd".to_owned(), "https://"),
        ("nonsense".to_owned(), "cannot be read"),
    ];
    for (url, reason) in cases {
        let answer = owner.execute(&tool, json!({ "params": { "url": url } })).await;
        let (code, message) = failure(&answer);
        assert!(code == "thrown" && message.contains(reason), "{url}: {message}");
    }
    for method in ["CONNECT", "TRACE", "A B"] {
        let params = json!({ "url": named.url, "init": { "method": method } });
        let answer = owner.execute(&tool, json!({ "params": params })).await;
        assert!(failure(&answer).1.contains("cannot be sent"), "{answer}");
    }
    assert!(named.asked().is_empty() && other.asked().is_empty());
}

#[tokio::test]
async fn s1_redirects_are_answers_and_lead_nowhere() {
    let (_app, owner) = workshop().await;
    let other = Upstream::start(|_| json_answer(json!({}))).await;
    let to = other.url.clone();
    let named = Upstream::start(move |_| {
        (axum::http::StatusCode::FOUND, [("location", to.clone())], "").into_response()
    });
    let tool = fetcher(&owner, &named.await).await;
    let path = format!("/tools/{tool}");
    let url = owner.get(&path).await["fetch_hosts"][0].as_str().unwrap().to_owned();
    let answer = owner.execute(&tool, json!({ "params": { "url": format!("http://{url}/") } })).await;
    assert_eq!(answer["result"]["status"], 302, "{answer}");
    assert!(other.asked().is_empty());
}

#[tokio::test]
async fn s3_requests_and_responses_are_limited() {
    let (_app, owner) = workshop().await;
    let upstream = Upstream::start(|count| match count {
        1 => json_answer(json!("x".repeat(1 << 20))),
        _ => json_answer(json!({})),
    })
    .await;
    let tool = fetcher(&owner, &upstream).await;
    let large = owner.execute(&tool, json!({ "params": { "url": upstream.url } })).await;
    assert!(failure(&large).1.contains("larger than 1048576 bytes"), "{large}");
    let code = "export default async (p, ctx) => {
        let done = 0;
        try { for (;;) { await ctx.fetch(p.url); done += 1 } } catch (e) { return { done, e: e.message } }
    }";
    let many = with(code_tool("muitas", code), "fetch_hosts", json!([host(&upstream)]));
    let tool = owner.make(with(many, "max_fetches", json!(3))).await;
    let answer = owner.execute(&tool, json!({ "params": { "url": upstream.url } })).await;
    assert_eq!(answer["result"]["done"], 3, "{answer}");
    assert!(answer["result"]["e"].as_str().unwrap().contains("all the requests"), "{answer}");
    assert_eq!(upstream.asked().len(), 4);
}

#[tokio::test]
async fn t7_a_test_changes_nothing_outside() {
    let (_app, owner) = workshop().await;
    let upstream = Upstream::start(|_| json_answer(json!({}))).await;
    let tool = fetcher(&owner, &upstream).await;
    let test = |method: &'static str| {
        let params = json!({ "url": upstream.url, "init": { "method": method } });
        owner.execute(&tool, json!({ "params": params, "test_mode": true }))
    };
    for method in ["POST", "put", "DELETE", "PATCH"] {
        assert!(failure(&test(method).await).1.contains("not carried out in test mode"));
    }
    assert!(upstream.asked().is_empty());
    assert_eq!(test("GET").await["result"]["status"], 200);
    assert_eq!(test("HEAD").await["result"]["status"], 200);
}

#[tokio::test]
async fn t16_an_address_that_does_not_answer_is_told_to_the_script() {
    let (_app, owner) = workshop().await;
    let code =
        "export default (p, ctx) => ctx.fetch(p.url).catch((e) => ({ name: e.name, message: e.message }))";
    let tool = owner.make(with(code_tool("busca", code), "fetch_hosts", json!(["127.0.0.1:1"]))).await;
    let answer = owner.execute(&tool, json!({ "params": { "url": "http://127.0.0.1:1/" } })).await;
    let found: Value = answer["result"].clone();
    assert!(found["message"].as_str().unwrap().contains("no connection to 127.0.0.1"), "{answer}");
}

#[tokio::test]
async fn t16_a_cancelled_script_keeps_what_it_had_logged() {
    let (_app, owner) = workshop().await;
    let upstream = Upstream::start(|_| json_answer(json!({}))).await;
    // The request comes after the line: once it has been seen, the line has been heard.
    let code = format!(
        "export default async (p, ctx) => {{ ctx.log('até aqui'); await ctx.fetch('{}'); for (;;) await null }}",
        upstream.url
    );
    let tool = owner.make(with(code_tool("fala", &code), "fetch_hosts", json!([host(&upstream)]))).await;
    let call = owner.begin(&tool);
    until("it asks", || async { (!upstream.asked().is_empty()).then_some(()) }).await;
    let running = owner.until_running(1).await;
    owner.stop(&running[0]).await;
    assert_eq!(call.await.unwrap()["status"], "cancelled");
    let kept = owner.get(&format!("/executions/{}", running[0])).await;
    assert_eq!(kept["log"], json!(["até aqui"]), "{kept}");
}
