//! What becomes of values on their way: numbers stay what they are, what is too long is cut, secrets are not kept
//! (B3, X6, S16).

use crate::{
    app::{TestApp, problem},
    workshop::{Backend, Upstream, agent, id, json_answer, pending, webhook_tool, workshop},
};
use axum::{http::StatusCode, response::IntoResponse};
use reqwest::Method;
use serde_json::{Value, json};

/// A body as it is written, digit by digit.
async fn send_text(app: &TestApp, backend: &Backend, path: &str, body: &str) -> reqwest::Response {
    let request = app.visitor("").client.post(format!("{}/api/v1{path}", app.url));
    let request =
        request.bearer_auth(backend.key.as_ref().unwrap()).header("content-type", "application/json");
    request.header("idempotency-key", "boleto").body(body.to_owned()).send().await.unwrap()
}

/// A tool that takes whatever it is given.
fn open_tool(name: &str, url: &str) -> Value {
    let mut tool = webhook_tool(name, url);
    tool["parameters"] = json!({ "type": "object" });
    tool
}

const LONG: &str = "34191790010104351004791020150008291070026000";

#[tokio::test]
async fn b3_a_number_that_would_be_changed_is_refused_and_named() {
    let (app, owner) = workshop().await;
    let upstream = Upstream::start(|_| json_answer(json!(1))).await;
    let tool = id(&owner.post(201, "/tools", open_tool("hook", &upstream.url)).await);
    let path = format!("/tools/{tool}/execute");
    for (value, field) in [
        (format!("{{\"boleto\":{LONG}}}"), "params.boleto"),
        ("{\"a\":[1,{\"b\":-9223372036854775809}]}".to_owned(), "params.a.1.b"),
        ("{\"n\":18446744073709551616}".to_owned(), "params.n"),
    ] {
        let answer = send_text(&app, &owner, &path, &format!("{{\"params\":{value}}}")).await;
        assert_eq!(answer.status(), 422, "{value}");
        let body: Value = answer.json().await.unwrap();
        assert_eq!((&body["code"], &body["errors"][0]["field"]), (&json!("invalid_params"), &json!(field)));
        assert!(!body.to_string().contains("3419179"), "the value may be a secret: {body}");
    }
    assert!(upstream.asked().is_empty() && app.count("SELECT count(*) FROM executions").await == 0);

    let definition = open_tool("other", &upstream.url).to_string();
    let definition =
        definition.replace("\"type\":\"object\"", &format!("\"type\":\"object\",\"maxProperties\":{LONG}"));
    let refused = problem(send_text(&app, &owner, "/tools", &definition).await).await;
    assert_eq!(refused, (422, "validation_failed".to_owned()), "in a definition, too");

    let kept = "{\"params\":{\"most\":18446744073709551615,\"least\":-9223372036854775808,\"half\":0.5}}";
    assert_eq!(send_text(&app, &owner, &path, kept).await.status(), 200);
    let sent = String::from_utf8(upstream.asked()[0].body.clone()).unwrap();
    for digits in ["18446744073709551615", "-9223372036854775808", "0.5"] {
        assert!(sent.contains(digits), "{sent}");
    }
}

/// JSON can write it, and no floating-point number is as large.
#[tokio::test]
async fn b3_a_number_beyond_all_bounds_is_no_body() {
    let (app, owner) = workshop().await;
    let upstream = Upstream::start(|_| json_answer(json!(1))).await;
    let tool = id(&owner.post(201, "/tools", open_tool("hook", &upstream.url)).await);
    agent(&owner, "vendas", &["hook"], "never").await;
    let by_hand = format!("/tools/{tool}/execute");
    for number in ["1e400", "-1e400", "1E+999999999", &format!("1{}.5", "0".repeat(400))] {
        for (path, rest) in [
            (by_hand.as_str(), ""),
            ("/tools/execute-for-agent", ",\"tool_name\":\"hook\",\"agent_id\":\"vendas\""),
            ("/decisions/explain", ",\"tool_name\":\"hook\",\"agent_id\":\"vendas\""),
        ] {
            let body = format!("{{\"params\":{{\"n\":{number}}}{rest}}}");
            let refused = problem(send_text(&app, &owner, path, &body).await).await;
            assert_eq!(refused, (400, "invalid_body".to_owned()), "{path} {number:.20}");
        }
    }
    assert!(upstream.asked().is_empty() && app.count("SELECT count(*) FROM executions").await == 0);
}

#[tokio::test]
async fn b3_a_number_of_an_answer_is_kept_digit_by_digit() {
    let (_app, owner) = workshop().await;
    let upstream = Upstream::start(|_| {
        ([("content-type", "application/json")], format!("{{\"id\":{LONG},\"n\":[7,-{LONG}]}}"))
            .into_response()
    })
    .await;
    let tool = id(&owner.post(201, "/tools", open_tool("hook", &upstream.url)).await);
    let answer = owner.post(200, &format!("/tools/{tool}/execute"), json!({ "params": {} })).await;
    assert_eq!(answer["result"], json!({ "id": LONG, "n": [7, format!("-{LONG}")] }), "{answer}");
    let row = owner.get(&format!("/executions/{}", answer["execution_id"].as_str().unwrap())).await;
    assert_eq!(row["log"][0], "integers of the answer beyond 64 bits, kept as text with all digits: 2");
}

#[tokio::test]
async fn s16_secrets_under_common_names_are_nowhere() {
    let (app, owner) = workshop().await;
    let upstream =
        Upstream::start(|_| json_answer(json!({ "github_token": "canary", "max_tokens": 9 }))).await;
    let tool = id(&owner.post(201, "/tools", open_tool("hook", &upstream.url)).await);
    let names =
        ["user_password", "secret_key", "x-api-key", "pwd", "auth_token", "newPassword", "smtp_password"];
    let mut params: Value = names.iter().map(|name| (name.to_string(), json!("canary"))).collect();
    params["token_count"] = json!(3);
    let answer = owner.post(200, &format!("/tools/{tool}/execute"), json!({ "params": params })).await;
    assert_eq!(answer["result"], json!({ "github_token": "***", "max_tokens": 9 }));
    let row = owner.get(&format!("/executions/{}", answer["execution_id"].as_str().unwrap())).await;
    for name in names {
        assert_eq!(row["input_params"][name], "***", "{name}");
    }
    assert_eq!(row["input_params"]["token_count"], 3);
    let kept = "SELECT count(*) FROM executions WHERE params LIKE '%canary%' OR result LIKE '%canary%'";
    assert_eq!(app.count(kept).await, 0);
    let sent: Value = serde_json::from_slice(&upstream.asked()[0].body).unwrap();
    assert_eq!(sent["params"], params, "the tool itself gets them");
}

/// A mark of the schema, under a name that tells nothing.
#[tokio::test]
async fn s16_what_the_schema_marks_is_masked_wherever_it_is_read() {
    let (_app, owner) = workshop().await;
    let upstream = Upstream::start(|_| json_answer(json!(1))).await;
    let mut tool = webhook_tool("hook", &upstream.url);
    tool["parameters"]["properties"]["floor"] = json!({ "type": "string", "writeOnly": true });
    owner.post(201, "/tools", tool).await;
    agent(&owner, "vendas", &["hook"], "always").await;
    let params = json!({ "title": "x", "floor": "canary" });
    let masked = json!({ "title": "x", "floor": "***" });
    let asked = pending(&owner, "hook", "vendas", params.clone()).await;
    let question = format!("/confirmations/{}", asked["confirmation_id"].as_str().unwrap());
    let shown = owner.get(&question).await;
    assert_eq!((&shown["params"], &shown["plan"]["body"]["params"]), (&masked, &masked), "{shown}");
    owner.post(200, &format!("{question}/approve"), json!({})).await;
    let sent: Value = serde_json::from_slice(&upstream.asked()[0].body).unwrap();
    assert_eq!(sent["params"], params, "the tool itself gets it");

    let execution = asked["execution_id"].as_str().unwrap();
    assert_eq!(owner.get(&format!("/executions/{execution}")).await["input_params"], masked);
    assert_eq!(owner.get("/executions").await["data"][0]["input_params"], masked);
    for (path, told) in [
        ("/executions/export?format=jsonl", r#""floor":"***""#),
        ("/executions/export?format=csv", r#"""floor"":""***"""#),
        // The record has arguments by their hash only; the call is in it.
        ("/audit/export", execution),
    ] {
        let text = owner.send(Method::GET, path, None).await.text().await.unwrap();
        assert!(text.contains(told), "{path}: {text}");
        assert!(!text.contains("canary"), "{path}: {text}");
    }
}

/// What looks like JSON and cannot be read as such is kept as text, and its secrets are secrets all the same.
#[tokio::test]
async fn s16_a_secret_in_an_answer_that_is_no_json_is_masked() {
    let (app, owner) = workshop().await;
    let deep = format!("{}{{\"password\":\"canary\"}}{}", "{\"a\":".repeat(140), "}".repeat(140));
    let answers = [
        r#"{"password":"canary","n":1e999}"#.to_owned(),
        "{\"n\":1}\n{\"password\":\"canary\"}\n".to_owned(),
        r#"{"password":"canary""#.to_owned(),
        deep,
        r#"a 5" screen: {"password": "canary"}"#.to_owned(),
    ];
    let said = answers.clone();
    let upstream = Upstream::start(move |count| {
        let status = if count.is_multiple_of(2) { StatusCode::BAD_REQUEST } else { StatusCode::OK };
        (status, said[count - 1].clone()).into_response()
    })
    .await;
    let tool = id(&owner.post(201, "/tools", open_tool("hook", &upstream.url)).await);
    for answer in answers {
        let ended = owner.post(200, &format!("/tools/{tool}/execute"), json!({ "params": {} })).await;
        let masked = json!(answer.replace("canary", "***"));
        assert_eq!((&ended["truncated"], &ended["result"]), (&json!(false), &masked));
        let row = owner.get(&format!("/executions/{}", ended["execution_id"].as_str().unwrap())).await;
        assert_eq!(row["output_result"], masked, "in the history, too");
    }
    assert_eq!(app.count("SELECT count(*) FROM executions WHERE result LIKE '%canary%'").await, 0);
}

#[tokio::test]
async fn x6_a_tool_s_own_limit_cuts_what_comes_back() {
    let (_app, owner) = workshop().await;
    // As JSON a text has two quotes more: 1,024 bytes at first, then 1,025.
    let upstream = Upstream::start(|count| {
        let length = if count == 1 { 1_022 } else { 1_023 };
        json_answer(json!("x".repeat(length)))
    })
    .await;
    let limited = |most: u32| {
        let mut tool = open_tool("small", &upstream.url);
        tool["max_output_bytes"] = json!(most);
        tool
    };
    let refused = owner.invalid(Method::POST, "/tools", limited(1_023)).await;
    assert_eq!(refused, [("max_output_bytes".to_owned(), "invalid".to_owned())]);
    let small = id(&owner.post(201, "/tools", limited(1_024)).await);
    let usual = id(&owner.post(201, "/tools", open_tool("usual", &upstream.url)).await);
    let call = |tool: &str| {
        let (owner, path) = (owner.clone(), format!("/tools/{tool}/execute"));
        async move { owner.post(200, &path, json!({ "params": {} })).await }
    };
    let fits = call(&small).await;
    assert_eq!((&fits["truncated"], &fits["result"]), (&json!(false), &json!("x".repeat(1_022))));
    let cut = call(&small).await;
    let first = json!(format!("\"{}", "x".repeat(1_023)));
    assert_eq!((&cut["success"], &cut["truncated"]), (&json!(true), &json!(true)));
    assert_eq!(cut["result"], first, "its first 1,024 bytes, as text: it is no JSON any more");
    let row = owner.get(&format!("/executions/{}", cut["execution_id"].as_str().unwrap())).await;
    assert_eq!((&row["truncated"], &row["output_result"]), (&json!(true), &first), "in the history, too");
    let whole = call(&usual).await;
    assert_eq!((&whole["truncated"], &whole["result"]), (&json!(false), &json!("x".repeat(1_023))));
}
