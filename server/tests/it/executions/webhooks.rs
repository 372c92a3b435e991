//! Webhook tools: what is sent, and what may come back (T15, S16).

use crate::workshop::{Backend, Upstream, agent, id, json_answer, until, webhook_tool, workshop};
use axum::{
    body::Body,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use domain::TenantRole;
use egress::signature::Secret;
use futures::{StreamExt, stream};
use serde_json::{Value, json};
use std::{
    convert::Infallible,
    io,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

#[tokio::test]
async fn t15_a_webhook_is_signed_and_its_answer_is_the_result() {
    let (_app, owner) = workshop().await;
    let upstream = Upstream::start(|_| json_answer(json!({ "scheduled": true }))).await;
    let tool = owner.post(201, "/tools", webhook_tool("scheduleMeeting", &upstream.url)).await;
    let secret = Secret::parse(tool["webhook_secret"].as_str().unwrap()).unwrap();
    let id = tool["id"].as_str().unwrap();
    assert!(owner.get(&format!("/tools/{id}")).await.get("webhook_secret").is_none(), "shown once");
    agent(&owner, "vendas", &["scheduleMeeting"], "never").await;
    let answer =
        owner.call("scheduleMeeting", "vendas", json!({ "title": "Reunião", "senha": "s3gr3do" })).await;
    let body: Value = answer.json().await.unwrap();
    assert_eq!((&body["success"], &body["result"]), (&json!(true), &json!({ "scheduled": true })), "{body}");
    let asked = upstream.asked().remove(0);
    let header = |name: &str| asked.headers[name].to_str().unwrap().to_owned();
    assert_eq!(header("webhook-id"), body["execution_id"]);
    assert_eq!(header("idempotency-key"), body["execution_id"]);
    let timestamp: i64 = header("webhook-timestamp").parse().unwrap();
    egress::signature::verify(
        &[&secret],
        &header("webhook-id"),
        timestamp,
        &header("webhook-signature"),
        &asked.body,
        timestamp,
    )
    .unwrap();
    let sent: Value = serde_json::from_slice(&asked.body).unwrap();
    assert_eq!(
        (&sent["tool"], &sent["params"]["senha"], &sent["test_mode"]),
        (&json!("scheduleMeeting"), &json!("s3gr3do"), &json!(false))
    );
    let row = owner.get(&format!("/executions/{}", body["execution_id"].as_str().unwrap())).await;
    assert_eq!(row["input_params"]["senha"], "***", "S16: never stored in clear");
}

/// The interface page has this body: no field less, and none that nobody was told of.
#[tokio::test]
async fn t15_the_body_of_a_webhook_is_as_others_rely_on_it() {
    let (_app, owner) = workshop().await;
    let upstream = Upstream::start(|_| json_answer(json!(1))).await;
    let path = tool_at(&owner, &upstream, json!({})).await;
    let vendas = agent(&owner, "vendas", &["hook"], "never").await;
    let sent = || serde_json::from_slice::<Value>(&upstream.asked().pop().unwrap().body).unwrap();
    for test_mode in [false, true] {
        let call = json!({
            "tool_name": "hook",
            "agent_id": "vendas",
            "conversation_id": "c7",
            "params": { "title": "Reunião" },
            "test_mode": test_mode
        });
        let answer = owner.post(200, "/tools/execute-for-agent", call).await;
        let wanted = json!({
            "tool": "hook",
            "execution_id": answer["execution_id"],
            "agent_id": vendas,
            "conversation_id": "c7",
            "params": { "title": "Reunião" },
            "test_mode": test_mode
        });
        assert_eq!(sent(), wanted);
        let row = owner.get(&format!("/executions/{}", answer["execution_id"].as_str().unwrap())).await;
        assert_eq!(row["test_mode"], test_mode, "the history marks what was a test");
        assert_eq!(owner.get("/executions").await["data"][0]["test_mode"], test_mode);
    }
    let answer = owner.post(200, &path, json!({ "params": { "title": "x" } })).await;
    let wanted = json!({
        "tool": "hook",
        "execution_id": answer["execution_id"],
        "agent_id": null,
        "conversation_id": null,
        "params": { "title": "x" },
        "test_mode": false
    });
    assert_eq!(sent(), wanted, "by hand, the same fields");
    assert_eq!(upstream.asked()[2].headers["content-type"], "application/json");
}

#[tokio::test]
async fn t15_a_get_has_its_arguments_in_the_query() {
    let (_app, owner) = workshop().await;
    let upstream = Upstream::start(|_| json_answer(json!([]))).await;
    let mut body = webhook_tool("look", &format!("{}?kept=1", upstream.url));
    body["webhook_method"] = json!("GET");
    let tool = owner.post(201, "/tools", body).await;
    let path = format!("/tools/{}/execute", tool["id"].as_str().unwrap());
    owner.post(200, &path, json!({ "params": { "title": "pão & leite" } })).await;
    let asked = upstream.asked().remove(0);
    assert_eq!(asked.query, "kept=1&title=p%C3%A3o+%26+leite");
    assert!(asked.body.is_empty() && asked.headers.contains_key("webhook-signature"));
}

#[tokio::test]
async fn t15_what_an_upstream_can_do_wrong_is_an_error_of_the_tool() {
    let (_app, owner) = workshop().await;
    let upstream = Upstream::start(|count| match count {
        1 => (axum::http::StatusCode::FOUND, [("location", "http://127.0.0.1:1/")]).into_response(),
        2 => (axum::http::StatusCode::INTERNAL_SERVER_ERROR, "boom").into_response(),
        3 => vec![0xff_u8, 0xfe].into_response(),
        4 => "x".repeat(300_000).into_response(),
        _ => "not json".into_response(),
    })
    .await;
    let tool = owner.post(201, "/tools", webhook_tool("hook", &upstream.url)).await;
    let path = format!("/tools/{}/execute", tool["id"].as_str().unwrap());
    let mut answers = Vec::new();
    for _ in 0..5 {
        answers.push(owner.post(200, &path, json!({ "params": { "title": "x" } })).await);
    }
    assert_eq!((&answers[0]["success"], &answers[0]["error_code"]), (&json!(false), &json!("redirected")));
    assert_eq!((&answers[1]["success"], &answers[1]["result"]), (&json!(false), &json!("boom")));
    let unreadable = json!("\u{fffd}\u{fffd}");
    assert_eq!((&answers[2]["success"], &answers[2]["result"]), (&json!(true), &unreadable));
    let row = owner.get(&format!("/executions/{}", answers[2]["execution_id"].as_str().unwrap())).await;
    assert_eq!((&row["status"], &row["output_result"]), (&json!("success"), &unreadable), "as it is kept");
    assert_eq!((&answers[3]["success"], &answers[3]["truncated"]), (&json!(true), &json!(true)));
    assert!(answers[3]["result"].as_str().unwrap().len() <= 102_400);
    assert_eq!(answers[4]["result"], "not json");
    assert_eq!(upstream.asked().len(), 5, "what is not idempotent is not retried");
    let tool = owner.get(&format!("/tools/{}", tool["id"].as_str().unwrap())).await;
    assert_eq!((&tool["execution_count"], &tool["error_count"]), (&json!(5), &json!(2)));
}

/// A webhook tool at that address: the path that runs it.
async fn tool_at(owner: &Backend, upstream: &Upstream, more: Value) -> String {
    let mut body = webhook_tool("hook", &upstream.url);
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    format!("/tools/{}/execute", id(&owner.post(201, "/tools", body).await))
}

/// A call that has to come to an end, whatever the upstream does.
async fn ended(owner: &Backend, path: &str) -> Value {
    let call = owner.post(200, path, json!({ "params": { "title": "x" } }));
    tokio::time::timeout(Duration::from_secs(60), call).await.expect("the call ends")
}

/// Begins an answer like this, and hangs up in the middle of it.
fn broken_off(beginning: &'static str) -> Response {
    let rest = stream::once(async {
        // By now the beginning is on its way.
        tokio::task::yield_now().await;
        Err::<&str, _>(io::Error::other("hung up"))
    });
    Body::from_stream(stream::iter([Ok(beginning)]).chain(rest)).into_response()
}

#[tokio::test]
async fn t15_an_answer_that_breaks_off_is_no_result() {
    let (_app, owner) = workshop().await;
    let upstream =
        Upstream::start(|count| broken_off(if count == 1 { "" } else { "{\"scheduled\": " })).await;
    let path = tool_at(&owner, &upstream, json!({})).await;
    for number in 1..=2 {
        let answer = ended(&owner, &path).await;
        assert_eq!(
            (&answer["status"], &answer["error_code"]),
            (&json!("error"), &json!("closed_early")),
            "{answer}"
        );
        assert_eq!(
            (&answer["success"], &answer["truncated"], &answer["result"]),
            (&json!(false), &json!(false), &Value::Null),
            "a half is not shown as if it were the beginning of something long"
        );
        assert_eq!(upstream.asked().len(), number, "it may have had its effect: no second attempt");
    }
}

/// A byte now and then: something always comes, and the answer never ends.
fn dripping() -> Response {
    let drops = stream::unfold((), |()| async {
        tokio::time::sleep(Duration::from_millis(20)).await;
        Some((Ok::<_, Infallible>("x"), ()))
    });
    Body::from_stream(drops).into_response()
}

#[tokio::test]
async fn x4_an_answer_that_drips_ends_at_the_tool_s_deadline() {
    let (_app, owner) = workshop().await;
    let upstream = Upstream::start(|_| dripping()).await;
    let path = tool_at(&owner, &upstream, json!({ "timeout_ms": 3_000 })).await;
    let late = ended(&owner, &path).await;
    assert_eq!((&late["status"], &late["error_code"]), (&json!("error"), &json!("timed_out")), "{late}");
    assert_eq!((&late["truncated"], &late["result"]), (&json!(false), &Value::Null));
    let took = late["execution_time_ms"].as_i64().unwrap();
    assert!((2_900..15_000).contains(&took), "the whole call has this time, not each byte: {took} ms");
    assert_eq!(upstream.asked().len(), 1);
}

/// As fast as it goes, without end; `poured` counts the bytes, and is held for as long as somebody listens.
fn endless(poured: Arc<AtomicUsize>) -> Response {
    const PIECE: &[u8] = &[b'x'; 16 * 1024];
    let pieces = stream::repeat_with(move || {
        poured.fetch_add(PIECE.len(), Ordering::SeqCst);
        Ok::<_, Infallible>(PIECE)
    });
    Body::from_stream(pieces).into_response()
}

#[tokio::test]
async fn x6_an_answer_without_end_is_read_up_to_the_cap() {
    let (_app, owner) = workshop().await;
    let poured = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&poured);
    let upstream = Upstream::start(move |_| endless(Arc::clone(&counted))).await;
    let path = tool_at(&owner, &upstream, json!({})).await;
    let answer = ended(&owner, &path).await;
    assert_eq!((&answer["status"], &answer["truncated"]), (&json!("success"), &json!(true)), "{answer:.200}");
    assert_eq!(answer["result"].as_str().unwrap().len(), 102_400);
    // One is ours, one is the upstream's: the connection, which had the third, is gone.
    until("hung up", || async { (Arc::strong_count(&poured) == 2).then_some(()) }).await;
    let poured = poured.load(Ordering::SeqCst);
    assert!(poured < 20_000_000, "what is in the buffers of two sockets, and no more: {poured}");
}

#[tokio::test]
async fn t15_an_address_that_fails_again_and_again_is_left_alone() {
    let (app, owner) = workshop().await;
    let upstream = Upstream::start(|_| StatusCode::INTERNAL_SERVER_ERROR.into_response()).await;
    let path = tool_at(&owner, &upstream, json!({})).await;
    for _ in 0..5 {
        assert_eq!(ended(&owner, &path).await["error_code"], "upstream_error");
    }
    let spared = ended(&owner, &path).await;
    assert_eq!(
        (&spared["status"], &spared["error_code"]),
        (&json!("error"), &json!("circuit_open")),
        "{spared}"
    );
    assert!(spared["error_message"].as_str().unwrap().contains("failed repeatedly"), "{spared}");
    assert_eq!(upstream.asked().len(), 5, "it was not asked");
    let row = owner.get(&format!("/executions/{}", spared["execution_id"].as_str().unwrap())).await;
    assert_eq!((&row["error_code"], row.get("attempts")), (&json!("circuit_open"), None), "{row}");
    app.tenant("Outra", "outra").await;
    let stranger = app.backend("outra", TenantRole::Owner).await;
    let theirs = tool_at(&stranger, &upstream, json!({})).await;
    let answer = ended(&stranger, &theirs).await;
    assert_eq!(answer["error_code"], "upstream_error", "nobody is shut out by another organisation's calls");
    assert_eq!(upstream.asked().len(), 6);
}

/// S16: what is secret among the arguments, or by its name, is not kept because somebody sends it back.
#[tokio::test]
async fn s16_a_secret_that_comes_back_is_masked() {
    let (app, owner) = workshop().await;
    let upstream = Upstream::start(|count| match count {
        1 => json_answer(json!({ "said": "you sent canary-1", "accessToken": "canary-2", "n": 1 })),
        2 => (axum::http::StatusCode::BAD_REQUEST, "canary-1 is wrong").into_response(),
        _ => {
            let rest = "x".repeat(300_000);
            format!("{{\"clientSecret\": \"canary-2\", \"rest\": \"{rest}\"}}").into_response()
        }
    })
    .await;
    let tool = owner.post(201, "/tools", webhook_tool("hook", &upstream.url)).await;
    let path = format!("/tools/{}/execute", tool["id"].as_str().unwrap());
    let params = json!({ "params": { "title": "x", "senha": "canary-1" } });
    let first = owner.post(200, &path, params.clone()).await;
    assert_eq!(first["result"], json!({ "said": "you sent ***", "accessToken": "***", "n": 1 }));
    assert_eq!(owner.post(200, &path, params.clone()).await["result"], "*** is wrong");
    let cut = owner.post(200, &path, params).await;
    assert_eq!(cut["truncated"], true);
    assert!(cut["result"].as_str().unwrap().starts_with("{\"clientSecret\": \"***\", \"rest\": \"xxx"));
    let leaked = "SELECT count(*) FROM executions WHERE coalesce(result, '') || coalesce(error_message, '') \
        || coalesce(log, '') || params LIKE '%canary%'";
    assert_eq!(app.count(leaked).await, 0);
}

#[tokio::test]
async fn s16_what_a_tool_sends_along_is_masked_when_it_comes_back() {
    let (app, owner) = workshop().await;
    let upstream = Upstream::start(|count| match count {
        1 => json_answer(
            json!({ "you": ["c4n4ry-header", "Bearer c4n4ry-header", "c4n4ry-0123456789", "c4n4ry-url"],
            "product": "production" }),
        ),
        _ => (axum::http::StatusCode::UNAUTHORIZED, "no such key: c4n4ry-url").into_response(),
    })
    .await;
    let mut tool = webhook_tool("hook", &format!("{}?token=c4n4ry-url", upstream.url));
    tool["webhook_headers"] = json!({ "authorization": "Bearer c4n4ry-header", "x-partner": "c4n4ry-0123456789",
        "x-env": "prod" });
    let tool = owner.post(201, "/tools", tool).await;
    let path = format!("/tools/{}/execute", tool["id"].as_str().unwrap());
    let params = json!({ "params": { "title": "x" } });
    let first = owner.post(200, &path, params.clone()).await;
    let masked = json!({ "you": ["***", "***", "***", "***"], "product": "production" });
    assert_eq!(first["result"], masked, "and ordinary words stay");
    assert_eq!(owner.post(200, &path, params).await["result"], "no such key: ***");
    let leaked = "SELECT count(*) FROM executions WHERE coalesce(result, '') || coalesce(error_message, '') \
        LIKE '%c4n4ry%'";
    assert_eq!(app.count(leaked).await, 0);
    assert!(!owner.get("/executions").await.to_string().contains("c4n4ry"));
}

#[tokio::test]
async fn t15_an_idempotent_tool_is_retried_with_the_same_id() {
    let (_app, owner) = workshop().await;
    let upstream = Upstream::start(|count| match count {
        1 => axum::http::StatusCode::SERVICE_UNAVAILABLE.into_response(),
        _ => json_answer(json!("done")),
    })
    .await;
    let mut body = webhook_tool("hook", &upstream.url);
    body["idempotent"] = json!(true);
    let tool = owner.post(201, "/tools", body).await;
    let path = format!("/tools/{}/execute", tool["id"].as_str().unwrap());
    let answer = owner.post(200, &path, json!({ "params": { "title": "x" } })).await;
    assert_eq!(answer["result"], "done");
    let ids: Vec<_> = upstream.asked().iter().map(|asked| asked.headers["webhook-id"].clone()).collect();
    assert_eq!(ids.len(), 2);
    assert_eq!(ids[0], ids[1]);
    let row = owner.get(&format!("/executions/{}", answer["execution_id"].as_str().unwrap())).await;
    assert_eq!(row["log"], json!(["HTTP 200 after 2 attempts"]), "the history tells");
}
