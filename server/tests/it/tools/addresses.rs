//! S16: a secret in the address of a tool is used, and never shown.

use super::{secrets::kept, with};
use crate::{
    app::TestApp,
    workshop::{TENANT, Upstream, agent, id, json_answer, pending, webhook_tool, workshop},
};
use domain::TenantRole;
use reqwest::Method;
use serde_json::{Value, json};

#[tokio::test]
async fn s16_a_secret_in_an_address_is_sealed_and_shown_to_nobody() {
    let (app, admin) = TestApp::with_admin().await;
    let owner = app.backend(TENANT, TenantRole::Owner).await;
    let upstream = Upstream::start(|_| json_answer(json!(1))).await;
    let shown = format!("{}?team=1&token=***", upstream.url);
    let real = |canary: &str| shown.replace("***", canary);
    let query = || upstream.asked().pop().unwrap().query;
    let made = owner.post(201, "/tools", webhook_tool("hook", &real("c4n4ry"))).await;
    assert_eq!(made["webhook_url"], json!(shown));
    let path = format!("/tools/{}", id(&made));
    let run = format!("{path}/execute");
    let params = json!({ "params": { "title": "x" } });
    let ran = owner.post(200, &run, params.clone()).await;
    assert_eq!(query(), "team=1&token=c4n4ry", "it is called with the real one");
    agent(&owner, "vendas", &["hook"], "always").await;
    let asked = pending(&owner, "hook", "vendas", json!({ "title": "x" })).await;

    assert_eq!(owner.put(&path, json!({ "webhook_url": shown })).await["version"], 1, "sent back as shown");
    assert_eq!(owner.put(&path, json!({ "webhook_url": real("c4n4ry-2") })).await["version"], 2);
    assert_eq!(owner.put(&path, json!({ "webhook_url": shown })).await["version"], 2);
    let form = [("tool_id", &path[7..]), ("seen_version", "2"), ("tool[webhook_url]", shown.as_str())];
    assert_eq!(admin.ask("update_tool", &form).await["version"], 2, "the form, too");
    owner.post(200, &run, params.clone()).await;
    assert_eq!(query(), "team=1&token=c4n4ry-2", "what was masked stayed");
    let changes = owner.get(&format!("{path}/versions")).await["data"][0]["changes"].clone();
    assert_eq!(changes, json!([{ "field": "webhook_url", "before": shown, "after": shown }]));
    owner.put(&path, json!({ "webhook_url": upstream.url })).await;
    let restored = owner.expect(200, Method::POST, &format!("{path}/versions/1/restore"), None).await;
    assert_eq!(restored["webhook_url"], json!(shown));
    owner.post(200, &run, params).await;
    assert_eq!(query(), "team=1&token=c4n4ry", "a version comes back with its own");

    let of = |kind: &str, field: &str, value: &Value| format!("/{kind}/{}", value[field].as_str().unwrap());
    for (path, has_it) in [
        ("/tools".to_owned(), true),
        (path.clone(), true),
        (format!("{path}/versions"), true),
        ("/audit?limit=200".to_owned(), true),
        ("/audit/export".to_owned(), true),
        ("/confirmations".to_owned(), true),
        (of("confirmations", "confirmation_id", &asked), true),
        ("/executions".to_owned(), false),
        (of("executions", "execution_id", &ran), false),
        (of("executions", "execution_id", &asked), false),
    ] {
        let answer = owner.send(Method::GET, &path, None).await;
        assert_eq!(answer.status(), 200, "{path}");
        let text = answer.text().await.unwrap();
        assert_eq!((text.contains("c4n4ry"), text.contains("token=***")), (false, has_it), "{path}: {text}");
    }
    let why = owner.post(200, "/decisions/explain", json!({ "execution_id": asked["execution_id"] })).await;
    assert!(!why.to_string().contains("c4n4ry"), "{why}");
    let run = ran["execution_id"].as_str().unwrap();
    let trial = admin.ask("get_trial", &[("execution_id", run)]).await["request"].clone();
    assert!(trial.as_str().unwrap().starts_with(&format!("POST {shown}\n")), "{trial}");
    for page in [path.clone(), format!("{path}/versions"), "/audit".to_owned(), "/confirmations".to_owned()] {
        let answer = admin.get(&page).await;
        assert_eq!(answer.status(), 200, "{page}");
        assert!(!answer.text().await.unwrap().contains("c4n4ry"), "{page}");
    }
    let everything = kept(&app).await;
    assert!(everything.contains("token=***") && !everything.contains("c4n4ry"), "{everything}");
    let plain = [("tool[name]", "other"), ("tool[webhook_url]", "https://example.org/?token=c4n4ry")];
    let refused = admin.submit("/tools/new", "create_tool", &plain).await;
    let back = refused.headers()["location"].to_str().unwrap().to_owned();
    let form = admin.get(&back[app.url.len()..]).await.text().await.unwrap();
    assert!(form.contains("token=***") && !form.contains("c4n4ry"), "what a refused form said is kept");
}

/// As an older version kept them: in clear.
#[tokio::test]
async fn s16_addresses_of_before_are_sealed_at_the_next_start() {
    let (app, owner) = workshop().await;
    let upstream = Upstream::start(|_| json_answer(json!(1))).await;
    let url = format!("{}?token=new", upstream.url);
    let path = format!("/tools/{}", id(&owner.post(201, "/tools", webhook_tool("hook", &url)).await));
    owner.put(&path, json!({ "description": "second" })).await;
    owner.expect(201, Method::PUT, "/channels/events", Some(json!({ "url": url }))).await;
    for table in ["tools", "tool_versions", "channels"] {
        let clear = format!("UPDATE {table} SET definition = replace(definition, '=***', '=c4n4ry')");
        app.change(&clear).await;
    }
    app.change("UPDATE tool_versions SET secrets = NULL").await;
    app.change("DELETE FROM settings WHERE name = 'addresses_are_sealed'").await;
    assert!(kept(&app).await.contains("c4n4ry"));

    let newer = app.replica().await;
    let everything = kept(&newer).await;
    assert!(everything.contains("token=***") && !everything.contains("c4n4ry"), "{everything}");
    let in_clear = "SELECT count(*) FROM channels WHERE definition LIKE '%c4n4ry%'";
    assert_eq!(newer.count(in_clear).await, 0);
    let query = || upstream.asked().pop().unwrap().query;
    let run = format!("{path}/execute");
    owner.post(200, &run, json!({ "params": { "title": "x" } })).await;
    assert_eq!(query(), "token=c4n4ry", "calls go where they went");
    owner.put(&path, json!({ "webhook_url": upstream.url })).await;
    owner.expect(200, Method::POST, &format!("{path}/versions/1/restore"), None).await;
    owner.post(200, &run, json!({ "params": { "title": "x" } })).await;
    assert_eq!(query(), "token=c4n4ry", "versions, too");
    let told = owner.expect(200, Method::POST, "/channels/events/test", Some(json!({}))).await;
    assert_eq!((&told["success"], query().as_str()), (&json!(true), "token=c4n4ry"), "and channels");
}

#[tokio::test]
async fn s16_a_masked_secret_in_another_address_is_needed_anew() {
    let (_app, owner) = workshop().await;
    let made =
        owner.post(201, "/tools", with("webhook_url", json!("https://example.org/x?token=c4n4ry"))).await;
    let path = format!("/tools/{}", id(&made));
    let anew = [("webhook_url".to_owned(), "needed_anew".to_owned())];
    for url in [
        "https://other.example.org/x?token=***",
        "https://example.org/other?token=***",
        "https://example.org/x?token=***&page=2",
        "https://example.org/x?token=***&senha=***",
    ] {
        assert_eq!(owner.invalid(Method::PUT, &path, json!({ "webhook_url": url })).await, anew, "{url}");
    }
    let new = with("webhook_url", made["webhook_url"].clone());
    assert_eq!(owner.invalid(Method::POST, "/tools", new).await, anew, "a new tool has nothing that is kept");
}
