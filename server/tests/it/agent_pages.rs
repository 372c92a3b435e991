//! The pages of a tenant's agents: who may see and change them, and what would change before it does.

use crate::{app::TestApp, workshop::TENANT};
use reqwest::StatusCode;
use serde_json::json;

#[tokio::test]
async fn d5_agents_are_shown_to_those_who_may_and_changed_by_fewer() {
    let (app, admin) = TestApp::with_admin().await;
    let made = admin.ask("create_agent", &[("agent[name]", "Vendas"), ("agent[mode]", "always")]).await;
    let id = made["id"].as_str().unwrap().to_owned();
    assert_eq!((&made["slug"], &made["mode"]), (&json!("vendas"), &json!("always")));
    for role in ["owner", "manager", "operator", "viewer", "auditor"] {
        let person = app.member(&format!("{role}@example.org"), TENANT, role).await;
        let (may_see, may_change) = (role != "viewer", ["owner", "manager"].contains(&role));
        let list = person.call("list_agents", &[]).await.status();
        assert_eq!(list == StatusCode::OK, may_see, "{role}");
        for path in [
            format!("/agents/{id}"),
            "/agents".to_owned(),
            format!("/agents/{id}/tools"),
            "/agents/matrix".to_owned(),
        ] {
            let answer = person.get(&path).await;
            assert_eq!(answer.status() == StatusCode::OK, may_see, "{role} {path}");
            let html = answer.text().await.unwrap();
            let controls = [
                "/fn/toggle_agent",
                "/fn/update_agent",
                "/fn/delete_agent",
                "/fn/plan_assignments",
                "/agents/new",
            ];
            assert_eq!(controls.iter().any(|control| html.contains(control)), may_change, "{role} {path}");
        }
        let deleted =
            person.call("delete_agent", &[("agent_id", "00000000-0000-0000-0000-000000000000")]).await;
        let expected = if may_change { StatusCode::NOT_FOUND } else { StatusCode::FORBIDDEN };
        assert_eq!(deleted.status(), expected, "{role}");
    }
}

#[tokio::test]
async fn t14_what_would_change_is_shown_and_all_of_it_is_saved_or_nothing() {
    let (_app, admin) = TestApp::with_admin().await;
    for name in ["Vendas", "Suporte"] {
        admin.ask("create_agent", &[("agent[name]", name)]).await;
    }
    let page = "/agents/matrix?q=Contact";
    let boxes = [
        ("tools", "updateContactStatus,getContactHistory"),
        ("agents", "vendas,suporte"),
        ("on[0]", "vendas~updateContactStatus"),
        ("on[1]", "suporte~getContactHistory"),
        ("back", page),
    ];
    let planned = admin.submit(page, "plan_assignments", &boxes).await;
    let address = crate::app::location(&planned).to_owned();
    assert!(address.starts_with("/agents/matrix?q=Contact&plan=1&give="), "{address}");
    let html = admin.get(&address).await.text().await.unwrap();
    assert!(html.contains("/fn/save_assignments"), "shown before it is saved");
    assert_eq!(admin.ask("list_agents", &[]).await[0]["tools"], 0, "and nothing was saved");

    let give = "vendas~updateContactStatus,suporte~getContactHistory";
    let stale = [("give", give), ("versions", "vendas~1,suporte~7"), ("back", page)];
    assert_eq!(admin.refused("save_assignments", &stale).await, (409, "conflict".to_owned()));
    let agents = admin.ask("list_agents", &[]).await;
    assert_eq!((&agents[0]["tools"], &agents[1]["tools"]), (&json!(0), &json!(0)), "all or nothing");
    let save = [("give", give), ("versions", "vendas~1,suporte~1"), ("back", address.as_str())];
    assert_eq!(admin.ask("save_assignments", &save).await["address"], page);
    let agents = admin.ask("list_agents", &[]).await;
    assert_eq!((&agents[0]["tools"], &agents[1]["tools"]), (&json!(1), &json!(1)));

    let review =
        admin.ask("review_assignments", &[("give", give), ("take", "vendas~updateContactStatus")]).await;
    assert_eq!(review[0]["loses"], json!(["updateContactStatus"]));
    assert_eq!(
        (&review[0]["gains"], review.as_array().unwrap().len()),
        (&json!([]), 1),
        "what holds is no change"
    );
    let preview = admin.ask("preview_agent", &[("agent", "vendas"), ("format", "anthropic")]).await;
    let seen: serde_json::Value = serde_json::from_str(preview["text"].as_str().unwrap()).unwrap();
    assert_eq!(seen[0]["name"], "updateContactStatus");
    assert_eq!(seen.as_array().unwrap().len(), 1, "exactly what it may call");
    let unknown = [("give", "vendas~nada"), ("versions", ""), ("back", page)];
    assert_eq!(admin.refused("save_assignments", &unknown).await.0, 422);
}

#[tokio::test]
async fn t14_settings_of_an_agent_are_changed_with_the_version_that_was_seen() {
    let (_app, admin) = TestApp::with_admin().await;
    let id = admin.ask("create_agent", &[("agent[name]", "Vendas")]).await["id"].as_str().unwrap().to_owned();
    let change = |version: &'static str| {
        [
            ("agent_id", id.as_str()),
            ("seen_version", version),
            ("agent[name]", "Vendas SP"),
            ("agent[persona]", "Fala\r\npouco"),
            ("agent[mode]", "never"),
            ("agent[rate_limit]", "10"),
            ("agent[rate_window]", "60"),
        ]
    };
    assert_eq!(admin.ask("update_agent", &change("1")).await["version"], 2);
    let detail = admin.ask("get_agent", &[("agent", "vendas")]).await;
    assert_eq!(
        (&detail["fields"]["persona"], &detail["fields"]["rate_limit"]),
        (&json!("Fala\npouco"), &json!("10"))
    );
    assert_eq!(admin.refused("update_agent", &change("1")).await, (409, "conflict".to_owned()));
    let off = [("agent_id", id.as_str()), ("is_active", "false"), ("seen_version", "2")];
    assert_eq!(admin.ask("toggle_agent", &off).await["is_active"], false);
    let html = admin.get(&format!("/agents/{id}/preview")).await.text().await.unwrap();
    assert!(html.contains("[]"), "an agent that is off sees nothing");
    let plain = admin.submit(&format!("/agents/{id}"), "delete_agent", &[("agent_id", id.as_str())]).await;
    assert_eq!(crate::app::location(&plain), "/agents");
    assert_eq!(admin.refused("get_agent", &[("agent", "vendas")]).await.1, "agent_not_found");
}
