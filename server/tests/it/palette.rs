//! D6: things by their name, for the palette: only what the person may open, and only of their organisation.

use crate::{
    app::{Person, TestApp},
    workshop::TENANT,
};
use serde_json::{Value, json};

/// What a text finds, as pairs of kind and name.
async fn found(person: &Person, text: &str) -> Vec<(String, String)> {
    let word = |value: &Value| value.as_str().unwrap().to_owned();
    let things = person.ask("find_things", &[("q", text)]).await;
    things.as_array().unwrap().iter().map(|thing| (word(&thing["kind"]), word(&thing["name"]))).collect()
}

fn pair(kind: &str, name: &str) -> (String, String) {
    (kind.to_owned(), name.to_owned())
}

#[tokio::test]
async fn d6_things_are_found_by_name_as_far_as_the_rights_reach() {
    let (app, admin) = TestApp::with_admin().await;
    let owner = app.member("owner@example.org", TENANT, "owner").await;
    owner.ask("create_agent", &[("agent[name]", "Contato ativo"), ("agent[mode]", "never")]).await;
    let contact =
        [("kind", "contacts"), ("id", "new"), ("fields[name]", "Ana do Contato"), ("fields[status]", "lead")];
    owner.ask("save_record", &contact).await;

    let all = found(&owner, "contat").await;
    assert!(all.contains(&pair("agent", "Contato ativo")), "{all:?}");
    assert!(all.contains(&pair("contact", "Ana do Contato")), "{all:?}");
    assert!(found(&owner, "sendEmail").await.iter().any(|(kind, _)| kind == "tool"));
    assert!(found(&owner, "  c ").await.is_empty(), "one letter would find everything");

    let viewer = app.member("viewer@example.org", TENANT, "viewer").await;
    let seen = found(&viewer, "contat").await;
    assert!(seen.contains(&pair("contact", "Ana do Contato")), "{seen:?}");
    assert!(!seen.iter().any(|(kind, _)| kind == "agent"), "viewers may not see agents: {seen:?}");

    app.tenant("Outra", "outra").await;
    let stranger = app.member("estranha@example.org", "outra", "owner").await;
    let theirs = found(&stranger, "contat").await;
    assert!(!theirs.iter().any(|(kind, _)| kind != "tool"), "another organisation's: {theirs:?}");
    assert_eq!(app.visitor("").refused("find_things", &[("q", "ana")]).await.0, 401);
    drop(admin);
}

#[tokio::test]
async fn d6_a_call_is_found_by_its_id() {
    let (app, admin) = TestApp::with_admin().await;
    let tool = admin.ask("list_tools", &[("search", "searchProducts")]).await["rows"][0]["id"].clone();
    let fields = [("tool_id", tool.as_str().unwrap()), ("json", "{\"query\":\"pão\"}")];
    let ran = admin.call("try_tool", &fields).await;
    assert!(ran.status().is_success(), "{}", ran.text().await.unwrap());
    let calls = admin.ask("list_executions", &[]).await;
    let id = calls["calls"][0]["id"].as_str().unwrap().to_owned();
    let things = admin.ask("find_things", &[("q", &format!(" {id} "))]).await;
    assert_eq!(things[0]["href"], json!(format!("/executions/{id}")));
    assert_eq!(things[0]["name"], json!("searchProducts"));

    app.tenant("Outra", "outra").await;
    let stranger = app.member("estranha@example.org", "outra", "owner").await;
    assert!(found(&stranger, &id).await.is_empty(), "another organisation's call");
}

/// In the fields in which a tool, an agent or whoever did something is named.
#[tokio::test]
async fn d6_names_are_suggested_as_far_as_the_rights_reach() {
    let (app, admin) = TestApp::with_admin().await;
    admin.ask("create_agent", &[("agent[name]", "Vendas"), ("agent[mode]", "never")]).await;
    let names = admin.ask("suggest_names", &[]).await;
    assert_eq!(names["agents"], json!([{ "value": "vendas", "label": "Vendas" }]));
    let has_tool =
        |names: &Value| names["tools"].as_array().unwrap().iter().any(|tool| tool["value"] == "createTask");
    assert!(has_tool(&names), "{names}");
    for (path, list, value) in [
        ("/executions", "tool-names", "createTask"),
        ("/executions", "agent-names", "vendas"),
        ("/explain", "tool-names", "createTask"),
        ("/explain", "agent-names", "vendas"),
        ("/audit", "audit-actors", "Ada"),
    ] {
        let html = admin.get(path).await.text().await.unwrap();
        let (_, rest) = html.split_once(&format!("<datalist id=\"{list}\">")).unwrap();
        let (options, _) = rest.split_once("</datalist>").unwrap();
        assert!(options.contains(&format!("<option value=\"{value}\"")), "{path}: {options}");
        assert!(html.contains(&format!("list=\"{list}\"")), "{path}: a field has it");
    }

    let viewer = app.member("leitora@example.org", TENANT, "viewer").await;
    let seen = viewer.ask("suggest_names", &[]).await;
    assert!(has_tool(&seen) && seen["agents"] == json!([]), "viewers may not see agents: {seen}");
    let page = viewer.get("/executions").await.text().await.unwrap();
    assert!(page.contains("\"createTask\"") && !page.contains("\"vendas\""));
    app.tenant("Outra", "outra").await;
    let stranger = app.member("estranha@example.org", "outra", "owner").await;
    assert_eq!(stranger.ask("suggest_names", &[]).await["agents"], json!([]), "another organisation's");
}
