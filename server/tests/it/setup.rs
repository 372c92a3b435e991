//! The first start.

use crate::app::{PASSWORD, TestApp, location};
use reqwest::StatusCode;

fn form<'a>(code: &'a str, email: &'a str) -> Vec<(&'a str, &'a str)> {
    vec![
        ("code", code),
        ("name", "Ada"),
        ("email", email),
        ("password", PASSWORD),
        ("organisation", "Padaria"),
    ]
}

#[tokio::test]
async fn every_page_leads_to_setup_until_somebody_has_an_account() {
    let app = TestApp::start().await;
    let visitor = app.visitor("");
    for page in ["/", "/login", "/admin/tools", "/members", "/invite/x", "/nowhere"] {
        let answer = visitor.get(page).await;
        assert_eq!((answer.status(), location(&answer)), (StatusCode::SEE_OTHER, "/setup"), "{page}");
    }
    assert_eq!(visitor.get("/setup").await.status(), StatusCode::OK);
    app.set_up().await;
    let answer = visitor.get("/setup").await;
    assert_eq!((answer.status(), location(&answer)), (StatusCode::SEE_OTHER, "/"));
}

#[tokio::test]
async fn a_wrong_code_creates_nobody() {
    let app = TestApp::start().await;
    app.services.accounts.new_setup_code().await.unwrap().unwrap();
    let visitor = app.visitor("");
    let refused = visitor.refused("complete_setup", &form("AAAA-BBBB-CCCC-DDDD", "a@example.org")).await;
    assert_eq!(refused, (403, "invalid_setup_code".to_owned()));
    assert_eq!(app.count("SELECT count(*) FROM users").await, 0);
}

#[tokio::test]
async fn the_code_works_once_and_only_the_newest() {
    let app = TestApp::start().await;
    let old = app.services.accounts.new_setup_code().await.unwrap().unwrap();
    let code = app.services.accounts.new_setup_code().await.unwrap().unwrap();
    let visitor = app.visitor("");
    assert_eq!(visitor.refused("complete_setup", &form(&old, "a@example.org")).await.0, 403);
    assert_eq!(
        visitor
            .call("complete_setup", &form(&code.to_lowercase().replace('-', ""), "a@example.org"))
            .await
            .status(),
        200
    );
    let again = app.visitor("").refused("complete_setup", &form(&code, "b@example.org")).await;
    assert_eq!(again, (409, "setup_done".to_owned()));
    assert!(app.services.accounts.new_setup_code().await.unwrap().is_none());
}

#[tokio::test]
async fn two_at_once_create_one_administrator() {
    let app = TestApp::start().await;
    let code = app.services.accounts.new_setup_code().await.unwrap().unwrap();
    let (one, two) = (app.visitor(""), app.visitor(""));
    let (form_one, form_two) = (form(&code, "a@example.org"), form(&code, "b@example.org"));
    let (first, second) =
        tokio::join!(one.call("complete_setup", &form_one), two.call("complete_setup", &form_two));
    let mut statuses = [first.status().as_u16(), second.status().as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
    assert_eq!(app.count("SELECT count(*) FROM users").await, 1);
}

#[tokio::test]
async fn refused_fields_are_named_and_nothing_is_written() {
    let app = TestApp::start().await;
    let code = app.services.accounts.new_setup_code().await.unwrap().unwrap();
    let visitor = app.visitor("");
    let fields = [
        ("code", code.as_str()),
        ("name", " "),
        ("email", "nobody"),
        ("password", "x"),
        ("organisation", ""),
    ];
    let answer = visitor.call("complete_setup", &fields).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let body: serde_json::Value = answer.json().await.unwrap();
    let named: Vec<&str> =
        body["errors"].as_array().unwrap().iter().map(|e| e["field"].as_str().unwrap()).collect();
    assert_eq!(named, ["name", "email", "organisation"]);
    assert_eq!(app.count("SELECT count(*) FROM users").await, 0);
    assert_eq!(app.count("SELECT count(*) FROM tenants").await, 0);
}

#[tokio::test]
async fn demo_data_is_offered_and_safe_to_repeat() {
    let app = TestApp::start().await;
    let code = app.services.accounts.new_setup_code().await.unwrap().unwrap();
    let mut fields = form(&code, "a@example.org");
    fields.push(("demo_data", "true"));
    assert_eq!(app.visitor("").call("complete_setup", &fields).await.status(), StatusCode::OK);
    let calls = app.count("SELECT count(*) FROM executions").await;
    assert!(calls > 200, "{calls}");
    for _ in 0..2 {
        let demo = app.services.accounts.seed_demo(None).await.unwrap();
        app.services.engine.seed_demo(demo.id).await.unwrap();
    }
    assert_eq!(app.count("SELECT count(*) FROM executions").await, calls);
    assert_eq!(app.count("SELECT count(*) FROM agents").await, 2);
    assert_eq!(app.count("SELECT count(*) FROM tenants WHERE slug = 'demo'").await, 1);
    assert_eq!(
        app.count("SELECT count(*) FROM users").await,
        1,
        "no demo account that somebody could sign in to"
    );
}
