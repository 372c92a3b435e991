//! `/api/admin/tools`: the switches for everybody.

use crate::app::{Person, TestApp, on_postgres, problem};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

async fn tools(person: &Person) -> Vec<Value> {
    let answer = person.api(Method::GET, "/api/admin/tools", None).await;
    assert_eq!(answer.status(), StatusCode::OK);
    let body: Value = answer.json().await.unwrap();
    assert_eq!(body["next_cursor"], Value::Null);
    body["data"].as_array().unwrap().clone()
}

async fn tool(person: &Person, name: &str) -> Value {
    tools(person).await.into_iter().find(|tool| tool["tool_name"] == name).unwrap()
}

async fn switch(person: &Person, name: &str, body: Value) -> reqwest::Response {
    person.api(Method::PATCH, &format!("/api/admin/tools/{name}"), Some(body)).await
}

#[tokio::test]
async fn g1_g4_the_first_start_has_every_entry_enabled() {
    let (_app, admin) = TestApp::with_admin().await;
    let tools = tools(&admin).await;
    assert_eq!(tools.len(), engine::registry::REGISTRY.len());
    assert!(tools.iter().all(|tool| tool["enabled"] == true));
    let note = tools.iter().find(|tool| tool["tool_name"] == "save_note").unwrap();
    assert_eq!(note["label"], "Salvar como nota");
    assert_eq!(note["icon"], "💡");
    assert_eq!(note["category"], "user");
    assert_eq!((&note["requires_auth"], &note["admin_only"]), (&json!(true), &json!(false)));
    assert_eq!(note["last_change"], Value::Null);
}

#[tokio::test]
async fn g4_an_upgrade_adds_what_is_new_and_leaves_flags_alone() {
    let (app, admin) = TestApp::with_admin().await;
    assert_eq!(switch(&admin, "save_note", json!({ "enabled": false })).await.status(), 200);
    let sql = app.sql().await;
    let forget = "DELETE FROM global_tools WHERE tool_name = 'save_link'";
    sea_orm::ConnectionTrait::execute_unprepared(&sql, forget).await.unwrap();
    let upgraded = app.replica().await;
    let admin = upgraded.sign_in("admin@example.org").await;
    assert_eq!(tool(&admin, "save_link").await["enabled"], true);
    assert_eq!(tool(&admin, "save_note").await["enabled"], false);
}

#[tokio::test]
async fn g10_a_switch_is_recorded_with_before_and_after() {
    let (app, admin) = TestApp::with_admin().await;
    let answer = switch(&admin, "save_movie", json!({ "enabled": false, "reason": "TMDB fora do ar" })).await;
    assert_eq!(answer.status(), StatusCode::OK);
    let row: Value = answer.json().await.unwrap();
    assert_eq!((&row["enabled"], &row["version"]), (&json!(false), &json!(1)));
    assert_eq!(
        (&row["last_change"]["by"], &row["last_change"]["reason"]),
        (&json!("Ada"), &json!("TMDB fora do ar"))
    );
    let entries =
        store::audit::about(app.services.db.reader(), "global_tool", "save_movie", 10).await.unwrap();
    assert_eq!(entries.len(), 1);
    assert_eq!(entries[0].before.as_deref(), Some("{\"enabled\":true}"));
    assert_eq!(entries[0].after.as_deref(), Some("{\"enabled\":false}"));
    // The same again changes nothing and leaves no entry.
    assert_eq!(switch(&admin, "save_movie", json!({ "enabled": false })).await.status(), StatusCode::OK);
    assert_eq!(app.count("SELECT count(*) FROM audit_entries WHERE subject_kind = 'global_tool'").await, 1);
}

#[tokio::test]
async fn g5_a_system_tool_stays_on() {
    let (app, admin) = TestApp::with_admin().await;
    let refused = switch(&admin, "search_items", json!({ "enabled": false })).await;
    assert_eq!(problem(refused).await, (409, "system_tool".to_owned()));
    assert_eq!(tool(&admin, "search_items").await["enabled"], true);
    assert_eq!(app.count("SELECT count(*) FROM audit_entries WHERE subject_kind = 'global_tool'").await, 0);
}

#[tokio::test]
async fn g6_what_is_off_is_absent_for_a_member() {
    let (app, admin) = TestApp::with_admin().await;
    let member = app.member("viewer@example.org", "padaria-central", "viewer").await;
    let names = |list: Value| -> Vec<String> {
        list["tools"]
            .as_array()
            .unwrap()
            .iter()
            .map(|tool| tool["tool_name"].as_str().unwrap().to_owned())
            .collect()
    };
    assert!(names(member.ask("list_available_tools", &[]).await).contains(&"save_note".to_owned()));
    assert_eq!(switch(&admin, "save_note", json!({ "enabled": false })).await.status(), StatusCode::OK);
    let now = names(member.ask("list_available_tools", &[]).await);
    assert!(!now.contains(&"save_note".to_owned()));
    assert!(now.contains(&"search_items".to_owned()), "system tools are always there");
    assert!(!now.iter().any(|name| name.ends_with("_tools")), "kinds are not tools");
}

/// G7: another process shows the switch at once, not when its cache expires.
#[tokio::test]
async fn g7_a_switch_is_seen_by_other_processes() {
    let (app, admin) = TestApp::with_admin().await;
    let replica = app.replica().await;
    let there = replica.sign_in("admin@example.org").await;
    if on_postgres() {
        wait_until(|| async { replica.services.db.signals().are_reliable() }).await;
    }
    assert_eq!(tool(&there, "save_video").await["enabled"], true, "now it is cached there");
    for enabled in [false, true, false] {
        assert_eq!(
            switch(&admin, "save_video", json!({ "enabled": enabled })).await.status(),
            StatusCode::OK
        );
        wait_until(|| async { tool(&there, "save_video").await["enabled"] == enabled }).await;
    }
}

/// Gives up after a minute: far less than the five minutes of the cache.
async fn wait_until<F: Future<Output = bool>>(mut condition: impl FnMut() -> F) {
    let waiting = async {
        while !condition().await {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(60), waiting)
        .await
        .expect("the news arrived in time");
}

/// Reads are cached until the database counts a change, whoever made it: whoever writes past the product, too.
#[tokio::test]
async fn g7_reads_are_cached_and_a_switch_empties_the_cache() {
    let (app, admin) = TestApp::with_admin().await;
    if on_postgres() {
        wait_until(|| async { app.services.db.signals().are_reliable() }).await;
    }
    tools(&admin).await;
    let sql = app.sql().await;
    let behind = "UPDATE global_tools SET enabled = false WHERE tool_name = 'save_note'";
    sea_orm::ConnectionTrait::execute_unprepared(&sql, behind).await.unwrap();
    assert_eq!(tool(&admin, "save_note").await["enabled"], false, "seen, though no process told of it");
    assert_eq!(switch(&admin, "save_link", json!({ "enabled": false })).await.status(), StatusCode::OK);
    assert_eq!(tool(&admin, "save_note").await["enabled"], false, "read anew after a switch");
}

#[tokio::test]
async fn g10_only_administrators_reach_the_switches() {
    let (app, _admin) = TestApp::with_admin().await;
    let stranger = app.visitor("");
    let body = json!({ "enabled": false });
    let anonymous = stranger.api(Method::GET, "/api/admin/tools", None).await;
    assert_eq!(problem(anonymous).await, (401, "unauthenticated".to_owned()));
    assert_eq!(problem(switch(&stranger, "save_note", body.clone()).await).await.0, 401);
    for role in ["owner", "manager", "operator", "viewer", "auditor"] {
        let person = app.member(&format!("{role}@example.org"), "padaria-central", role).await;
        let read = person.api(Method::GET, "/api/admin/tools", None).await;
        assert_eq!(problem(read).await, (403, "forbidden".to_owned()), "{role}");
        let write = switch(&person, "save_note", body.clone()).await;
        assert_eq!(problem(write).await, (403, "forbidden".to_owned()), "{role}");
        assert_eq!(person.refused("list_global_tools", &[]).await.0, 403, "{role}");
        let fields = [("tool_name", "save_note"), ("enabled", "false")];
        assert_eq!(person.refused("switch_global_tool", &fields).await.0, 403, "{role}");
    }
    assert_eq!(app.count("SELECT count(*) FROM global_tools WHERE NOT enabled").await, 0);
}

#[tokio::test]
async fn api_keys_open_the_same_doors() {
    let (app, _) = TestApp::with_admin().await;
    let key = app.platform_key().await;
    assert!(key.starts_with("alc_"));
    let client = reqwest::Client::new();
    let url = format!("{}/api/admin/tools", app.url);
    let answer = client.get(&url).bearer_auth(&key).send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
    let patched =
        client.patch(format!("{url}/save_link")).bearer_auth(&key).json(&json!({ "enabled": false }));
    let row: Value = patched.send().await.unwrap().json().await.unwrap();
    assert_eq!(row["last_change"]["by"], "test", "the record names the key");
    for bad in ["alc_wrong", "", "nonsense"] {
        let answer = client.get(&url).bearer_auth(bad).send().await.unwrap();
        assert_eq!(problem(answer).await, (401, "unauthenticated".to_owned()), "{bad:?}");
    }
    let permit = ability::Caller::operator().permit().unwrap();
    let tenant = app.services.accounts.find_tenant("padaria-central").await.unwrap().id;
    let scope = accounts::KeyScope::Tenant(tenant, domain::TenantRole::Owner);
    let owner = app.services.accounts.create_api_key(&permit, "owner", scope).await.unwrap().key;
    let answer = client.get(&url).bearer_auth(&owner).send().await.unwrap();
    assert_eq!(problem(answer).await, (403, "forbidden".to_owned()));
    let revoke = "UPDATE api_keys SET revoked_at = 1";
    sea_orm::ConnectionTrait::execute_unprepared(&app.sql().await, revoke).await.unwrap();
    assert_eq!(client.get(&url).bearer_auth(&key).send().await.unwrap().status(), StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_switch_that_somebody_else_used_meanwhile_is_a_conflict() {
    let (_app, admin) = TestApp::with_admin().await;
    assert_eq!(
        switch(&admin, "save_note", json!({ "enabled": false, "version": 0 })).await.status(),
        StatusCode::OK
    );
    let late = switch(&admin, "save_note", json!({ "enabled": true, "version": 0 })).await;
    assert_eq!(problem(late).await, (409, "conflict".to_owned()));
    assert_eq!(tool(&admin, "save_note").await["enabled"], false);
}

#[tokio::test]
async fn two_administrators_at_once_leave_one_truth() {
    let (app, admin) = TestApp::with_admin().await;
    let other = app.sign_in("admin@example.org").await;
    for round in 0..10 {
        let version = tool(&admin, "save_video").await["version"].clone();
        let enabled = round % 2 == 1;
        let body = json!({ "enabled": enabled, "version": version });
        let (a, b) =
            tokio::join!(switch(&admin, "save_video", body.clone()), switch(&other, "save_video", body));
        let mut statuses = [a.status().as_u16(), b.status().as_u16()];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409], "round {round}");
    }
    // Without a version everybody is served, one after the other, and every change has its entry.
    let (off, on) = (json!({ "enabled": false }), json!({ "enabled": true }));
    let (a, b) = tokio::join!(switch(&admin, "save_link", off), switch(&other, "save_link", on));
    assert!(a.status().is_success() && b.status().is_success(), "{} {}", a.status(), b.status());
    let version = tool(&admin, "save_link").await["version"].as_i64().unwrap();
    let entries = "SELECT count(*) FROM audit_entries WHERE subject_id = 'save_link'";
    assert_eq!(app.count(entries).await, version);
}

#[tokio::test]
async fn a_kind_is_switched_like_a_tool() {
    let (_app, admin) = TestApp::with_admin().await;
    let row: Value = switch(&admin, "webhook_tools", json!({ "enabled": false })).await.json().await.unwrap();
    assert_eq!((&row["category"], &row["enabled"]), (&json!("kind"), &json!(false)));
}

#[tokio::test]
async fn labels_speak_the_caller_s_language() {
    let (_app, admin) = TestApp::with_admin().await;
    let request = admin
        .client
        .get(format!("{}/api/admin/tools", admin.url))
        .header("accept-language", "en-GB,en;q=0.9");
    let body: Value = request.send().await.unwrap().json().await.unwrap();
    let note = body["data"].as_array().unwrap().iter().find(|tool| tool["tool_name"] == "save_note").unwrap();
    assert_eq!(note["label"], "Save as note");
}
