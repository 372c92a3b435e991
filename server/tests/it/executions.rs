//! Calls: by hand and by agents, inside and outside, once and again (T7–T10, B3, X4).

mod circumstances;

use crate::{
    app::{TestApp, problem},
    workshop::{Backend, TENANT, Upstream, agent, id, json_answer, pending, webhook_tool, workshop},
};
use axum::response::IntoResponse;
use domain::TenantRole;
use egress::signature::Secret;
use reqwest::Method;
use serde_json::{Value, json};

#[tokio::test]
async fn t8_t13_an_agent_creates_a_task_and_the_record_says_so() {
    let (app, owner) = workshop().await;
    agent(&owner, "vendas", &["createTask", "searchProducts"], "never").await;
    let answer = owner.call("createTask", "vendas", json!({ "title": "Ligar para o cliente" })).await;
    assert_eq!(answer.status(), 200);
    let body: Value = answer.json().await.unwrap();
    assert_eq!((&body["status"], &body["success"]), (&json!("success"), &json!(true)), "{body}");
    assert_eq!(app.count("SELECT count(*) FROM tasks").await, 1);
    let id = body["execution_id"].as_str().unwrap();
    let row = owner.get(&format!("/executions/{id}")).await;
    assert_eq!(
        (&row["tool_name"], &row["tool_version"], &row["conversation_id"]),
        (&json!("createTask"), &json!(1), &json!("c1"))
    );
    assert_eq!(row["input_params"]["title"], "Ligar para o cliente");
    assert_eq!(
        (&row["execution_id"], &row["success"], &row["result"]),
        (&body["execution_id"], &json!(true), &body["result"]),
        "under the names of the answer, too"
    );
    assert_eq!(app.count("SELECT count(*) FROM audit_entries WHERE action = 'execution.record'").await, 1);
    let tool = &owner.get("/tools?q=createTask").await["data"][0];
    assert_eq!((&tool["execution_count"], &tool["error_count"]), (&json!(1), &json!(0)));
    let hours = owner.get("/analytics/hours").await;
    assert_eq!(hours["data"][0]["executions"], 1, "{hours}");
}

#[tokio::test]
async fn t18_calls_are_counted_by_tool_and_by_agent() {
    let (app, owner) = workshop().await;
    agent(&owner, "vendas", &["createTask", "sendEmail"], "never").await;
    agent(&owner, "caixa", &["createTask"], "never").await;
    for name in ["vendas", "vendas", "caixa"] {
        assert_eq!(owner.call("createTask", name, json!({ "title": "x" })).await.status(), 200);
    }
    let mail = json!({ "to": ["ana@example.org"], "subject": "x", "text": "x" });
    let failed = owner.call("sendEmail", "vendas", mail).await;
    assert_eq!(failed.json::<Value>().await.unwrap()["success"], false, "no mail server is set up");

    let agents = owner.get("/analytics/agents").await;
    let counted: Vec<(&str, i64, i64)> = agents["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            let number = |name: &str| row[name].as_i64().unwrap();
            (row["agent_name"].as_str().unwrap(), number("executions"), number("errors"))
        })
        .collect();
    assert_eq!(counted, [("vendas", 3, 1), ("caixa", 1, 0)], "the busiest first");
    let of = |path: &'static str| {
        let owner = owner.clone();
        async move {
            let hours = owner.get(path).await;
            hours["data"]
                .as_array()
                .unwrap()
                .iter()
                .map(|hour| hour["executions"].as_i64().unwrap())
                .sum::<i64>()
        }
    };
    assert_eq!(of("/analytics/hours").await, 4);
    assert_eq!(of("/analytics/hours?agent_id=vendas").await, 3);
    assert_eq!(of("/analytics/hours?agent_id=caixa").await, 1);
    let unknown = owner.refused(Method::GET, "/analytics/hours?agent_id=nobody", None).await;
    assert_eq!(unknown, (404, "agent_not_found".into()));
    let tool = owner.get("/tools?q=createTask").await["data"][0]["id"].as_str().unwrap().to_owned();
    let both =
        owner.refused(Method::GET, &format!("/analytics/hours?agent_id=caixa&tool_id={tool}"), None).await;
    assert_eq!(both, (422, "validation_failed".into()));
    app.tenant("Outra", "outra").await;
    let stranger = app.backend("outra", domain::TenantRole::Owner).await;
    assert_eq!(stranger.get("/analytics/agents").await["data"], json!([]));
}

#[tokio::test]
async fn t8_what_an_agent_may_not_do_is_refused_before_it_runs() {
    let (app, owner) = workshop().await;
    agent(&owner, "vendas", &["createTask"], "never").await;
    let refused = |tool: &'static str, agent: &'static str, params: Value| {
        let owner = owner.clone();
        async move { problem(owner.call(tool, agent, params).await).await }
    };
    let task = || json!({ "title": "x" });
    assert_eq!(refused("endConversation", "vendas", json!({})).await, (403, "tool_not_assigned".into()));
    assert_eq!(refused("nothing", "vendas", json!({})).await, (404, "tool_not_found".into()));
    assert_eq!(refused("CreateTask", "vendas", task()).await, (404, "tool_not_found".into()));
    assert_eq!(refused("createTask", "nobody", task()).await, (404, "agent_not_found".into()));
    assert_eq!(
        refused("createTask", "vendas", json!({ "titel": "x" })).await,
        (422, "invalid_params".into())
    );
    let tools = owner.get("/tools?q=createTask").await;
    let id = tools["data"][0]["id"].as_str().unwrap().to_owned();
    owner
        .expect(200, Method::PATCH, &format!("/tools/{id}/toggle"), Some(json!({ "is_active": false })))
        .await;
    assert_eq!(refused("createTask", "vendas", task()).await, (403, "tool_disabled".into()));
    assert_eq!(app.count("SELECT count(*) FROM tasks").await, 0);
    assert_eq!(app.count("SELECT count(*) FROM executions").await, 0);
}

#[tokio::test]
async fn b3_the_same_request_twice_is_one_call() {
    let (app, owner) = workshop().await;
    agent(&owner, "vendas", &["createTask"], "never").await;
    let body = |title: &str| json!({ "tool_name": "createTask", "agent_id": "vendas", "params": { "title": title } });
    let send = |body: Value| {
        let owner = owner.clone();
        async move {
            owner
                .with_headers(
                    Method::POST,
                    "/tools/execute-for-agent",
                    Some(body),
                    &[("Idempotency-Key", "k1")],
                )
                .await
        }
    };
    let many = futures::future::join_all((0..20).map(|_| send(body("once")))).await;
    let mut replayed = 0;
    for answer in many {
        match answer.status().as_u16() {
            200 => replayed += usize::from(answer.headers().contains_key("idempotent-replayed")),
            409 => assert_eq!(problem(answer).await.1, "idempotency_in_progress"),
            other => panic!("{other}"),
        }
    }
    assert_eq!(app.count("SELECT count(*) FROM tasks").await, 1, "one effect");
    let again = send(body("once")).await;
    assert_eq!(again.headers()["idempotent-replayed"], "true");
    assert!(again.json::<Value>().await.unwrap()["success"].as_bool().unwrap());
    assert_eq!(problem(send(body("twice")).await).await, (422, "idempotency_mismatch".into()));
    assert!(replayed <= 19);
    let other_caller = app.backend(TENANT, TenantRole::Operator).await;
    let headers = [("Idempotency-Key", "k1")];
    let answer = other_caller
        .with_headers(Method::POST, "/tools/execute-for-agent", Some(body("theirs")), &headers)
        .await;
    assert_eq!(answer.status(), 200, "another caller's key is another key");
    for bad in ["", "a b", &"x".repeat(256)] {
        let headers = [("Idempotency-Key", bad)];
        let answer =
            owner.with_headers(Method::POST, "/tools/execute-for-agent", Some(body("x")), &headers).await;
        assert_eq!(problem(answer).await, (422, "validation_failed".into()), "{bad:?}");
    }
}

#[tokio::test]
async fn t15_a_webhook_is_signed_and_its_answer_is_the_result() {
    let (_app, owner) = workshop().await;
    let upstream = Upstream::start(|_| json_answer(json!({ "scheduled": true }))).await;
    let tool = owner.post(201, "/tools", webhook_tool("scheduleMeeting", &upstream.url)).await;
    let secret = Secret::parse(tool["webhook_secret"].as_str().unwrap()).unwrap();
    let id = tool["id"].as_str().unwrap();
    assert!(owner.get(&format!("/tools/{id}")).await.get("webhook_secret").is_none(), "shown once");
    agent(&owner, "vendas", &["scheduleMeeting"], "never").await;
    let answer =
        owner.call("scheduleMeeting", "vendas", json!({ "title": "Reunião", "senha": "s3gr3do" })).await;
    let body: Value = answer.json().await.unwrap();
    assert_eq!((&body["success"], &body["result"]), (&json!(true), &json!({ "scheduled": true })), "{body}");
    let asked = upstream.asked().remove(0);
    let header = |name: &str| asked.headers[name].to_str().unwrap().to_owned();
    assert_eq!(header("webhook-id"), body["execution_id"]);
    assert_eq!(header("idempotency-key"), body["execution_id"]);
    let timestamp: i64 = header("webhook-timestamp").parse().unwrap();
    egress::signature::verify(
        &[&secret],
        &header("webhook-id"),
        timestamp,
        &header("webhook-signature"),
        &asked.body,
        timestamp,
    )
    .unwrap();
    let sent: Value = serde_json::from_slice(&asked.body).unwrap();
    assert_eq!(
        (&sent["tool"], &sent["params"]["senha"], &sent["test_mode"]),
        (&json!("scheduleMeeting"), &json!("s3gr3do"), &json!(false))
    );
    let row = owner.get(&format!("/executions/{}", body["execution_id"].as_str().unwrap())).await;
    assert_eq!(row["input_params"]["senha"], "***", "S16: never stored in clear");
}

#[tokio::test]
async fn t15_a_get_has_its_arguments_in_the_query() {
    let (_app, owner) = workshop().await;
    let upstream = Upstream::start(|_| json_answer(json!([]))).await;
    let mut body = webhook_tool("look", &format!("{}?kept=1", upstream.url));
    body["webhook_method"] = json!("GET");
    let tool = owner.post(201, "/tools", body).await;
    let path = format!("/tools/{}/execute", tool["id"].as_str().unwrap());
    owner.post(200, &path, json!({ "params": { "title": "pão & leite" } })).await;
    let asked = upstream.asked().remove(0);
    assert_eq!(asked.query, "kept=1&title=p%C3%A3o+%26+leite");
    assert!(asked.body.is_empty() && asked.headers.contains_key("webhook-signature"));
}

#[tokio::test]
async fn t15_what_an_upstream_can_do_wrong_is_an_error_of_the_tool() {
    let (_app, owner) = workshop().await;
    let upstream = Upstream::start(|count| match count {
        1 => (axum::http::StatusCode::FOUND, [("location", "http://127.0.0.1:1/")]).into_response(),
        2 => (axum::http::StatusCode::INTERNAL_SERVER_ERROR, "boom").into_response(),
        3 => vec![0xff_u8, 0xfe].into_response(),
        4 => "x".repeat(300_000).into_response(),
        _ => "not json".into_response(),
    })
    .await;
    let tool = owner.post(201, "/tools", webhook_tool("hook", &upstream.url)).await;
    let path = format!("/tools/{}/execute", tool["id"].as_str().unwrap());
    let mut answers = Vec::new();
    for _ in 0..5 {
        answers.push(owner.post(200, &path, json!({ "params": { "title": "x" } })).await);
    }
    assert_eq!((&answers[0]["success"], &answers[0]["error_code"]), (&json!(false), &json!("redirected")));
    assert_eq!((&answers[1]["success"], &answers[1]["result"]), (&json!(false), &json!("boom")));
    assert_eq!(answers[2]["success"], json!(true));
    assert_eq!((&answers[3]["success"], &answers[3]["truncated"]), (&json!(true), &json!(true)));
    assert!(answers[3]["result"].as_str().unwrap().len() <= 102_400);
    assert_eq!(answers[4]["result"], "not json");
    assert_eq!(upstream.asked().len(), 5, "what is not idempotent is not retried");
    let tool = owner.get(&format!("/tools/{}", tool["id"].as_str().unwrap())).await;
    assert_eq!((&tool["execution_count"], &tool["error_count"]), (&json!(5), &json!(2)));
}

/// S16: what is secret among the arguments, or by its name, is not kept because somebody sends it back.
#[tokio::test]
async fn s16_a_secret_that_comes_back_is_masked() {
    let (app, owner) = workshop().await;
    let upstream = Upstream::start(|count| match count {
        1 => json_answer(json!({ "said": "you sent canary-1", "accessToken": "canary-2", "n": 1 })),
        2 => (axum::http::StatusCode::BAD_REQUEST, "canary-1 is wrong").into_response(),
        _ => {
            let rest = "x".repeat(300_000);
            format!("{{\"clientSecret\": \"canary-2\", \"rest\": \"{rest}\"}}").into_response()
        }
    })
    .await;
    let tool = owner.post(201, "/tools", webhook_tool("hook", &upstream.url)).await;
    let path = format!("/tools/{}/execute", tool["id"].as_str().unwrap());
    let params = json!({ "params": { "title": "x", "senha": "canary-1" } });
    let first = owner.post(200, &path, params.clone()).await;
    assert_eq!(first["result"], json!({ "said": "you sent ***", "accessToken": "***", "n": 1 }));
    assert_eq!(owner.post(200, &path, params.clone()).await["result"], "*** is wrong");
    let cut = owner.post(200, &path, params).await;
    assert_eq!(cut["truncated"], true);
    assert!(cut["result"].as_str().unwrap().starts_with("{\"clientSecret\": \"***\", \"rest\": \"xxx"));
    let leaked = "SELECT count(*) FROM executions WHERE coalesce(result, '') || coalesce(error_message, '') \
        || coalesce(log, '') || params LIKE '%canary%'";
    assert_eq!(app.count(leaked).await, 0);
}

#[tokio::test]
async fn t15_an_idempotent_tool_is_retried_with_the_same_id() {
    let (_app, owner) = workshop().await;
    let upstream = Upstream::start(|count| match count {
        1 => axum::http::StatusCode::SERVICE_UNAVAILABLE.into_response(),
        _ => json_answer(json!("done")),
    })
    .await;
    let mut body = webhook_tool("hook", &upstream.url);
    body["idempotent"] = json!(true);
    let tool = owner.post(201, "/tools", body).await;
    let path = format!("/tools/{}/execute", tool["id"].as_str().unwrap());
    let answer = owner.post(200, &path, json!({ "params": { "title": "x" } })).await;
    assert_eq!(answer["result"], "done");
    let ids: Vec<_> = upstream.asked().iter().map(|asked| asked.headers["webhook-id"].clone()).collect();
    assert_eq!(ids.len(), 2);
    assert_eq!(ids[0], ids[1]);
    let row = owner.get(&format!("/executions/{}", answer["execution_id"].as_str().unwrap())).await;
    assert_eq!(row["log"], json!(["HTTP 200 after 2 attempts"]), "the history tells");
}

/// Hangs until the connection is closed, and tells when that happened.
async fn hanging() -> (String, tokio::sync::mpsc::UnboundedReceiver<&'static str>) {
    use tokio::io::AsyncReadExt;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let (tell, told) = tokio::sync::mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let tell = tell.clone();
            tokio::spawn(async move {
                let mut buffer = [0; 4096];
                let _ = tell.send("opened");
                while stream.read(&mut buffer).await.is_ok_and(|read| read > 0) {}
                let _ = tell.send("closed");
            });
        }
    });
    (url, told)
}

#[tokio::test]
async fn x4_a_deadline_ends_a_call_and_a_cancellation_really_stops_it() {
    let (app, owner) = workshop().await;
    let (url, mut told) = hanging().await;
    let mut body = webhook_tool("slow", &url);
    body["timeout_ms"] = json!(300);
    let tool = owner.post(201, "/tools", body).await;
    let id = tool["id"].as_str().unwrap().to_owned();
    let path = format!("/tools/{id}/execute");
    let late = owner.post(200, &path, json!({ "params": { "title": "x" } })).await;
    assert_eq!((&late["status"], &late["error_code"]), (&json!("error"), &json!("timed_out")), "{late}");
    assert_eq!((told.recv().await, told.recv().await), (Some("opened"), Some("closed")));

    owner.expect(200, Method::PUT, &format!("/tools/{id}"), Some(json!({ "timeout_ms": 60_000 }))).await;
    let running = tokio::spawn({
        let (owner, path) = (owner.clone(), path.clone());
        async move { owner.post(200, &path, json!({ "params": { "title": "x" } })).await }
    });
    assert_eq!(told.recv().await, Some("opened"));
    let rows = owner.get("/executions?status=running").await;
    let execution = rows["data"][0]["id"].as_str().unwrap().to_owned();
    let cancel = format!("/executions/{execution}/cancel");
    let viewer = app.backend(TENANT, TenantRole::Viewer).await;
    assert_eq!(viewer.refused(Method::POST, &cancel, None).await, (403, "forbidden".into()));
    let cancelled = owner.expect(200, Method::POST, &cancel, None).await;
    assert_eq!(cancelled["status"], "cancelled");
    assert_eq!(told.recv().await, Some("closed"), "the connection is gone");
    assert_eq!(running.await.unwrap()["status"], "cancelled");
    assert_eq!(owner.refused(Method::POST, &cancel, None).await, (409, "execution_finished".into()));
}

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

#[tokio::test]
async fn t17_a_tool_is_called_as_often_as_its_limit_says() {
    let (_app, owner) = workshop().await;
    let upstream = Upstream::start(|_| json_answer(json!(1))).await;
    let mut body = webhook_tool("limited", &upstream.url);
    body["rate_limit"] = json!({ "limit": 3, "window_seconds": 3600 });
    let tool = owner.post(201, "/tools", body).await;
    let path = format!("/tools/{}/execute", tool["id"].as_str().unwrap());
    let call = || owner.send(Method::POST, &path, Some(json!({ "params": { "title": "x" } })));
    for _ in 0..3 {
        assert_eq!(call().await.status(), 200);
    }
    let refused = call().await;
    assert!(refused.headers()["retry-after"].to_str().unwrap().parse::<u64>().unwrap() >= 1);
    assert_eq!(problem(refused).await, (429, "rate_limited".into()));
    assert_eq!(upstream.asked().len(), 3);
}

#[tokio::test]
async fn t7_test_mode_changes_nothing_and_is_marked() {
    let (app, owner) = workshop().await;
    let tools = owner.get("/tools?q=createTask").await;
    let path = format!("/tools/{}/execute", tools["data"][0]["id"].as_str().unwrap());
    let answer =
        owner.post(200, &path, json!({ "params": { "title": "só um teste" }, "test_mode": true })).await;
    assert_eq!(answer["success"], true, "{answer}");
    assert!(answer["result"]["summary"].is_string());
    assert_eq!(app.count("SELECT count(*) FROM tasks").await, 0);
    assert_eq!(owner.get("/executions").await["data"][0]["test_mode"], true);
    let upstream = Upstream::start(|_| json_answer(json!(1))).await;
    let tool = owner.post(201, "/tools", webhook_tool("hook", &upstream.url)).await;
    let path = format!("/tools/{}/execute", tool["id"].as_str().unwrap());
    owner.post(200, &path, json!({ "params": { "title": "x" }, "test_mode": true })).await;
    let sent: Value = serde_json::from_slice(&upstream.asked()[0].body).unwrap();
    assert_eq!(sent["test_mode"], true);
}

/// S23: the switch for a whole kind holds at once, also in another process.
#[tokio::test]
async fn s23_a_kind_that_is_switched_off_does_not_start() {
    let (app, owner) = workshop().await;
    let upstream = Upstream::start(|_| json_answer(json!(1))).await;
    owner.post(201, "/tools", webhook_tool("hook", &upstream.url)).await;
    agent(&owner, "vendas", &["hook"], "never").await;
    assert_eq!(owner.call("hook", "vendas", json!({ "title": "x" })).await.status(), 200);
    let replica = app.replica().await;
    let admin = replica.sign_in("admin@example.org").await;
    let switch = [("tool_name", "webhook_tools"), ("enabled", "false")];
    assert_eq!(admin.call("switch_global_tool", &switch).await.status(), 200);
    let refused = problem(owner.call("hook", "vendas", json!({ "title": "x" })).await).await;
    assert_eq!(refused, (403, "tool_disabled".into()));
    assert_eq!(upstream.asked().len(), 1);
    let listed = owner.get("/agents/vendas/tools").await;
    assert_eq!(listed["data"].as_array().unwrap().len(), 0, "G6: absent from the list as well");
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
    assert_eq!(row["log"][0], "2 integers of the answer are beyond 64 bits: their digits are kept as text");
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

/// A call that hangs at the outside until it is stopped: its id.
async fn running(caller: &Backend, tool: &str, agent: &str) -> String {
    let (calling, tool, agent) = (caller.clone(), tool.to_owned(), agent.to_owned());
    tokio::spawn(async move { calling.call(&tool, &agent, json!({ "title": "x" })).await });
    crate::workshop::until("running", || async {
        let rows = caller.get("/executions?status=running").await;
        rows["data"][0]["id"].as_str().map(str::to_owned)
    })
    .await
}

#[tokio::test]
async fn t18_a_cancelled_call_is_counted_and_is_no_error_of_its_tool() {
    let (_app, owner) = workshop().await;
    let (url, _told) = hanging().await;
    owner.post(201, "/tools", webhook_tool("slow", &url)).await;
    agent(&owner, "vendas", &["slow"], "never").await;
    let works = running(&owner, "slow", "vendas").await;
    let cancelled = owner.expect(200, Method::POST, &format!("/executions/{works}/cancel"), None).await;
    let took = cancelled["execution_time_ms"].as_f64().unwrap();
    let statistics = owner.get("/analytics/tools").await;
    let rows = statistics["data"].as_array().unwrap();
    let slow = rows.iter().find(|row| row["tool_name"] == "slow").unwrap();
    assert_eq!((&slow["executions"], &slow["errors"]), (&json!(1), &json!(0)), "{slow}");
    for percentile in ["p50_ms", "p95_ms", "p99_ms", "mean_ms"] {
        assert_eq!(slow[percentile].as_f64().unwrap(), took, "of one call: {slow}");
    }
}

#[tokio::test]
async fn x4_an_agent_stops_its_own_calls_and_no_others() {
    let (app, owner) = workshop().await;
    let (url, _told) = hanging().await;
    owner.post(201, "/tools", webhook_tool("slow", &url)).await;
    agent(&owner, "vendas", &["slow"], "never").await;
    agent(&owner, "medrosa", &["slow"], "always").await;
    let vendas = app.agent_backend(TENANT, "vendas").await;
    let medrosa = app.agent_backend(TENANT, "medrosa").await;
    let cancel = |id: &str| format!("/executions/{id}/cancel");
    let works = running(&vendas, "slow", "vendas").await;
    let asked = pending(&medrosa, "slow", "medrosa", json!({ "title": "x" })).await;
    let waits = asked["execution_id"].as_str().unwrap().to_owned();
    let missing = (404, "not_found".to_owned());
    assert_eq!(medrosa.refused(Method::POST, &cancel(&works), None).await, missing);
    assert_eq!(vendas.refused(Method::POST, &cancel(&waits), None).await, missing);
    let by_hand = tokio::spawn({
        let owner = owner.clone();
        let tool = id(&owner.get("/tools?q=slow").await["data"][0]);
        async move {
            owner.post(200, &format!("/tools/{tool}/execute"), json!({ "params": { "title": "x" } })).await
        }
    });
    let nobodys = crate::workshop::until("by hand", || async {
        let rows = owner.get("/executions?status=running").await;
        let rows = rows["data"].as_array().unwrap().clone();
        rows.iter().find(|row| row["agent_id"].is_null()).map(id)
    })
    .await;
    assert_eq!(vendas.refused(Method::POST, &cancel(&nobodys), None).await, missing, "of no agent");
    assert_eq!(vendas.expect(200, Method::POST, &cancel(&works), None).await["status"], "cancelled");
    assert_eq!(medrosa.expect(200, Method::POST, &cancel(&waits), None).await["status"], "cancelled");
    owner.expect(200, Method::POST, &cancel(&nobodys), None).await;
    by_hand.await.unwrap();
}
