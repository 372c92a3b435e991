//! Setting channels up: secrets, bad input, rights.

use crate::{
    app::{TestApp, problem},
    workshop::{TENANT, Upstream, json_answer, workshop},
};
use domain::TenantRole;
use reqwest::Method;
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};

fn email() -> Value {
    json!({ "host": "127.0.0.1", "security": "none", "username": "u", "password": "c4n4r10-mail", "from": "a@example.org" })
}

async fn dump(app: &TestApp) -> Vec<u8> {
    let sql = app.sql().await;
    let mut all = Vec::new();
    let texts = [
        ("channels", "definition"),
        ("audit_entries", "action || coalesce(before, '') || coalesce(after, '')"),
    ];
    for (table, expression) in texts {
        let query = format!("SELECT {expression} FROM {table}");
        for row in sql.query_all_raw(Statement::from_string(sql.get_database_backend(), query)).await.unwrap()
        {
            all.extend(row.try_get_by_index::<String>(0).unwrap().into_bytes());
        }
    }
    let query = Statement::from_string(sql.get_database_backend(), "SELECT secrets FROM channels");
    for row in sql.query_all_raw(query).await.unwrap() {
        all.extend(row.try_get_by_index::<Vec<u8>>(0).unwrap());
    }
    all
}

#[tokio::test]
async fn s16_the_secrets_of_channels_are_sealed_and_never_shown() {
    let (app, owner) = workshop().await;
    let made = owner.put_channel(201, "email", email()).await;
    assert_eq!(
        (&made["password"], &made["kind"], &made["port"]),
        (&json!("***"), &json!("email"), &json!(25))
    );
    let whatsapp = json!({ "phone_number_id": "123", "access_token": "c4n4r10-whatsapp" });
    let made = owner.put_channel(201, "whatsapp", whatsapp).await;
    assert_eq!(made["base_url"], "https://graph.facebook.com/v23.0");
    let hook = owner.put_channel(201, "webhook", json!({ "url": "https://example.org/hook" })).await;
    let secret = hook["webhook_secret"].as_str().unwrap().to_owned();
    let rotated = owner.expect(200, Method::POST, "/channels/webhook/rotate-secret", None).await;
    let second = rotated["webhook_secret"].as_str().unwrap().to_owned();
    assert_ne!(secret, second);
    let again = owner.put_channel(200, "webhook", json!({ "url": "https://example.org/other" })).await;
    assert!(again.get("webhook_secret").is_none(), "shown once");
    let shown = owner.get("/channels").await;
    assert_eq!(shown["data"].as_array().unwrap().len(), 3);
    let (everything, shown) = (dump(&app).await, shown.to_string());
    let inner = |secret: &str| secret.trim_start_matches("whsec_").to_owned();
    for canary in ["c4n4r10-mail", "c4n4r10-whatsapp", &inner(&secret), &inner(&second)] {
        assert!(!everything.windows(canary.len()).any(|bytes| bytes == canary.as_bytes()), "{canary}");
        assert!(!shown.contains(canary), "{canary}");
    }
    assert_eq!(app.count("SELECT count(*) FROM audit_entries WHERE subject_kind = 'channel'").await, 5);
    assert_eq!(
        owner.refused(Method::POST, "/channels/email/rotate-secret", None).await,
        (409, "conflict".into())
    );
    owner.send(Method::DELETE, "/channels/email", None).await;
    assert_eq!(owner.refused(Method::GET, "/channels/email", None).await, (404, "not_found".into()));
    assert_eq!(owner.refused(Method::DELETE, "/channels/email", None).await, (404, "not_found".into()));
}

/// Who may change a channel must not learn its secret by having it sent elsewhere.
#[tokio::test]
async fn s16_a_secret_in_the_address_of_a_channel_is_sealed_and_used() {
    let (app, owner) = workshop().await;
    let upstream = Upstream::start(|_| json_answer(json!(1))).await;
    let shown = format!("{}?token=***", upstream.url);
    for kind in ["webhook", "events"] {
        let made = owner.put_channel(201, kind, json!({ "url": shown.replace("***", "c4n4ry") })).await;
        assert_eq!(made["url"], json!(shown));
        assert_eq!(owner.put_channel(200, kind, json!({ "url": shown })).await["url"], json!(shown));
        let test = format!("/channels/{kind}/test");
        assert_eq!(owner.expect(200, Method::POST, &test, Some(json!({}))).await["success"], true);
        assert_eq!(upstream.asked().pop().unwrap().query, "token=c4n4ry", "sent back as shown, it stays");
        let body = json!({ "url": "https://example.org/?token=***" });
        let found = owner.invalid(Method::PUT, &format!("/channels/{kind}"), body).await;
        assert_eq!(found, [("url".to_owned(), "needed_anew".to_owned())], "it was not given for that place");
    }
    let (everything, listed) = (dump(&app).await, owner.get("/channels").await.to_string());
    assert!(!String::from_utf8_lossy(&everything).contains("c4n4ry") && !listed.contains("c4n4ry"));
}

#[tokio::test]
async fn s16_a_kept_secret_does_not_follow_to_another_place() {
    let (_app, owner) = workshop().await;
    let change = |field: &str, value: Value| {
        let mut body = email();
        body["password"] = json!("***");
        body[field] = value;
        body
    };
    assert_eq!(
        owner.refused(Method::PUT, "/channels/email", Some(change("from", json!("a@example.org")))).await,
        (422, "validation_failed".into()),
        "there is none to keep"
    );
    owner.put_channel(201, "email", email()).await;
    owner.put_channel(200, "email", change("from_name", json!("Loja"))).await;
    for (field, value) in [
        ("host", json!("127.0.0.2")),
        ("port", json!(2525)),
        ("username", json!("other")),
        ("security", json!("tls")),
    ] {
        let refused = owner.refused(Method::PUT, "/channels/email", Some(change(field, value))).await;
        assert_eq!(refused, (422, "validation_failed".into()), "{field}");
    }
    let whatsapp =
        |base: &str, token: &str| json!({ "phone_number_id": "1", "base_url": base, "access_token": token });
    owner.put_channel(201, "whatsapp", whatsapp("https://a.example.org", "t")).await;
    owner.put_channel(200, "whatsapp", whatsapp("https://a.example.org", "***")).await;
    let moved = Some(whatsapp("https://b.example.org", "***"));
    assert_eq!(owner.refused(Method::PUT, "/channels/whatsapp", moved).await.0, 422);
}

#[tokio::test]
async fn s1_a_channel_inside_is_refused() {
    let (_app, owner) = workshop().await;
    for host in ["169.254.169.254", "10.0.0.1", "[::1]", "[fd00:ec2::254]", "192.168.0.10"] {
        for security in ["none", "starttls", "tls"] {
            let mut body = email();
            body["host"] = json!(host);
            body["security"] = json!(security);
            let refused = owner.refused(Method::PUT, "/channels/email", Some(body)).await;
            assert_eq!(refused, (422, "validation_failed".into()), "{host} {security}");
        }
    }
    let mut body = email();
    body["host"] = json!("1.1.1.1");
    let refused = owner.expect(422, Method::PUT, "/channels/email", Some(body)).await;
    let told = &refused["errors"][0];
    assert_eq!((&told["field"], &told["code"]), (&json!("security"), &json!("out_of_reach")), "{refused}");
    assert!(told["message"].as_str().unwrap().contains("ALCADA_EGRESS_ALLOW"), "{refused}");
    for url in
        ["http://169.254.169.254/", "https://10.0.0.1/", "http://example.org@127.0.0.1/", "ftp://x.org/"]
    {
        for kind in ["webhook", "events"] {
            let path = format!("/channels/{kind}");
            let refused = owner.refused(Method::PUT, &path, Some(json!({ "url": url }))).await;
            assert_eq!(refused, (422, "validation_failed".into()), "{url}");
        }
        let body = json!({ "base_url": url, "phone_number_id": "1", "access_token": "t" });
        assert_eq!(owner.refused(Method::PUT, "/channels/whatsapp", Some(body)).await.0, 422, "{url}");
    }
}

#[tokio::test]
async fn bad_input_is_refused_with_its_field() {
    let (_app, owner) = workshop().await;
    let changed = |field: &str, value: Value| {
        let mut body = email();
        body[field] = value;
        body
    };
    let cases = [
        ("email", "host", json!({ "from": "a@example.org" })),
        ("email", "from", json!({ "host": "127.0.0.1", "security": "none" })),
        ("email", "from", changed("from", json!("nobody"))),
        ("email", "from_name", changed("from_name", json!("a\r\nBcc: x@example.org"))),
        ("email", "subject", changed("subject", json!("a\nb"))),
        ("email", "port", changed("port", json!(0))),
        ("email", "port", changed("port", json!(70_000))),
        ("email", "security", changed("security", json!("ssl"))),
        ("email", "host", changed("host", json!("a b"))),
        ("email", "host", changed("host", json!("127.0.0.1\r\nQUIT"))),
        ("email", "password", changed("password", json!("a\u{0}b"))),
        ("email", "password", changed("password", json!(null))),
        ("email", "username", changed("username", json!(null))),
        ("email", "url", changed("url", json!("https://example.org"))),
        ("email", "role", changed("role", json!("owner"))),
        ("whatsapp", "access_token", json!({ "phone_number_id": "1" })),
        ("whatsapp", "access_token", json!({ "phone_number_id": "1", "access_token": "é" })),
        ("whatsapp", "phone_number_id", json!({ "phone_number_id": "../x", "access_token": "t" })),
        ("whatsapp", "phone_number_id", json!({ "access_token": "t" })),
        ("webhook", "url", json!({})),
        ("webhook", "password", json!({ "url": "https://example.org", "password": "x" })),
        ("events", "url", json!({ "url": "nowhere" })),
    ];
    for (kind, field, body) in cases {
        let text = body.to_string();
        let answer = owner.expect(422, Method::PUT, &format!("/channels/{kind}"), Some(body)).await;
        assert_eq!(answer["errors"][0]["field"], field, "{kind} {text}: {answer}");
    }
    let unknown = owner.refused(Method::PUT, "/channels/pigeon", Some(json!({}))).await;
    assert_eq!(unknown, (404, "not_found".into()));
    let test = |kind: &str| owner.refused(Method::POST, kind_path(kind), Some(json!({})));
    assert_eq!(test("webhook").await, (404, "not_found".into()), "not set up");
}

fn kind_path(kind: &str) -> &'static str {
    if kind == "webhook" { "/channels/webhook/test" } else { "/channels/whatsapp/test" }
}

#[tokio::test]
async fn s5_channels_are_for_those_who_manage_integrations() {
    let (app, owner) = workshop().await;
    let upstream = Upstream::start(|_| json_answer(json!({}))).await;
    let body = json!({ "url": upstream.url });
    let changes = [
        (Method::PUT, "/channels/webhook", Some(body.clone())),
        (Method::DELETE, "/channels/webhook", None),
        (Method::POST, "/channels/webhook/rotate-secret", None),
        (Method::POST, "/channels/webhook/test", Some(json!({}))),
    ];
    owner.put_channel(201, "webhook", body.clone()).await;
    for role in [TenantRole::Viewer, TenantRole::Operator, TenantRole::Auditor] {
        let backend = app.backend(TENANT, role).await;
        for (method, path, body) in changes.clone() {
            assert_eq!(
                backend.refused(method, path, body).await,
                (403, "forbidden".into()),
                "{role:?} {path}"
            );
        }
    }
    let manager = app.backend(TENANT, TenantRole::Manager).await;
    manager.put_channel(200, "webhook", body).await;
    let test = manager.post(200, "/channels/webhook/test", json!({})).await;
    assert_eq!(test["success"], true, "{test}");
    assert_eq!(upstream.asked().len(), 1, "nobody else sent anything");
}

/// D6: what somebody else set up meanwhile is not written over by whoever says what they saw.
#[tokio::test]
async fn d6_a_channel_is_not_written_over_from_an_old_version() {
    let (_app, owner) = workshop().await;
    let put = async |place: &str, version: &str| {
        let body = Some(json!({ "url": format!("https://example.org/{place}") }));
        owner.with_headers(Method::PUT, "/channels/webhook", body, &[("If-Match", version)]).await
    };
    let (one, other) = tokio::join!(put("a", "0"), put("b", "0"));
    let mut answers = [one.status().as_u16(), other.status().as_u16()];
    answers.sort_unstable();
    assert_eq!(answers, [201, 409], "of two at once one is first");
    let version = async || owner.get("/channels/webhook").await["version"].to_string();
    let first = version().await;
    owner.post(200, "/channels/webhook/rotate-secret", json!({})).await;
    let conflict = (409, "conflict".to_owned());
    assert_eq!(problem(put("c", &first).await).await, conflict, "its secret is another");
    let seen = version().await;
    let (one, other) = tokio::join!(put("c", &seen), put("d", &seen));
    let mut answers = [one.status().as_u16(), other.status().as_u16()];
    answers.sort_unstable();
    assert_eq!(answers, [200, 409]);
    let gone = owner.with_headers(Method::DELETE, "/channels/webhook", None, &[("If-Match", &seen)]).await;
    assert_eq!(problem(gone).await, conflict);
    assert_eq!(owner.send(Method::DELETE, "/channels/webhook", None).await.status(), 204);
    assert_eq!(problem(put("e", &seen).await).await, conflict, "somebody removed it");
    assert_eq!(put("e", "*").await.status(), 201);
}
