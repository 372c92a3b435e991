//! C7, C8: an agent's list of tools is what the gate would let it call now, in the words of its model.

use crate::{
    app::problem,
    security::refusals::with_rule,
    workshop::{Backend, TENANT, Upstream, agent, id, json_answer, webhook_tool, workshop},
};
use domain::TenantRole;
use reqwest::Method;
use serde_json::{Value, json};

/// The tools of an agent and those that it gets back later, by name.
async fn listed(caller: &Backend) -> (Vec<String>, Vec<String>) {
    let listed = caller.get("/agents/vendas/tools?format=anthropic").await;
    let names = |part: &str| {
        let tools = listed[part].as_array().unwrap().iter();
        tools.map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    };
    (names("data"), names("later"))
}

/// What is listed can be called, what can be called is listed, and what only a limit holds back is named.
async fn agrees(owner: &Backend, now: &[&str], later: &[&str]) {
    assert_eq!(listed(owner).await, (owned(now), owned(later)));
    for tool in owner.get("/tools").await["data"].as_array().unwrap() {
        let name = tool["name"].as_str().unwrap();
        let explain = json!({ "tool_name": name, "agent_id": "vendas" });
        let decision = owner.post(200, "/decisions/explain", explain).await;
        assert_eq!(decision["verdict"] != "denied", now.contains(&name), "{name}: {decision}");
        assert_eq!(decision["rule"] == "rate_limit", later.contains(&name), "{name}: {decision}");
    }
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn times(limit: u32) -> Value {
    json!({ "limit": limit, "window_seconds": 3600 })
}

#[tokio::test]
async fn c7_c8_a_model_reads_its_tools_in_its_own_words() {
    let (_app, owner) = workshop().await;
    let body = json!({ "name": "vendas", "persona": "Você vende pão.", "allowed_tools": ["searchProducts", "createTask"] });
    owner.post(201, "/agents", body).await;
    let openai = owner.get("/agents/vendas/tools?format=openai").await["data"].clone();
    assert_eq!(owner.get("/agents/vendas/tools").await["data"], openai);
    let names_of = |list: &Value, at: &str| -> Vec<Value> {
        list.as_array().unwrap().iter().map(|tool| tool.pointer(at).unwrap().clone()).collect()
    };
    let wanted = [json!("createTask"), json!("searchProducts")];
    assert_eq!(names_of(&openai, "/function/name"), wanted);
    assert_eq!(names_of(&openai, "/type"), ["function", "function"]);
    assert_eq!(openai[0]["function"]["parameters"]["required"], json!(["title"]));
    let anthropic = owner.get("/agents/vendas/tools?format=anthropic").await["data"].clone();
    assert_eq!(names_of(&anthropic, "/name"), wanted);
    assert_eq!(anthropic[0]["input_schema"], openai[0]["function"]["parameters"]);
    let prompt = owner.send(Method::GET, "/agents/vendas/tools?format=prompt", None).await;
    assert!(prompt.headers()["content-type"].to_str().unwrap().starts_with("text/plain"));
    let prompt = prompt.text().await.unwrap();
    assert!(prompt.starts_with("Você vende pão."), "{prompt}");
    assert!(prompt.contains("## createTask (a person confirms first)"), "{prompt}");
    assert!(prompt.contains("## searchProducts\n"), "{prompt}");
    let bad = owner.refused(Method::GET, "/agents/vendas/tools?format=yaml", None).await;
    assert_eq!(bad, (422, "validation_failed".to_owned()));
    let none = owner.refused(Method::GET, "/agents/nobody/tools", None).await;
    assert_eq!(none, (404, "agent_not_found".to_owned()));
}

#[tokio::test]
async fn c8_the_list_is_what_the_gate_lets_through() {
    let (_app, owner) = workshop().await;
    let upstream = Upstream::start(|_| json_answer(json!(1))).await;
    let hook = id(&owner.post(201, "/tools", webhook_tool("hook", &upstream.url)).await);
    agent(&owner, "vendas", &["hook", "createTask"], "never").await;
    agrees(&owner, &["createTask", "hook"], &[]).await;
    owner.patch(&format!("/tools/{hook}/toggle"), json!({ "is_active": false })).await;
    agrees(&owner, &["createTask"], &[]).await;
    owner.patch(&format!("/tools/{hook}/toggle"), json!({ "is_active": true })).await;
    owner.put("/agents/vendas/tools", json!({ "allowed_tools": ["hook"] })).await;
    agrees(&owner, &["hook"], &[]).await;
    owner.patch("/agents/vendas", json!({ "is_active": false })).await;
    agrees(&owner, &[], &[]).await;
    owner.patch("/agents/vendas", json!({ "is_active": true })).await;
    owner.expect(204, Method::DELETE, &format!("/tools/{hook}?force=true"), None).await;
    agrees(&owner, &[], &[]).await;
}

/// A list that promises what the next call is refused would be wrong; so would one that forgets a tool without a word.
#[tokio::test]
async fn c8_t17_a_limit_that_is_used_up_takes_its_tools_off_the_list() {
    let (_app, owner) = workshop().await;
    let upstream = Upstream::start(|_| json_answer(json!(1))).await;
    let hook = id(&owner.post(201, "/tools", webhook_tool("hook", &upstream.url)).await);
    agent(&owner, "vendas", &["hook", "createTask"], "never").await;
    let limits = [
        (format!("/tools/{hook}"), Method::PUT, &["createTask"][..], &["hook"][..]),
        ("/agents/vendas".to_owned(), Method::PATCH, &[], &["createTask", "hook"]),
        ("/settings/limits".to_owned(), Method::PUT, &[], &["createTask", "hook"]),
    ];
    for (path, method, now, later) in limits {
        owner.expect(200, method.clone(), &path, Some(json!({ "rate_limit": times(2) }))).await;
        agrees(&owner, &["createTask", "hook"], &[]).await;
        agrees(&owner, &["createTask", "hook"], &[]).await;
        for _ in 0..2 {
            assert_eq!(owner.call("hook", "vendas", json!({ "title": "x" })).await.status(), 200, "{path}");
        }
        agrees(&owner, now, later).await;
        owner.expect(200, method, &path, Some(json!({ "rate_limit": null }))).await;
    }
    agrees(&owner, &["createTask", "hook"], &[]).await;
}

#[tokio::test]
async fn c8_t17_what_comes_back_later_is_said_in_every_format() {
    let (_app, owner) = workshop().await;
    agent(&owner, "vendas", &["createTask", "searchProducts"], "never").await;
    let path = "/agents/vendas";
    owner.patch(path, json!({ "rate_limit": times(1) })).await;
    assert_eq!(owner.call("createTask", "vendas", json!({ "title": "x" })).await.status(), 200);
    for format in ["openai", "anthropic"] {
        let listed = owner.get(&format!("{path}/tools?format={format}")).await;
        assert_eq!(listed["data"], json!([]), "{format}");
        assert_eq!(listed["later"][1]["name"], "searchProducts", "all of its tools wait: {listed}");
        assert!((3500..=3600).contains(&listed["later"][1]["retry_after"].as_u64().unwrap()), "{listed}");
    }
    let prompt =
        owner.send(Method::GET, &format!("{path}/tools?format=prompt"), None).await.text().await.unwrap();
    assert!(prompt.contains("You have no tools now."), "{prompt}");
    assert!(prompt.contains("- createTask: again in 3"), "{prompt}");
    assert!(!prompt.contains("## createTask"), "{prompt}");
}

/// S24: an operator's own lines bind the agent, whoever speaks for it, and the one who speaks.
#[tokio::test]
async fn s24_c8_lines_about_agents_and_about_the_caller_both_count() {
    let (app, owner) = workshop().await;
    agent(&owner, "vendas", &["searchProducts", "createTask", "getContactHistory"], "never").await;
    let forbid =
        |role: &'static str, condition: &'static str| [role, "execute", "ToolManagement", condition, "deny"];
    with_rule(&app, forbid("agent", "name=createTask")).await;
    let app = with_rule(&app, forbid("operator", "name=getContactHistory")).await;
    let owner = app.backend_of(owner.key.clone());
    agrees(&owner, &["getContactHistory", "searchProducts"], &[]).await;
    let operator = app.backend(TENANT, TenantRole::Operator).await;
    agrees(&operator, &["searchProducts"], &[]).await;
    for (caller, tool) in
        [(&owner, "createTask"), (&operator, "createTask"), (&operator, "getContactHistory")]
    {
        let answer = caller.call(tool, "vendas", json!({ "title": "x" })).await;
        assert_eq!(problem(answer).await, (403, "forbidden".to_owned()), "{tool}");
    }
    let auditor = app.backend(TENANT, TenantRole::Auditor).await;
    assert_eq!(
        listed(&auditor).await.0,
        ["getContactHistory", "searchProducts"],
        "who runs nothing sees the agent's"
    );
}
