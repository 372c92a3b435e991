//! Bad input: a problem with a stable code, nothing half written, never a 500.

mod every_route;
mod injected;

use crate::app::{Person, TestApp, problem};
use reqwest::{Body, Method, StatusCode, header};
use serde_json::json;

async fn patch(person: &Person, name: &str, kind: &str, body: impl Into<Body>) -> (u16, String) {
    let request = person.client.patch(format!("{}/api/admin/tools/{name}", person.url));
    problem(request.header(header::CONTENT_TYPE, kind).body(body).send().await.unwrap()).await
}

fn answer(status: u16, code: &str) -> (u16, String) {
    (status, code.to_owned())
}

#[tokio::test]
async fn bodies_that_cannot_be_understood() {
    let (app, admin) = TestApp::with_admin().await;
    const JSON: &str = "application/json";
    for text in ["", "{", "nonsense", "{\"enabled\":true} trailing", "\u{0}"] {
        assert_eq!(patch(&admin, "save_note", JSON, text).await, answer(400, "invalid_body"), "{text:?}");
    }
    let bad = [
        "{}",
        "[]",
        "[1,",
        "null",
        "{\"enabled\":\"yes\"}",
        "{\"enabled\":1}",
        "{\"enabled\":null}",
        "{\"enabled\":false,\"id\":1}",
        "{\"enabled\":false,\"tenant_id\":\"x\"}",
        "{\"enabled\":false,\"role\":\"owner\"}",
        "{\"enabled\":false,\"is_system\":true}",
        "{\"enabled\":false,\"enabled\":true}",
    ];
    for text in bad {
        assert_eq!(patch(&admin, "save_note", JSON, text).await, answer(422, "validation_failed"), "{text}");
    }
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(patch(&admin, "save_note", JSON, deep).await.0 / 100, 4);
    assert_eq!(patch(&admin, "save_note", JSON, vec![0xff, 0xfe]).await, answer(400, "invalid_body"));
    assert_eq!(patch(&admin, "save_note", "text/plain", "{}").await, answer(415, "unsupported_media_type"));
    let huge = format!("{{\"reason\":\"{}\"}}", "x".repeat(1024 * 1024));
    assert_eq!(patch(&admin, "save_note", JSON, huge).await, answer(413, "body_too_large"));
    let long = json!({ "enabled": false, "reason": "x".repeat(501) }).to_string();
    assert_eq!(patch(&admin, "save_note", JSON, long).await, answer(422, "validation_failed"));
    assert_eq!(app.count("SELECT count(*) FROM audit_entries WHERE subject_kind = 'global_tool'").await, 0);
    assert_eq!(app.count("SELECT count(*) FROM global_tools WHERE NOT enabled").await, 0);
}

/// The length is not announced: it has to be noticed while it arrives.
#[tokio::test]
async fn a_body_that_grows_too_large_on_the_way() {
    let (_app, admin) = TestApp::with_admin().await;
    let chunks = (0..32).map(|_| Ok::<_, std::io::Error>(vec![b' '; 64 * 1024]));
    let body = Body::wrap_stream(futures::stream::iter(chunks));
    assert_eq!(patch(&admin, "save_note", "application/json", body).await, answer(413, "body_too_large"));
}

#[tokio::test]
async fn names_that_are_no_tool() {
    let (_app, admin) = TestApp::with_admin().await;
    let names = [
        "unknown",
        "Save_Note",
        "SAVE_NOTE",
        "save_note%20",
        "%00",
        "'%3B%20DROP%20TABLE%20global_tools",
        "%3Cscript%3E",
        "..%2F..%2Fetc%2Fpasswd",
        "%F0%9F%92%A1",
    ];
    for name in names {
        let found = patch(&admin, name, "application/json", "{\"enabled\":false}").await;
        assert_eq!(found, answer(404, "tool_not_found"), "{name}");
    }
    let invalid_utf8 =
        admin.api(Method::PATCH, "/api/admin/tools/%FF", Some(json!({ "enabled": true }))).await;
    assert_eq!(invalid_utf8.status().as_u16() / 100, 4);
}

#[tokio::test]
async fn routes_that_do_not_exist() {
    let (_app, admin) = TestApp::with_admin().await;
    for path in ["/api", "/api/", "/api/nothing", "/api/v1/tools/x/y/z"] {
        assert_eq!(
            problem(admin.api(Method::GET, path, None).await).await,
            answer(404, "not_found"),
            "{path}"
        );
    }
    let wrong_method = admin.api(Method::DELETE, "/api/admin/tools", None).await;
    assert_eq!(problem(wrong_method).await, answer(405, "method_not_allowed"));
    assert_eq!(
        problem(admin.api(Method::POST, "/members", None).await).await,
        answer(405, "method_not_allowed")
    );
    assert_eq!(problem(admin.api(Method::POST, "/fn/nothing", None).await).await, answer(404, "not_found"));
    let page = admin.get("/nowhere").await;
    assert_eq!(page.status(), StatusCode::NOT_FOUND);
    assert!(page.text().await.unwrap().contains("<h1"), "a page that says so");
}

/// Every server function, with nothing, with nonsense and with the wrong type: a code, never a 500.
#[tokio::test]
async fn every_server_function_refuses_nonsense_with_a_code() {
    let (app, admin) = TestApp::with_admin().await;
    let stranger = app.visitor("");
    let functions: Vec<&str> = leptos::server_fn::axum::server_fn_paths().map(|(path, _)| path).collect();
    assert!(functions.len() >= 25, "{functions:?}");
    for function in functions {
        let name = function.strip_prefix("/fn/").expect("all functions are under /fn");
        if name == "sign_out" {
            continue;
        }
        for person in [&stranger, &admin] {
            let nonsense = [
                ("tenant_id", "x"),
                ("user_id", "'"),
                ("session_id", "1"),
                ("role", "king"),
                ("enabled", "?"),
                ("email", "<script>"),
                ("invitation_id", "%"),
                ("language", "tlh"),
                ("theme", "pink"),
                ("action", "fly"),
                ("token", "../.."),
                ("disabled", "maybe"),
                ("is_admin", "2"),
                ("tool_name", "none"),
            ];
            for fields in nonsense.chunks(1).chain([&[][..]]) {
                let answer = person.call(name, fields).await;
                let status = answer.status().as_u16();
                assert!(status < 500, "{name} {status} {:?}", answer.text().await);
                if status >= 400 {
                    let body: serde_json::Value = answer.json().await.unwrap();
                    assert!(body["code"].is_string(), "{name}: {body}");
                }
            }
            let request = person
                .client
                .post(format!("{}{function}", app.url))
                .header(header::CONTENT_TYPE, "application/json");
            let answer = request.body("\u{0}{").send().await.unwrap();
            assert!(answer.status().as_u16() < 500, "{name}");
        }
    }
}

/// PostgreSQL refuses a question with a zero in it: what a page looks for is not there, and that is all.
#[tokio::test]
async fn s21_a_zero_in_what_a_page_asks_for_finds_nothing() {
    let (_app, admin) = TestApp::with_admin().await;
    assert_eq!(admin.ask("list_users", &[("search", "a\u{0}")]).await, json!([]));
    let secret = admin.refused("delete_secret", &[("name", "A\u{0}")]).await;
    assert_eq!(secret, answer(404, "not_found"));
}

/// S5: also a form says nothing that nobody asked for.
#[tokio::test]
async fn s5_a_form_with_an_unknown_field_is_refused() {
    let (app, admin) = TestApp::with_admin().await;
    let fields = [("tool_name", "save_note"), ("enabled", "false"), ("is_system", "true")];
    let refused = admin.refused("switch_global_tool", &fields).await;
    assert_eq!(refused, answer(400, "invalid_body"));
    assert_eq!(app.count("SELECT count(*) FROM global_tools WHERE NOT enabled").await, 0);
    assert_eq!(admin.call("switch_global_tool", &fields[..2]).await.status(), StatusCode::OK);
}
