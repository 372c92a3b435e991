//! Code tools as they are saved: checked, limited, kept in versions.

use super::{code_tool, with, workshop};
use crate::workshop::agent;
use reqwest::Method;
use serde_json::{Value, json};

const CODE: &str = "export default () => 1";

#[tokio::test]
async fn t16_a_code_tool_is_saved_with_its_limits_and_kept_in_versions() {
    let (_app, owner) = workshop().await;
    let bare = owner.post(201, "/tools", json!({ "name": "bare", "description": "x", "code": CODE })).await;
    assert_eq!(
        (&bare["execution_type"], &bare["effect"], &bare["timeout_ms"]),
        (&json!("code"), &json!("write"), &json!(10_000)),
        "{bare}"
    );
    let whole = json!({ "memory_mb": 32, "max_fetches": 3, "fetch_hosts": ["API.example.org", "*.example.com:8443"] });
    let mut body = code_tool("whole", CODE);
    body.as_object_mut().unwrap().extend(whole.as_object().unwrap().clone());
    let tool = owner.make(body).await;
    let path = format!("/tools/{tool}");
    let made = owner.get(&path).await;
    assert_eq!(made["fetch_hosts"], json!(["api.example.org", "*.example.com:8443"]));
    assert_eq!((&made["memory_mb"], &made["max_fetches"]), (&json!(32), &json!(3)));
    let changed = json!({ "code": "export default () => 2", "memory_mb": null, "fetch_hosts": [] });
    assert_eq!(owner.put(&path, changed).await["version"], 2);
    let versions = owner.get(&format!("{path}/versions")).await;
    let changes: Vec<&str> = versions["data"][0]["changes"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|c| c["field"].as_str())
        .collect();
    assert_eq!(changes, ["code", "fetch_hosts", "memory_mb"], "{versions}");
    let restored = owner.post(200, &format!("{path}/versions/1/restore"), Value::Null).await;
    assert_eq!((&restored["code"], &restored["memory_mb"]), (&json!(CODE), &json!(32)));
    let answer = owner.execute(&tool, json!({})).await;
    assert_eq!((&answer["status"], &answer["result"]), (&json!("success"), &json!(1)), "{answer}");
}

/// Code says nothing about itself by the method of an address that it does not have.
#[tokio::test]
async fn t16_code_is_never_taken_for_a_get() {
    let (_app, owner) = workshop().await;
    let assumed = |tool: &Value| (tool["effect"].clone(), tool["idempotent"].clone());
    let writes = (json!("write"), json!(false));
    let made =
        owner.post(201, "/tools", with(code_tool("fresh", CODE), "webhook_method", json!("GET"))).await;
    assert_eq!(assumed(&made), writes);
    let get = json!({ "name": "look", "description": "d", "webhook_url": "https://example.org/", "webhook_method": "GET" });
    let tool = owner.make(get).await;
    let code = json!({ "execution_type": "code", "code": CODE, "timeout_ms": 5_000 });
    assert_eq!(assumed(&owner.put(&format!("/tools/{tool}"), code).await), writes);
}

#[tokio::test]
async fn t16_wrong_code_is_refused_with_line_and_column() {
    let (app, owner) = workshop().await;
    let bad = [
        ("export default () => {\n  return 1 +;\n}", Some(2)),
        ("import fs from 'fs';\nexport default () => 1", None),
        ("export const f = () => 1", None),
        ("export default 1", None),
        ("export default () => 1;\nthrow new Error('no')", Some(2)),
        ("while (true) {}\nexport default () => 1", None),
    ];
    for (code, line) in bad {
        let refused = owner.post(422, "/tools", code_tool("bad", code)).await;
        let error = &refused["errors"][0];
        assert_eq!((&error["field"], &error["code"]), (&json!("code"), &json!("invalid")), "{refused}");
        assert!(error["message"].as_str().unwrap().len() >= 5, "{refused}");
        if let Some(line) = line {
            assert_eq!(error["line"], line, "{refused}");
            assert!(error["column"].as_u64().unwrap() >= 1, "{refused}");
        }
    }
    assert_eq!(app.count("SELECT count(*) FROM tools WHERE execution_type = 'code'").await, 0);
    let tool = owner.make(code_tool("good", CODE)).await;
    let path = format!("/tools/{tool}");
    let refused = owner.expect(422, Method::PUT, &path, Some(json!({ "code": "export default (" }))).await;
    assert_eq!((&refused["errors"][0]["field"], &refused["errors"][0]["line"]), (&json!("code"), &json!(1)));
    assert_eq!(owner.get(&path).await["version"], 1, "nothing was half written");
}

#[tokio::test]
async fn t16_fields_that_no_code_tool_can_have_are_refused_by_name() {
    let (_app, owner) = workshop().await;
    let many = |text: &str| json!((0..21).map(|n| format!("{text}{n}")).collect::<Vec<_>>());
    let cases = [
        ("code", Value::Null, "required"),
        ("code", json!(" \n"), "required"),
        ("code", json!("x".repeat(256 * 1024 + 1)), "too_long"),
        ("timeout_ms", json!(20_001), "invalid"),
        ("timeout_ms", json!(99), "invalid"),
        ("memory_mb", json!(129), "invalid"),
        ("memory_mb", json!(7), "invalid"),
        ("max_fetches", json!(101), "invalid"),
        ("max_fetches", json!(51), "invalid"),
        ("max_output_bytes", json!(1024 * 1024 + 1), "invalid"),
        ("fetch_hosts", json!(["https://example.org"]), "invalid"),
        ("fetch_hosts", json!(["*"]), "invalid"),
        ("fetch_hosts", json!(["*.org"]), "invalid"),
        ("fetch_hosts", json!(["10.0.0.1"]), "out_of_reach"),
        ("fetch_hosts", json!(["169.254.169.254"]), "out_of_reach"),
        ("fetch_hosts", many("h.example.org"), "too_long"),
        ("secret_names", json!(["NOT_THERE"]), "unknown"),
        ("secret_names", json!(["not a name"]), "invalid"),
        ("secret_names", many("S"), "too_long"),
    ];
    for (field, value, code) in cases {
        let body = with(code_tool("bad", CODE), field, value.clone());
        let found = owner.invalid(Method::POST, "/tools", body).await;
        assert_eq!(found, [(field.to_owned(), code.to_owned())], "{field} {value}");
    }
    let both =
        json!({ "name": "x", "description": "x", "code": CODE, "webhook_url": "https://example.org/" });
    let found = owner.invalid(Method::POST, "/tools", both).await;
    assert_eq!(found, [("execution_type".to_owned(), "required".to_owned())]);
}

#[tokio::test]
async fn t4_t16_a_change_of_parameters_names_the_agents_that_may_stumble() {
    let (_app, owner) = workshop().await;
    let tool = owner.make(code_tool("soma", CODE)).await;
    agent(&owner, "vendas", &["soma"], "never").await;
    let stricter =
        json!({ "type": "object", "properties": { "a": { "type": "number" } }, "required": ["a"] });
    let changed = owner.put(&format!("/tools/{tool}"), json!({ "parameters": stricter })).await;
    assert_eq!(changed["breaking_change"]["agents"][0]["slug"], "vendas", "{changed}");
    let other_code = owner.put(&format!("/tools/{tool}"), json!({ "code": "export default () => 3" })).await;
    assert_eq!(other_code["breaking_change"], Value::Null, "{other_code}");
}
