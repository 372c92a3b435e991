//! `/events`: an open page hears of changes.

use crate::{
    app::{Person, TestApp, problem},
    workshop::{Backend, TENANT, agent, id, pending, until, workshop},
};
use domain::TenantRole;
use reqwest::{Method, Response, StatusCode};
use serde_json::json;
use std::time::Duration;

pub async fn listen(person: &Person) -> Response {
    let answer = person.client.get(format!("{}/events", person.url)).send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
    answer
}

/// The next event's name; keep-alives are passed over.
pub async fn next_event(stream: &mut Response) -> Option<String> {
    let waiting = async {
        while let Some(chunk) = stream.chunk().await.ok()? {
            let text = String::from_utf8_lossy(&chunk).into_owned();
            if let Some(name) = text.lines().find_map(|line| line.strip_prefix("event: ")) {
                assert!(text.contains("data: "), "browsers drop an event without data: {text:?}");
                return Some(name.to_owned());
            }
        }
        None
    };
    tokio::time::timeout(Duration::from_secs(60), waiting).await.expect("an event or the end")
}

#[tokio::test]
async fn an_open_page_hears_of_a_switch_and_of_its_own_rights() {
    let (app, admin) = TestApp::with_admin().await;
    let viewer = app.member("viewer@example.org", "padaria-central", "viewer").await;
    let other = app.member("other@example.org", "padaria-central", "viewer").await;
    app.hears_news().await;
    let mut stream = listen(&viewer).await;
    admin.call("rename_me", &[("name", "Ada")]).await;
    other.call("rename_me", &[("name", "Other")]).await;
    admin.call("switch_global_tool", &[("tool_name", "save_note"), ("enabled", "false")]).await;
    assert_eq!(next_event(&mut stream).await.as_deref(), Some("tools"), "nothing about other people");
    let id = admin.ask("list_users", &[("search", "viewer@")]).await[0]["id"].as_str().unwrap().to_owned();
    admin.call("change_member_role", &[("user_id", &id), ("role", "operator")]).await;
    let mut heard = next_event(&mut stream).await;
    while heard.as_deref() == Some("tools") {
        heard = next_event(&mut stream).await;
    }
    assert_eq!(heard.as_deref(), Some("rights"));
}

/// The next event of another kind than calls.
pub async fn next_beside_calls(stream: &mut Response) -> Option<String> {
    loop {
        let heard = next_event(stream).await;
        if heard.as_deref() != Some("executions") {
            return heard;
        }
    }
}

#[tokio::test]
async fn t9_an_open_page_hears_that_something_was_called_in_its_tenant() {
    let (app, owner) = workshop().await;
    agent(&owner, "vendas", &["createTask"], "never").await;
    let here = app.member("aqui@example.org", TENANT, "viewer").await;
    app.tenant("Outra", "outra").await;
    let elsewhere = app.member("fora@example.org", "outra", "viewer").await;
    let (mut ours, mut theirs) = (listen(&here).await, listen(&elsewhere).await);
    let hearing = tokio::spawn(async move { next_event(&mut ours).await });
    // The page may look for the first time after a call: then it hears of the next.
    until("heard", || async {
        assert_eq!(owner.call("createTask", "vendas", json!({ "title": "x" })).await.status(), 200);
        hearing.is_finished().then_some(())
    })
    .await;
    assert_eq!(hearing.await.unwrap().as_deref(), Some("executions"));
    app.stop.send_replace(true);
    assert_eq!(next_event(&mut theirs).await, None, "nothing about another tenant");
}

#[tokio::test]
async fn strangers_hear_nothing() {
    let (app, _) = TestApp::with_admin().await;
    let answer = app.visitor("").client.get(format!("{}/events", app.url)).send().await.unwrap();
    assert_eq!(problem(answer).await, (401, "unauthenticated".to_owned()));
}

#[tokio::test]
async fn the_stream_ends_when_the_process_stops() {
    let (app, admin) = TestApp::with_admin().await;
    let mut stream = listen(&admin).await;
    app.stop.send_replace(true);
    assert_eq!(next_event(&mut stream).await, None);
}

async fn listen_with(app: &TestApp, backend: &Backend) -> Response {
    let request = app.visitor("").client.get(format!("{}/events", app.url));
    request.bearer_auth(backend.key.as_ref().unwrap()).send().await.unwrap()
}

/// A backend hears what a page of its tenant hears: that somebody is asked, and nothing of anybody else.
#[tokio::test]
async fn b1_a_key_hears_of_the_questions_of_its_tenant_and_of_no_other() {
    let (app, owner) = workshop().await;
    agent(&owner, "medrosa", &["createTask"], "always").await;
    app.tenant("Outra", "outra").await;
    let stranger = app.backend("outra", TenantRole::Owner).await;
    app.hears_news().await;
    let operator = app.backend(TENANT, TenantRole::Operator).await;
    let mut ours = listen_with(&app, &operator).await;
    assert_eq!(
        (ours.status(), &ours.headers()["content-type"]),
        (StatusCode::OK, &"text/event-stream".parse().unwrap())
    );
    let mut theirs = listen_with(&app, &stranger).await;
    pending(&owner, "createTask", "medrosa", json!({ "title": "x" })).await;
    assert_eq!(next_beside_calls(&mut ours).await.as_deref(), Some("confirmations"));
    app.stop.send_replace(true);
    assert_eq!(next_event(&mut theirs).await, None, "nothing about another tenant");
}

/// The stream was opened while the key was good.
#[tokio::test]
async fn s24_a_revoked_key_hears_nothing_more() {
    let (app, owner) = workshop().await;
    agent(&owner, "medrosa", &["createTask"], "always").await;
    let made = owner.post(201, "/api-keys", json!({ "name": "loja", "role": "operator" })).await;
    let backend = app.backend_of(made["key"].as_str().map(str::to_owned));
    let mut stream = listen_with(&app, &backend).await;
    assert_eq!(stream.status(), StatusCode::OK);
    owner.expect(204, Method::DELETE, &format!("/api-keys/{}", id(&made)), None).await;
    pending(&owner, "createTask", "medrosa", json!({ "title": "x" })).await;
    assert_eq!(next_event(&mut stream).await, None, "it ends instead");
}

/// They hear that something about them changed, and nothing of the tenant after that.
#[tokio::test]
async fn s5_whoever_left_a_tenant_hears_nothing_more_of_it() {
    let (app, owner) = workshop().await;
    agent(&owner, "medrosa", &["createTask"], "always").await;
    let viewer = app.member("viewer@example.org", TENANT, "viewer").await;
    let admin = app.sign_in("admin@example.org").await;
    app.hears_news().await;
    let mut stream = listen(&viewer).await;
    let user = admin.ask("list_users", &[("search", "viewer@")]).await[0]["id"].as_str().unwrap().to_owned();
    assert_eq!(admin.call("remove_member", &[("user_id", &user)]).await.status(), StatusCode::OK);
    let mut next = next_event(&mut stream).await;
    assert_eq!(next.as_deref(), Some("rights"));
    pending(&owner, "createTask", "medrosa", json!({ "title": "x" })).await;
    // Where signals come over the database, one may come twice.
    while next.as_deref() == Some("rights") {
        next = next_event(&mut stream).await;
    }
    assert_eq!(next, None, "it ends instead");
}

#[tokio::test]
async fn s5_a_key_without_the_inbox_hears_nothing() {
    let (app, owner) = workshop().await;
    agent(&owner, "vendas", &["createTask"], "never").await;
    let viewer = app.backend(TENANT, TenantRole::Viewer).await;
    let bound = app.agent_backend(TENANT, "vendas").await;
    for backend in [viewer, bound] {
        let refused = problem(listen_with(&app, &backend).await).await;
        assert_eq!(refused, (403, "forbidden".to_owned()));
    }
    let platform = app.backend_of(Some(app.platform_key().await));
    assert_eq!(problem(listen_with(&app, &platform).await).await, (403, "tenant_required".to_owned()));
    let unknown = app.backend_of(Some("alc_nobody".to_owned()));
    assert_eq!(problem(listen_with(&app, &unknown).await).await.0, 401);
}
