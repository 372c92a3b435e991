//! What the agent said about a call: whoever decides reads it, and nobody has to believe it (X1, B1).

use super::{decide, execution, question};
use crate::{
    app::problem,
    workshop::{Backend, TENANT, Upstream, agent, json_answer, webhook_tool, workshop},
};
use reqwest::{Method, Response};
use serde_json::{Value, json};

async fn call(caller: &Backend, tool: &str, params: Value, message: Value, key: Option<&str>) -> Response {
    let body = json!({ "tool_name": tool, "agent_id": "vendas", "params": params, "message": message });
    let headers: Vec<_> = key.into_iter().map(|key| ("Idempotency-Key", key)).collect();
    caller.with_headers(Method::POST, "/tools/execute-for-agent", Some(body), &headers).await
}

async fn said(caller: &Backend, message: &str) -> Value {
    let answer = call(caller, "createTask", json!({ "title": "Ligar" }), json!(message), None).await;
    assert!(answer.status().is_success(), "{}", answer.status());
    answer.json().await.unwrap()
}

#[tokio::test]
async fn x1_b1_what_the_agent_said_reaches_whoever_decides() {
    let (app, owner) = workshop().await;
    agent(&owner, "vendas", &["createTask"], "always").await;
    let asked = said(&owner, "  A Dona Lurdes pediu <b>retorno</b> hoje.  ").await;
    let words = json!("A Dona Lurdes pediu <b>retorno</b> hoje.");
    assert_eq!(question(&owner, &asked).await["message"], words);
    assert_eq!(owner.get("/confirmations").await["data"][0]["message"], words);
    assert_eq!(execution(&owner, &asked).await["message"], words);
    assert_eq!(owner.get("/executions").await["data"][0].get("message"), None, "lists stay short");

    let operator = app.member("operadora@example.org", TENANT, "operator").await;
    let inbox = operator.ask("list_confirmations", &[]).await;
    assert_eq!(inbox["questions"][0]["message"], words);
    let id = asked["confirmation_id"].as_str().unwrap();
    for path in [
        "/confirmations".to_owned(),
        format!("/confirmations/{id}"),
        format!("/executions/{}", asked["execution_id"].as_str().unwrap()),
    ] {
        let html = operator.get(&path).await.text().await.unwrap();
        assert!(html.contains("A Dona Lurdes pediu &lt;b&gt;retorno&lt;/b&gt; hoje."), "{path}");
        assert!(!html.contains("pediu <b>"), "S15: never markup: {path}");
    }
    let decided: Value = decide(&owner, "approve", &asked, json!({})).await.json().await.unwrap();
    assert_eq!(decided["message"], words);
    assert_eq!(execution(&owner, &asked).await["message"], words, "it outlives the decision");
    let silent = said(&owner, "   ").await;
    assert_eq!(question(&owner, &silent).await["message"], Value::Null, "nothing was said");
}

#[tokio::test]
async fn x1_words_are_bounded_and_plain() {
    let (app, owner) = workshop().await;
    agent(&owner, "vendas", &["createTask"], "never").await;
    let task = || json!({ "title": "x" });
    for (bad, code) in
        [(json!("a".repeat(1001)), "too_long"), (json!("a\nb"), "invalid"), (json!("\u{1b}[2J"), "invalid")]
    {
        let body =
            json!({ "tool_name": "createTask", "agent_id": "vendas", "params": task(), "message": bad });
        let errors = owner.invalid(Method::POST, "/tools/execute-for-agent", body).await;
        assert_eq!(errors, [("message".to_owned(), code.to_owned())]);
    }
    let number = call(&owner, "createTask", task(), json!(1), None).await;
    assert_eq!(problem(number).await.0, 422);
    assert_eq!(app.count("SELECT count(*) FROM executions").await, 0);
    let longest = "ã".repeat(1000);
    let done = said(&owner, &longest).await;
    assert_eq!(execution(&owner, &done).await["message"], json!(longest), "without a question, too");
    let by_hand = owner.get("/tools?q=createTask").await["data"][0]["id"].as_str().unwrap().to_owned();
    let body = json!({ "params": task(), "message": "x" });
    let refused = owner.refused(Method::POST, &format!("/tools/{by_hand}/execute"), Some(body)).await;
    assert_eq!(refused.0, 422, "a person needs no words of an agent");
}

#[tokio::test]
async fn s16_an_agent_that_repeats_a_secret_is_masked() {
    let (app, owner) = workshop().await;
    let upstream = Upstream::start(|_| json_answer(json!(1))).await;
    owner.post(201, "/tools", webhook_tool("hook", &upstream.url)).await;
    agent(&owner, "vendas", &["hook"], "always").await;
    let params = json!({ "title": "x", "senha": "s3gr3do-canary" });
    let message = json!("Entro com a senha s3gr3do-canary");
    let asked: Value = call(&owner, "hook", params, message, None).await.json().await.unwrap();
    assert_eq!(question(&owner, &asked).await["message"], "Entro com a senha ***");
    let leaked = "SELECT count(*) FROM executions WHERE circumstances LIKE '%canary%'";
    assert_eq!(app.count(leaked).await, 0);
}

#[tokio::test]
async fn b3_other_words_are_another_request() {
    let (_app, owner) = workshop().await;
    agent(&owner, "vendas", &["createTask"], "never").await;
    let send = |message: Value| call(&owner, "createTask", json!({ "title": "x" }), message, Some("k1"));
    assert_eq!(send(json!("um")).await.status(), 200);
    assert_eq!(send(json!("um")).await.headers()["idempotent-replayed"], "true");
    for other in [json!("dois"), Value::Null] {
        assert_eq!(problem(send(other).await).await, (422, "idempotency_mismatch".into()));
    }
}
