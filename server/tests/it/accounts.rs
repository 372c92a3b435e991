//! Signing in and out, sessions, passwords.

use crate::app::{PASSWORD, TestApp, location};
use reqwest::{StatusCode, header};
use serde_json::Value;
use std::time::{Duration, Instant};

#[tokio::test]
async fn signing_in_gives_a_session_and_signing_out_ends_it() {
    let (app, _) = TestApp::with_admin().await;
    let person = app.sign_in("admin@example.org").await;
    assert_eq!(person.get("/").await.status(), StatusCode::OK);
    let me = person.ask("get_session", &[]).await;
    assert_eq!(me["me"]["email"], "admin@example.org");
    assert_eq!(person.call("sign_out", &[]).await.status(), StatusCode::OK);
    let answer = person.get("/").await;
    assert_eq!((answer.status(), location(&answer)), (StatusCode::SEE_OTHER, "/login"));
}

#[tokio::test]
async fn a_form_without_javascript_signs_in_and_leads_on() {
    let (app, _) = TestApp::with_admin().await;
    let person = app.visitor("");
    let fields = [("email", "Admin@Example.org "), ("password", PASSWORD), ("next", "/admin/tools?q=a")];
    let answer = person.submit("/login", "sign_in", &fields).await;
    assert_eq!((answer.status(), location(&answer)), (StatusCode::FOUND, "/admin/tools?q=a"));
    let foreign = [("email", "admin@example.org"), ("password", PASSWORD), ("next", "//evil.example")];
    let answer = app.visitor("").submit("/login", "sign_in", &foreign).await;
    assert_eq!((answer.status(), location(&answer)), (StatusCode::FOUND, "/"));
}

#[tokio::test]
async fn a_refused_form_without_javascript_comes_back_with_the_reason() {
    let (app, _) = TestApp::with_admin().await;
    let person = app.visitor("");
    let answer =
        person.submit("/login", "sign_in", &[("email", "admin@example.org"), ("password", "wrong")]).await;
    assert_eq!(answer.status(), StatusCode::FOUND);
    let back = location(&answer).to_owned();
    assert!(back.starts_with(&format!("{}/login?__path=", app.url)), "{back}");
    assert!(!back.contains("wrong"), "a password never stands in an address");
    let page = person.client.get(&back).header(header::ACCEPT, "text/html").send().await.unwrap();
    let html = page.text().await.unwrap();
    assert!(html.contains("role=\"alert\""), "the page says what happened");
}

#[tokio::test]
async fn s12_a_session_gets_a_new_id_when_somebody_signs_in() {
    let (app, admin) = TestApp::with_admin().await;
    let before = session_cookie(&admin).await;
    // Signing in again with the planted cookie in the jar: the old secret must be dead.
    let answer = admin.call("sign_in", &[("email", "admin@example.org"), ("password", PASSWORD)]).await;
    assert_eq!(answer.status(), StatusCode::OK);
    let planted = app.visitor("").client.get(format!("{}/", app.url)).header(header::COOKIE, before);
    assert_eq!(planted.send().await.unwrap().status(), StatusCode::SEE_OTHER);
    assert_eq!(admin.get("/").await.status(), StatusCode::OK);
}

/// The cookie as an attacker would carry it away.
async fn session_cookie(person: &crate::app::Person) -> String {
    let answer = person.call("sign_in", &[("email", &person.email), ("password", PASSWORD)]).await;
    let cookie = answer.headers().get_all(header::SET_COOKIE).iter().find_map(|value| {
        let text = value.to_str().unwrap();
        text.starts_with("alcada=").then(|| text.split(';').next().unwrap().to_owned())
    });
    cookie.expect("signing in sets the cookie")
}

#[tokio::test]
async fn s12_forged_and_malformed_cookies_are_nobody() {
    let (app, _) = TestApp::with_admin().await;
    for forged in
        ["alcada=AAAAAAAAAAAAAAAAAAAAAA", "alcada=", "alcada=%00", "alcada=x; alcada=y", "alcada=👾"]
    {
        let request = app.visitor("").client.get(format!("{}/", app.url));
        let answer = request.header(header::COOKIE, forged.as_bytes()).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::SEE_OTHER, "{forged}");
    }
}

#[tokio::test]
async fn an_expired_session_is_nobody() {
    let (app, admin) = TestApp::with_admin().await;
    assert_eq!(admin.get("/").await.status(), StatusCode::OK);
    let sql = app.sql().await;
    sea_orm::ConnectionTrait::execute_unprepared(&sql, "UPDATE sessions SET expires_at = 1").await.unwrap();
    assert_eq!(admin.get("/").await.status(), StatusCode::SEE_OTHER);
}

/// Used every day or not: after 30 days somebody signs in again.
#[tokio::test]
async fn s12_a_session_ends_after_thirty_days() {
    let (app, admin) = TestApp::with_admin().await;
    let sql = app.sql().await;
    let day = 24 * 60 * 60 * 1_000_000_i64;
    let begun = |days: i64| {
        format!(
            "UPDATE sessions SET created_at = {}, expires_at = expires_at",
            store::Moment::now().0 - days * day
        )
    };
    sea_orm::ConnectionTrait::execute_unprepared(&sql, &begun(29)).await.unwrap();
    assert_eq!(admin.get("/").await.status(), StatusCode::OK);
    sea_orm::ConnectionTrait::execute_unprepared(&sql, &begun(31)).await.unwrap();
    assert_eq!(admin.get("/").await.status(), StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn sessions_are_listed_and_can_be_ended() {
    let (app, admin) = TestApp::with_admin().await;
    let laptop = app.sign_in("admin@example.org").await;
    let sessions = admin.ask("list_sessions", &[]).await;
    let sessions = sessions.as_array().unwrap();
    assert_eq!(sessions.len(), 2);
    let other = sessions.iter().find(|session| session["is_current"] == false).unwrap();
    assert_eq!(other["address"], "127.0.0.1");
    let id = other["id"].as_str().unwrap();
    assert_eq!(admin.call("revoke_session", &[("session_id", id)]).await.status(), StatusCode::OK);
    assert_eq!(laptop.get("/").await.status(), StatusCode::SEE_OTHER);
    assert_eq!(admin.get("/").await.status(), StatusCode::OK);
    assert_eq!(admin.refused("revoke_session", &[("session_id", id)]).await, (404, "not_found".to_owned()));
}

#[tokio::test]
async fn s9_nobody_ends_the_session_of_somebody_else() {
    let (app, admin) = TestApp::with_admin().await;
    let viewer = app.member("viewer@example.org", "padaria-central", "viewer").await;
    let sessions = admin.ask("list_sessions", &[]).await;
    let id = sessions[0]["id"].as_str().unwrap();
    assert_eq!(viewer.refused("revoke_session", &[("session_id", id)]).await, (404, "not_found".to_owned()));
    assert_eq!(admin.get("/").await.status(), StatusCode::OK);
}

#[tokio::test]
async fn s12_a_new_password_signs_the_others_out() {
    let (app, admin) = TestApp::with_admin().await;
    let laptop = app.sign_in("admin@example.org").await;
    let new = "outra frase bem longa";
    let wrong = [("current_password", "wrong"), ("new_password", new)];
    assert_eq!(admin.refused("change_password", &wrong).await, (422, "validation_failed".to_owned()));
    let right = [("current_password", PASSWORD), ("new_password", new)];
    assert_eq!(admin.call("change_password", &right).await.status(), StatusCode::OK);
    assert_eq!(laptop.get("/").await.status(), StatusCode::SEE_OTHER, "the other session is dead");
    assert_eq!(admin.get("/").await.status(), StatusCode::OK, "the asking one goes on");
    let visitor = app.visitor("");
    let old = visitor.refused("sign_in", &[("email", "admin@example.org"), ("password", PASSWORD)]).await;
    assert_eq!(old, (401, "invalid_credentials".to_owned()));
    let answer = visitor.call("sign_in", &[("email", "admin@example.org"), ("password", new)]).await;
    assert_eq!(answer.status(), StatusCode::OK);
}

#[tokio::test]
async fn s13_guessing_is_slowed_down() {
    let (app, _) = TestApp::with_admin().await;
    let visitor = app.visitor("");
    let mut refused = Vec::new();
    for _ in 0..12 {
        refused
            .push(visitor.refused("sign_in", &[("email", "admin@example.org"), ("password", "guess")]).await);
    }
    // Setting up was not an attempt on the account: ten are answered, then the limit holds.
    assert!(
        refused[..9].iter().all(|answer| *answer == (401, "invalid_credentials".to_owned())),
        "{refused:?}"
    );
    assert_eq!(refused[11], (429, "rate_limited".to_owned()));
    let answer = visitor.call("sign_in", &[("email", "admin@example.org"), ("password", PASSWORD)]).await;
    assert_eq!(answer.status(), StatusCode::TOO_MANY_REQUESTS, "even the right password has to wait");
    let wait: u64 = answer.headers()[header::RETRY_AFTER].to_str().unwrap().parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
}

/// S14: the same answer, and no time by which to tell.
#[tokio::test]
async fn s14_nobody_learns_whether_an_account_exists() {
    let (app, _) = TestApp::with_admin().await;
    let visitor = app.visitor("");
    let mut times: [Vec<Duration>; 2] = Default::default();
    let mut bodies = Vec::new();
    for round in 0..8 {
        // Addresses change, so that the limit per account stays out of the picture.
        let existing = format!("p{round}@example.org");
        let permit = ability::Caller::operator().permit().unwrap();
        app.services.accounts.create_user(&permit, &existing, PASSWORD, false, None).await.unwrap();
        for (which, email) in [existing, format!("nobody{round}@example.org")].iter().enumerate() {
            let started = Instant::now();
            let answer = visitor.call("sign_in", &[("email", email), ("password", "a wrong guess")]).await;
            bodies.push((answer.status(), answer.text().await.unwrap()));
            times[which].push(started.elapsed());
        }
    }
    assert!(bodies.iter().all(|body| *body == bodies[0]), "{bodies:?}");
    // The shortest of each: noise only adds.
    let [existing, missing] = times.map(|all| all.into_iter().min().unwrap());
    let ratio = existing.as_secs_f64() / missing.as_secs_f64();
    assert!((0.5..2.0).contains(&ratio), "existing {existing:?}, missing {missing:?}");
}

#[tokio::test]
async fn a_person_can_change_their_name() {
    let (_app, admin) = TestApp::with_admin().await;
    let script = "<script>alert(1)</script>'; DROP TABLE users; --";
    assert_eq!(admin.call("rename_me", &[("name", script)]).await.status(), StatusCode::OK);
    let me: Value = admin.ask("get_session", &[]).await;
    assert_eq!(me["me"]["name"], script, "kept as typed");
    let html = admin.get("/").await.text().await.unwrap();
    assert!(!html.contains("<script>alert(1)"), "and shown as text");
    assert_eq!(admin.refused("rename_me", &[("name", "")]).await.0, 422);
    assert_eq!(admin.refused("rename_me", &[("name", &"x".repeat(101))]).await.0, 422);
}

#[tokio::test]
async fn tenants_are_switched_only_to_where_one_belongs() {
    let (app, admin) = TestApp::with_admin().await;
    app.tenant("Outra", "outra").await;
    app.tenant("Alheia", "alheia").await;
    let both = app.member("both@example.org", "padaria-central", "viewer").await;
    let accounts = &app.services.accounts;
    let other = accounts.find_tenant("outra").await.unwrap().id.to_string();
    let foreign = accounts.find_tenant("alheia").await.unwrap().id.to_string();
    join(&app, &both, "outra").await;
    assert_eq!(both.call("switch_tenant", &[("tenant_id", &other)]).await.status(), StatusCode::OK);
    assert_eq!(both.ask("get_session", &[]).await["me"]["tenant"]["slug"], "outra");
    let refused = both.refused("switch_tenant", &[("tenant_id", &foreign)]).await;
    assert_eq!(refused, (404, "not_found".to_owned()));
    assert_eq!(admin.ask("get_session", &[]).await["me"]["tenant"]["slug"], "padaria-central");
}

async fn join(app: &TestApp, person: &crate::app::Person, tenant: &str) {
    let permit = ability::Caller::operator().permit().unwrap();
    let tenant = app.services.accounts.find_tenant(tenant).await.unwrap().id;
    let link = app.services.accounts.invite_owner(&permit, tenant, &person.email).await.unwrap();
    let token = link.url.rsplit('/').next().unwrap();
    let answer =
        person.call("accept_invitation", &[("token", token), ("name", ""), ("password", PASSWORD)]).await;
    assert_eq!(answer.status(), StatusCode::OK);
}
