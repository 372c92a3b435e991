//! T4, T6: what is absent stays, every change is a version, and two at once lose nothing.

use super::URL;
use crate::{
    app::problem,
    workshop::{Upstream, agent, id, json_answer, webhook_tool, workshop},
};
use reqwest::Method;
use serde_json::{Value, json};

#[tokio::test]
async fn t4_a_change_is_partial_and_every_version_is_kept() {
    let (_app, owner) = workshop().await;
    let made = owner.post(201, "/tools", webhook_tool("hook", URL)).await;
    let path = format!("/tools/{}", id(&made));
    let changed = owner.put(&path, json!({ "description": "Nova", "note": "melhor" })).await;
    assert_eq!((&changed["description"], &changed["version"]), (&json!("Nova"), &json!(2)));
    for field in ["name", "display_name", "parameters", "webhook_url", "timeout_ms", "effect"] {
        assert_eq!(changed[field], made[field], "{field}");
    }
    let same = owner.put(&path, json!({ "description": "Nova" })).await;
    assert_eq!(same["version"], 2, "what changes nothing is no version");
    owner.patch(&format!("{path}/toggle"), json!({ "is_active": false })).await;
    let versions = owner.get(&format!("{path}/versions")).await["data"].clone();
    assert_eq!(versions.as_array().unwrap().len(), 2);
    assert_eq!((&versions[0]["version"], &versions[0]["note"]), (&json!(2), &json!("melhor")));
    assert_eq!(
        versions[0]["changes"],
        json!([{ "field": "description", "before": "Agenda uma reunião", "after": "Nova" }])
    );
    assert_eq!((&versions[1]["changes"], &versions[1]["changed_by"]), (&json!([]), &json!("backend")));
    let restored = owner.expect(200, Method::POST, &format!("{path}/versions/1/restore"), None).await;
    assert_eq!((&restored["description"], &restored["version"]), (&made["description"], &json!(3)));
    assert_eq!(restored["is_active"], false, "a definition was restored, not a switch");
    for (version, wanted) in [("9", 404), ("0", 404), ("x", 404), ("-1", 404)] {
        let found = owner.refused(Method::POST, &format!("{path}/versions/{version}/restore"), None).await;
        assert_eq!(found, (wanted, "not_found".to_owned()), "{version}");
    }
}

#[tokio::test]
async fn t4_a_call_runs_the_newest_version_and_keeps_its_number() {
    let (_app, owner) = workshop().await;
    let upstream = Upstream::start(|_| json_answer(json!(1))).await;
    let path =
        format!("/tools/{}", id(&owner.post(201, "/tools", webhook_tool("hook", &upstream.url)).await));
    agent(&owner, "vendas", &["hook"], "never").await;
    let call = || owner.call("hook", "vendas", json!({ "title": "x" }));
    assert_eq!(call().await.status(), 200);
    owner.put(&path, json!({ "webhook_url": format!("{}?second", upstream.url) })).await;
    assert_eq!(call().await.status(), 200);
    owner.expect(200, Method::POST, &format!("{path}/versions/1/restore"), None).await;
    assert_eq!(call().await.status(), 200);
    let queries: Vec<String> = upstream.asked().into_iter().map(|asked| asked.query).collect();
    assert_eq!(queries, ["", "second", ""], "what ran was that version");
    let rows = owner.get(&format!("{path}/executions")).await["data"].clone();
    let rows = rows.as_array().unwrap();
    let versions: Vec<_> = rows.iter().map(|row| row["tool_version"].as_i64().unwrap()).collect();
    assert_eq!(versions, [3, 2, 1], "newest first");
    for (row, version) in rows.iter().zip([3, 2, 1]) {
        let one = owner.get(&format!("/executions/{}", id(row))).await;
        assert_eq!(
            (&one["tool_version"], &one["decision"]["tool_version"]),
            (&json!(version), &json!(version))
        );
    }
}

#[tokio::test]
async fn t4_a_change_that_can_break_agents_says_which() {
    let (_app, owner) = workshop().await;
    let path = format!("/tools/{}", id(&owner.post(201, "/tools", webhook_tool("hook", URL)).await));
    let stricter = |name: &str| {
        json!({ "parameters": {
            "type": "object",
            "properties": { name: { "type": "string" } },
            "required": [name],
            "additionalProperties": false
        } })
    };
    assert!(owner.put(&path, stricter("alone")).await.get("breaking_change").is_none(), "nobody uses it");
    let vendas = agent(&owner, "vendas", &["hook"], "never").await;
    let changed = owner.put(&path, stricter("other")).await;
    assert_eq!(changed["breaking_change"]["agents"][0]["id"], json!(vendas));
    let reasons = changed["breaking_change"]["reasons"].to_string();
    assert!(reasons.contains("alone was removed") && reasons.contains("other is now required"), "{reasons}");
    let harmless = owner.put(&path, json!({ "description": "x" })).await;
    assert!(harmless.get("breaking_change").is_none());
    let restored = owner.expect(200, Method::POST, &format!("{path}/versions/2/restore"), None).await;
    assert_eq!(restored["breaking_change"]["agents"][0]["id"], json!(vendas), "{restored}");
    let reasons = restored["breaking_change"]["reasons"].to_string();
    assert!(reasons.contains("other was removed") && reasons.contains("alone is now required"), "{reasons}");
    let again = owner.expect(200, Method::POST, &format!("{path}/versions/2/restore"), None).await;
    assert!(again.get("breaking_change").is_none(), "nothing changes");
}

#[tokio::test]
async fn t14_a_tool_can_name_its_agents() {
    let (_app, owner) = workshop().await;
    let (vendas, suporte) =
        (agent(&owner, "vendas", &[], "never").await, agent(&owner, "suporte", &[], "never").await);
    let mut body = webhook_tool("hook", URL);
    body["allowed_agents"] = json!([vendas, "vendas"]);
    let made = owner.post(201, "/tools", body).await;
    assert_eq!(made["allowed_agents"], json!([vendas]));
    let path = format!("/tools/{}", id(&made));
    let changed = owner.put(&path, json!({ "allowed_agents": ["suporte"] })).await;
    assert_eq!((&changed["allowed_agents"], &changed["version"]), (&json!([suporte]), &json!(1)));
    assert_eq!(owner.get("/agents/vendas").await["allowed_tools"], json!([]));
    assert_eq!(owner.get("/agents/suporte").await["allowed_tools"], json!(["hook"]));
    assert_eq!(owner.put(&path, json!({ "allowed_agents": [] })).await["allowed_agents"], json!([]));
}

#[tokio::test]
async fn t4_changes_at_once_never_lose_a_version() {
    let (_app, owner) = workshop().await;
    let path = format!("/tools/{}", id(&owner.post(201, "/tools", webhook_tool("hook", URL)).await));
    let all =
        (0..20).map(|n| owner.send(Method::PUT, &path, Some(json!({ "description": format!("d{n}") }))));
    let mut made = 1;
    for answer in futures::future::join_all(all).await {
        match answer.status().as_u16() {
            200 => made += 1,
            _ => assert_eq!(crate::app::problem(answer).await, (409, "conflict".to_owned())),
        }
    }
    let versions = owner.get(&format!("{path}/versions")).await["data"].clone();
    let numbers: Vec<_> =
        versions.as_array().unwrap().iter().map(|v| v["version"].as_i64().unwrap()).collect();
    assert_eq!(numbers, (1..=made).rev().collect::<Vec<_>>());
    assert_eq!(owner.get(&path).await["version"], json!(made));
}

/// Whoever was told that a tool is off can rely on it, whatever else was edited at that moment.
#[tokio::test]
async fn t6_a_switch_is_never_undone_by_somebody_else_s_edit() {
    let (_app, owner) = workshop().await;
    let path = format!("/tools/{}", id(&owner.post(201, "/tools", webhook_tool("hook", URL)).await));
    let toggle = format!("{path}/toggle");
    for round in 0..25 {
        owner.patch(&toggle, json!({ "is_active": true })).await;
        let edit = json!({ "description": format!("d{round}") });
        let edit = owner.send(Method::PUT, &path, Some(edit));
        let switch = owner.send(Method::PATCH, &toggle, Some(json!({ "is_active": false })));
        // Whoever is named first is usually first.
        let (switched, edited) = tokio::join!(switch, edit);
        for answer in [&edited, &switched] {
            assert!([200, 409].contains(&answer.status().as_u16()), "{}", answer.status());
        }
        let now: Value = owner.get(&path).await;
        if switched.status() == 200 {
            assert_eq!(now["is_active"], false, "round {round}");
        }
        if edited.status() == 200 {
            assert_eq!(now["description"], json!(format!("d{round}")), "round {round}");
        }
    }
}

#[tokio::test]
async fn t4_null_clears_what_may_be_empty_and_an_absent_field_stays() {
    let (_app, owner) = workshop().await;
    let mut body = webhook_tool("hook", URL);
    body["rate_limit"] = json!({ "limit": 9, "window_seconds": 60 });
    body["memory_mb"] = json!(64);
    body["code"] = json!(null);
    let made = owner.post(201, "/tools", body).await;
    let path = format!("/tools/{}", id(&made));
    let kept = owner.put(&path, json!({ "description": "Outra" })).await;
    assert_eq!((&kept["rate_limit"]["limit"], &kept["memory_mb"]), (&json!(9), &json!(64)));
    let cleared = owner.put(&path, json!({ "rate_limit": null, "memory_mb": null, "code": null })).await;
    assert_eq!((&cleared["rate_limit"], &cleared["memory_mb"]), (&json!(null), &json!(null)));
    assert_eq!((&cleared["description"], &cleared["version"]), (&json!("Outra"), &json!(3)));
    let found = owner.invalid(Method::PUT, &path, json!({ "webhook_url": null })).await;
    assert_eq!(found, [("webhook_url".to_owned(), "required".to_owned())], "this kind cannot do without");
    assert_eq!(owner.get(&path).await["webhook_url"], made["webhook_url"]);
    let system = format!("/tools/{}", id(&owner.get("/tools?q=createTask").await["data"][0]));
    let zero = json!({ "rate_limit": { "limit": 0, "window_seconds": 60 } });
    assert_eq!(
        owner.invalid(Method::PUT, &system, zero).await,
        [("rate_limit.limit".to_owned(), "invalid".to_owned())]
    );
    let limit = json!({ "limit": 5, "window_seconds": 60 });
    assert_eq!(owner.put(&system, json!({ "rate_limit": limit })).await["rate_limit"], limit);
    assert_eq!(owner.put(&system, json!({ "requires_confirmation": true })).await["rate_limit"], limit);
    let nothing = json!({ "rate_limit": null, "webhook_url": null, "memory_mb": null, "code": null });
    assert_eq!(owner.put(&system, nothing).await["rate_limit"], json!(null));
}

#[tokio::test]
async fn t4_a_stale_change_of_a_tool_is_refused() {
    let (_app, owner) = workshop().await;
    let made = owner.post(201, "/tools", webhook_tool("hook", URL)).await;
    let path = format!("/tools/{}", id(&made));
    owner.put(&path, json!({ "description": "Nova", "expected_version": 1 })).await;
    let stale = (409, "conflict".to_owned());
    let late = json!({ "description": "Velha", "expected_version": 1 });
    assert_eq!(owner.refused(Method::PUT, &path, Some(late)).await, stale);
    let (toggle, restore) = (format!("{path}/toggle"), format!("{path}/versions/1/restore"));
    let changes = [
        (Method::PUT, &path, Some(json!({ "description": "Velha" }))),
        (Method::PATCH, &toggle, Some(json!({ "is_active": false }))),
        (Method::POST, &restore, None),
    ];
    for (method, path, body) in &changes {
        let late = owner.with_headers(method.clone(), path, body.clone(), &[("If-Match", "\"1\"")]).await;
        assert_eq!(problem(late).await, stale, "{method} {path}");
    }
    let now = owner.get(&path).await;
    assert_eq!(
        (&now["description"], &now["version"], &now["is_active"]),
        (&json!("Nova"), &json!(2), &json!(true))
    );
    let mut version = 2;
    for (method, path, body) in changes {
        let seen = format!("\"{version}\"");
        let answer = owner.with_headers(method, path, body, &[("If-Match", &seen)]).await;
        assert_eq!(answer.status(), 200, "{path}");
        version = answer.json::<Value>().await.unwrap()["version"].as_i64().unwrap();
    }
    let mut other = webhook_tool("other", URL);
    other["expected_version"] = json!(1);
    let found = owner.invalid(Method::POST, "/tools", other).await;
    assert_eq!(found, [("expected_version".to_owned(), "unknown".to_owned())], "there is none yet");
}

/// What is taken for granted of a GET, that it reads and may be repeated, is not kept by what is something else now.
#[tokio::test]
async fn t4_a_webhook_that_is_no_longer_a_get_counts_as_a_write() {
    let (_app, owner) = workshop().await;
    let upstream = Upstream::start(|_| json_answer(json!(1))).await;
    let mut body = webhook_tool("hook", &upstream.url);
    body["webhook_method"] = json!("GET");
    let made = owner.post(201, "/tools", body).await;
    let assumed = |tool: &Value| (tool["effect"].clone(), tool["idempotent"].clone());
    let (reads, writes) = ((json!("read"), json!(true)), (json!("write"), json!(false)));
    assert_eq!(assumed(&made), reads);
    let path = format!("/tools/{}", id(&made));
    agent(&owner, "vendas", &["hook"], "dangerous").await;
    let status = async || owner.call("hook", "vendas", json!({ "title": "x" })).await.status();
    assert_eq!(status().await, 200);
    assert_eq!(assumed(&owner.put(&path, json!({ "webhook_method": "POST" })).await), writes);
    assert_eq!(status().await, 202, "a person is asked");
    let back = owner.put(&path, json!({ "webhook_method": "GET" })).await;
    assert_eq!(assumed(&back), writes, "nobody said otherwise");
    let said = json!({ "effect": "read", "idempotent": true });
    assert_eq!(assumed(&owner.put(&path, said).await), reads);
    let kept = json!({ "webhook_method": "POST", "effect": "read", "idempotent": true });
    assert_eq!(assumed(&owner.put(&path, kept).await), reads, "what the change says counts");
    assert_eq!(assumed(&owner.put(&path, json!({ "description": "Outra" })).await), reads);
    owner.put(&path, json!({ "webhook_method": "GET", "effect": "money" })).await;
    let posted = owner.put(&path, json!({ "webhook_method": "POST" })).await;
    assert_eq!(assumed(&posted), (json!("money"), json!(false)), "what is worse than a write stays");
}
