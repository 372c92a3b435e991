//! A clock that jumps: it is set, a machine wakes up, a virtual one is moved. What waits may end early or late by it; what
//! has ended does not begin again, nothing runs twice, and the record holds.
//!
//! The product reads the wall clock of its machine (`store::Moment::now`) and takes no other, so the tests move what it
//! wrote down: times that are a day older, and a clock that is a day ahead, are the same thing seen from two sides. (But
//! for the ten seconds for which a process remembers a key: a change of its row wakes it, a jump of the clock does not.) What
//! goes by other clocks has its own tests: rate limits (`crates/limits/tests`), and whether a process still lives
//! (`engine/src/calls/recovery.rs`).

use crate::{
    app::{TestApp, on_postgres, vault},
    workshop::{Backend, TENANT, Upstream, agent, id, json_answer, pending, until, webhook_tool, workshop},
};
use reqwest::Method;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

/// Microseconds, as the database has them.
const HOUR: i64 = 3_600_000_000;
const DAY: i64 = 24 * HOUR;

/// The times of questions, keys and calls.
const TIMES: [(&str, &[&str]); 4] = [
    ("confirmations", &["created_at", "decided_at", "expires_at"]),
    ("api_keys", &["created_at", "expires_at", "revoked_at", "last_used_at"]),
    ("idempotency_keys", &["expires_at"]),
    ("executions", &["executed_at", "started_at", "finished_at"]),
];

/// The clock goes forward by so much, or back when it is negative.
async fn jump(app: &TestApp, by: i64) {
    let older = |column: &&str| format!("{column} = {column} - ({by})");
    for (table, columns) in TIMES {
        let columns: Vec<String> = columns.iter().map(older).collect();
        app.change(&format!("UPDATE {table} SET {}", columns.join(", "))).await;
    }
}

fn deciding(asked: &Value, verb: &str) -> String {
    format!("/confirmations/{}/{verb}", asked["confirmation_id"].as_str().unwrap())
}

/// Neither a yes nor a no is heard any more, and the call has ended so.
async fn assert_over(owner: &Backend, asked: &Value, code: &str, end: &str) {
    for verb in ["approve", "refuse"] {
        let found = owner.refused(Method::POST, &deciding(asked, verb), Some(json!({}))).await;
        assert_eq!(found, (409, code.to_owned()), "{end}: {verb}");
    }
    let call = owner.get(&format!("/executions/{}", asked["execution_id"].as_str().unwrap())).await;
    assert_eq!(call["status"], end, "{call}");
}

/// A jump forward ends what was open. Back again, its time would not be over; it stays ended, as what was decided does.
#[tokio::test]
async fn s20_no_jump_of_the_clock_opens_a_question_again() {
    let (app, owner) = workshop().await;
    agent(&owner, "vendas", &["createTask"], "always").await;
    let ask = |title: &'static str| pending(&owner, "createTask", "vendas", json!({ "title": title }));
    let (yes, no, open) = (ask("sim").await, ask("não").await, ask("aberta").await);
    owner.post(200, &deciding(&yes, "approve"), json!({})).await;
    owner.post(200, &deciding(&no, "refuse"), json!({})).await;
    jump(&app, DAY).await;
    let expired = owner.get("/confirmations?status=expired").await["data"].clone();
    assert_eq!(expired.as_array().unwrap().len(), 1, "{expired}");
    assert_eq!(expired[0]["id"], open["confirmation_id"]);
    for by in [0, -DAY, -DAY] {
        jump(&app, by).await;
        assert_over(&owner, &yes, "already_decided", "success").await;
        assert_over(&owner, &no, "already_decided", "refused").await;
        assert_over(&owner, &open, "confirmation_expired", "expired").await;
        assert_eq!(owner.get("/confirmations?status=pending").await["data"], json!([]));
    }
    assert_eq!(app.count("SELECT count(*) FROM tasks").await, 1, "one yes, one effect");
    for (verb, times) in [("decide", 2), ("expire", 1)] {
        let query = format!("SELECT count(*) FROM audit_entries WHERE action = 'confirmation.{verb}'");
        assert_eq!(app.count(&query).await, times, "{verb}");
    }
}

/// It was asked tomorrow, as far as the clock can tell.
#[tokio::test]
async fn s20_a_question_is_not_lost_when_the_clock_goes_back_and_is_decided_once() {
    let (app, owner) = workshop().await;
    agent(&owner, "vendas", &["createTask"], "always").await;
    let asked = pending(&owner, "createTask", "vendas", json!({ "title": "x" })).await;
    jump(&app, -DAY).await;
    let waiting = owner.get("/confirmations?status=pending").await["data"].clone();
    assert_eq!(waiting[0]["id"], asked["confirmation_id"], "{waiting}");
    let decided = owner.post(200, &deciding(&asked, "approve"), json!({})).await;
    assert_eq!(decided["execution"]["status"], "success", "{decided}");
    for by in [0, 2 * DAY] {
        jump(&app, by).await;
        assert_over(&owner, &asked, "already_decided", "success").await;
    }
    assert_eq!(app.count("SELECT count(*) FROM tasks").await, 1);
}

/// A date is a matter of the clock: a key that only a wrong one had ended works when it is right again. That somebody
/// revoked a key is not, and if the clock says that it will only happen in a year.
#[tokio::test]
async fn s24_a_revoked_key_stays_dead_wherever_the_clock_goes() {
    let (app, owner) = workshop().await;
    agent(&owner, "vendas", &["createTask"], "never").await;
    let make = async |days: Option<u32>| {
        let body = json!({ "name": "loja", "role": "operator", "expires_in_days": days });
        let made = owner.post(201, "/api-keys", body).await;
        (app.backend_of(made["key"].as_str().map(str::to_owned)), id(&made))
    };
    let ((dated, _), (endless, _)) = (make(Some(1)).await, make(None).await);
    let (revoked, its_id) = make(None).await;
    owner.expect(204, Method::DELETE, &format!("/api-keys/{its_id}"), None).await;
    let call = async |key: &Backend| {
        key.call("createTask", "vendas", json!({ "title": "x" })).await.status().as_u16()
    };
    let mut done = 0;
    for (by, of_dated) in [(0, 200), (2 * DAY, 401), (-2 * DAY, 200), (-400 * DAY, 200)] {
        jump(&app, by).await;
        let found = [call(&dated).await, call(&endless).await, call(&revoked).await];
        assert_eq!(found, [of_dated, 200, 401], "after a jump of {} hours", by / HOUR);
        done += found.iter().filter(|status| **status == 200).count();
    }
    let tasks = app.count("SELECT count(*) FROM tasks").await;
    assert_eq!(usize::try_from(tasks), Ok(done), "a dead key does nothing");
}

/// Within its day, and however far back the clock goes, a key answers with the call that it was used for. Behind its day it
/// is free, as the interface says; but the same request runs once for each time that the key was free.
#[tokio::test]
async fn s22_a_clock_that_jumps_runs_nothing_twice_under_one_key() {
    let (app, owner) = workshop().await;
    let upstream = Upstream::start(|count| json_answer(json!({ "call": count }))).await;
    let tool = id(&owner.post(201, "/tools", webhook_tool("hook", &upstream.url)).await);
    let path = format!("/tools/{tool}/execute");
    let send = async || {
        let (body, key) = (json!({ "params": { "title": "x" } }), [("Idempotency-Key", "k1")]);
        let answer = owner.with_headers(Method::POST, &path, Some(body), &key).await;
        let is_replay = answer.headers().contains_key("idempotent-replayed");
        (is_replay, answer.json::<Value>().await.unwrap())
    };
    let (is_replay, first) = send().await;
    assert_eq!((is_replay, &first["result"]), (false, &json!({ "call": 1 })));
    for by in [23 * HOUR, -23 * HOUR, -30 * DAY, 30 * DAY] {
        jump(&app, by).await;
        let (is_replay, again) = send().await;
        assert_eq!((is_replay, &again), (true, &first), "after a jump of {} hours", by / HOUR);
    }
    jump(&app, 25 * HOUR).await;
    let (is_replay, second) = send().await;
    assert_eq!((is_replay, &second["result"]), (false, &json!({ "call": 2 })));
    jump(&app, -25 * HOUR).await;
    let (is_replay, again) = send().await;
    assert_eq!((is_replay, &again), (true, &second), "the key is taken, and there is no third call");
    assert_eq!(upstream.asked().len(), 2);
    for one in [&first, &second] {
        let kept = owner.get(&format!("/executions/{}", one["execution_id"].as_str().unwrap())).await;
        assert_eq!(
            (&kept["status"], &kept["result"]),
            (&json!("success"), &one["result"]),
            "nothing is lost"
        );
    }
}

/// The last entry and the signature under it, as a process whose clock is a day ahead would have written them.
async fn written_tomorrow(app: &TestApp) {
    let tenant = app.tenant_id(TENANT).await;
    let reader = app.services.db.reader_of(tenant).await.unwrap();
    let entries = store::audit::entries_after(&reader, Some(tenant), 0, 1_000).await.unwrap();
    drop(reader);
    let [.., before, last] = entries.as_slice() else { panic!("{} entries", entries.len()) };
    let entry = ledger::Entry { at: last.entry.at + DAY, ..last.entry.clone() };
    let before = ledger::Head { tenant: entry.tenant, seq: before.entry.seq, hash: before.hash };
    let head = before.link(&entry).unwrap();
    let hash = if on_postgres() { format!("'\\x{}'", head.hash) } else { format!("X'{}'", head.hash) };
    let chain = format!("(SELECT id FROM tenants WHERE slug = '{TENANT}')");
    let this = format!("tenant_id = {chain} AND chain_seq = {}", entry.seq);
    let tx = app.services.db.begin().await.unwrap();
    for statement in [
        format!("UPDATE audit_entries SET at = {}, hash = {hash} WHERE {this}", entry.at),
        format!("UPDATE audit_heads SET hash = {hash} WHERE chain = {chain}"),
        format!("DELETE FROM audit_checkpoints WHERE chain = {chain}"),
    ] {
        tx.execute_unprepared(&statement).await.unwrap();
    }
    let signed = engine::audit::signer(&vault()).sign(&head, entry.at);
    store::audit::put_checkpoint(&tx, &signed).await.unwrap();
    app.services.db.commit(tx, &[]).await.unwrap();
}

/// Every entry is signed for: nobody writes checkpoints until there is a new one.
async fn until_signed(owner: &Backend) {
    until("signed", || async { (owner.get("/audit/chain").await["uncovered"] == 0).then_some(()) }).await;
}

/// Hashes hold the chain together. Times are what the clock said.
#[tokio::test]
async fn s19_a_chain_whose_times_go_back_still_holds() {
    let (app, owner) = workshop().await;
    agent(&owner, "vendas", &["createTask"], "never").await;
    let call = async || {
        assert_eq!(owner.call("createTask", "vendas", json!({ "title": "x" })).await.status(), 200);
    };
    call().await;
    until_signed(&owner).await;
    written_tomorrow(&app).await;
    for _ in 0..2 {
        call().await;
    }
    until_signed(&owner).await;
    let newest = owner.get("/audit?limit=3").await["data"].clone();
    let at = |n: usize| newest[n]["at"].as_str().unwrap();
    assert!(at(2) > at(0) && at(2) > at(1), "the times go back: {newest}");
    let verified = owner.expect(200, Method::POST, "/audit/verify", None).await;
    assert_eq!((&verified["holds"], &verified["calls"]), (&json!(true), &json!(3)), "{verified}");
    let exported = owner.send(Method::GET, "/audit/export", None).await.text().await.unwrap();
    let keys = [engine::audit::signer(&vault()).public_key()];
    let reader = ledger::export::Reader::new(exported.as_bytes()).unwrap();
    let report = ledger::verify_file(reader, Some(&keys)).unwrap();
    assert_eq!((report.chains.len(), report.chains[0].uncovered), (1, 0), "elsewhere, too");
}
