//! Invitation links.

use crate::app::{PASSWORD, Person, TestApp};
use reqwest::StatusCode;

async fn invite(owner: &Person, email: &str, role: &str) -> String {
    let link = owner.ask("invite_member", &[("email", email), ("role", role)]).await;
    let url = link["url"].as_str().unwrap();
    assert!(url.starts_with(&format!("{}/invite/", owner.url)), "{url}");
    url.rsplit('/').next().unwrap().to_owned()
}

fn used_up() -> (u16, String) {
    (410, "invitation_invalid".to_owned())
}

#[tokio::test]
async fn a_new_person_joins_with_the_link() {
    let (app, admin) = TestApp::with_admin().await;
    let token = invite(&admin, "New@Example.org", "operator").await;
    let guest = app.visitor("new@example.org");
    assert_eq!(guest.get(&format!("/invite/{token}")).await.status(), StatusCode::OK);
    let preview = guest.ask("get_invitation", &[("token", &token)]).await;
    assert_eq!(
        (&preview["tenant_name"], &preview["has_account"]),
        (&"Padaria Central".into(), &false.into())
    );
    let weak = guest
        .refused("accept_invitation", &[("token", &token), ("name", "Nina"), ("password", "short")])
        .await;
    assert_eq!(weak, (422, "validation_failed".to_owned()));
    let answer =
        guest.call("accept_invitation", &[("token", &token), ("name", "Nina"), ("password", PASSWORD)]).await;
    assert_eq!(answer.status(), StatusCode::OK);
    let me = guest.ask("get_session", &[]).await;
    assert_eq!((&me["me"]["name"], &me["me"]["tenant"]["role"]), (&"Nina".into(), &"operator".into()));
    let again = app
        .visitor("")
        .refused("accept_invitation", &[("token", &token), ("name", "X"), ("password", PASSWORD)])
        .await;
    assert_eq!(again, used_up());
}

#[tokio::test]
async fn somebody_with_an_account_joins_with_their_own_password() {
    let (app, admin) = TestApp::with_admin().await;
    app.tenant("Outra", "outra").await;
    let person = app.member("their@example.org", "outra", "owner").await;
    let token = invite(&admin, "their@example.org", "viewer").await;
    let thief = app.visitor("");
    let wrong = thief
        .refused("accept_invitation", &[("token", &token), ("name", "X"), ("password", "another password")])
        .await;
    assert_eq!(wrong, (401, "invalid_credentials".to_owned()));
    let answer =
        person.call("accept_invitation", &[("token", &token), ("name", ""), ("password", PASSWORD)]).await;
    assert_eq!(answer.status(), StatusCode::OK);
    let me = person.ask("get_session", &[]).await;
    assert_eq!(me["me"]["tenants"].as_array().unwrap().len(), 2);
    assert_eq!(me["me"]["tenant"]["slug"], "padaria-central");
}

#[tokio::test]
async fn links_end_when_withdrawn_or_expired() {
    let (app, admin) = TestApp::with_admin().await;
    let withdrawn = invite(&admin, "a@example.org", "viewer").await;
    let id = admin.ask("list_invitations", &[]).await[0]["id"].as_str().unwrap().to_owned();
    assert_eq!(admin.call("revoke_invitation", &[("invitation_id", &id)]).await.status(), StatusCode::OK);
    let expired = invite(&admin, "b@example.org", "viewer").await;
    let sql = app.sql().await;
    sea_orm::ConnectionTrait::execute_unprepared(&sql, "UPDATE invitations SET expires_at = 1")
        .await
        .unwrap();
    for token in [withdrawn.as_str(), &expired, "never-was", ""] {
        let guest = app.visitor("");
        assert_eq!(guest.refused("get_invitation", &[("token", token)]).await, used_up(), "{token}");
        let fields = [("token", token), ("name", "X"), ("password", PASSWORD)];
        assert_eq!(guest.refused("accept_invitation", &fields).await, used_up(), "{token}");
    }
    assert_eq!(app.count("SELECT count(*) FROM users").await, 1);
}

#[tokio::test]
async fn a_link_used_twice_at_once_lets_one_in() {
    let (app, admin) = TestApp::with_admin().await;
    let token = invite(&admin, "new@example.org", "viewer").await;
    let (one, two) = (app.visitor(""), app.visitor(""));
    let fields = [("token", token.as_str()), ("name", "N"), ("password", PASSWORD)];
    let (a, b) = tokio::join!(one.call("accept_invitation", &fields), two.call("accept_invitation", &fields));
    let ok = [a.status(), b.status()].iter().filter(|status| status.is_success()).count();
    assert_eq!(ok, 1, "{} {}", a.status(), b.status());
    assert!(a.status().as_u16() < 500 && b.status().as_u16() < 500);
    assert_eq!(app.count("SELECT count(*) FROM users WHERE email = 'new@example.org'").await, 1);
}

#[tokio::test]
async fn members_are_not_invited_again() {
    let (_app, admin) = TestApp::with_admin().await;
    let refused = admin.refused("invite_member", &[("email", "admin@example.org"), ("role", "viewer")]).await;
    assert_eq!(refused, (409, "already_exists".to_owned()));
    assert_eq!(admin.refused("invite_member", &[("email", "nobody"), ("role", "viewer")]).await.0, 422);
}

#[tokio::test]
async fn without_javascript_the_link_is_shown_once_on_the_next_page() {
    let (_app, admin) = TestApp::with_admin().await;
    let answer =
        admin.submit("/members", "invite_member", &[("email", "new@example.org"), ("role", "viewer")]).await;
    assert_eq!(answer.status(), StatusCode::FOUND);
    let html = admin.get("/members").await.text().await.unwrap();
    assert!(html.contains("/invite/"), "the link is there");
    let html = admin.get("/members").await.text().await.unwrap();
    assert!(!html.contains("/invite/"), "and gone");
}
