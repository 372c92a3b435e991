//! The tools of a tenant: made, changed, kept in versions, removed (T1–T6, S10, S16).

mod addresses;
mod changes;
mod secrets;

use crate::{
    app::problem,
    workshop::{Backend, NOBODY, Upstream, agent, id, json_answer, webhook_tool, workshop},
};
use domain::TenantRole;
use reqwest::Method;
use serde_json::{Value, json};

const URL: &str = "https://example.org/hook";

fn with(field: &str, value: Value) -> Value {
    let mut body = webhook_tool("hook", URL);
    body[field] = value;
    body
}

/// The id of a tool of the product's own.
pub(crate) async fn built_in(owner: &Backend, name: &str) -> String {
    id(&owner.get(&format!("/tools?q={name}")).await["data"][0])
}

#[tokio::test]
async fn t1_t2_a_tool_is_made_shown_and_found() {
    let (app, owner) = workshop().await;
    let made = owner.post(201, "/tools", webhook_tool("hook", URL)).await;
    let secret = made["webhook_secret"].as_str().unwrap();
    assert!(secret.starts_with("whsec_"));
    let one = owner.get(&format!("/tools/{}", id(&made))).await;
    assert!(one.get("webhook_secret").is_none());
    assert_eq!(
        (&one["version"], &one["is_active"], &one["is_system"]),
        (&json!(1), &json!(true), &json!(false))
    );
    assert_eq!((&one["execution_count"], &one["timeout_ms"]), (&json!(0), &json!(30_000)));
    assert_eq!(one["effect"], "write", "what is not said is taken for the worse");
    let get = owner
        .post(
            201,
            "/tools",
            json!({ "name": "look", "description": "d", "webhook_url": URL, "webhook_method": "GET" }),
        )
        .await;
    assert_eq!(
        (&get["effect"], &get["idempotent"], &get["type"]),
        (&json!("read"), &json!(true), &json!("webhook"))
    );
    agent(&owner, "vendas", &["hook", "createTask"], "never").await;
    let names = |query: &'static str| {
        let owner = owner.clone();
        async move {
            let found = owner.get(&format!("/tools{query}")).await;
            found["data"]
                .as_array()
                .unwrap()
                .iter()
                .map(|tool| tool["name"].as_str().unwrap().to_owned())
                .collect::<Vec<_>>()
        }
    };
    assert_eq!(names("?agent_id=vendas").await, ["createTask", "hook"]);
    assert_eq!(names("?type=webhook").await, ["look"]);
    assert_eq!(names("?q=HOOK").await, ["hook"]);
    assert_eq!(names("?is_active=false").await.len(), 0);
    assert_eq!(names("").await.len(), 21, "nineteen are the product's own");
    let refused = |query: &'static str| owner.refused(Method::GET, query, None);
    assert_eq!(refused("/tools?agent_id=nobody").await, (404, "agent_not_found".to_owned()));
    assert_eq!(refused("/tools?type=x").await, (422, "validation_failed".to_owned()));
    assert_eq!(refused("/tools?is_active=x").await, (422, "validation_failed".to_owned()));
    assert_eq!(app.count("SELECT count(*) FROM audit_entries WHERE action = 'tool.create'").await, 2);
    app.tenant("Outra", "outra").await;
    let stranger = app.backend("outra", TenantRole::Owner).await;
    assert_eq!(stranger.get("/tools?q=HOOK").await["data"], json!([]), "s9: nobody else finds it");
}

#[tokio::test]
async fn t2_tools_are_found_by_whether_they_are_switched_on() {
    let (_app, owner) = workshop().await;
    owner.post(201, "/tools", webhook_tool("hookOn", URL)).await;
    let off = id(&owner.post(201, "/tools", webhook_tool("hookOff", URL)).await);
    owner.patch(&format!("/tools/{off}/toggle"), json!({ "is_active": false })).await;
    for (is_active, own) in [("true", "hookOn"), ("false", "hookOff")] {
        let found = owner.get(&format!("/tools?is_active={is_active}")).await;
        let found = found["data"].as_array().unwrap();
        let states: Vec<String> = found.iter().map(|tool| tool["is_active"].to_string()).collect();
        assert!(states.iter().all(|state| state == is_active), "{is_active}: {states:?}");
        let names: Vec<_> =
            found.iter().filter(|tool| tool["is_system"] == false).map(|tool| &tool["name"]).collect();
        assert_eq!(names, [&json!(own)], "{is_active}");
    }
}

#[tokio::test]
async fn t3_names_are_unique_and_not_taken() {
    let (app, owner) = workshop().await;
    owner.post(201, "/tools", webhook_tool("hook", URL)).await;
    let field = |name: &str| owner.invalid(Method::POST, "/tools", webhook_tool(name, URL));
    let name = |code: &str| vec![("name".to_owned(), code.to_owned())];
    assert_eq!(field("hook").await, name("taken"));
    for reserved in ["createTask", "search_items", "save_note", "webhook_tools", "execute", "constructor"] {
        assert_eq!(field(reserved).await, name("reserved"), "{reserved}");
    }
    for bad in ["a b", "a-b", "ação", "a\u{0}", "<script>", "a.b"] {
        assert_eq!(field(bad).await, name("invalid"), "{bad}");
    }
    assert_eq!(field("").await, name("required"));
    assert_eq!(field(&"x".repeat(65)).await, name("too_long"));
    let other = id(&owner.post(201, "/tools", webhook_tool("other", URL)).await);
    for (to, code) in [("hook", "taken"), ("createTask", "reserved"), ("save_note", "reserved")] {
        let found = owner.invalid(Method::PUT, &format!("/tools/{other}"), json!({ "name": to })).await;
        assert_eq!(found, name(code), "{to}");
    }
    app.tenant("Outra", "outra").await;
    let stranger = app.backend("outra", TenantRole::Owner).await;
    stranger.post(201, "/tools", webhook_tool("hook", URL)).await;
}

#[tokio::test]
async fn t3_what_cannot_be_a_tool_is_refused_by_field() {
    let (_app, owner) = workshop().await;
    let object = |properties: Value| json!({ "type": "object", "properties": properties });
    let bad = [
        ("parameters", json!({ "type": "array" })),
        ("parameters", json!("x")),
        ("parameters", object(json!({ "a": { "type": "strnig" } }))),
        ("parameters", object(json!({ "a": { "$ref": "https://example.org/x.json" } }))),
        ("parameters", object(json!({ "a": { "$ref": "file:///etc/passwd" } }))),
        ("parameters", object(json!({ "a": { "$ref": "#/nowhere" } }))),
        ("parameters", object(json!({ "a": { "pattern": "(" } }))),
        ("parameters", json!({ "type": "object", "$id": "https://example.org/x" })),
        ("parameters", json!({ "type": "object", "description": "x".repeat(70_000) })),
        ("execution_type", json!("internal")),
        ("display_name", json!("")),
        ("display_name", json!("x".repeat(121))),
        ("description", json!(" ")),
        ("description", json!("x".repeat(4_001))),
        ("description", json!("a\u{0}")),
        ("timeout_ms", json!(99)),
        ("timeout_ms", json!(300_001)),
        ("max_output_bytes", json!(1)),
        ("max_output_bytes", json!(20_000_000)),
        ("memory_mb", json!(1)),
        ("rate_limit.limit", json!({ "limit": 0, "window_seconds": 1 })),
        ("rate_limit.window_seconds", json!({ "limit": 1, "window_seconds": 0 })),
        ("rate_limit.window_seconds", json!({ "limit": 1 })),
        ("rate_limit.per", json!({ "limit": 1, "window_seconds": 1, "per": "key" })),
        ("allowed_agents", json!(["nobody"])),
        ("note", json!("x".repeat(501))),
    ];
    for (field, value) in bad {
        let body = with(field.split('.').next().unwrap(), value.clone());
        let found = owner.invalid(Method::POST, "/tools", body).await;
        let is_there = |name: &str| name == field || name.starts_with("parameters.") && field == "parameters";
        assert!(found.iter().any(|(name, _)| is_there(name)), "{field} {value}: {found:?}");
    }
    let told = owner.expect(422, Method::POST, "/tools", Some(with("timeout_ms", json!(99)))).await;
    assert_eq!(told["errors"][0]["message"], "has to be from 100 to 300000");
    for missing in ["name", "description", "webhook_url"] {
        let mut body = webhook_tool("hook", URL);
        body.as_object_mut().unwrap().remove(missing);
        let found = owner.invalid(Method::POST, "/tools", body).await;
        assert_eq!(found, [(missing.to_owned(), "required".to_owned())]);
    }
    assert_eq!(owner.get("/tools?q=hook").await["data"], json!([]));
}

#[tokio::test]
async fn t3_a_refused_schema_names_the_place_and_the_dialect() {
    let (_app, owner) = workshop().await;
    let deep =
        json!({ "type": "object", "properties": { "a": { "properties": { "deep": { "minimum": "x" } } } } });
    let other = json!({ "type": "object", "$schema": "http://json-schema.org/draft-07/schema#" });
    for (schema, field, reason) in [
        (deep, "parameters.properties.a.properties.deep.minimum", "is not a valid JSON Schema"),
        (other, "parameters.$schema", "only JSON Schema 2020-12 is understood"),
    ] {
        let body = with("parameters", schema);
        let found = owner.expect(422, Method::POST, "/tools", Some(body)).await["errors"][0].clone();
        assert_eq!((&found["field"], &found["code"]), (&json!(field), &json!("invalid")));
        assert!(found["message"].as_str().unwrap().contains(reason), "{found}");
    }
}

/// A network that the operator opened says nothing of names: the server under test opens 127.0.0.0/8.
#[tokio::test]
async fn t3_plain_http_to_a_name_is_refused_when_it_is_saved_and_when_it_is_called() {
    let (app, owner) = workshop().await;
    let closed = [("webhook_url".to_owned(), "out_of_reach".to_owned())];
    let (plain, secure) = ("http://example.org/x", "https://example.org/x");
    assert_eq!(owner.invalid(Method::POST, "/tools", webhook_tool("hook", plain)).await, closed);
    let tool = id(&owner.post(201, "/tools", webhook_tool("hook", secure)).await);
    let path = format!("/tools/{tool}");
    assert_eq!(owner.invalid(Method::PUT, &path, json!({ "webhook_url": plain })).await, closed);
    // One that was saved before.
    app.change(&format!("UPDATE tools SET definition = replace(definition, '{secure}', '{plain}')")).await;
    assert_eq!(owner.get(&path).await["webhook_url"], plain);
    let called = owner.post(200, &format!("{path}/execute"), json!({ "params": { "title": "x" } })).await;
    assert_eq!(
        (&called["status"], &called["error_code"]),
        (&json!("error"), &json!("https_required")),
        "{called}"
    );
}

/// S1, at the time of saving. The server under test lets tools reach 127.0.0.0/8, and nothing else that is private.
#[tokio::test]
async fn s1_addresses_that_a_tool_may_not_have() {
    let (_app, owner) = workshop().await;
    let bad = [
        "http://93.184.216.34/",
        "http://example.org/",
        "http://example.org:8080/",
        "http://10.0.0.1/",
        "https://10.0.0.1/",
        "https://192.168.1.1/",
        "http://169.254.169.254/latest/meta-data/",
        "https://169.254.169.254/",
        "https://[fe80::1]/",
        "https://[fd00:ec2::254]/",
        "https://[::ffff:169.254.169.254]/",
        "https://2852039166/",
        "https://0xa9fea9fe/",
        "https://0/",
        "https://[::1]/",
        "https://user:pass@example.org/",
        "ftp://example.org/",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "//example.org/",
        "example.org",
        "",
        "https://exa mple.org/",
        "https://example.org:0/",
    ];
    for url in bad {
        let found = owner.invalid(Method::POST, "/tools", webhook_tool("hook", url)).await;
        assert_eq!(found[0].0, "webhook_url", "{url}: {found:?}");
    }
    // The operator reads which setting opens it; what it lists, nobody.
    for closed in ["https://10.0.0.1/", "http://example.org/"] {
        let body = Some(webhook_tool("hook", closed));
        let told = owner.expect(422, Method::POST, "/tools", body).await["errors"][0].clone();
        assert_eq!(told["code"], "out_of_reach", "{told}");
        let message = told["message"].as_str().unwrap();
        assert!(message.contains("ALCADA_EGRESS_ALLOW") && !message.contains("127.0.0"), "{told}");
    }
    for good in [URL, "http://127.0.0.1:1/"] {
        let tool = id(&owner.post(201, "/tools", webhook_tool("hook", good)).await);
        let bad = json!({ "webhook_url": "http://169.254.169.254/" });
        let found = owner.invalid(Method::PUT, &format!("/tools/{tool}"), bad).await;
        assert_eq!(found[0].0, "webhook_url");
        owner.expect(204, Method::DELETE, &format!("/tools/{tool}"), None).await;
    }
}

#[tokio::test]
async fn s10_what_is_the_server_s_cannot_be_said() {
    let (_app, owner) = workshop().await;
    let tool = id(&owner.post(201, "/tools", webhook_tool("kept", URL)).await);
    let injected = [
        ("id", json!(NOBODY)),
        ("tenant_id", json!(NOBODY)),
        ("is_system", json!(true)),
        ("version", json!(7)),
        ("execution_count", json!(1)),
        ("error_count", json!(1)),
        ("avg_execution_time_ms", json!(1)),
        ("last_executed_at", json!("2026-01-01T00:00:00Z")),
        ("created_at", json!("2026-01-01T00:00:00Z")),
        ("webhook_secret", json!("whsec_AAAA")),
        ("secrets", json!("x")),
        ("unheard_of", json!(1)),
    ];
    for (field, value) in injected {
        let unknown = [(field.to_owned(), "unknown".to_owned())];
        assert_eq!(owner.invalid(Method::POST, "/tools", with(field, value.clone())).await, unknown);
        let body = json!({ field: value });
        assert_eq!(owner.invalid(Method::PUT, &format!("/tools/{tool}"), body).await, unknown);
    }
    assert_eq!(owner.get(&format!("/tools/{tool}")).await["version"], 1);
}

#[tokio::test]
async fn t5_a_tool_in_use_is_removed_only_by_force() {
    let (app, owner) = workshop().await;
    let upstream = Upstream::start(|_| json_answer(json!(1))).await;
    let tool = id(&owner.post(201, "/tools", webhook_tool("hook", &upstream.url)).await);
    let vendas = agent(&owner, "vendas", &["hook"], "never").await;
    owner.call("hook", "vendas", json!({ "title": "x" })).await;
    let path = format!("/tools/{tool}");
    let refused = owner.expect(409, Method::DELETE, &path, None).await;
    assert_eq!(refused["code"], "tool_in_use");
    assert_eq!(refused["agents"], json!([{ "id": vendas, "slug": "vendas", "name": "vendas" }]));
    owner.expect(204, Method::DELETE, &format!("{path}?force=true"), None).await;
    for method in [Method::GET, Method::DELETE] {
        assert_eq!(owner.refused(method, &path, None).await, (404, "tool_not_found".to_owned()));
    }
    assert_eq!(problem(owner.call("hook", "vendas", json!({ "title": "x" })).await).await.0, 404);
    assert_eq!(owner.get("/agents/vendas").await["allowed_tools"], json!([]));
    let history = owner.get(&format!("{path}/executions")).await;
    assert_eq!(history["data"][0]["tool_name"], "hook", "the history stays");
    assert_eq!(owner.get(&format!("{path}/versions")).await["data"].as_array().unwrap().len(), 1);
    assert_eq!(app.count("SELECT count(*) FROM audit_entries WHERE action = 'tool.delete'").await, 1);
    let free = id(&owner.post(201, "/tools", webhook_tool("hook", URL)).await);
    owner.expect(204, Method::DELETE, &format!("/tools/{free}"), None).await;
}

#[tokio::test]
async fn t13_the_product_s_own_tools_keep_their_core() {
    let (_app, owner) = workshop().await;
    let path = format!("/tools/{}", built_in(&owner, "createTask").await);
    let core = [
        json!({ "name": "other" }),
        json!({ "display_name": "x" }),
        json!({ "description": "x" }),
        json!({ "type": "webhook" }),
        json!({ "parameters": { "type": "object" } }),
        json!({ "execution_type": "webhook" }),
        json!({ "webhook_url": URL }),
        json!({ "webhook_headers": { "x": "1" } }),
        json!({ "code": "1" }),
        json!({ "max_fetches": 1 }),
        json!({ "fetch_hosts": ["example.org"] }),
        json!({ "secret_names": ["A"] }),
        json!({ "effect": "read" }),
        json!({ "idempotent": true }),
        json!({ "timeout_ms": 1_000 }),
        json!({ "max_output_bytes": 2_048 }),
        json!({ "webhook_method": "GET" }),
    ];
    for body in core {
        let found = owner.refused(Method::PUT, &path, Some(body.clone())).await;
        assert_eq!(found, (409, "system_tool".to_owned()), "{body}");
    }
    let careful =
        json!({ "requires_confirmation": true, "rate_limit": { "limit": 9, "window_seconds": 60 } });
    let changed = owner.put(&path, careful).await;
    assert_eq!((&changed["requires_confirmation"], &changed["version"]), (&json!(true), &json!(2)));
    agent(&owner, "vendas", &["createTask"], "never").await;
    assert_eq!(owner.call("createTask", "vendas", json!({ "title": "x" })).await.status(), 202);
    let system = (409, "system_tool".to_owned());
    assert_eq!(owner.refused(Method::DELETE, &path, None).await, system);
    assert_eq!(owner.refused(Method::DELETE, &format!("{path}?force=true"), None).await, system);
    assert_eq!(owner.refused(Method::POST, &format!("{path}/versions/1/restore"), None).await, system);
    let rotate = owner.refused(Method::POST, &format!("{path}/rotate-secret"), None).await;
    assert_eq!(rotate, (404, "not_found".to_owned()));
    let off = owner.patch(&format!("{path}/toggle"), json!({ "is_active": false })).await;
    assert_eq!(off["is_active"], false, "a tenant may do without it");
}

/// T5: somebody is given the tool while somebody else removes it. One of them comes first, and the other hears of it.
#[tokio::test]
async fn t5_a_tool_that_was_given_away_meanwhile_is_not_removed() {
    let (_app, owner) = workshop().await;
    agent(&owner, "vendas", &[], "never").await;
    for round in 0..12 {
        let name = format!("hook{round}");
        let tool = owner.post(201, "/tools", webhook_tool(&name, "https://example.org/")).await;
        let path = format!("/tools/{}", tool["id"].as_str().unwrap());
        let given = json!({ "allowed_tools": [name] });
        let (given, removed) = tokio::join!(
            owner.send(Method::PUT, "/agents/vendas/tools", Some(given)),
            owner.send(Method::DELETE, &path, None),
        );
        let both = (given.status().as_u16(), removed.status().as_u16());
        assert!([(200, 409), (409, 204), (422, 204)].contains(&both), "{both:?}");
    }
}

#[tokio::test]
async fn t5_who_says_what_they_saw_removes_nothing_else() {
    let (_app, owner) = workshop().await;
    let owner = &owner;
    agent(owner, "vendas", &[], "never").await;
    let tool = owner.post(201, "/tools", webhook_tool("hook", "https://example.org/")).await;
    let path = format!("/tools/{}", tool["id"].as_str().unwrap());
    owner.put(&path, json!({ "description": "outra" })).await;
    owner.patch("/agents/vendas", json!({ "description": "outra" })).await;
    for path in [path.as_str(), "/agents/vendas"] {
        let with = |version: &'static str| async move {
            owner.with_headers(Method::DELETE, path, None, &[("If-Match", version)]).await
        };
        assert_eq!(problem(with("\"1\"").await).await, (409, "conflict".into()), "{path}");
        assert_eq!(problem(with("x").await).await, (422, "validation_failed".into()), "{path}");
        assert_eq!(with("\"2\"").await.status(), 204, "{path}");
    }
}

#[tokio::test]
async fn t1_what_is_no_id_names_no_tool() {
    let (_app, owner) = workshop().await;
    for (method, path) in [
        (Method::GET, "/tools/x"),
        (Method::DELETE, "/tools/x"),
        (Method::GET, "/tools/x/versions"),
        (Method::GET, "/tools/x/executions"),
        (Method::POST, "/tools/x/versions/1/restore"),
        (Method::POST, "/tools/x/rotate-secret"),
    ] {
        assert_eq!(owner.refused(method, path, None).await, (404, "tool_not_found".into()), "{path}");
    }
}

#[tokio::test]
async fn t2_lists_are_read_in_parts() {
    let (_app, owner) = workshop().await;
    for name in ["b", "a", "c"] {
        agent(&owner, name, &[], "never").await;
        owner.post(201, "/api-keys", json!({ "name": name, "role": "viewer" })).await;
    }
    let tool = owner.post(201, "/tools", webhook_tool("hook", "https://example.org/")).await;
    let path = format!("/tools/{}", tool["id"].as_str().unwrap());
    for text in ["um", "dois"] {
        owner.put(&path, json!({ "description": text })).await;
    }
    for path in ["/tools", "/agents", "/api-keys", &format!("{path}/versions")] {
        let whole = owner.get(&format!("{path}?limit=200")).await;
        assert!(whole["next_cursor"].is_null() && whole["data"].as_array().unwrap().len() >= 3, "{path}");
        assert_eq!(owner.get(path).await, whole, "the usual page is larger than this");
        let (mut rows, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = owner.get(&format!("{path}?limit=2{cursor}")).await;
            rows.extend(page["data"].as_array().unwrap().clone());
            assert!(page["data"].as_array().unwrap().len() <= 2);
            match page["next_cursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => break,
            }
        }
        assert_eq!(json!(rows), whole["data"], "{path}");
        for bad in ["limit=0", "limit=201", "limit=x", "cursor=x"] {
            let refused = owner.refused(Method::GET, &format!("{path}?{bad}"), None).await;
            assert_eq!(refused, (422, "validation_failed".into()), "{path}?{bad}");
        }
    }
}

/// What the product says of its own tools comes with the product; how carefully a tenant uses them is the tenant's.
#[tokio::test]
async fn t13_built_in_tools_are_described_anew_by_a_newer_version() {
    let (app, owner) = workshop().await;
    let path = format!("/tools/{}", built_in(&owner, "createTask").await);
    owner.put(&path, json!({ "requires_confirmation": true })).await;
    let now = owner.get(&path).await;
    // As an older version described it.
    app.change(
        "UPDATE tools SET definition = replace(definition, '\"required\":[\"title\"]', '\"required\":[]')",
    )
    .await;
    app.change("UPDATE settings SET value = 'older' WHERE name = 'built_in_tools'").await;
    // Two of them start at once.
    let (newer, _other) = tokio::join!(app.replica(), app.replica());
    let renewed = newer.backend_of(owner.key.clone()).get(&path).await;
    assert_eq!(renewed["parameters"], now["parameters"]);
    assert_eq!(renewed["requires_confirmation"], true);
    assert_eq!(renewed["version"], json!(now["version"].as_i64().unwrap() + 1));
    let versions = owner.get(&format!("{path}/versions")).await["data"][0].clone();
    assert_eq!(versions["changed_by"], "Alçada");
    let record =
        owner.get(&format!("/audit?subject_kind=tool&subject_id={}", now["id"].as_str().unwrap())).await;
    assert_eq!(record["data"][0]["action"], "tool.update");
    assert_eq!(record["data"][0]["actor_name"], "Alçada");
    let other = format!("/tools/{}", built_in(&owner, "searchProducts").await);
    assert_eq!(owner.get(&other).await["version"], 1, "what is the same stays");
    assert_eq!(
        app.replica().await.backend_of(owner.key.clone()).get(&path).await["version"],
        renewed["version"]
    );
}
