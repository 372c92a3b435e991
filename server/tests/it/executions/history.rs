//! The history: asked for, and taken away (T9).

use crate::{
    app::problem,
    workshop::{Backend, TENANT, Upstream, agent, id, json_answer, until, webhook_tool, workshop},
};
use axum::{http::StatusCode, response::IntoResponse};
use domain::TenantRole;
use reqwest::Method;
use serde_json::{Value, json};
use time::{OffsetDateTime, format_description::well_known::Rfc3339};

#[tokio::test]
async fn t9_the_history_is_filtered_paged_and_kept_apart() {
    let (app, owner) = workshop().await;
    agent(&owner, "vendas", &["searchProducts"], "never").await;
    agent(&owner, "suporte", &["searchProducts"], "never").await;
    for n in 0..5 {
        let agent = if n % 2 == 0 { "vendas" } else { "suporte" };
        assert_eq!(
            owner.call("searchProducts", agent, json!({ "query": format!("p{n}") })).await.status(),
            200
        );
    }
    let all = owner.get("/executions").await;
    assert_eq!(all["data"].as_array().unwrap().len(), 5);
    let first = owner.get("/executions?limit=2").await;
    let cursor = first["next_cursor"].as_str().unwrap();
    let second = owner.get(&format!("/executions?limit=2&cursor={cursor}")).await;
    assert_eq!(second["data"][0]["id"], all["data"][2]["id"]);
    assert_eq!(owner.get("/executions?limit=2&offset=4").await["data"].as_array().unwrap().len(), 1);
    assert_eq!(owner.get("/executions?agent_id=vendas").await["data"].as_array().unwrap().len(), 3);
    assert_eq!(owner.get("/executions?status=error").await["data"].as_array().unwrap().len(), 0);
    let now = "2030-01-01T00:00:00Z";
    assert_eq!(owner.get(&format!("/executions?from={now}")).await["data"].as_array().unwrap().len(), 0);
    assert_eq!(owner.get(&format!("/executions?to={now}")).await["data"].as_array().unwrap().len(), 5);
    for bad in
        ["limit=0", "limit=201", "limit=x", "status=done", "from=yesterday", "cursor=1", "offset=100001"]
    {
        let refused = owner.refused(Method::GET, &format!("/executions?{bad}"), None).await;
        assert_eq!(refused, (422, "validation_failed".into()), "{bad}");
    }
    let own = app.agent_backend(TENANT, "vendas").await;
    assert_eq!(own.get("/executions").await["data"].as_array().unwrap().len(), 3, "an agent sees its own");
    let me = own.get("/agents/vendas").await["id"].clone();
    let others = all["data"].as_array().unwrap().iter().find(|row| row["agent_id"] != me).unwrap();
    let path = format!("/executions/{}", others["id"].as_str().unwrap());
    assert_eq!(own.refused(Method::GET, &path, None).await, (404, "not_found".into()));
    app.tenant("Outra", "outra").await;
    let stranger = app.backend("outra", TenantRole::Owner).await;
    assert_eq!(stranger.get("/executions").await["data"].as_array().unwrap().len(), 0);
    assert_eq!(stranger.refused(Method::GET, &path, None).await, (404, "not_found".into()));
}

/// The id of a new call.
async fn called(owner: &Backend, tool: &str, agent: &str) -> String {
    let answer: Value = owner.call(tool, agent, json!({ "title": "x" })).await.json().await.unwrap();
    answer["execution_id"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
}

async fn executed_at(owner: &Backend, execution: &str) -> String {
    let row = owner.get(&format!("/executions/{execution}")).await;
    row["executed_at"].as_str().unwrap().to_owned()
}

/// The calls of a list, in its order.
async fn listed(owner: &Backend, path: &str) -> Vec<String> {
    owner.get(path).await["data"].as_array().unwrap().iter().map(id).collect()
}

#[tokio::test]
async fn t9_the_calls_of_one_tool_are_filtered_and_paged() {
    let (_app, owner) = workshop().await;
    let upstream = Upstream::start(|count| match count {
        2 => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        _ => json_answer(json!(1)),
    })
    .await;
    let hook = id(&owner.post(201, "/tools", webhook_tool("hook", &upstream.url)).await);
    agent(&owner, "vendas", &["hook", "createTask"], "never").await;
    let suporte = agent(&owner, "suporte", &["hook"], "never").await;
    let other = called(&owner, "createTask", "vendas").await;
    let first = called(&owner, "hook", "vendas").await;
    let failed = called(&owner, "hook", "suporte").await;
    // Times are told in whole seconds: the last call is in another one, so that its time lies between.
    let before = OffsetDateTime::parse(&executed_at(&owner, &failed).await, &Rfc3339).unwrap();
    let is_later = || OffsetDateTime::now_utc().unix_timestamp() > before.unix_timestamp();
    until("another second", || async { is_later().then_some(()) }).await;
    let last = called(&owner, "hook", "vendas").await;
    let between = executed_at(&owner, &last).await;
    let (first, failed, last) = (first.as_str(), failed.as_str(), last.as_str());

    let path = format!("/tools/{hook}/executions");
    for (query, wanted) in [
        ("limit=200".to_owned(), vec![last, failed, first]),
        ("status=error".to_owned(), vec![failed]),
        ("status=success".to_owned(), vec![last, first]),
        ("agent_id=vendas".to_owned(), vec![last, first]),
        (format!("agent_id={suporte}"), vec![failed]),
        (format!("from={between}"), vec![last]),
        (format!("to={between}"), vec![failed, first]),
        (format!("from={between}&to={between}"), vec![]),
        (format!("agent_id=vendas&status=success&to={between}"), vec![first]),
        ("limit=1".to_owned(), vec![last]),
        ("limit=1&offset=1".to_owned(), vec![failed]),
    ] {
        assert_eq!(listed(&owner, &format!("{path}?{query}")).await, wanted, "{query}");
    }
    let page = owner.get(&format!("{path}?limit=2")).await;
    let cursor = page["next_cursor"].as_str().unwrap();
    let rest = owner.get(&format!("{path}?limit=2&cursor={cursor}")).await;
    assert_eq!((id(&page["data"][1]), id(&rest["data"][0])), (failed.to_owned(), first.to_owned()));
    assert_eq!((rest["data"].as_array().unwrap().len(), &rest["next_cursor"]), (1, &Value::Null));

    let of_all = |query: &str| format!("/executions?{query}={between}");
    assert_eq!(listed(&owner, &of_all("from")).await, [last]);
    assert_eq!(listed(&owner, &of_all("to")).await, [failed, first, &other]);
    assert_eq!(listed(&owner, &of_all(&format!("tool_id={hook}&to"))).await, [failed, first]);
}

#[tokio::test]
async fn t9_the_history_is_exported_whole_page_by_page() {
    let (app, owner) = workshop().await;
    agent(&owner, "vendas", &["createTask", "searchProducts"], "never").await;
    for number in 0..205 {
        owner.call("createTask", "vendas", json!({ "title": format!("=Tarefa \"{number}\"") })).await;
    }
    owner.call("searchProducts", "vendas", json!({ "query": "pão" })).await;
    let export = |query: &'static str| {
        let owner = owner.clone();
        async move { owner.send(Method::GET, &format!("/executions/export?{query}"), None).await }
    };
    let lines = export("format=jsonl").await.text().await.unwrap();
    let rows: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 206, "more than one page");
    assert!(rows.is_sorted_by(|newer, older| newer["id"].as_str() > older["id"].as_str()));
    let tool = rows[0]["tool_id"].as_str().unwrap().to_owned();
    let one = owner.send(Method::GET, &format!("/executions/export?format=jsonl&tool_id={tool}"), None).await;
    assert_eq!(one.text().await.unwrap().lines().count(), 1, "the filter holds");

    let csv = export("format=csv").await;
    assert!(csv.headers()["content-disposition"].to_str().unwrap().contains("executions.csv"));
    let csv = csv.text().await.unwrap();
    assert!(csv.starts_with("id,executed_at,"), "{csv}");
    assert_eq!(csv.matches("createTask").count(), 205);

    assert_eq!(problem(export("format=xml").await).await.0, 422);
    for unknown in ["limit=2", "offset=1", "page=3"] {
        let answer = owner.send(Method::GET, &format!("/executions/export?format=csv&{unknown}"), None).await;
        let refused = problem(answer).await;
        assert_eq!(refused, (422, "validation_failed".to_owned()), "{unknown}: an export is never a part");
    }
    assert_eq!(problem(export("format=csv&from=yesterday").await).await.0, 422);
    let operator = app.backend(TENANT, TenantRole::Operator).await;
    assert_eq!(operator.send(Method::GET, "/executions/export?format=csv", None).await.status(), 200);
    let nobody = app.backend_of(None);
    let refused = nobody.refused(Method::GET, "/executions/export?format=csv", None).await;
    assert_eq!(refused, (401, "unauthenticated".into()));
}
