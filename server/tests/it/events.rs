//! `/events`: an open page hears of changes.

use crate::app::{Person, TestApp, problem};
use reqwest::{Response, StatusCode};
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
    tokio::time::timeout(Duration::from_secs(5), waiting).await.expect("an event or the end")
}

#[tokio::test]
async fn an_open_page_hears_of_a_switch_and_of_its_own_rights() {
    let (app, admin) = TestApp::with_admin().await;
    let viewer = app.member("viewer@example.org", "padaria-central", "viewer").await;
    let other = app.member("other@example.org", "padaria-central", "viewer").await;
    if crate::app::on_postgres() {
        while !app.services.db.signals().are_reliable() {
            tokio::task::yield_now().await;
        }
    }
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
