//! T17: how often tools are called, by tool, by agent and by the whole organisation.

mod shared;

use crate::{
    app::TestApp,
    workshop::{Backend, TENANT, Upstream, agent, id, json_answer, pending, webhook_tool, workshop},
};
use axum::response::IntoResponse;
use domain::TenantRole;
use reqwest::{Method, Response};
use serde_json::{Value, json};
use std::sync::Arc;
use time::format_description::well_known::Rfc3339;
use tokio::sync::Notify;

fn times(limit: u32) -> Value {
    json!({ "limit": limit, "window_seconds": 3600 })
}

async fn call(owner: &Backend, agent: &str) -> Response {
    owner.call("createTask", agent, json!({ "title": "x" })).await
}

/// Whose limit it was.
async fn exceeded(answer: Response) -> String {
    let wait: u64 = answer.headers()["retry-after"].to_str().unwrap().parse().unwrap();
    assert!((1..=3600).contains(&wait), "{wait}");
    let status = answer.status().as_u16();
    let body: Value = answer.json().await.unwrap();
    assert_eq!((status, &body["code"]), (429, &json!("rate_limited")), "{body}");
    let whose = body["exceeded"].as_str().unwrap().to_owned();
    let named = if whose == "tenant" { "organisation" } else { &whose };
    assert!(body["detail"].as_str().unwrap().contains(named), "{body}");
    whose
}

async fn tasks(app: &TestApp) -> i64 {
    app.count("SELECT count(*) FROM tasks").await
}

#[tokio::test]
async fn t17_an_agent_calls_as_often_as_its_limit_says() {
    let (app, owner) = workshop().await;
    for slug in ["vendas", "suporte"] {
        agent(&owner, slug, &["createTask", "searchProducts"], "never").await;
    }
    let set = owner.patch("/agents/vendas", json!({ "rate_limit": times(2) })).await;
    assert_eq!(set["rate_limit"], times(2));
    assert_eq!(owner.get("/agents/vendas").await["rate_limit"], times(2));
    assert_eq!(call(&owner, "vendas").await.status(), 200);
    let other_tool = owner.call("searchProducts", "vendas", json!({ "query": "x" })).await;
    assert_eq!(other_tool.status(), 200, "all its tools together");
    assert_eq!(exceeded(call(&owner, "vendas").await).await, "agent");
    assert_eq!(call(&owner, "suporte").await.status(), 200, "another agent has its own");
    assert_eq!(tasks(&app).await, 2);
    let made = json!({ "name": "Caixa", "rate_limit": times(1), "allowed_tools": ["createTask"], "tool_confirmation_mode": "never" });
    assert_eq!(owner.post(201, "/agents", made).await["rate_limit"], times(1));
    assert_eq!(call(&owner, "caixa").await.status(), 200);
    assert_eq!(exceeded(call(&owner, "caixa").await).await, "agent");
    let audited =
        "SELECT count(*) FROM audit_entries WHERE action = 'agent.update' AND after LIKE '%\"limit\":2%'";
    assert_eq!(app.count(audited).await, 1);
}

#[tokio::test]
async fn t17_a_tenant_calls_as_often_as_its_limit_says() {
    let (app, owner) = workshop().await;
    for slug in ["vendas", "suporte"] {
        agent(&owner, slug, &["createTask"], "never").await;
    }
    assert_eq!(owner.get("/settings/limits").await["rate_limit"], json!(null));
    let set = owner.put("/settings/limits", json!({ "rate_limit": times(2) })).await;
    assert_eq!(set["rate_limit"], times(2));
    let replica = app.replica().await.backend_of(owner.key.clone());
    assert_eq!(replica.get("/settings/limits").await, set, "known at once in every process");
    assert_eq!(call(&owner, "vendas").await.status(), 200);
    assert_eq!(call(&owner, "suporte").await.status(), 200);
    assert_eq!(exceeded(call(&owner, "vendas").await).await, "tenant");
    let tool = id(&owner.get("/tools?q=createTask").await["data"][0]);
    let by_hand = json!({ "params": { "title": "x" } });
    let path = format!("/tools/{tool}/execute");
    assert_eq!(exceeded(owner.send(Method::POST, &path, Some(by_hand.clone())).await).await, "tenant");
    app.tenant("Outra", "outra").await;
    let stranger = app.backend("outra", TenantRole::Owner).await;
    assert_eq!(stranger.get("/settings/limits").await["rate_limit"], json!(null));
    let theirs = id(&stranger.get("/tools?q=createTask").await["data"][0]);
    stranger.post(200, &format!("/tools/{theirs}/execute"), by_hand).await;
    assert_eq!(owner.put("/settings/limits", json!({})).await, set, "what is absent stays");
    assert_eq!(owner.put("/settings/limits", json!({ "rate_limit": null })).await["rate_limit"], json!(null));
    assert_eq!(call(&owner, "vendas").await.status(), 200);
    assert_eq!(app.count("SELECT count(*) FROM audit_entries WHERE action = 'limits.update'").await, 3);
}

/// A call that one limit refuses uses up none of the others.
#[tokio::test]
async fn t17_the_tightest_limit_decides_and_the_others_are_not_charged() {
    let (app, owner) = workshop().await;
    agent(&owner, "vendas", &["createTask"], "never").await;
    let tool = id(&owner.get("/tools?q=createTask").await["data"][0]);
    owner.put(&format!("/tools/{tool}"), json!({ "rate_limit": times(1) })).await;
    owner.patch("/agents/vendas", json!({ "rate_limit": times(2) })).await;
    owner.put("/settings/limits", json!({ "rate_limit": times(3) })).await;
    assert_eq!(call(&owner, "vendas").await.status(), 200);
    for _ in 0..5 {
        assert_eq!(exceeded(call(&owner, "vendas").await).await, "tool");
    }
    let wide = json!({ "rate_limit": { "limit": 1000, "window_seconds": 1 } });
    owner.put(&format!("/tools/{tool}"), wide.clone()).await;
    assert_eq!(call(&owner, "vendas").await.status(), 200);
    assert_eq!(exceeded(call(&owner, "vendas").await).await, "agent");
    owner.patch("/agents/vendas", wide).await;
    assert_eq!(call(&owner, "vendas").await.status(), 200);
    assert_eq!(exceeded(call(&owner, "vendas").await).await, "tenant");
    assert_eq!(tasks(&app).await, 3);
}

#[tokio::test]
async fn t17_a_rate_out_of_bounds_changes_nothing() {
    let (app, owner) = workshop().await;
    agent(&owner, "vendas", &[], "never").await;
    let path = "/settings/limits";
    let manager = app.backend(TENANT, TenantRole::Manager).await;
    assert_eq!(manager.put(path, json!({ "rate_limit": times(9) })).await["rate_limit"], times(9));
    for (method, path) in [(Method::PUT, path), (Method::PATCH, "/agents/vendas")] {
        for (field, limit) in [
            ("rate_limit.limit", json!({ "limit": 0, "window_seconds": 1 })),
            ("rate_limit.limit", json!({ "limit": 1_000_001, "window_seconds": 1 })),
            ("rate_limit.window_seconds", json!({ "limit": 1, "window_seconds": 0 })),
            ("rate_limit.window_seconds", json!({ "limit": 1, "window_seconds": 86_401 })),
        ] {
            let found = owner.invalid(method.clone(), path, json!({ "rate_limit": limit })).await;
            assert_eq!(found, [(field.to_owned(), "invalid".to_owned())], "{path}");
        }
    }
    assert_eq!(owner.get(path).await["rate_limit"], times(9), "nothing was half done");
}

#[tokio::test]
async fn t17_the_other_limits_have_a_usual_value_and_bounds() {
    let (app, owner) = workshop().await;
    let path = "/settings/limits";
    let usual = json!({
        "rate_limit": null,
        "confirmation_lifetime_seconds": 3600,
        "concurrent_calls_per_tool": 64,
        "concurrent_calls_per_tenant": 128,
    });
    assert_eq!(owner.get(path).await, usual);
    for (field, least, most) in [
        ("confirmation_lifetime_seconds", 60, 604_800),
        ("concurrent_calls_per_tool", 1, 100),
        ("concurrent_calls_per_tenant", 1, 200),
    ] {
        for wrong in [least - 1, most + 1] {
            let found = owner.invalid(Method::PUT, path, json!({ field: wrong })).await;
            assert_eq!(found, [(field.to_owned(), "invalid".to_owned())], "{wrong}");
        }
        for right in [least, most] {
            assert_eq!(owner.put(path, json!({ field: right })).await[field], right);
        }
    }
    let usual_again = json!({
        "confirmation_lifetime_seconds": null,
        "concurrent_calls_per_tool": null,
        "concurrent_calls_per_tenant": null,
    });
    assert_eq!(owner.put(path, usual_again).await, usual);
    let stored = r#"{"concurrent_calls_per_tool":5000,"concurrent_calls_per_tenant":5000}"#;
    app.change(&format!("UPDATE tenant_limits SET definition = '{stored}'")).await;
    let shown = owner.get(path).await;
    assert_eq!(
        (&shown["concurrent_calls_per_tool"], &shown["concurrent_calls_per_tenant"]),
        (&json!(100), &json!(200)),
        "the operator has lowered it since"
    );
}

#[tokio::test]
async fn b2_a_question_lives_as_long_as_the_tenant_says() {
    let (_app, owner) = workshop().await;
    agent(&owner, "vendas", &["createTask"], "always").await;
    for seconds in [60, 604_800] {
        owner.put("/settings/limits", json!({ "confirmation_lifetime_seconds": seconds })).await;
        let before = time::OffsetDateTime::now_utc();
        let asked = pending(&owner, "createTask", "vendas", json!({ "title": "x" })).await;
        let until = asked["expires_at"].as_str().unwrap();
        let until = time::OffsetDateTime::parse(until, &Rfc3339).unwrap();
        let lifetime = (until - before).whole_seconds();
        assert!((seconds - 1..seconds + 30).contains(&lifetime), "{lifetime}");
    }
}

/// One call holds the only room; a second is refused, and let in as soon as the limit is raised.
#[tokio::test]
async fn t17_so_many_calls_at_once_and_no_more() {
    let (_app, owner) = workshop().await;
    let hold = Arc::new(Notify::new());
    let held = Arc::clone(&hold);
    let upstream = Upstream::start(move |count| match count {
        1 => {
            let held = Arc::clone(&held);
            let late = async move {
                held.notified().await;
                Ok::<_, std::convert::Infallible>("1")
            };
            axum::body::Body::from_stream(futures::stream::once(late)).into_response()
        }
        _ => json_answer(json!(2)),
    })
    .await;
    let hook = id(&owner.post(201, "/tools", webhook_tool("hook", &upstream.url)).await);
    owner.put("/settings/limits", json!({ "concurrent_calls_per_tool": 1 })).await;
    let path = format!("/tools/{hook}/execute");
    let call = || owner.send(Method::POST, &path, Some(json!({ "params": { "title": "x" } })));
    let go_on = async {
        upstream.until_asked(1).await;
        let refused = call().await;
        assert_eq!(refused.headers()["retry-after"], "1");
        assert_eq!(crate::app::problem(refused).await, (429, "rate_limited".to_owned()));
        owner.put("/settings/limits", json!({ "concurrent_calls_per_tool": 2 })).await;
        assert_eq!(call().await.status(), 200);
        hold.notify_one();
    };
    let (first, ()) = tokio::join!(call(), go_on);
    assert_eq!(first.status(), 200);
    assert_eq!(upstream.asked().len(), 2);
}

/// Two calls hold all the room that their organisation has: a third waits for it, and is refused in the end. Whoever
/// calls in another organisation does not notice.
#[tokio::test]
async fn t17_an_organisation_that_fills_its_room_holds_up_no_other() {
    let (app, owner) = workshop().await;
    app.tenant("Outra", "outra").await;
    let other = app.backend("outra", TenantRole::Owner).await;
    let (slow, gate) = Upstream::held().await;
    let fast = Upstream::start(|_| json_answer(json!({ "ok": true }))).await;
    // Of two tools: what is full is the room of the organisation, and not that of a tool.
    let one = id(&owner.post(201, "/tools", webhook_tool("um", &slow.url)).await);
    let two = id(&owner.post(201, "/tools", webhook_tool("dois", &slow.url)).await);
    let theirs = id(&other.post(201, "/tools", webhook_tool("um", &fast.url)).await);
    owner.put("/settings/limits", json!({ "concurrent_calls_per_tenant": 2 })).await;
    let call = |backend: &Backend, tool: &str| {
        let (backend, path) = (backend.clone(), format!("/tools/{tool}/execute"));
        let body = Some(json!({ "params": { "title": "x" } }));
        tokio::spawn(async move { backend.send(Method::POST, &path, body).await })
    };
    let held = [call(&owner, &one), call(&owner, &two)];
    slow.until_asked(2).await;
    let third = call(&owner, &one);
    let answer: Value = call(&other, &theirs).await.unwrap().json().await.unwrap();
    assert_eq!((&answer["success"], &answer["result"]), (&json!(true), &json!({ "ok": true })), "{answer}");
    assert!(!third.is_finished(), "the other was answered while this one waits");
    let refused = third.await.unwrap();
    assert_eq!(refused.headers()["retry-after"], "1");
    assert_eq!(crate::app::problem(refused).await, (429, "rate_limited".to_owned()));
    assert_eq!(slow.asked().len(), 2, "it never left");
    let fourth = call(&owner, &two);
    gate.add_permits(3);
    for call in held.into_iter().chain([fourth]) {
        let answer: Value = call.await.unwrap().json().await.unwrap();
        assert_eq!(answer["success"], true, "there is room again: {answer}");
    }
    assert_eq!(slow.asked().len(), 3);
}
