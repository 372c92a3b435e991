//! The inbox and the page of one question: who sees what, and who may answer (B1, B2, D5).

use super::decide;
use crate::{
    app::{Person, location},
    workshop::{NOBODY, TENANT, Upstream, agent, id, json_answer, pending, webhook_tool, workshop},
};
use axum::{http::StatusCode, response::IntoResponse};
use domain::TenantRole;
use reqwest::Method;
use serde_json::{Value, json};

#[tokio::test]
async fn b2_whoever_asked_is_told_that_somebody_else_decides() {
    let (app, owner) = workshop().await;
    let upstream = Upstream::start(|_| json_answer(json!(1))).await;
    let mut body = webhook_tool("pay", &upstream.url);
    body["requires_second_person"] = json!(true);
    let tool = id(&owner.post(201, "/tools", body).await);
    let ana = app.member("ana@example.org", TENANT, "owner").await;
    let bia = app.member("bia@example.org", TENANT, "operator").await;
    let call = json!({ "params": { "title": "x" } });
    let asked = ana.api(Method::POST, &format!("/api/v1/tools/{tool}/execute"), Some(call)).await;
    let asked: Value = asked.json().await.unwrap();
    let one = asked["confirmation_id"].as_str().unwrap();
    for (person, is_own) in [(&ana, true), (&bia, false)] {
        let inbox = person.ask("list_confirmations", &[]).await;
        assert_eq!(inbox["questions"][0]["needs_somebody_else"], is_own);
        let alone = person.ask("get_confirmation", &[("confirmation_id", one)]).await;
        assert_eq!(timeless(&alone), timeless(&inbox), "the page shows the same");
        for path in ["/confirmations".to_owned(), format!("/confirmations/{one}")] {
            let html = page(person, &path).await;
            assert_eq!(html.contains("/fn/approve_confirmation"), !is_own, "{path}");
            assert!(html.contains("/fn/refuse_confirmation"), "to say no, one is enough: {path}");
            assert_eq!(html.contains("Foi você quem pediu"), is_own, "{path}");
        }
    }
    let approved = bia.call("approve_confirmation", &[("confirmation_id", one)]).await;
    assert_eq!(approved.status(), 200);
    let after = ana.ask("get_confirmation", &[("confirmation_id", one)]).await;
    assert_eq!(after["questions"][0]["needs_somebody_else"], false, "nothing is left to decide");
}

/// A browser without scripts is told how the call ended, and not only that something was saved.
#[tokio::test]
async fn b1_an_approval_whose_call_failed_says_so_on_the_next_page() {
    let (app, owner) = workshop().await;
    let upstream = Upstream::start(|_| StatusCode::IM_A_TEAPOT.into_response()).await;
    let tool = id(&owner.post(201, "/tools", webhook_tool("pay", &upstream.url)).await);
    agent(&owner, "vendas", &["pay", "createTask"], "always").await;
    let person = app.member("ana@example.org", TENANT, "operator").await;
    for (tool, words) in
        [("pay", "Aprovada, mas a chamada falhou: O endereço respondeu 418"), ("createTask", "Aprovada.")]
    {
        let asked = pending(&owner, tool, "vendas", json!({ "title": "x" })).await;
        let one = asked["confirmation_id"].as_str().unwrap();
        person.submit("/confirmations", "approve_confirmation", &[("confirmation_id", one)]).await;
        let next = page(&person, "/confirmations").await;
        assert!(next.contains(words), "{tool}");
        assert!(!next.contains("Salvo."), "{tool}");
    }
    assert_eq!(owner.get(&format!("/tools/{tool}/executions")).await["data"][0]["status"], "error");
}

/// The questions of an answer without the time that is left, which passes between two answers.
fn timeless(answer: &Value) -> Vec<Value> {
    let mut questions = answer["questions"].as_array().unwrap().clone();
    for question in &mut questions {
        assert!(question["seconds_left"].take().as_i64().unwrap() > 0);
    }
    questions
}

async fn page(person: &Person, path: &str) -> String {
    person.get(path).await.text().await.unwrap()
}

#[tokio::test]
async fn b1_a_question_has_an_address_before_and_after_it_is_decided() {
    let (app, owner) = workshop().await;
    agent(&owner, "vendas", &["createTask"], "always").await;
    let asked = pending(&owner, "createTask", "vendas", json!({ "title": "Ligar" })).await;
    let path = format!("/confirmations/{}", asked["confirmation_id"].as_str().unwrap());
    let execution = format!("/executions/{}", asked["execution_id"].as_str().unwrap());
    let operator = app.member("operadora@example.org", TENANT, "operator").await;
    let auditor = app.member("auditora@example.org", TENANT, "auditor").await;
    assert!(page(&operator, &path).await.contains("/fn/approve_confirmation"));
    assert!(!page(&auditor, &path).await.contains("/fn/approve_confirmation"), "who looks does not decide");
    for from in ["/confirmations", &execution] {
        assert!(page(&operator, from).await.contains(&format!("href=\"{path}\"")), "{from} leads there");
    }
    let corrected = json!({ "params": { "title": "Ligar amanhã" }, "note": "só amanhã" });
    assert_eq!(decide(&owner, "approve", &asked, corrected).await.status(), 200);
    let html = page(&operator, &path).await;
    for shown in ["só amanhã", "backend", "<del>", "Ligar amanhã", &execution] {
        assert!(html.contains(shown), "{shown}");
    }
    assert!(!html.contains("/fn/approve_confirmation"), "decided is decided");
    for from in ["/confirmations?status=approved", &execution] {
        assert!(page(&operator, from).await.contains(&format!("href=\"{path}\"")), "{from} leads there");
    }
    app.tenant("Outra", "outra").await;
    let stranger = app.member("outra@example.org", "outra", "owner").await;
    let html = page(&stranger, &path).await;
    assert!(html.contains("<h1") && !html.contains("Ligar"), "S9: for others it does not exist");
    let missing = (404, "not_found".to_owned());
    for id in [path.trim_start_matches("/confirmations/"), NOBODY, "nothing"] {
        assert_eq!(stranger.refused("get_confirmation", &[("confirmation_id", id)]).await, missing, "{id}");
    }
    let viewer = app.member("leitora@example.org", TENANT, TenantRole::Viewer.as_str()).await;
    assert_eq!(location(&viewer.get(&path).await), "/");
}
