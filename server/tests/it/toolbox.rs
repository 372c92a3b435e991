//! The pages of a tenant's tools, as their server functions and their HTML.

use crate::{app::TestApp, workshop::TENANT};
use reqwest::StatusCode;
use serde_json::json;

#[tokio::test]
async fn d5_every_role_sees_the_tools_and_only_some_switch_them() {
    let (app, _) = TestApp::with_admin().await;
    for role in ["owner", "manager", "operator", "viewer", "auditor"] {
        let person = app.member(&format!("{role}@example.org"), TENANT, role).await;
        let list = person.ask("list_tools", &[]).await;
        assert_eq!(list["total"], 9, "{role}: the system tools");
        let html = person.get("/tools").await.text().await.unwrap();
        assert!(html.contains("updateContactStatus"), "{role}");
        let may_switch = ["owner", "manager"].contains(&role);
        assert_eq!(
            html.contains("/fn/toggle_tool"),
            may_switch,
            "{role}: no control that leads to a refusal"
        );
        assert_eq!(html.contains("href=\"/tools/new\""), may_switch, "{role}");
        let fields = [("tool_id", list["rows"][0]["id"].as_str().unwrap()), ("is_active", "false")];
        let expected = if may_switch { StatusCode::OK } else { StatusCode::FORBIDDEN };
        assert_eq!(person.call("toggle_tool", &fields).await.status(), expected, "{role}");
    }
}

#[tokio::test]
async fn t2_the_list_is_found_by_words_type_state_and_agent() {
    let (_app, admin) = TestApp::with_admin().await;
    let all = admin.ask("list_tools", &[]).await;
    let id = all["rows"][0]["id"].as_str().unwrap().to_owned();
    let name = all["rows"][0]["name"].clone();
    admin.ask("toggle_tool", &[("tool_id", &id), ("is_active", "false")]).await;
    let off = admin.ask("list_tools", &[("is_active", "false")]).await;
    assert_eq!((&off["total"], &off["rows"][0]["name"]), (&json!(1), &name));
    let found = admin.ask("list_tools", &[("search", "EMAIL")]).await;
    assert_eq!((&found["total"], &found["rows"][0]["name"]), (&json!(1), &json!("sendEmail")));
    assert_eq!(admin.ask("list_tools", &[("kind", "webhook")]).await["total"], 0);
    assert_eq!(admin.refused("list_tools", &[("agent", "ninguem")]).await.1, "agent_not_found");
    let beyond = admin.ask("list_tools", &[("page", "7")]).await;
    assert_eq!((&beyond["total"], beyond["rows"].as_array().unwrap().len()), (&json!(9), 0));
    assert_eq!(admin.call("list_tools", &[("page", "-1")]).await.status(), StatusCode::OK);
    let seen = [("tool_id", id.as_str()), ("is_active", "true"), ("seen_version", "99")];
    assert_eq!(admin.refused("toggle_tool", &seen).await, (409, "conflict".to_owned()));
}
