//! Members and owners.

use crate::app::{Person, TestApp};
use reqwest::StatusCode;
use serde_json::Value;

async fn id_of(admin: &Person, email: &str) -> String {
    let users = admin.ask("list_users", &[("search", email)]).await;
    users[0]["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn an_owner_changes_roles_and_removes_members() {
    let (app, admin) = TestApp::with_admin().await;
    let owner = app.member("owner@example.org", "padaria-central", "owner").await;
    let viewer = app.member("viewer@example.org", "padaria-central", "viewer").await;
    let id = id_of(&admin, "viewer@").await;
    let members = owner.ask("list_members", &[]).await;
    assert_eq!(members.as_array().unwrap().len(), 3);
    assert_eq!(
        owner.call("change_member_role", &[("user_id", &id), ("role", "operator")]).await.status(),
        StatusCode::OK
    );
    assert_eq!(
        viewer.ask("get_session", &[]).await["me"]["tenant"]["role"],
        "operator",
        "at the next request"
    );
    assert_eq!(owner.call("remove_member", &[("user_id", &id)]).await.status(), StatusCode::OK);
    assert_eq!(viewer.ask("get_session", &[]).await["me"]["tenant"], Value::Null);
    assert_eq!(app.count("SELECT count(*) FROM audit_entries WHERE subject_kind = 'member'").await, 2);
}

#[tokio::test]
async fn the_last_owner_stays() {
    let (app, admin) = TestApp::with_admin().await;
    let id = id_of(&admin, "admin@").await;
    let last = (409, "last_owner".to_owned());
    assert_eq!(admin.refused("change_member_role", &[("user_id", &id), ("role", "viewer")]).await, last);
    assert_eq!(admin.refused("remove_member", &[("user_id", &id)]).await, last);
    let role = "SELECT count(*) FROM memberships WHERE role = 'owner'";
    assert_eq!(app.count(role).await, 1, "nothing was half done");
    app.member("owner@example.org", "padaria-central", "owner").await;
    assert_eq!(admin.call("remove_member", &[("user_id", &id)]).await.status(), StatusCode::OK);
}

#[tokio::test]
async fn two_owners_leaving_at_once_leave_one() {
    let (app, admin) = TestApp::with_admin().await;
    let other = app.member("owner@example.org", "padaria-central", "owner").await;
    let (one, two) = (id_of(&admin, "admin@").await, id_of(&admin, "owner@").await);
    let (one, two) = ([("user_id", one.as_str())], [("user_id", two.as_str())]);
    let (a, b) = tokio::join!(admin.call("remove_member", &one), other.call("remove_member", &two));
    let ok = [a.status(), b.status()].iter().filter(|status| status.is_success()).count();
    assert_eq!(ok, 1, "{} {}", a.status(), b.status());
    assert_eq!(app.count("SELECT count(*) FROM memberships WHERE role = 'owner'").await, 1);
}

/// S9: objects of another tenant do not exist.
#[tokio::test]
async fn s9_another_tenant_s_members_are_out_of_reach() {
    let (app, admin) = TestApp::with_admin().await;
    app.tenant("Outra", "outra").await;
    let theirs = app.member("their@example.org", "outra", "owner").await;
    let _viewer = app.member("viewer@example.org", "padaria-central", "viewer").await;
    let id = id_of(&admin, "viewer@").await;
    let missing = (404, "not_found".to_owned());
    assert_eq!(theirs.refused("change_member_role", &[("user_id", &id), ("role", "owner")]).await, missing);
    assert_eq!(theirs.refused("remove_member", &[("user_id", &id)]).await, missing);
    let members = theirs.ask("list_members", &[]).await;
    assert_eq!(members.as_array().unwrap().len(), 1);
    admin.ask("invite_member", &[("email", "x@example.org"), ("role", "viewer")]).await;
    assert_eq!(theirs.ask("list_invitations", &[]).await, serde_json::json!([]));
    let invitations = admin.ask("list_invitations", &[]).await;
    let invitation = invitations[0]["id"].as_str().unwrap();
    assert_eq!(theirs.refused("revoke_invitation", &[("invitation_id", invitation)]).await, missing);
    assert_eq!(admin.ask("list_invitations", &[]).await.as_array().unwrap().len(), 1);
}
