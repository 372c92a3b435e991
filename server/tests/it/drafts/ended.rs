//! D6: the session ends while somebody without scripts types. What they typed waits for them, and for nobody else.

use crate::{
    app::{Person, TestApp, location},
    workshop::TENANT,
};
use domain::TenantRole;

const PASSWORD: &str = crate::app::PASSWORD;
const NEW: &str = "/contacts/new";
const TYPED: [(&str, &str); 3] =
    [("kind", "contacts"), ("id", "new"), ("fields[name]", "Dona Lurdes da rua de cima")];

async fn html(person: &Person, path: &str) -> String {
    let page = person.get(path).await;
    assert_eq!(page.status(), 200, "{path}");
    page.text().await.unwrap()
}

/// Where the long form of a page goes to, without `/fn/`.
async fn address_of(person: &Person, path: &str, function: &str) -> String {
    let html = html(person, path).await;
    let start = html.find(&format!("action=\"/fn/{function}?for=")).expect("it names its person") + 12;
    html[start..].split('"').next().unwrap().to_owned()
}

/// Every session of everybody ends.
async fn end_sessions(app: &TestApp) {
    app.change("DELETE FROM sessions").await;
}

/// Sends the form that nobody is signed in for, and is led to sign in; the page to come back to.
async fn sent_too_late(person: &Person, from: &str, address: &str, fields: &[(&str, &str)]) -> String {
    let answer = person.submit(from, address, fields).await;
    assert!(answer.status().is_redirection());
    let back = location(&answer);
    let back = back[back.find(from).unwrap()..].to_owned();
    let led = person.get(&back).await;
    assert_eq!(led.status(), 303);
    assert!(location(&led).starts_with("/login?next="), "{}", location(&led));
    back
}

/// Signs in with the form of that page; where that leads.
async fn sign_in(person: &Person, email: &str, next: &str) -> String {
    let fields = [("email", email), ("password", PASSWORD), ("next", next)];
    let answer = person.submit("/login", "sign_in", &fields).await;
    assert!(answer.status().is_redirection());
    location(&answer).to_owned()
}

async fn kept(app: &TestApp) -> i64 {
    app.count("SELECT count(*) FROM sessions WHERE data LIKE '%Dona Lurdes%'").await
}

#[tokio::test]
async fn d6_what_was_typed_waits_for_its_person_to_sign_in_again() {
    let (app, _) = TestApp::with_admin().await;
    let owner = app.member("dona@example.org", TENANT, "owner").await;
    let address = address_of(&owner, NEW, "save_record").await;
    end_sessions(&app).await;
    let next = sent_too_late(&owner, NEW, &address, &TYPED).await;
    assert_eq!(kept(&app).await, 1);
    let wrong = [("email", "dona@example.org"), ("password", "errada errada"), ("next", next.as_str())];
    owner.submit("/login", "sign_in", &wrong).await;
    assert_eq!(sign_in(&owner, "dona@example.org", &next).await, NEW, "without the refusal of before");
    let page = html(&owner, NEW).await;
    assert!(page.contains("Dona Lurdes da rua de cima") && page.contains("alert-note"));
    assert!(!html(&owner, NEW).await.contains("Dona Lurdes"), "once");
    assert_eq!(kept(&app).await, 0);
}

#[tokio::test]
async fn s9_what_was_typed_is_never_shown_to_somebody_else() {
    let (app, _) = TestApp::with_admin().await;
    let owner = app.member("dona@example.org", TENANT, "owner").await;
    app.member("outro@example.org", TENANT, "owner").await;
    let address = address_of(&owner, NEW, "save_record").await;
    end_sessions(&app).await;
    let next = sent_too_late(&owner, NEW, &address, &TYPED).await;
    let browser = owner;
    sign_in(&browser, "outro@example.org", &next).await;
    for path in [NEW, &next] {
        assert!(!html(&browser, path).await.contains("Dona Lurdes"), "{path}");
    }
    assert_eq!(kept(&app).await, 0, "it is gone");
    browser.submit("/", "sign_out", &[]).await;
    sign_in(&browser, "dona@example.org", &next).await;
    assert!(!html(&browser, NEW).await.contains("Dona Lurdes"));

    // A refused form of one person is not there for the next who signs in over it.
    let refused =
        [("kind", "contacts"), ("id", "new"), ("fields[name]", "Dona Lurdes"), ("fields[phone]", "x")];
    browser.submit(NEW, "save_record", &refused).await;
    assert_eq!(kept(&app).await, 1);
    sign_in(&browser, "outro@example.org", &next).await;
    assert_eq!(kept(&app).await, 0);
}

/// Nobody fills the database without ever having been signed in, nor with more than a form says.
#[tokio::test]
async fn s5_nothing_is_kept_for_strangers_and_not_too_much_for_anybody() {
    let (app, _) = TestApp::with_admin().await;
    let owner = app.member("dona@example.org", TENANT, "owner").await;
    let address = address_of(&owner, NEW, "save_record").await;
    end_sessions(&app).await;
    let forged = format!("{}x", &address[..address.len() - 2]);
    let stranger = app.visitor("");
    for address in ["save_record", "save_record?for=", "save_record?for=AAAA", &forged] {
        let answer = stranger.submit(NEW, address, &TYPED).await;
        assert!(answer.headers().get("set-cookie").is_none(), "{address}");
    }
    let much = "Dona Lurdes".repeat(30_000);
    let too_much = [TYPED[0], TYPED[1], ("fields[notes]", much.as_str())];
    stranger.submit(NEW, &address, &too_much).await;
    assert_eq!(app.count("SELECT count(*) FROM sessions").await, 0);
    let answer = stranger.submit(NEW, &address, &TYPED).await;
    let cookie = answer.headers()["set-cookie"].to_str().unwrap();
    assert!(cookie.contains("Max-Age=1800") || cookie.contains("Max-Age=1799"), "half an hour: {cookie}");
}

#[tokio::test]
async fn s16_no_password_waits_for_a_sign_in() {
    let (app, _) = TestApp::with_admin().await;
    let owner = app.member("dona@example.org", TENANT, "owner").await;
    let path = "/settings/channels/email";
    let address = address_of(&owner, path, "put_channel").await;
    end_sessions(&app).await;
    let fields = [
        ("kind", "email"),
        ("fields[host]", "correio.example.org"),
        ("fields[password]", "senha-que-ninguem-guarda"),
    ];
    let next = sent_too_late(&owner, path, &address, &fields).await;
    let secret = "SELECT count(*) FROM sessions WHERE data LIKE '%senha-que%'";
    assert_eq!(app.count(secret).await, 0);
    assert_eq!(sign_in(&owner, "dona@example.org", &next).await, path);
    assert!(html(&owner, path).await.contains("correio.example.org"));
}

/// Whoever works in two organisations is back where they wrote it.
#[tokio::test]
async fn d6_what_was_typed_comes_back_in_the_organisation_it_was_typed_in() {
    let (app, admin) = TestApp::with_admin().await;
    app.tenant("Outra", "outra").await;
    let outra = app.services.accounts.find_tenant("outra").await.unwrap().id;
    let me = admin.ask("get_session", &[]).await["me"]["id"].as_str().unwrap().parse().unwrap();
    let tx = app.services.db.begin().await.unwrap();
    store::members::put(&tx, outra, me, TenantRole::Owner).await.unwrap();
    app.services.db.commit(tx, &[]).await.unwrap();
    admin.submit("/", "switch_tenant", &[("tenant_id", &outra.to_string())]).await;
    let path = "/agents/new";
    let address = address_of(&admin, path, "create_agent").await;
    end_sessions(&app).await;
    let fields = [("agent[name]", "Dona Lurdes"), ("agent[persona]", "Fala como gente")];
    let next = sent_too_late(&admin, path, &address, &fields).await;
    sign_in(&admin, "admin@example.org", &next).await;
    let page = html(&admin, path).await;
    assert!(page.contains("Fala como gente"));
    let session = admin.ask("get_session", &[]).await;
    assert_eq!(session["me"]["tenant"]["id"], outra.to_string());
}
