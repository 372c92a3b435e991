//! What platform administrators manage: tenants and people.

use crate::app::{PASSWORD, TestApp};
use reqwest::StatusCode;

#[tokio::test]
async fn tenants_are_created_renamed_and_given_an_owner() {
    let (app, admin) = TestApp::with_admin().await;
    let tenant = admin.ask("create_tenant", &[("name", "Açougue São José")]).await;
    assert_eq!(tenant["slug"], "acougue-sao-jose");
    let second = admin.ask("create_tenant", &[("name", "Açougue São José"), ("slug", "")]).await;
    assert_eq!(second["slug"], "acougue-sao-jose-2");
    let taken = admin.refused("create_tenant", &[("name", "X"), ("slug", "acougue-sao-jose")]).await;
    assert_eq!(taken, (422, "validation_failed".to_owned()));
    assert_eq!(admin.refused("create_tenant", &[("name", "X"), ("slug", "Ä B")]).await.0, 422);
    let id = tenant["id"].as_str().unwrap();
    assert_eq!(
        admin.call("rename_tenant", &[("tenant_id", id), ("name", "Açougue")]).await.status(),
        StatusCode::OK
    );
    let link = admin.ask("invite_owner", &[("tenant_id", id), ("email", "dono@example.org")]).await;
    let token = link["url"].as_str().unwrap().rsplit('/').next().unwrap();
    let owner = app.visitor("");
    let fields = [("token", token), ("name", "Davi"), ("password", PASSWORD)];
    assert_eq!(owner.call("accept_invitation", &fields).await.status(), StatusCode::OK);
    assert_eq!(owner.ask("get_session", &[]).await["me"]["tenant"]["role"], "owner");
    let list = admin.ask("list_tenants", &[]).await;
    let renamed = list.as_array().unwrap().iter().find(|t| t["id"] == id).unwrap();
    assert_eq!((&renamed["name"], &renamed["member_count"]), (&"Açougue".into(), &1.into()));
}

#[tokio::test]
async fn a_disabled_person_is_signed_out_at_once_and_cannot_return() {
    let (app, admin) = TestApp::with_admin().await;
    let person = app.member("viewer@example.org", "padaria-central", "viewer").await;
    assert_eq!(person.get("/").await.status(), StatusCode::OK);
    let id = admin.ask("list_users", &[("search", "VIEWER@")]).await[0]["id"].as_str().unwrap().to_owned();
    assert_eq!(
        admin.call("set_user_disabled", &[("user_id", &id), ("disabled", "true")]).await.status(),
        StatusCode::OK
    );
    assert_eq!(person.get("/").await.status(), StatusCode::SEE_OTHER);
    let fields = [("email", "viewer@example.org"), ("password", PASSWORD)];
    assert_eq!(app.visitor("").refused("sign_in", &fields).await, (401, "invalid_credentials".to_owned()));
    assert_eq!(
        admin.call("set_user_disabled", &[("user_id", &id), ("disabled", "false")]).await.status(),
        StatusCode::OK
    );
    assert_eq!(person.get("/").await.status(), StatusCode::SEE_OTHER, "the old cookie stays dead");
    app.sign_in("viewer@example.org").await;
}

#[tokio::test]
async fn the_last_administrator_stays() {
    let (app, admin) = TestApp::with_admin().await;
    let id = admin.ask("list_users", &[("search", "admin@")]).await[0]["id"].as_str().unwrap().to_owned();
    let last = (409, "last_platform_admin".to_owned());
    assert_eq!(admin.refused("set_platform_admin", &[("user_id", &id), ("is_admin", "false")]).await, last);
    assert_eq!(admin.refused("set_user_disabled", &[("user_id", &id), ("disabled", "true")]).await, last);
    let active = "SELECT count(*) FROM users WHERE is_platform_admin AND disabled_at IS NULL";
    assert_eq!(app.count(active).await, 1, "nothing was half done");
    assert_eq!(admin.get("/admin/tools").await.status(), StatusCode::OK);
}

#[tokio::test]
async fn two_administrators_leaving_at_once_leave_one() {
    let (app, admin) = TestApp::with_admin().await;
    let permit = ability::Caller::operator().permit().unwrap();
    let accounts = &app.services.accounts;
    let other =
        accounts.create_user(&permit, "two@example.org", PASSWORD, true, None).await.unwrap().to_string();
    let id = admin.ask("list_users", &[("search", "admin@")]).await[0]["id"].as_str().unwrap().to_owned();
    let second = app.sign_in("two@example.org").await;
    let (one, two) = (
        [("user_id", id.as_str()), ("is_admin", "false")],
        [("user_id", other.as_str()), ("is_admin", "false")],
    );
    let (a, b) =
        tokio::join!(admin.call("set_platform_admin", &one), second.call("set_platform_admin", &two));
    let ok = [a.status(), b.status()].iter().filter(|status| status.is_success()).count();
    assert_eq!(ok, 1, "{} {}", a.status(), b.status());
    assert_eq!(app.count("SELECT count(*) FROM users WHERE is_platform_admin").await, 1);
}

#[tokio::test]
async fn people_are_searched_literally() {
    let (app, admin) = TestApp::with_admin().await;
    app.member("under_score@example.org", "padaria-central", "viewer").await;
    app.member("underXscore@example.org", "padaria-central", "viewer").await;
    let found = |list: serde_json::Value| list.as_array().unwrap().len();
    assert_eq!(found(admin.ask("list_users", &[("search", "under_score")]).await), 1);
    assert_eq!(found(admin.ask("list_users", &[("search", "%")]).await), 0);
    assert_eq!(found(admin.ask("list_users", &[("search", "")]).await), 3);
    assert_eq!(found(admin.ask("list_users", &[("search", "' OR 1=1 --")]).await), 0);
}
