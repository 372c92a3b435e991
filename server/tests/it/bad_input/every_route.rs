//! Every body of the document, field by field, with what does not belong there. A new route is in it by itself.

use crate::{
    app::{TestApp, problem},
    openapi::{document, operations},
    security::idor::{filled, one_of_each},
    workshop::{Backend, TENANT, workshop},
};
use domain::TenantRole;
use reqwest::{Method, header};
use serde_json::{Value, json};
use std::{collections::HashMap, str::FromStr};

/// A route that takes a body.
struct Door {
    method: Method,
    /// With real ids: what is refused is the body.
    path: String,
    fields: Vec<String>,
}

fn doors(ids: &HashMap<&'static str, String>) -> Vec<Door> {
    let document = document();
    let mut doors = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
            let Some(name) = schema["$ref"].as_str() else { continue };
            // What a gateway sends is not read before its signature.
            if !path.starts_with("/api/v1/") || path.contains("{tenant}") {
                continue;
            }
            let schema = document.pointer(name.trim_start_matches('#')).unwrap();
            let fields = schema["properties"].as_object().unwrap().keys().cloned().collect();
            let method = Method::from_str(&method.to_uppercase()).unwrap();
            let path = if path.contains('{') { filled(path, ids) } else { path.clone() };
            doors.push(Door { method, path: path.trim_start_matches("/api/v1").to_owned(), fields });
        }
    }
    assert!(doors.len() >= 25, "{}", doors.len());
    doors
}

async fn raw(app: &TestApp, owner: &Backend, door: &Door, kind: &str, body: String) -> reqwest::Response {
    let client = app.visitor("").client;
    let request = client.request(door.method.clone(), format!("{}/api/v1{}", app.url, door.path));
    let request = request.bearer_auth(owner.key.as_ref().unwrap()).header(header::CONTENT_TYPE, kind);
    request.body(body).send().await.unwrap()
}

#[tokio::test]
async fn bodies_that_cannot_be_understood_are_refused_everywhere() {
    let (app, owner) = workshop().await;
    let ids = one_of_each(&owner).await;
    let before = app.count("SELECT count(*) FROM audit_entries").await;
    const JSON: &str = "application/json";
    let deep = |field: &str| format!("{{\"{field}\":{}1{}}}", "[".repeat(1_000), "]".repeat(1_000));
    for door in doors(&ids) {
        let Door { method, path, fields } = &door;
        for text in ["", "{", "nonsense", "{} trailing", "\u{0}", "{\"a\":1"] {
            let found = problem(raw(&app, &owner, &door, JSON, text.to_owned()).await).await;
            assert!([400, 422].contains(&found.0), "{method} {path} {text:?}: {found:?}");
        }
        for text in ["[]", "null", "42", "\"x\"", "[{}]", "{\"unheard_of\":1}"] {
            let found = problem(raw(&app, &owner, &door, JSON, text.to_owned()).await).await;
            assert_eq!(found, (422, "validation_failed".to_owned()), "{method} {path} {text}");
        }
        for field in fields {
            let found = problem(raw(&app, &owner, &door, JSON, deep(field)).await).await;
            assert!([400, 422].contains(&found.0), "{method} {path} {field}: {found:?}");
        }
        for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"] {
            let found = problem(raw(&app, &owner, &door, kind, "{}".to_owned()).await).await;
            assert_eq!(found, (415, "unsupported_media_type".to_owned()), "{method} {path} {kind}");
        }
        let huge = format!("{{\"{}\":\"{}\"}}", fields[0], "x".repeat(1024 * 1024));
        let found = problem(raw(&app, &owner, &door, JSON, huge).await).await;
        assert_eq!(found, (413, "body_too_large".to_owned()), "{method} {path}");
    }
    assert_eq!(app.count("SELECT count(*) FROM audit_entries").await, before, "nothing was written");
}

/// Each field alone, with everything that JSON has. Some of it is right; none of it is a fault of ours.
#[tokio::test]
async fn no_value_of_any_field_is_a_fault() {
    let (_app, owner) = workshop().await;
    let ids = one_of_each(&owner).await;
    let values = [
        json!(null),
        json!(true),
        json!(-1),
        json!(1.5),
        json!(u64::MAX),
        json!(1e300),
        json!(""),
        json!("x"),
        json!("a\u{0}b"),
        json!("\u{202e}\u{feff}💥"),
        json!("x".repeat(30_000)),
        json!([]),
        json!([null, 1, "a\u{0}"]),
        json!({}),
        json!({ "a\u{0}": { "b": [] } }),
    ];
    for Door { method, path, fields } in doors(&ids) {
        for field in &fields {
            for value in &values {
                let answer = owner.send(method.clone(), &path, Some(json!({ field: value }))).await;
                is_no_fault(answer, &format!("{method} {path} {field} {value:.80}")).await;
            }
        }
    }
}

/// The same within bodies that are otherwise right: they get further.
#[tokio::test]
async fn no_value_within_a_right_body_is_a_fault() {
    let (_app, owner) = workshop().await;
    let ids = one_of_each(&owner).await;
    let params = json!({ "title": "x" });
    let execute = format!("/tools/{}/execute", ids["tools"]);
    let right = [
        ("/tools", crate::workshop::webhook_tool("other", "https://example.org/")),
        ("/agents", json!({ "name": "Outro", "allowed_tools": [] })),
        ("/api-keys", json!({ "name": "loja", "role": "viewer" })),
        (
            "/tools/execute-for-agent",
            json!({ "tool_name": "createTask", "agent_id": "vendas", "params": params }),
        ),
        (execute.as_str(), json!({ "params": params, "test_mode": true })),
        ("/decisions/explain", json!({ "tool_name": "createTask", "agent_id": "vendas", "params": params })),
    ];
    for Door { path, fields, .. } in doors(&ids).into_iter().filter(|door| door.method == Method::POST) {
        let Some((_, body)) = right.iter().find(|(known, _)| *known == path) else { continue };
        for field in &fields {
            for value in [
                json!("a\u{0}b"),
                json!("\u{1}"),
                json!({ "title": "a\u{0}b" }),
                json!(["a\u{0}b"]),
                json!("'\"%"),
            ] {
                let mut body = body.clone();
                body[field] = value.clone();
                let answer = owner.send(Method::POST, &path, Some(body)).await;
                is_no_fault(answer, &format!("{path} {field} {value}")).await;
            }
        }
    }
}

/// A value that fits, as far as a schema can tell.
fn fitting(schema: &Value) -> Value {
    if let Some(first) = schema["enum"].get(0) {
        return first.clone();
    }
    match (schema["type"].as_str(), schema["format"].as_str()) {
        (Some("string"), Some("date-time")) => json!("2030-01-01T00:00:00Z"),
        (Some("string"), Some("uuid")) => json!("00000000-0000-0000-0000-000000000000"),
        (Some("string"), Some("email")) => json!("ana@example.org"),
        (Some("string"), _) => json!("x"),
        (Some("integer"), _) => schema["minimum"].clone(),
        (Some("array"), _) => json!([fitting(&schema["items"])]),
        _ => json!({}),
    }
}

/// Every text that one of the product's own tools takes, with what no database keeps. Whoever calls at the same moment
/// is written in the same transaction, and has nothing to do with it.
#[tokio::test]
async fn s21_no_text_for_a_system_tool_is_a_fault_of_ours_or_of_a_neighbour() {
    let (_app, owner) = workshop().await;
    one_of_each(&owner).await;
    let bad = ["a\u{0}b", "\u{0}", "a\u{0}@example.org", "\u{202e}\u{feff}💥", "'\"%_\\"];
    let neighbour = json!({ "params": { "title": "vizinha" } });
    let create_task = owner.get("/tools?q=createTask").await["data"][0]["id"].as_str().unwrap().to_owned();
    let mut texts = 0;
    for tool in owner.get("/tools").await["data"].as_array().unwrap() {
        if tool["is_system"] != true {
            continue;
        }
        let path = format!("/tools/{}/execute", tool["id"].as_str().unwrap());
        let schema = owner.get(path.trim_end_matches("/execute")).await["parameters"].clone();
        let mut right = json!({});
        for name in schema["required"].as_array().unwrap() {
            let name = name.as_str().unwrap();
            right[name] = fitting(&schema["properties"][name]);
        }
        for (name, property) in schema["properties"].as_object().unwrap() {
            for text in bad {
                let value = match property["type"].as_str() {
                    Some("string") => json!(text),
                    Some("array") => json!([text]),
                    _ => continue,
                };
                texts += 1;
                let mut params = right.clone();
                params[name] = value;
                for test_mode in [false, true] {
                    let body = json!({ "params": params, "test_mode": test_mode });
                    let beside = format!("/tools/{create_task}/execute");
                    let (answer, beside) = tokio::join!(
                        owner.send(Method::POST, &path, Some(body)),
                        owner.post(200, &beside, neighbour.clone()),
                    );
                    assert_eq!(beside["success"], true, "{beside}");
                    is_no_fault(answer, &format!("{} {name} {text:?}", tool["name"])).await;
                }
            }
        }
    }
    assert!(texts >= 100, "{texts}");
}

/// What stands in a path or a query is not trusted either.
#[tokio::test]
async fn no_path_and_no_query_is_a_fault() {
    let (_app, owner) = workshop().await;
    let ids = one_of_each(&owner).await;
    let odd = ["%00", "%FF", "x", "'", "..%2F..", "%F0%9F%92%A1", "00000000-0000-0000-0000-000000000000"];
    for (path, item) in document()["paths"].as_object().unwrap() {
        let Some(path) = path.strip_prefix("/api/v1") else { continue };
        for method in item.as_object().unwrap().keys() {
            let method = Method::from_str(&method.to_uppercase()).unwrap();
            for odd in odd {
                if path.contains('{') {
                    let named = |path: String, name: &str| path.replace(name, odd);
                    let places = ["{id}", "{version}", "{name}", "{kind}", "{tenant}"];
                    let path = places.into_iter().fold(path.to_owned(), named);
                    assert!(!path.contains('{'), "{path}: what stands there?");
                    let answer = owner.send(method.clone(), &path, None).await;
                    assert!(answer.status().as_u16() / 100 == 4, "{method} {path}: {}", answer.status());
                    is_no_fault(answer, &format!("{method} {path}")).await;
                }
            }
        }
        let Some(get) = item.get("get") else { continue };
        let path =
            if path.contains('{') { filled(path.trim_start_matches('/'), &ids) } else { path.to_owned() };
        let path = format!("/{}", path.trim_start_matches('/'));
        for parameter in get["parameters"].as_array().into_iter().flatten() {
            for odd in odd.iter().chain(&["", "-1", "99999999999999999999", "2026-99-99T00:00:00Z"]) {
                let name = parameter["name"].as_str().unwrap();
                let answer = owner.send(Method::GET, &format!("{path}?{name}={odd}"), None).await;
                if *odd == "%00" && parameter["in"] == "query" {
                    assert_eq!(answer.status(), 422, "{path}?{name}: no text has a zero");
                }
                is_no_fault(answer, &format!("{path}?{name}={odd}")).await;
            }
        }
    }
}

/// Every route under `/api` but one. What a gateway sends is not read before its signature: its key is no caller.
fn addresses(ids: &HashMap<&'static str, String>) -> Vec<(Method, String)> {
    let known =
        operations().into_iter().filter(|(_, path)| path.starts_with("/api/") && !path.contains("{tenant}"));
    let named = known.map(|(method, path)| (method, path.replace("{tool_name}", "save_note")));
    named.map(|(method, path)| (method, if path.contains('{') { filled(&path, ids) } else { path })).collect()
}

/// A slip in the name of a filter would let everything through. A route without filters has none of that name, either.
#[tokio::test]
async fn t2_a_query_that_no_route_knows_is_refused_by_name() {
    let (app, admin) = TestApp::with_admin().await;
    let owner = app.backend(TENANT, TenantRole::Owner).await;
    let ids = one_of_each(&owner).await;
    let before = app.count("SELECT count(*) FROM audit_entries").await;
    let addresses = addresses(&ids);
    assert_eq!(addresses.len(), operations().len() - 2, "all but a gateway's and the news");
    for (method, address) in addresses {
        let asked = format!("{address}?unheard_of=1");
        let answer = match asked.strip_prefix("/api/v1") {
            Some(path) => owner.send(method.clone(), path, None).await,
            None => admin.api(method.clone(), &asked, None).await,
        };
        assert_eq!(answer.status(), 422, "{method} {address}");
        let refused: Value = answer.json().await.unwrap();
        let told = &refused["errors"][0];
        let found = (&refused["code"], &told["field"], &told["code"]);
        let expected = (&json!("validation_failed"), &json!("unheard_of"), &json!("unknown"));
        assert_eq!(found, expected, "{method} {address}: {refused}");
    }
    assert_eq!(app.count("SELECT count(*) FROM audit_entries").await, before, "nothing was written");
}

/// What is refused is a name: whoever may not ask at all is told that first, and no name is no query.
#[tokio::test]
async fn t2_a_route_without_a_query_looks_at_names_and_after_the_rights() {
    let (app, owner) = workshop().await;
    let viewer = app.backend(TENANT, TenantRole::Viewer).await;
    let nobody = app.backend_of(None);
    let limits = "/settings/limits";
    let unknown = format!("{limits}?unheard_of=1");
    assert_eq!(nobody.refused(Method::GET, &unknown, None).await, (401, "unauthenticated".to_owned()));
    let refused = viewer.refused(Method::PUT, &unknown, Some(json!({}))).await;
    assert_eq!(refused, (403, "forbidden".to_owned()));
    assert_eq!(owner.send(Method::HEAD, "/tools?limit=1", None).await.status(), 200, "HEAD is asked as GET");
    assert_eq!(owner.send(Method::HEAD, &unknown, None).await.status(), 422);
    for empty in ["?", "?&"] {
        owner.get(&format!("{limits}{empty}")).await;
    }
}

/// Anything but a 5xx; and a refusal has its code.
async fn is_no_fault(answer: reqwest::Response, what: &str) {
    let status = answer.status().as_u16();
    assert!(status < 500, "{what}: {status} {:?}", answer.text().await);
    if status >= 400 {
        problem(answer).await;
    }
}
