//! D6: a plain form that is refused comes back with what was typed.

use crate::{
    app::{Person, TestApp, location},
    workshop::TENANT,
};
use reqwest::StatusCode;

/// Sends a plain form that is refused; the page that comes back.
async fn refused(person: &Person, from: &str, name: &str, fields: &[(&str, &str)]) -> String {
    let answer = person.submit(from, name, fields).await;
    assert!(answer.status().is_redirection(), "{name}: {}", answer.status());
    let back = location(&answer).to_owned();
    assert!(back.contains("__err="), "{name}: {back}");
    let path = back.find(from).map_or(back.as_str(), |at| &back[at..]).to_owned();
    let page = person.get(&path).await;
    assert_eq!(page.status(), StatusCode::OK, "{path}");
    page.text().await.unwrap()
}

#[tokio::test]
async fn d6_a_refused_record_comes_back_as_it_was_typed() {
    let (app, _) = TestApp::with_admin().await;
    let owner = app.member("dona@example.org", TENANT, "owner").await;
    let fields = [
        ("kind", "contacts"),
        ("id", "new"),
        ("fields[name]", "Dona Lurdes"),
        ("fields[phone]", "nenhum"),
        ("fields[status]", "customer"),
        ("fields[notes]", "Liga depois das seis"),
    ];
    let html = refused(&owner, "/contacts/new", "save_record", &fields).await;
    for typed in ["Dona Lurdes", "value=\"nenhum\"", "Liga depois das seis"] {
        assert!(html.contains(typed), "{typed}");
    }
    let fresh = owner.get("/contacts/new").await.text().await.unwrap();
    assert!(!fresh.contains("Dona Lurdes"), "shown once");
}

#[tokio::test]
async fn d6_refused_limits_come_back_as_they_were_typed() {
    let (app, _) = TestApp::with_admin().await;
    let owner = app.member("dona@example.org", TENANT, "owner").await;
    let fields = [("fields[confirmation_minutes]", "muitos"), ("fields[rate_calls]", "7")];
    let html = refused(&owner, "/settings/limits", "set_limits", &fields).await;
    assert!(html.contains("value=\"muitos\"") && html.contains("value=\"7\""));
}

#[tokio::test]
async fn s16_a_refused_channel_comes_back_without_its_password() {
    let (app, _) = TestApp::with_admin().await;
    let owner = app.member("dona@example.org", TENANT, "owner").await;
    let fields = [
        ("kind", "email"),
        ("fields[host]", "correio.example.org"),
        ("fields[port]", "muitas"),
        ("fields[password]", "senha-que-ninguem-guarda"),
    ];
    let html = refused(&owner, "/settings/channels/email", "put_channel", &fields).await;
    assert!(html.contains("correio.example.org") && html.contains("value=\"muitas\""));
    assert!(!html.contains("senha-que-ninguem-guarda"));
}
