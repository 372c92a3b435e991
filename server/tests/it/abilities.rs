//! The policy in the database, and "may X do Y in tenant Z, and why?".

use crate::app::TestApp;
use sea_orm::ConnectionTrait;
use serde_json::Value;

async fn ask(
    app: &TestApp,
    admin: &crate::app::Person,
    email: &str,
    tenant: &str,
    what: (&str, &str),
) -> Value {
    let tenant = app.services.accounts.find_tenant(tenant).await.unwrap().id.to_string();
    let fields = [("email", email), ("tenant_id", &tenant), ("action", what.0), ("subject", what.1)];
    admin.ask("explain_decision", &fields).await
}

#[tokio::test]
async fn d4_the_policy_is_seeded_and_an_operator_s_lines_survive_an_upgrade() {
    let (app, _) = TestApp::with_admin().await;
    let seeded = ability::policy::seed_lines().len() as i64;
    assert_eq!(app.count("SELECT count(*) FROM casbin_rules").await, seeded);
    let own = "INSERT INTO casbin_rules (ptype, v0, v1, v2, v3, v4, v5, v6, origin) \
               VALUES ('p', 'viewer', 'manage', 'Member', '', '', 'allow', 'ours', 'operator')";
    let sql = app.sql().await;
    sql.execute_unprepared(own).await.unwrap();
    sql.execute_unprepared("DELETE FROM casbin_rules WHERE v0 = 'auditor'").await.unwrap();
    let upgraded = app.replica().await;
    assert_eq!(app.count("SELECT count(*) FROM casbin_rules").await, seeded + 1);
    let viewer = upgraded.member("viewer@example.org", "padaria-central", "viewer").await;
    assert_eq!(viewer.get("/members").await.status(), 200, "the operator's rule holds");
}

#[tokio::test]
async fn a_decision_explains_itself() {
    let (app, admin) = TestApp::with_admin().await;
    app.tenant("Outra", "outra").await;
    app.member("op@example.org", "padaria-central", "operator").await;
    let here = ask(&app, &admin, "op@example.org", "padaria-central", ("approve", "Confirmation")).await;
    assert_eq!((&here["allowed"], &here["rule"]["role"]), (&true.into(), &"operator".into()));
    assert_eq!(here["roles"], serde_json::json!(["person", "operator"]));
    let no_rule = ask(&app, &admin, "op@example.org", "padaria-central", ("delete", "Agent")).await;
    assert_eq!((&no_rule["allowed"], &no_rule["rule"]), (&false.into(), &Value::Null));
    let elsewhere = ask(&app, &admin, "op@example.org", "outra", ("approve", "Confirmation")).await;
    assert_eq!(elsewhere["allowed"], false);
    let forbidden = admin.refused(
        "explain_decision",
        &[("email", "ghost@example.org"), ("action", "read"), ("subject", "Agent")],
    );
    assert_eq!(forbidden.await, (404, "not_found".to_owned()));
}

#[tokio::test]
async fn an_explanation_knows_that_the_person_is_disabled() {
    let (app, admin) = TestApp::with_admin().await;
    app.member("op@example.org", "padaria-central", "operator").await;
    let id = admin.ask("list_users", &[("search", "op@")]).await[0]["id"].as_str().unwrap().to_owned();
    admin.call("set_user_disabled", &[("user_id", &id), ("disabled", "true")]).await;
    let answer = ask(&app, &admin, "op@example.org", "padaria-central", ("read", "Agent")).await;
    assert_eq!((&answer["allowed"], &answer["is_disabled"]), (&false.into(), &true.into()));
}
