//! B3: the same request under the same key is one call, whoever is asked and whenever.

use crate::{
    app::problem,
    workshop::{Backend, TENANT, Upstream, agent, id, json_answer, webhook_tool, workshop},
};
use axum::{http::StatusCode, response::IntoResponse};
use domain::TenantRole;
use reqwest::{Method, Response};
use serde_json::{Value, json};
use std::collections::HashSet;

#[tokio::test]
async fn b3_the_same_request_twice_is_one_call() {
    let (app, owner) = workshop().await;
    agent(&owner, "vendas", &["createTask"], "never").await;
    let body = |title: &str| json!({ "tool_name": "createTask", "agent_id": "vendas", "params": { "title": title } });
    let send = |body: Value| {
        let owner = owner.clone();
        async move {
            owner
                .with_headers(
                    Method::POST,
                    "/tools/execute-for-agent",
                    Some(body),
                    &[("Idempotency-Key", "k1")],
                )
                .await
        }
    };
    let many = futures::future::join_all((0..20).map(|_| send(body("once")))).await;
    let mut replayed = 0;
    for answer in many {
        match answer.status().as_u16() {
            200 => replayed += usize::from(answer.headers().contains_key("idempotent-replayed")),
            409 => assert_eq!(problem(answer).await.1, "idempotency_in_progress"),
            other => panic!("{other}"),
        }
    }
    assert_eq!(app.count("SELECT count(*) FROM tasks").await, 1, "one effect");
    let again = send(body("once")).await;
    assert_eq!(again.headers()["idempotent-replayed"], "true");
    assert!(again.json::<Value>().await.unwrap()["success"].as_bool().unwrap());
    assert_eq!(problem(send(body("twice")).await).await, (422, "idempotency_mismatch".into()));
    assert!(replayed <= 19);
    let other_caller = app.backend(TENANT, TenantRole::Operator).await;
    let headers = [("Idempotency-Key", "k1")];
    let answer = other_caller
        .with_headers(Method::POST, "/tools/execute-for-agent", Some(body("theirs")), &headers)
        .await;
    assert_eq!(answer.status(), 200, "another caller's key is another key");
    for bad in ["", "a b", &"x".repeat(256)] {
        let headers = [("Idempotency-Key", bad)];
        let answer =
            owner.with_headers(Method::POST, "/tools/execute-for-agent", Some(body("x")), &headers).await;
        assert_eq!(problem(answer).await, (422, "validation_failed".into()), "{bad:?}");
    }
}

/// The same request comes again after an upgrade: the hash of a version before needs no key.
#[tokio::test]
async fn b3_a_key_of_an_earlier_version_still_means_its_request() {
    let (app, owner) = workshop().await;
    agent(&owner, "vendas", &["createTask"], "never").await;
    let body = |title: &str| json!({ "tool_name": "createTask", "agent_id": "vendas", "params": { "title": title } });
    let send = |title: &str| keyed(&owner, "/tools/execute-for-agent", "k1", body(title));
    assert_eq!(send("once").await.status(), 200);
    // SHA-256 of ["createTask","vendas",null,{"title":"once"},false]
    let hash = "1a23c077a0474bbdb574f57fcb2f0bc73070c4d3a2ac29f301987676085b49bd";
    app.change(&format!("UPDATE idempotency_keys SET request_hash = '{hash}'")).await;
    assert_eq!(send("once").await.headers()["idempotent-replayed"], "true");
    assert_eq!(problem(send("twice").await).await, (422, "idempotency_mismatch".into()));
}

/// A webhook tool, called by hand: the path that runs it.
async fn path_to(owner: &Backend, upstream: &Upstream) -> String {
    format!("/tools/{}/execute", id(&owner.post(201, "/tools", webhook_tool("hook", &upstream.url)).await))
}

async fn keyed(owner: &Backend, path: &str, key: &str, body: Value) -> Response {
    owner.with_headers(Method::POST, path, Some(body), &[("Idempotency-Key", key)]).await
}

/// Whether it is the answer of an earlier request, and the answer.
async fn called(owner: &Backend, path: &str, key: &str, title: &str) -> (bool, Value) {
    let answer = keyed(owner, path, key, json!({ "params": { "title": title } })).await;
    assert_eq!(answer.status(), 200);
    let is_replay = answer.headers().get("idempotent-replayed").is_some_and(|value| value == "true");
    (is_replay, answer.json().await.unwrap())
}

#[tokio::test]
async fn b3_a_call_by_hand_with_a_key_happens_once() {
    let (app, owner) = workshop().await;
    let upstream = Upstream::start(|count| json_answer(json!({ "call": count }))).await;
    let path = path_to(&owner, &upstream).await;
    let (is_replay, once) = called(&owner, &path, "k1", "a").await;
    assert_eq!((is_replay, &once["result"]), (false, &json!({ "call": 1 })));
    assert_eq!(called(&owner, &path, "k1", "a").await, (true, once), "the very same answer");
    let test = json!({ "params": { "title": "a" }, "test_mode": true });
    for other in [json!({ "params": { "title": "b" } }), test] {
        let refused = problem(keyed(&owner, &path, "k1", other.clone()).await).await;
        assert_eq!(refused, (422, "idempotency_mismatch".into()), "{other}");
    }
    assert_eq!(upstream.asked().len(), 1);
    assert_eq!(app.count("SELECT count(*) FROM executions").await, 1);
    let (is_replay, other) = called(&owner, &path, "k2", "a").await;
    assert_eq!((is_replay, &other["result"]), (false, &json!({ "call": 2 })), "another key is another call");
}

/// Whichever of two processes is asked, and both at once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s22_b3_the_same_request_at_two_processes_is_one_call() {
    let (app, owner) = workshop().await;
    agent(&owner, "vendas", &["createTask"], "never").await;
    let there = app.replica().await;
    let doors = [owner.clone(), there.backend_of(owner.key.clone())];
    let body = json!({ "tool_name": "createTask", "agent_id": "vendas", "params": { "title": "once" } });
    let send = |door: usize| keyed(&doors[door], "/tools/execute-for-agent", "k1", body.clone());
    let answers = futures::future::join_all((0..20_usize).map(|n| send(n % 2))).await;
    let (mut replays, mut calls) = (Vec::new(), HashSet::new());
    for answer in answers {
        match answer.status().as_u16() {
            200 => {
                replays.push(answer.headers().contains_key("idempotent-replayed"));
                calls.insert(answer.json::<Value>().await.unwrap()["execution_id"].to_string());
            }
            409 => assert_eq!(problem(answer).await.1, "idempotency_in_progress"),
            other => panic!("{other}"),
        }
    }
    assert_eq!(replays.iter().filter(|is_replay| !**is_replay).count(), 1, "one of them made it");
    assert_eq!(calls.len(), 1, "and all others are told of that one");
    for table in ["tasks", "executions"] {
        assert_eq!(app.count(&format!("SELECT count(*) FROM {table}")).await, 1, "{table}: one effect");
    }
    for door in 0..doors.len() {
        assert_eq!(send(door).await.headers()["idempotent-replayed"], "true", "both know afterwards");
    }
}

/// It may have had its effect all the same: who asks again under the same key hears how it ended.
#[tokio::test]
async fn b3_a_call_that_failed_is_not_repeated_under_its_key() {
    let (_app, owner) = workshop().await;
    let upstream = Upstream::start(|count| match count {
        1 => (StatusCode::INTERNAL_SERVER_ERROR, "boom").into_response(),
        _ => json_answer(json!("done")),
    })
    .await;
    let path = path_to(&owner, &upstream).await;
    let (is_replay, failed) = called(&owner, &path, "k1", "a").await;
    assert_eq!(
        (is_replay, &failed["success"], &failed["error_code"]),
        (false, &json!(false), &json!("upstream_error"))
    );
    assert_eq!(called(&owner, &path, "k1", "a").await, (true, failed));
    assert_eq!(upstream.asked().len(), 1);
    let (is_replay, done) = called(&owner, &path, "k2", "a").await;
    assert_eq!((is_replay, &done["result"]), (false, &json!("done")), "who wants it again takes a new key");
}

#[tokio::test]
async fn b3_a_key_that_has_expired_is_free_again() {
    let (app, owner) = workshop().await;
    let upstream = Upstream::start(|count| json_answer(json!({ "call": count }))).await;
    let path = path_to(&owner, &upstream).await;
    let (_, once) = called(&owner, &path, "k1", "a").await;
    app.change("UPDATE idempotency_keys SET expires_at = 1").await;
    let (is_replay, anew) = called(&owner, &path, "k1", "a").await;
    assert_eq!((is_replay, &anew["result"]), (false, &json!({ "call": 2 })));
    assert_ne!(anew["execution_id"], once["execution_id"]);
    assert_eq!(called(&owner, &path, "k1", "a").await, (true, anew), "and taken for another day");
    app.change("UPDATE idempotency_keys SET expires_at = 1").await;
    let (is_replay, other) = called(&owner, &path, "k1", "b").await;
    assert_eq!((is_replay, &other["result"]), (false, &json!({ "call": 3 })), "with another body, too");
}

/// Whoever asks again before the first request has its answer is told to wait, and hears then how it ended.
#[tokio::test]
async fn b3_a_request_that_is_under_way_is_not_made_again() {
    let (_app, owner) = workshop().await;
    let (upstream, gate) = Upstream::held().await;
    let by_hand = path_to(&owner, &upstream).await;
    agent(&owner, "vendas", &["hook"], "never").await;
    let params = json!({ "title": "a" });
    let by_agent = json!({ "tool_name": "hook", "agent_id": "vendas", "params": params });
    let ways = [(by_hand.as_str(), json!({ "params": params })), ("/tools/execute-for-agent", by_agent)];
    for ((path, body), calls) in ways.into_iter().zip(1..) {
        let key = format!("k{calls}");
        let send = || keyed(&owner, path, &key, body.clone());
        let meanwhile = async {
            upstream.until_asked(calls).await;
            let refused = send().await;
            assert_eq!(refused.headers()["retry-after"], "1", "{path}");
            assert_eq!(problem(refused).await, (409, "idempotency_in_progress".into()), "{path}");
            gate.add_permits(1);
        };
        let (first, ()) = tokio::join!(send(), meanwhile);
        assert!(!first.headers().contains_key("idempotent-replayed"), "{path}");
        let first: Value = first.json().await.unwrap();
        assert_eq!(first["success"], true, "{path}: {first}");
        let replay = send().await;
        assert_eq!(replay.headers()["idempotent-replayed"], "true", "{path}");
        assert_eq!(replay.json::<Value>().await.unwrap(), first, "{path}: the very same answer");
        assert_eq!(upstream.asked().len(), calls, "{path}: one request");
    }
}
