//! D6: a plain form that is refused comes back with what was typed.

mod ended;

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
    assert!(html.contains("class=\"draft\""), "and with scripts it is kept while it is typed");
}

/// Before anybody has an account or a session.
#[tokio::test]
async fn d6_a_refused_set_up_comes_back_as_it_was_typed_but_for_the_password() {
    let app = TestApp::start().await;
    let code = app.services.accounts.new_setup_code().await.unwrap().unwrap();
    let visitor = app.visitor("");
    let fields = [
        ("code", code.as_str()),
        ("name", "Dona Lurdes"),
        ("email", "lurdes@example.org"),
        ("password", "senha-7"),
        ("organisation", "Padaria do Sol"),
        ("demo_data", "true"),
    ];
    let html = refused(&visitor, "/setup", "complete_setup", &fields).await;
    for typed in [code.as_str(), "Dona Lurdes", "lurdes@example.org", "Padaria do Sol"] {
        assert!(html.contains(&format!("value=\"{typed}\"")), "{typed}");
    }
    let tick = html.split("<input").find(|tag| tag.contains("name=\"demo_data\"")).unwrap();
    assert!(tick.split('>').next().unwrap().contains(" checked"), "{tick}");
    assert!(!html.contains("senha-7"));
    assert_eq!(app.count("SELECT count(*) FROM sessions").await, 0, "the code is not in the database");
    let fresh = visitor.get("/setup").await.text().await.unwrap();
    assert!(!fresh.contains(&code) && !fresh.contains("Dona Lurdes"), "shown once");
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

#[tokio::test]
async fn d6_an_old_form_comes_back_as_typed_and_the_person_decides() {
    let (app, _) = TestApp::with_admin().await;
    let owner = app.member("dona@example.org", TENANT, "owner").await;
    let made = [("kind", "contacts"), ("id", "new"), ("fields[name]", "Ana")];
    let made = owner.ask("save_record", &made).await;
    let path = made["href"].as_str().unwrap();
    let id = path.rsplit('/').next().unwrap();
    let form = owner.ask("get_record", &[("kind", "contacts"), ("id", id)]).await;
    let seen = form["form"]["seen_version"].to_string();
    let from = |name| [("kind", "contacts"), ("id", id), ("seen_version", &seen), ("fields[name]", name)];
    owner.ask("save_record", &from("De outra pessoa")).await;
    let html = refused(&owner, path, "save_record", &from("A minha")).await;
    assert!(html.contains("value=\"A minha\"") && html.contains("name=\"overwrite\""));
    assert!(html.contains(&format!("value=\"{seen}\"")), "it still belongs to what the person saw");
    assert!(html.contains(&format!("href=\"{path}\"")), "the way to the newer state");

    let events = [("kind", "events"), ("fields[url]", "https://example.org/a")];
    owner.ask("put_channel", &events).await;
    let late = [("kind", "events"), ("seen_version", "0"), ("fields[url]", "https://example.org/b")];
    let html = refused(&owner, "/settings/channels/events", "put_channel", &late).await;
    assert!(html.contains("value=\"https://example.org/b\"") && html.contains("name=\"overwrite\""));
    let over = [late.as_slice(), &[("overwrite", "true")]].concat();
    owner.ask("put_channel", &over).await;
}
