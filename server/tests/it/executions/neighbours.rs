//! Nobody fails, or waits, because of a neighbour: calls of all tenants are written by one.

use crate::{
    app::on_postgres,
    workshop::{Backend, Upstream, agent, pending, webhook_tool, workshop},
};
use domain::TenantRole;
use futures::{StreamExt, future::join_all, stream};
use reqwest::Method;
use sea_orm::{ConnectionTrait, TransactionTrait};
use serde_json::{Value, json};

async fn contact(owner: &Backend, name: &str) -> String {
    owner.post(201, "/contacts", json!({ "name": name })).await["id"].as_str().unwrap().to_owned()
}

fn status_of(contact: &str) -> Value {
    json!({ "contact_id": contact, "status": "customer" })
}

/// Two processes take the same contacts in another order each, again and again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn x4_processes_that_change_the_same_contacts_do_not_fail_each_other() {
    let (app, owner) = workshop().await;
    agent(&owner, "vendas", &["updateContactStatus", "createTask"], "never").await;
    let there = app.replica().await;
    let doors = [owner.clone(), there.backend_of(owner.key.clone())];
    let contacts = [contact(&owner, "Ana").await, contact(&owner, "Bia").await];
    let calls = (0..400).map(|n: usize| {
        let door = &doors[n % 2];
        let contact = &contacts[(n / 2 + n) % 2];
        async move {
            let task = json!({ "title": "x", "contact_id": contact });
            match n % 3 {
                0 => door.call("createTask", "vendas", task).await,
                _ => door.call("updateContactStatus", "vendas", status_of(contact)).await,
            }
        }
    });
    let mut answers = stream::iter(calls).buffer_unordered(32);
    while let Some(answer) = answers.next().await {
        let (status, body) = (answer.status(), answer.json::<Value>().await.unwrap());
        assert_eq!((status.as_u16(), &body["success"]), (200, &json!(true)), "{body}");
    }
}

/// Somebody who looks at a contact with `psql`, and goes to lunch.
#[tokio::test]
async fn x4_a_row_that_somebody_else_holds_stops_one_call_and_no_others() {
    let (app, owner) = workshop().await;
    agent(&owner, "vendas", &["updateContactStatus", "createTask"], "never").await;
    app.tenant("Mercado", "mercado").await;
    let other = app.backend("mercado", TenantRole::Owner).await;
    agent(&other, "caixa", &["createTask"], "never").await;
    let held = contact(&owner, "Ana").await;
    if !on_postgres() {
        // There whoever writes takes turns, and nobody can hold a single row.
        return;
    }
    let sql = app.sql().await;
    let lunch = sql.begin().await.unwrap();
    lunch
        .execute_unprepared(&format!("SELECT 1 FROM contacts WHERE id = '{held}' FOR UPDATE"))
        .await
        .unwrap();
    let blocked = owner.call("updateContactStatus", "vendas", status_of(&held));
    let others = (0..20).map(|_| other.call("createTask", "caixa", json!({ "title": "x" })));
    let (blocked, others) = tokio::join!(blocked, join_all(others));
    for answer in others {
        assert_eq!(answer.status(), 200, "another tenant");
    }
    let retry_after = blocked.headers()["retry-after"].clone();
    assert_eq!(crate::app::problem(blocked).await, (503, "busy".to_owned()));
    assert_eq!(retry_after, "1");
    assert_eq!(owner.call("createTask", "vendas", json!({ "title": "x" })).await.status(), 200);
    lunch.rollback().await.unwrap();
    sql.close().await.unwrap();
    let again = owner.call("updateContactStatus", "vendas", status_of(&held)).await;
    assert_eq!(again.status(), 200, "and afterwards it works");
    assert_eq!(app.count("SELECT count(*) FROM executions WHERE tool_name = 'updateContactStatus'").await, 1);
}

/// The first requests of a tenant bring the product's own tools with them, all at once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn t13_the_first_requests_of_a_tenant_all_find_its_tools() {
    let (app, _owner) = workshop().await;
    let there = app.replica().await;
    for round in 0..5 {
        let slug = format!("loja-{round}");
        app.tenant("Loja", &slug).await;
        let here = app.backend(&slug, TenantRole::Owner).await;
        let doors = [here.clone(), there.backend_of(here.key.clone())];
        let asked = (0..20).map(|n: usize| doors[n % 2].send(Method::GET, "/tools", None));
        for answer in join_all(asked).await {
            assert_eq!(answer.status(), 200);
        }
    }
}

/// Status, and the code of a refusal.
async fn post(owner: &Backend, path: String, body: Option<Value>) -> (u16, String) {
    let answer = owner.send(Method::POST, &path, body).await;
    match answer.status().as_u16() {
        200 => (200, String::new()),
        _ => crate::app::problem(answer).await,
    }
}

/// One wins, and the other is told so; nobody waits in a circle.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s20_cancelling_and_approving_at_once_have_one_winner() {
    let (app, owner) = workshop().await;
    agent(&owner, "vendas", &["createTask"], "always").await;
    let there = app.replica().await.backend_of(owner.key.clone());
    for _ in 0..60 {
        let asked = pending(&owner, "createTask", "vendas", json!({ "title": "x" })).await;
        let id = |field: &str| asked[field].as_str().unwrap().to_owned();
        let call = format!("/executions/{}", id("execution_id"));
        let cancel = post(&owner, format!("{call}/cancel"), None);
        let approve = format!("/confirmations/{}/approve", id("confirmation_id"));
        let (cancelled, approved) = tokio::join!(cancel, post(&there, approve, Some(json!({}))));
        let row = owner.get(&call).await;
        match row["status"].as_str().unwrap() {
            "success" => assert_eq!(approved.0, 200, "{approved:?}"),
            "cancelled" => assert_eq!((cancelled.0, approved.0), (200, 409), "{approved:?}"),
            other => panic!("{other}: {cancelled:?}, {approved:?}"),
        }
        assert!([200, 409].contains(&cancelled.0), "{cancelled:?}");
    }
    let done = app.count("SELECT count(*) FROM executions WHERE status = 'success'").await;
    assert_eq!(app.count("SELECT count(*) FROM tasks").await, done);
}

/// Whoever stops the server for an upgrade does not lose what a webhook has done.
#[tokio::test]
async fn x4_a_stop_waits_for_calls_that_run_though_their_caller_is_gone() {
    let (app, owner) = workshop().await;
    let (upstream, gate) = Upstream::held().await;
    let tool = owner.post(201, "/tools", webhook_tool("hook", &upstream.url)).await;
    let path = format!("/tools/{}/execute", tool["id"].as_str().unwrap());
    let caller = tokio::spawn({
        let owner = owner.clone();
        async move { owner.send(Method::POST, &path, Some(json!({ "params": { "title": "x" } }))).await }
    });
    upstream.until_asked(1).await;
    caller.abort();
    let stop = app.services.engine.until_calls_ended(std::time::Duration::from_secs(60));
    let answered = async { gate.add_permits(1) };
    tokio::join!(stop, answered);
    let ended = app.count("SELECT count(*) FROM executions WHERE status = 'success'").await;
    assert_eq!(ended, 1, "its end is on the record when the stop goes on");
}
