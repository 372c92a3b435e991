//! A person decides before a call runs: what they see, what they may do, and that it happens once (B1, B2, S20).

mod bound;
mod page;
mod races;
mod said;

use crate::{
    app::{Person, TestApp, problem},
    events::{listen, next_beside_calls},
    workshop::{
        Backend, NOBODY, TENANT, Upstream, agent, id, json_answer, pending, until, webhook_tool, workshop,
    },
};
use domain::TenantRole;
use reqwest::{Method, Response};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

async fn decide(caller: &Backend, verb: &str, asked: &Value, body: Value) -> Response {
    let path = format!("/confirmations/{}/{verb}", asked["confirmation_id"].as_str().unwrap());
    caller.send(Method::POST, &path, Some(body)).await
}

async fn approve(caller: &Backend, asked: &Value) -> Value {
    let answer = decide(caller, "approve", asked, json!({})).await;
    let status = answer.status();
    let body: Value = answer.json().await.unwrap();
    assert_eq!(status, 200, "{body}");
    body
}

async fn refused(caller: &Backend, verb: &str, asked: &Value) -> (u16, String) {
    problem(decide(caller, verb, asked, json!({})).await).await
}

async fn question(caller: &Backend, asked: &Value) -> Value {
    caller.get(&format!("/confirmations/{}", asked["confirmation_id"].as_str().unwrap())).await
}

async fn execution(caller: &Backend, asked: &Value) -> Value {
    caller.get(&format!("/executions/{}", asked["execution_id"].as_str().unwrap())).await
}

#[tokio::test]
async fn b1_a_call_that_waits_says_for_what_and_until_when() {
    let (app, owner) = workshop().await;
    agent(&owner, "vendas", &["createTask"], "dangerous").await;
    let asked = pending(&owner, "createTask", "vendas", json!({ "title": "Ligar" })).await;
    assert_eq!((&asked["status"], &asked["success"]), (&json!("pending"), &json!(false)));
    assert!(asked["result"].is_null() && asked["expires_at"].as_str().unwrap().ends_with('Z'), "{asked}");
    let question = question(&owner, &asked).await;
    assert_eq!((&question["status"], &question["tool_name"]), (&json!("pending"), &json!("createTask")));
    assert_eq!(question["execution_id"], asked["execution_id"]);
    assert_eq!(question["expires_at"], asked["expires_at"]);
    assert!(question["reason"].as_str().unwrap().contains("writes"), "{question}");
    assert_eq!(execution(&owner, &asked).await["status"], "pending");
    let listed = |status: &'static str| {
        let owner = owner.clone();
        async move { owner.get(&format!("/confirmations?status={status}")).await["data"].clone() }
    };
    assert_eq!(listed("pending").await, json!([question]));
    assert_eq!(listed("approved").await, json!([]));
    let bad = owner.refused(Method::GET, "/confirmations?status=maybe", None).await;
    assert_eq!(bad, (422, "validation_failed".to_owned()));
    assert_eq!(app.count("SELECT count(*) FROM tasks").await, 0, "nothing happened yet");
}

/// X5: mode × the tool's own demand × effect.
#[tokio::test]
async fn x5_when_people_are_asked() {
    let (_app, owner) = workshop().await;
    let upstream = Upstream::start(|_| json_answer(json!(1))).await;
    let mut names = Vec::new();
    for effect in ["read", "write", "delete", "money", "message"] {
        for demands in [false, true] {
            let name = format!("{effect}_{demands}");
            let mut body = webhook_tool(&name, &upstream.url);
            body["effect"] = json!(effect);
            body["requires_confirmation"] = json!(demands);
            owner.post(201, "/tools", body).await;
            names.push((name, effect, demands));
        }
    }
    let all: Vec<&str> = names.iter().map(|(name, ..)| name.as_str()).collect();
    for mode in ["always", "dangerous", "never"] {
        agent(&owner, mode, &all, mode).await;
        for (name, effect, demands) in &names {
            let asks = *demands || mode == "always" || (mode == "dangerous" && *effect != "read");
            let status = owner.call(name, mode, json!({ "title": "x" })).await.status().as_u16();
            assert_eq!(status, if asks { 202 } else { 200 }, "{mode} {name}");
        }
    }
    let wide = owner.call("read_false", "dangerous", json!({ "title": "*" })).await;
    assert_eq!(wide.status(), 202, "everything at once is dangerous to read, too");
    let (name, ..) = &names[3];
    let by_hand = owner.get(&format!("/tools?q={name}")).await["data"][0]["id"].clone();
    let path = format!("/tools/{}/execute", by_hand.as_str().unwrap());
    owner.post(200, &path, json!({ "params": { "title": "by hand, it is the person who asks" } })).await;
}

#[tokio::test]
async fn b1_the_plan_shows_what_would_change() {
    let (app, owner) = workshop().await;
    agent(&owner, "vendas", &["updateContactStatus"], "dangerous").await;
    let contact = id(&owner.post(201, "/contacts", json!({ "name": "Marina" })).await);
    let params = json!({ "contact_id": contact, "status": "customer" });
    let asked = pending(&owner, "updateContactStatus", "vendas", params.clone()).await;
    let question = question(&owner, &asked).await;
    assert_eq!(question["params"], params);
    assert_eq!(question["plan"]["before"], json!({ "status": "lead" }));
    assert_eq!(question["plan"]["after"], json!({ "status": "customer" }));
    assert!(question["plan"]["summary"].as_str().unwrap().contains("Marina"));
    let decided = approve(&owner, &asked).await;
    assert_eq!(
        (&decided["status"], &decided["execution"]["status"]),
        (&json!("approved"), &json!("success"))
    );
    assert_eq!(decided["execution"]["execution_id"], asked["execution_id"], "the same call goes on");
    assert_eq!(owner.get(&format!("/contacts/{contact}")).await["status"], "customer");
    assert_eq!(refused(&owner, "approve", &asked).await, (409, "already_decided".to_owned()));
    assert_eq!(execution(&owner, &asked).await["status"], "success");
    assert_eq!(app.count("SELECT count(*) FROM audit_entries WHERE action = 'confirmation.decide'").await, 1);
}

/// Whoever says yes to what cannot work is told before, not after.
#[tokio::test]
async fn b1_the_plan_says_that_the_call_would_fail() {
    let (app, owner) = workshop().await;
    agent(&owner, "vendas", &["updateContactStatus"], "dangerous").await;
    let params = json!({ "contact_id": NOBODY, "status": "customer" });
    let asked = pending(&owner, "updateContactStatus", "vendas", params).await;
    let fails = question(&owner, &asked).await["plan"]["fails"].clone();
    assert_eq!(fails["code"], "contact_not_found", "{fails}");
    assert!(fails["message"].is_string(), "{fails}");
    let person = app.member("manager@example.org", TENANT, "manager").await;
    let shown = person.ask("list_confirmations", &[]).await["questions"][0].clone();
    assert_eq!((&shown["plan_fails"], &shown["plan_summary"]), (&fails["message"], &Value::Null), "{shown}");
    let ended = approve(&owner, &asked).await["execution"].clone();
    assert_eq!((&ended["status"], &ended["error_code"]), (&json!("error"), &fails["code"]), "as it was told");
}

/// What leaves, as it leaves: all of the body, or the query; and whether it is only a test.
#[tokio::test]
async fn b1_the_plan_of_a_webhook_shows_what_would_be_sent() {
    let (_app, owner) = workshop().await;
    let upstream = Upstream::start(|_| json_answer(json!({ "ok": true }))).await;
    let posting = webhook_tool("hook", &upstream.url);
    let mut getting = webhook_tool("look", &format!("{}?kept=1", upstream.url));
    getting["webhook_method"] = json!("GET");
    getting["parameters"] = json!({ "type": "object", "additionalProperties": true });
    for tool in [posting, getting] {
        owner.post(201, "/tools", tool).await;
    }
    agent(&owner, "vendas", &["hook", "look"], "always").await;
    for test_mode in [false, true] {
        let call = json!({
            "tool_name": "hook", "agent_id": "vendas", "conversation_id": "c7",
            "params": { "title": "Reunião" }, "test_mode": test_mode,
        });
        let asked = owner.post(202, "/tools/execute-for-agent", call).await;
        let shown = question(&owner, &asked).await;
        approve(&owner, &asked).await;
        let sent: Value = serde_json::from_slice(&upstream.asked().pop().unwrap().body).unwrap();
        assert_eq!((&shown["plan"]["body"], &shown["test_mode"]), (&sent, &json!(test_mode)));
    }
    let params = json!({ "title": "pão & leite", "senha": "s3gr3do", "n": 7, "kept": "other", "none": null });
    let asked = pending(&owner, "look", "vendas", params).await;
    let plan = question(&owner, &asked).await["plan"].clone();
    assert_eq!(plan["query"], json!({ "title": "pão & leite", "senha": "***", "n": "7" }), "{plan}");
    assert_eq!((&plan["summary"], plan.get("body")), (&json!(format!("GET {}?kept=1", upstream.url)), None));
}

/// S16: nobody reads the secret, and the upstream gets it whole.
#[tokio::test]
async fn s16_a_secret_waits_sealed_and_arrives_whole() {
    let (app, owner) = workshop().await;
    let upstream = Upstream::start(|_| json_answer(json!({ "ok": true }))).await;
    owner.post(201, "/tools", webhook_tool("hook", &upstream.url)).await;
    agent(&owner, "vendas", &["hook"], "always").await;
    let params = json!({ "title": "Reunião", "senha": "s3gr3do-canary" });
    let asked = pending(&owner, "hook", "vendas", params.clone()).await;
    let shown = question(&owner, &asked).await;
    assert_eq!(shown["params"], json!({ "title": "Reunião", "senha": "***" }));
    assert_eq!(shown["plan"]["summary"], json!(format!("POST {}", upstream.url)));
    assert_eq!(shown["plan"]["body"]["params"]["senha"], "***");
    let row = execution(&owner, &asked).await;
    assert_eq!(row["input_params"]["senha"], "***");
    for (table, columns) in [
        ("confirmations", "params || coalesce(plan, '') || coalesce(edited_params, '')"),
        ("executions", "params || coalesce(result, '') || coalesce(error_message, '')"),
        ("audit_entries", "coalesce(before, '') || coalesce(after, '') || coalesce(reason, '')"),
    ] {
        let query = format!("SELECT count(*) FROM {table} WHERE {columns} LIKE '%s3gr3do-canary%'");
        assert_eq!(app.count(&query).await, 0, "{table}");
    }
    assert!(upstream.asked().is_empty());
    assert_eq!(approve(&owner, &asked).await["execution"]["result"], json!({ "ok": true }));
    let sent: Value = serde_json::from_slice(&upstream.asked()[0].body).unwrap();
    assert_eq!(sent["params"], params);
    assert_eq!(upstream.asked().len(), 1);
    assert_eq!(app.count("SELECT count(*) FROM executions WHERE sealed_params IS NOT NULL").await, 0);
}

#[tokio::test]
async fn b2_corrected_arguments_are_checked_again_and_both_are_recorded() {
    let (app, owner) = workshop().await;
    agent(&owner, "vendas", &["createTask"], "always").await;
    let asked = pending(&owner, "createTask", "vendas", json!({ "title": "Ligar" })).await;
    for bad in [json!({}), json!({ "title": 1 }), json!({ "title": "x", "id": 1 }), json!([]), json!("x")] {
        let answer = decide(&owner, "approve", &asked, json!({ "params": bad })).await;
        assert_eq!(problem(answer).await, (422, "invalid_params".to_owned()), "{bad}");
    }
    assert_eq!(question(&owner, &asked).await["status"], "pending");
    let body = json!({ "params": { "title": "Ligar amanhã" }, "note": "só amanhã" });
    let decided: Value = decide(&owner, "approve", &asked, body).await.json().await.unwrap();
    assert_eq!(decided["params"], json!({ "title": "Ligar" }), "{decided}");
    assert_eq!(decided["edited_params"], json!({ "title": "Ligar amanhã" }));
    assert_eq!((&decided["note"], &decided["decided_by"]), (&json!("só amanhã"), &json!("backend")));
    assert_eq!(execution(&owner, &asked).await["input_params"], json!({ "title": "Ligar amanhã" }));
    assert_eq!(app.count("SELECT count(*) FROM tasks WHERE title = 'Ligar amanhã'").await, 1);
    assert_eq!(app.count("SELECT count(*) FROM tasks").await, 1);
    let edited = "SELECT count(*) FROM audit_entries WHERE after LIKE '%\"was_edited\":true%'";
    assert_eq!(app.count(edited).await, 1);
}

/// Whoever corrects one argument saw the secret as `***` and sends it back so: the secret stays what it was.
#[tokio::test]
async fn b2_a_masked_secret_survives_a_correction() {
    let (app, owner) = workshop().await;
    let upstream = Upstream::start(|_| json_answer(json!(1))).await;
    owner.post(201, "/tools", webhook_tool("hook", &upstream.url)).await;
    agent(&owner, "vendas", &["hook"], "always").await;
    let ask = || pending(&owner, "hook", "vendas", json!({ "title": "a", "senha": "s3gr3do-canary" }));
    let asked = ask().await;
    let edit = json!({ "params": { "title": "b", "senha": "***" } });
    let decided: Value = decide(&owner, "approve", &asked, edit).await.json().await.unwrap();
    assert_eq!(decided["edited_params"], json!({ "title": "b", "senha": "***" }), "{decided}");
    let sent =
        |n: usize| serde_json::from_slice::<Value>(&upstream.asked()[n].body).unwrap()["params"].clone();
    assert_eq!(sent(0), json!({ "title": "b", "senha": "s3gr3do-canary" }));
    let asked = ask().await;
    let edit = json!({ "params": { "title": "a", "senha": "outra-canary" } });
    assert_eq!(decide(&owner, "approve", &asked, edit).await.status(), 200);
    assert_eq!(sent(1), json!({ "title": "a", "senha": "outra-canary" }));
    let query =
        "SELECT count(*) FROM confirmations WHERE params || coalesce(edited_params, '') LIKE '%canary%'";
    assert_eq!(app.count(query).await, 0);
}

#[tokio::test]
async fn b1_a_refusal_is_an_end_with_a_reason() {
    let (app, owner) = workshop().await;
    agent(&owner, "vendas", &["createTask"], "always").await;
    let asked = pending(&owner, "createTask", "vendas", json!({ "title": "x" })).await;
    let reason = json!({ "reason": "não agora" });
    let decided: Value = decide(&owner, "refuse", &asked, reason).await.json().await.unwrap();
    assert_eq!((&decided["status"], &decided["note"]), (&json!("refused"), &json!("não agora")));
    let row = execution(&owner, &asked).await;
    assert_eq!((&row["status"], &row["error_message"]), (&json!("refused"), &json!("não agora")));
    for verb in ["approve", "refuse"] {
        assert_eq!(refused(&owner, verb, &asked).await, (409, "already_decided".to_owned()), "{verb}");
    }
    let cancel = format!("/executions/{}/cancel", asked["execution_id"].as_str().unwrap());
    assert_eq!(owner.refused(Method::POST, &cancel, None).await, (409, "execution_finished".to_owned()));
    assert_eq!(app.count("SELECT count(*) FROM tasks").await, 0);
    let silent = pending(&owner, "createTask", "vendas", json!({ "title": "x" })).await;
    assert_eq!(decide(&owner, "refuse", &silent, json!({})).await.status(), 200, "without a reason, too");
}

#[tokio::test]
async fn b1_a_waiting_call_can_be_cancelled() {
    let (app, owner) = workshop().await;
    agent(&owner, "vendas", &["createTask"], "always").await;
    let asked = pending(&owner, "createTask", "vendas", json!({ "title": "x" })).await;
    let cancel = format!("/executions/{}/cancel", asked["execution_id"].as_str().unwrap());
    assert_eq!(owner.expect(200, Method::POST, &cancel, None).await["status"], "cancelled");
    for verb in ["approve", "refuse"] {
        let path = format!("/confirmations/{}/{verb}", asked["confirmation_id"].as_str().unwrap());
        let found = owner.expect(409, Method::POST, &path, Some(json!({}))).await;
        assert_eq!(found["code"], "already_decided", "its time is not over: {found}");
        assert!(found["detail"].as_str().unwrap().contains("was cancelled"), "{found}");
    }
    assert_eq!(question(&owner, &asked).await["note"], "The call was cancelled.");
    assert_eq!(app.count("SELECT count(*) FROM tasks").await, 0);
}

#[tokio::test]
async fn b1_time_runs_out() {
    let (app, owner) = workshop().await;
    agent(&owner, "vendas", &["createTask"], "always").await;
    let asked = pending(&owner, "createTask", "vendas", json!({ "title": "x" })).await;
    app.change("UPDATE confirmations SET expires_at = 1").await;
    for verb in ["approve", "refuse"] {
        assert_eq!(refused(&owner, verb, &asked).await, (409, "confirmation_expired".to_owned()), "{verb}");
    }
    // For whoever reads it is over, before anybody has closed it.
    let listed = owner.get("/confirmations?status=expired").await["data"][0].clone();
    assert_eq!((&listed["id"], &listed["status"]), (&asked["confirmation_id"], &json!("expired")));
    assert_eq!(owner.get("/confirmations?status=pending").await["data"], json!([]));
    until("closed", || async {
        Some(execution(&owner, &asked).await).filter(|row| row["status"] == "expired")
    })
    .await;
    assert_eq!(refused(&owner, "approve", &asked).await, (409, "confirmation_expired".to_owned()));
    assert_eq!(app.count("SELECT count(*) FROM tasks").await, 0);
}

#[tokio::test]
async fn b1_two_are_needed_where_the_tool_says_so() {
    let (app, owner) = workshop().await;
    let upstream = Upstream::start(|_| json_answer(json!(1))).await;
    let mut body = webhook_tool("pay", &upstream.url);
    body["requires_second_person"] = json!(true);
    let tool = id(&owner.post(201, "/tools", body).await);
    let call = json!({ "params": { "title": "x" } });
    let by_hand = owner.post(202, &format!("/tools/{tool}/execute"), call).await;
    assert_eq!(question(&owner, &by_hand).await["requires_second_person"], true);
    assert_eq!(refused(&owner, "approve", &by_hand).await, (403, "second_person_required".to_owned()));
    assert_eq!(question(&owner, &by_hand).await["status"], "pending");
    let second = app.backend(TENANT, TenantRole::Operator).await;
    assert_eq!(approve(&second, &by_hand).await["execution"]["status"], "success");
    agent(&owner, "vendas", &["pay"], "never").await;
    let asked = pending(&owner, "pay", "vendas", json!({ "title": "x" })).await;
    assert_eq!(refused(&owner, "approve", &asked).await, (403, "second_person_required".to_owned()));
    assert_eq!(decide(&owner, "refuse", &asked, json!({})).await.status(), 200, "to say no, one is enough");
    let own_key = app.agent_backend(TENANT, "vendas").await;
    let asked = pending(&own_key, "pay", "vendas", json!({ "title": "x" })).await;
    approve(&owner, &asked).await;
    assert_eq!(upstream.asked().len(), 2);
}

/// With a session.
async fn by_hand(person: &Person, path: &str, body: Value) -> Response {
    person.api(Method::POST, &format!("/api/v1{path}"), Some(body)).await
}

/// One person with a session and a key is still one person, whichever asks and whichever approves.
#[tokio::test]
async fn b2_a_person_and_the_keys_that_they_made_are_one() {
    let (app, owner) = workshop().await;
    let upstream = Upstream::start(|_| json_answer(json!(1))).await;
    let mut body = webhook_tool("pay", &upstream.url);
    body["requires_second_person"] = json!(true);
    let tool = id(&owner.post(201, "/tools", body).await);
    agent(&owner, "vendas", &["pay"], "never").await;
    let ana = app.member("ana@example.org", TENANT, "owner").await;
    let bia = app.member("bia@example.org", TENANT, "owner").await;
    let made = json!({ "name": "k", "role": "owner" });
    let made: Value = by_hand(&ana, "/api-keys", made).await.json().await.unwrap();
    let key = app.backend_of(Some(made["key"].as_str().unwrap().to_owned()));
    let second_key = key.post(201, "/api-keys", json!({ "name": "k2", "role": "operator" })).await;
    let second_key = app.backend_of(Some(second_key["key"].as_str().unwrap().to_owned()));
    let for_agent = json!({ "name": "k3", "role": "operator", "agent_id": "vendas" });
    let of_agent: Value = by_hand(&ana, "/api-keys", for_agent).await.json().await.unwrap();
    let of_agent = app.backend_of(Some(of_agent["key"].as_str().unwrap().to_owned()));
    let (execute, call) = (format!("/tools/{tool}/execute"), json!({ "params": { "title": "x" } }));
    let by_session: Value = by_hand(&ana, &execute, call.clone()).await.json().await.unwrap();
    let by_key = key.post(202, &execute, call).await;
    let by_agent = pending(&of_agent, "pay", "vendas", json!({ "title": "x" })).await;
    let one = (403, "second_person_required".to_owned());
    for asked in [&by_session, &by_key, &by_agent] {
        let path = format!("/confirmations/{}/approve", asked["confirmation_id"].as_str().unwrap());
        assert_eq!(problem(by_hand(&ana, &path, json!({})).await).await, one, "by session");
        assert_eq!(refused(&key, "approve", asked).await, one, "by a key that she made");
        assert_eq!(refused(&second_key, "approve", asked).await, one, "by a key that her key made");
        assert_eq!(upstream.asked().len(), 0);
    }
    for (count, asked) in [&by_session, &by_key].into_iter().enumerate() {
        let path = format!("/confirmations/{}/approve", asked["confirmation_id"].as_str().unwrap());
        assert_eq!(by_hand(&bia, &path, json!({})).await.status(), 200, "somebody else");
        assert_eq!(upstream.asked().len(), count + 1);
    }
    approve(&owner, &by_agent).await;
}

/// A key cannot make itself a second person: neither with a key that it makes, nor with one that this one makes.
#[tokio::test]
async fn b1_a_key_and_the_keys_that_it_made_are_one() {
    let (app, owner) = workshop().await;
    let upstream = Upstream::start(|_| json_answer(json!(1))).await;
    let mut body = webhook_tool("pay", &upstream.url);
    body["requires_second_person"] = json!(true);
    let execute = format!("/tools/{}/execute", id(&owner.post(201, "/tools", body).await));
    let mut line = vec![owner.clone()];
    for name in ["filha", "neta", "bisneta"] {
        let made = json!({ "name": name, "role": "owner" });
        let made = line[line.len() - 1].post(201, "/api-keys", made).await;
        line.push(app.backend_of(Some(made["key"].as_str().unwrap().to_owned())));
    }
    let sister = owner.post(201, "/api-keys", json!({ "name": "irmã", "role": "owner" })).await;
    line.push(app.backend_of(Some(sister["key"].as_str().unwrap().to_owned())));
    let one = (403, "second_person_required".to_owned());
    let mut all = Vec::new();
    for asker in &line {
        let asked = asker.post(202, &execute, json!({ "params": { "title": "x" } })).await;
        for key in &line {
            assert_eq!(refused(key, "approve", &asked).await, one);
        }
        all.push(asked);
    }
    // A key that dies does not make the others somebody else.
    owner.expect(204, Method::DELETE, &format!("/api-keys/{}", id(&sister)), None).await;
    assert_eq!(refused(&line[1], "approve", &all[4]).await, one);
    assert_eq!(upstream.asked().len(), 0);
    let other = app.backend(TENANT, TenantRole::Operator).await;
    assert_eq!(approve(&other, &all[1]).await["execution"]["status"], "success", "made by the operator");
}

/// S24: an agent never confirms its own calls, and neither does anybody without the right.
#[tokio::test]
async fn s24_who_may_decide() {
    let (app, owner) = workshop().await;
    agent(&owner, "vendas", &["createTask"], "always").await;
    let asked = pending(&owner, "createTask", "vendas", json!({ "title": "x" })).await;
    let one = format!("/confirmations/{}", asked["confirmation_id"].as_str().unwrap());
    let bound = app.agent_backend(TENANT, "vendas").await;
    let manager = app.backend(TENANT, TenantRole::Manager).await;
    app.tenant("Outra", "outra").await;
    let stranger = app.backend("outra", TenantRole::Owner).await;
    assert_eq!(stranger.refused(Method::GET, &one, None).await, (404, "not_found".to_owned()));
    for verb in ["approve", "refuse"] {
        for caller in [&bound, &manager] {
            assert_eq!(refused(caller, verb, &asked).await, (403, "forbidden".to_owned()), "{verb}");
        }
        assert_eq!(refused(&stranger, verb, &asked).await, (404, "not_found".to_owned()), "{verb}");
        let nothing = format!("/confirmations/{NOBODY}/{verb}");
        let found = owner.refused(Method::POST, &nothing, Some(json!({}))).await;
        assert_eq!(found, (404, "not_found".to_owned()));
    }
    assert_eq!(question(&owner, &asked).await["status"], "pending");
    assert_eq!(app.count("SELECT count(*) FROM tasks").await, 0);
}

#[tokio::test]
async fn t10_whoever_waits_hears_of_the_decision() {
    let (_app, owner) = workshop().await;
    agent(&owner, "vendas", &["createTask"], "always").await;
    for (verb, end) in [("approve", "success"), ("refuse", "refused")] {
        let asked = pending(&owner, "createTask", "vendas", json!({ "title": "x" })).await;
        let path = format!("/executions/{}?wait=30", asked["execution_id"].as_str().unwrap());
        let started = Instant::now();
        let waiting = tokio::spawn({
            let owner = owner.clone();
            async move { owner.get(&path).await }
        });
        assert_eq!(decide(&owner, verb, &asked, json!({})).await.status(), 200);
        assert_eq!(waiting.await.unwrap()["status"], end);
        assert!(started.elapsed() < Duration::from_secs(25), "{verb}");
    }
    let asked = pending(&owner, "createTask", "vendas", json!({ "title": "x" })).await;
    let path = format!("/executions/{}?wait=1", asked["execution_id"].as_str().unwrap());
    assert_eq!(owner.get(&path).await["status"], "pending", "and the wait has an end");
    let too_long = owner.refused(Method::GET, &path.replace("wait=1", "wait=31"), None).await;
    assert_eq!(too_long, (422, "validation_failed".to_owned()));
}

#[tokio::test]
async fn s22_a_waiting_call_is_asked_for_once() {
    let (app, owner) = workshop().await;
    agent(&owner, "vendas", &["createTask"], "always").await;
    let body = json!({ "tool_name": "createTask", "agent_id": "vendas", "params": { "title": "x" } });
    let send = || {
        let headers = [("Idempotency-Key", "k1")];
        let (owner, body) = (owner.clone(), body.clone());
        async move { owner.with_headers(Method::POST, "/tools/execute-for-agent", Some(body), &headers).await }
    };
    let first = send().await;
    assert_eq!(first.status(), 202);
    let first: Value = first.json().await.unwrap();
    let again = send().await;
    assert_eq!(
        (again.status().as_u16(), &again.headers()["idempotent-replayed"]),
        (202, &"true".parse().unwrap())
    );
    assert_eq!(again.json::<Value>().await.unwrap(), first);
    assert_eq!(app.count("SELECT count(*) FROM confirmations").await, 1);
    approve(&owner, &first).await;
    let after = send().await;
    assert_eq!(after.status(), 200);
    assert_eq!(after.json::<Value>().await.unwrap()["execution_id"], first["execution_id"]);
    assert_eq!(app.count("SELECT count(*) FROM tasks").await, 1);
}

#[tokio::test]
async fn an_open_page_hears_of_questions_of_its_own_tenant() {
    let (app, admin) = TestApp::with_admin().await;
    let owner = app.backend(TENANT, TenantRole::Owner).await;
    agent(&owner, "vendas", &["createTask"], "always").await;
    app.tenant("Outra", "outra").await;
    let member = app.member("operator@example.org", TENANT, "operator").await;
    let other = app.member("other@example.org", "outra", "owner").await;
    app.hears_news().await;
    let (mut ours, mut theirs) = (listen(&member).await, listen(&other).await);
    let asked = pending(&owner, "createTask", "vendas", json!({ "title": "x" })).await;
    assert_eq!(next_beside_calls(&mut ours).await.as_deref(), Some("confirmations"), "it was asked");
    approve(&owner, &asked).await;
    assert_eq!(next_beside_calls(&mut ours).await.as_deref(), Some("confirmations"), "it was decided");
    admin.call("switch_global_tool", &[("tool_name", "save_note"), ("enabled", "false")]).await;
    assert_eq!(
        next_beside_calls(&mut theirs).await.as_deref(),
        Some("tools"),
        "nothing about another tenant"
    );
}
