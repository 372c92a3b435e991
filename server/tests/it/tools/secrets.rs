//! S16: what a tool keeps to itself is used, and never shown.

use super::with;
use crate::{
    app::TestApp,
    workshop::{Asked, Backend, TENANT, Upstream, id, json_answer, webhook_tool, workshop},
};
use domain::TenantRole;
use egress::signature::Secret;
use reqwest::Method;
use serde_json::{Value, json};

const CANARY: &str = "Bearer c4n4ry";

/// Everything that is kept about tools, as text.
pub(super) async fn kept(app: &TestApp) -> String {
    use sea_orm::{ConnectionTrait, Statement};
    let sql = app.sql().await;
    let mut text = String::new();
    for query in [
        "SELECT definition FROM tools",
        "SELECT definition || coalesce(note, '') FROM tool_versions",
        "SELECT coalesce(before, '') || coalesce(after, '') || coalesce(reason, '') FROM audit_entries",
    ] {
        let query = Statement::from_string(sql.get_database_backend(), query);
        for row in sql.query_all_raw(query).await.unwrap() {
            text.push_str(&row.try_get_by_index::<String>(0).unwrap());
        }
    }
    for table in ["tools", "tool_versions"] {
        let sealed = format!("SELECT secrets FROM {table} WHERE secrets IS NOT NULL");
        let sealed = Statement::from_string(sql.get_database_backend(), sealed);
        for row in sql.query_all_raw(sealed).await.unwrap() {
            text.push_str(&String::from_utf8_lossy(&row.try_get_by_index::<Vec<u8>>(0).unwrap()));
        }
    }
    sql.close().await.unwrap();
    text
}

fn is_signed_by(asked: &Asked, secret: &str) -> bool {
    let header = |name: &str| asked.headers[name].to_str().unwrap();
    let (id, at) = (header("webhook-id"), header("webhook-timestamp").parse().unwrap());
    let secret = Secret::parse(secret).unwrap();
    egress::signature::verify(&[&secret], id, at, header("webhook-signature"), &asked.body, at).is_ok()
}

#[tokio::test]
async fn s16_headers_are_sent_and_never_shown() {
    let (app, owner) = workshop().await;
    let upstream = Upstream::start(|_| json_answer(json!(1))).await;
    let mut body = webhook_tool("hook", &upstream.url);
    body["webhook_headers"] = json!({ "Authorization": CANARY, "X-Place": "padaria" });
    let made = owner.post(201, "/tools", body).await;
    let shown = json!({ "authorization": "***", "x-place": "***" });
    assert_eq!(made["webhook_headers"], shown);
    let path = format!("/tools/{}", id(&made));
    let run = format!("{path}/execute");
    let headers = |n: usize| upstream.asked()[n].headers.clone();
    owner.post(200, &run, json!({ "params": { "title": "x" } })).await;
    assert_eq!(
        (&headers(0)["authorization"], &headers(0)["x-place"]),
        (&CANARY.parse().unwrap(), &"padaria".parse().unwrap())
    );
    let kept_one = json!({ "webhook_headers": { "authorization": "***", "x-place": "mercado" } });
    assert_eq!(owner.put(&path, kept_one).await["webhook_headers"], shown);
    owner.post(200, &run, json!({ "params": { "title": "x" } })).await;
    assert_eq!(
        (&headers(1)["authorization"], &headers(1)["x-place"]),
        (&CANARY.parse().unwrap(), &"mercado".parse().unwrap())
    );
    owner.put(&path, json!({ "description": "x" })).await;
    owner.post(200, &run, json!({ "params": { "title": "x" } })).await;
    assert_eq!(&headers(2)["authorization"], CANARY, "what is absent stays");
    let versions = owner.get(&format!("{path}/versions")).await.to_string();
    let everything = kept(&app).await;
    for text in [&versions, &everything, &owner.get("/executions").await.to_string()] {
        assert!(!text.contains("c4n4ry"), "{text}");
    }
    assert!(everything.contains("x-place"), "the dump has the rows");
    let version = owner.get(&path).await["version"].clone();
    let same =
        owner.put(&path, json!({ "webhook_headers": { "Authorization": "***", "x-place": "***" } })).await;
    assert_eq!(same["version"], version, "sent back as it was shown: nothing changed");
    for (method, path, body) in [
        (Method::PUT, path.as_str(), json!({ "webhook_headers": { "x-new": "***" } })),
        (Method::POST, "/tools", with("webhook_headers", json!({ "x-new": "***" }))),
    ] {
        let found = owner.invalid(method, path, body).await;
        assert_eq!(found, [("webhook_headers.x-new".to_owned(), "invalid".to_owned())], "there is no value");
    }
    let twice = with("webhook_headers", json!({ "X-New": "1", "x-new": "2" }));
    let found = owner.invalid(Method::POST, "/tools", twice).await;
    assert_eq!(found, [("webhook_headers.x-new".to_owned(), "invalid".to_owned())], "neither is dropped");
    owner.put(&path, json!({ "webhook_headers": {} })).await;
    owner.post(200, &run, json!({ "params": { "title": "x" } })).await;
    assert!(!headers(3).contains_key("authorization"));
    let restored = owner.expect(200, Method::POST, &format!("{path}/versions/1/restore"), None).await;
    assert_eq!(restored["webhook_headers"], shown);
    owner.post(200, &run, json!({ "params": { "title": "x" } })).await;
    assert_eq!(
        (&headers(4)["authorization"], &headers(4)["x-place"]),
        (&CANARY.parse().unwrap(), &"padaria".parse().unwrap()),
        "as they were in version 1"
    );
}

/// The place that a version's call went to, and what it took there.
async fn sent(owner: &Backend, path: &str, upstream: &Upstream) -> Option<String> {
    owner.post(200, &format!("{path}/execute"), json!({ "params": { "title": "x" } })).await;
    let asked = upstream.asked().pop().unwrap();
    asked.headers.get("x-env").map(|value| value.to_str().unwrap().to_owned())
}

#[tokio::test]
async fn t4_a_version_comes_back_with_the_values_of_its_headers() {
    let (app, owner) = workshop().await;
    let (here, elsewhere) =
        (Upstream::start(|_| json_answer(json!(1))).await, Upstream::start(|_| json_answer(json!(1))).await);
    let mut body = webhook_tool("hook", &here.url);
    body["webhook_headers"] = json!({ "x-env": "one", "x-same": "s" });
    let made = owner.post(201, "/tools", body).await;
    let path = format!("/tools/{}", id(&made));
    owner.put(&path, json!({ "webhook_headers": { "x-env": "three", "x-same": "***" } })).await;
    owner.put(&path, json!({ "webhook_headers": {} })).await;
    let moved = json!({ "webhook_url": elsewhere.url, "webhook_headers": { "x-env": "there" } });
    owner.put(&path, moved).await;
    let versions = owner.get(&format!("{path}/versions")).await["data"].clone();
    let replaced = json!([{ "field": "webhook_headers.x-env", "before": "***", "after": "***" }]);
    assert_eq!(versions[2]["changes"], replaced, "that it changed, not what it is");
    assert_eq!(versions[1]["changes"].as_array().unwrap().len(), 2, "both went: {}", versions[1]["changes"]);
    assert!(!versions.to_string().contains("three"));
    let restore = |version: u8| {
        let path = format!("{path}/versions/{version}/restore");
        let owner = owner.clone();
        async move { owner.expect(200, Method::POST, &path, None).await }
    };
    assert_eq!(sent(&owner, &path, &elsewhere).await.as_deref(), Some("there"));
    assert_eq!(restore(1).await["webhook_headers"], json!({ "x-env": "***", "x-same": "***" }));
    assert_eq!(sent(&owner, &path, &here).await.as_deref(), Some("one"), "its address and its value");
    restore(2).await;
    assert_eq!(sent(&owner, &path, &here).await.as_deref(), Some("three"));
    assert_eq!(restore(3).await["webhook_headers"], json!({}));
    assert_eq!(sent(&owner, &path, &here).await, None);
    restore(4).await;
    assert_eq!(sent(&owner, &path, &elsewhere).await.as_deref(), Some("there"));
    let secret = made["webhook_secret"].as_str().unwrap();
    assert!(is_signed_by(&elsewhere.asked()[1], secret), "what signs stays");

    // Of before values were kept: nothing else is sent in their place.
    app.change("UPDATE tool_versions SET secrets = NULL WHERE version = 1").await;
    let old = format!("{path}/versions/1/restore");
    let found = owner.expect(422, Method::POST, &old, None).await["errors"][0].clone();
    assert_eq!((&found["field"], &found["code"]), (&json!("webhook_headers"), &json!("needed_anew")));
    assert!(found["message"].as_str().unwrap().contains("x-env, x-same"), "{found}");
    owner.expect(204, Method::DELETE, &path, None).await;
    assert_eq!(app.count("SELECT count(*) FROM tool_versions WHERE secrets IS NOT NULL").await, 0);
}

/// Whoever may change the address of a tool does not get what was given for the old one.
#[tokio::test]
async fn s16_values_of_headers_do_not_follow_the_tool_to_another_origin() {
    let (app, owner) = workshop().await;
    let (here, elsewhere) =
        (Upstream::start(|_| json_answer(json!(1))).await, Upstream::start(|_| json_answer(json!(1))).await);
    let mut body = webhook_tool("hook", &here.url);
    body["webhook_headers"] = json!({ "authorization": CANARY, "x-place": "padaria" });
    let path = format!("/tools/{}", id(&owner.post(201, "/tools", body).await));
    let manager = app.backend(TENANT, TenantRole::Manager).await;
    let anew = [("webhook_headers".to_owned(), "needed_anew".to_owned())];
    let https = here.url.replace("http:", "https:");
    for url in [elsewhere.url.as_str(), https.as_str(), "https://example.org/steal"] {
        for headers in [
            None,
            Some(json!({ "authorization": "***", "x-place": "***" })),
            Some(json!({ "Authorization": "***", "x-place": "given" })),
        ] {
            let mut change = json!({ "webhook_url": url });
            if let Some(headers) = headers {
                change["webhook_headers"] = headers;
            }
            assert_eq!(manager.invalid(Method::PUT, &path, change).await, anew, "{url}");
        }
    }
    let told = manager.expect(422, Method::PUT, &path, Some(json!({ "webhook_url": elsewhere.url }))).await;
    let message = told["errors"][0]["message"].as_str().unwrap();
    assert!(message.contains("authorization, x-place") && message.contains("anew"), "{message}");

    let other_path = here.url.replace("/hook", "/other?x=1");
    assert_eq!(
        manager.put(&path, json!({ "webhook_url": other_path })).await["webhook_url"],
        json!(other_path)
    );
    let run = format!("{path}/execute");
    manager.post(200, &run, json!({ "params": { "title": "x" } })).await;
    assert_eq!(here.asked()[0].headers["authorization"], CANARY, "the same origin");

    let given = json!({ "webhook_url": elsewhere.url, "webhook_headers": { "x-place": "mercado" } });
    let moved = manager.put(&path, given).await;
    assert_eq!(moved["webhook_headers"], json!({ "x-place": "***" }));
    manager.post(200, &run, json!({ "params": { "title": "x" } })).await;
    let sent = elsewhere.asked().remove(0).headers;
    assert_eq!(sent["x-place"], "mercado");
    assert!(!sent.contains_key("authorization"));
    let bare = json!({ "webhook_url": here.url, "webhook_headers": {} });
    assert_eq!(manager.put(&path, bare).await["webhook_headers"], json!({}));
}

#[tokio::test]
async fn s16_a_form_that_moves_a_tool_asks_for_its_headers_anew() {
    let (_app, admin) = TestApp::with_admin().await;
    let body = [
        ("tool[name]", "agendar"),
        ("tool[description]", "Agenda"),
        ("tool[execution_type]", "webhook"),
        ("tool[webhook_url]", "https://hooks.example.org/x"),
        ("tool[webhook_headers]", "X-Equipe: balcao"),
    ];
    let id = admin.ask("create_tool", &body).await["id"].as_str().unwrap().to_owned();
    let change = |headers: &'static str| {
        [
            ("tool_id", id.as_str()),
            ("seen_version", "1"),
            ("tool[webhook_url]", "https://other.example.org/x"),
            ("tool[webhook_headers]", headers),
        ]
    };
    let answer = admin.call("update_tool", &change("x-equipe: ***")).await;
    assert_eq!(answer.status(), 422);
    let told: Value = answer.json().await.unwrap();
    assert_eq!(
        (&told["errors"][0]["field"], &told["errors"][0]["code"]),
        (&json!("webhook_headers"), &json!("needed_anew"))
    );
    assert_eq!(admin.ask("update_tool", &change("x-equipe: outra")).await["version"], 2);
}

#[tokio::test]
async fn s10_headers_that_are_the_product_s_own_are_refused() {
    let (_app, owner) = workshop().await;
    for name in [
        "Webhook-Signature",
        "webhook-id",
        "webhook-timestamp",
        "Idempotency-Key",
        "Alcada-Test-Mode",
        "Host",
        "Content-Length",
        "Content-Type",
        "Transfer-Encoding",
        "Connection",
        "a b",
        "",
        "a\r\nb",
    ] {
        let body = with("webhook_headers", json!({ name: "x" }));
        let found = owner.invalid(Method::POST, "/tools", body).await;
        assert_eq!(found[0].0, format!("webhook_headers.{name}"), "{name:?}");
    }
    for value in ["a\r\nx-other: b", "\u{0}", &"x".repeat(4_097)] {
        let body = with("webhook_headers", json!({ "x-a": value }));
        assert_eq!(owner.invalid(Method::POST, "/tools", body).await[0].0, "webhook_headers.x-a");
    }
    let many: Value =
        (0..21).map(|n| (format!("x-{n}"), json!("1"))).collect::<serde_json::Map<_, _>>().into();
    assert_eq!(
        owner.invalid(Method::POST, "/tools", with("webhook_headers", many)).await[0].0,
        "webhook_headers"
    );
}

#[tokio::test]
async fn t15_after_a_rotation_two_secrets_sign_for_a_while() {
    let (app, owner) = workshop().await;
    let upstream = Upstream::start(|_| json_answer(json!(1))).await;
    let made = owner.post(201, "/tools", webhook_tool("hook", &upstream.url)).await;
    let path = format!("/tools/{}", id(&made));
    let first = made["webhook_secret"].as_str().unwrap().to_owned();
    let mut secrets = vec![first];
    for _ in 0..2 {
        let rotated = owner.expect(200, Method::POST, &format!("{path}/rotate-secret"), None).await;
        secrets.push(rotated["webhook_secret"].as_str().unwrap().to_owned());
    }
    owner.post(200, &format!("{path}/execute"), json!({ "params": { "title": "x" } })).await;
    let asked = upstream.asked().remove(0);
    let signed: Vec<bool> = secrets.iter().map(|secret| is_signed_by(&asked, secret)).collect();
    assert_eq!(signed, [false, true, true], "the newest two");
    assert!(owner.get(&path).await.get("webhook_secret").is_none());
    let everything = kept(&app).await;
    for secret in &secrets {
        assert!(!everything.contains(secret.trim_start_matches("whsec_")));
    }
}
