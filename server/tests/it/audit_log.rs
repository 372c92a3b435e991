//! B4, S19: the record is a chain, and whoever changes it behind the product's back is found out.

mod changes;

use crate::{
    app::{TestApp, vault},
    tools::built_in,
    workshop::{Backend, TENANT, Upstream, agent, id, json_answer, pending, until, webhook_tool, workshop},
};
use domain::TenantRole;
use futures::{StreamExt, stream};
use reqwest::Method;
use serde_json::json;
use std::time::Duration;

async fn holds(app: &TestApp) -> Result<u64, String> {
    let report = engine::audit::verify(&app.services.db, &vault(), None, &[]).await;
    report
        .map(|verified| verified.report.chains.iter().map(|chain| chain.entries).sum())
        .map_err(|error| error.to_string())
}

/// Calls of every kind: done, failed, denied, asked, approved, refused; and changes around them.
async fn a_mix_of_calls(owner: &Backend) {
    let upstream = Upstream::start(|count| match count {
        1 => json_answer(json!({ "ok": true })),
        _ => axum::response::IntoResponse::into_response(axum::http::StatusCode::INTERNAL_SERVER_ERROR),
    })
    .await;
    let tool = id(&owner.post(201, "/tools", webhook_tool("hook", &upstream.url)).await);
    agent(owner, "vendas", &["hook", "createTask"], "never").await;
    agent(owner, "medrosa", &["createTask"], "always").await;
    let call = |n: usize| owner.call("createTask", "vendas", json!({ "title": format!("{n}") }));
    for n in 0..20 {
        assert_eq!(call(n).await.status(), 200);
    }
    // At once: these may share entries.
    for answer in futures::future::join_all((20..40).map(call)).await {
        assert_eq!(answer.status(), 200);
    }
    for _ in 0..2 {
        owner.call("hook", "vendas", json!({ "title": "x" })).await;
    }
    owner.call("searchProducts", "vendas", json!({ "query": "x" })).await;
    for verb in ["approve", "refuse"] {
        let asked = pending(owner, "createTask", "medrosa", json!({ "title": "x" })).await;
        let path = format!("/confirmations/{}/{verb}", asked["confirmation_id"].as_str().unwrap());
        owner.post(200, &path, json!({})).await;
    }
    owner.put(&format!("/tools/{tool}"), json!({ "description": "x", "note": "porque sim" })).await;
    owner.expect(204, Method::DELETE, &format!("/tools/{tool}?force=true"), None).await;
}

/// Every chain is signed up to its end, and nothing more is being written.
async fn signed(app: &TestApp) {
    let open = "SELECT count(*) FROM audit_heads h WHERE NOT EXISTS \
                (SELECT 1 FROM audit_checkpoints c WHERE c.chain = h.chain AND c.seq = h.seq)";
    let until = tokio::time::Instant::now() + Duration::from_secs(60);
    while app.count(open).await > 0 {
        assert!(tokio::time::Instant::now() < until, "no checkpoint was signed");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

const KEPT: [&str; 3] = ["audit_entries", "audit_heads", "audit_checkpoints"];

/// Does it, sees that it is noticed, and undoes it.
async fn is_noticed(app: &TestApp, tampering: &str) {
    app.change(tampering).await;
    let found = holds(app).await;
    assert!(found.is_err(), "not noticed: {tampering}");
    for table in KEPT {
        app.change(&format!("DELETE FROM {table}")).await;
        app.change(&format!("INSERT INTO {table} SELECT * FROM kept_{table}")).await;
    }
    assert!(holds(app).await.is_ok(), "{tampering} was undone");
}

#[tokio::test]
async fn s19_every_kind_of_tampering_is_noticed() {
    let (app, owner) = workshop().await;
    a_mix_of_calls(&owner).await;
    signed(&app).await;
    let entries = holds(&app).await.unwrap();
    assert_eq!(i64::try_from(entries).unwrap(), app.count("SELECT count(*) FROM audit_entries").await);
    assert!(entries > 25, "{entries}");
    for table in KEPT {
        app.change(&format!("CREATE TABLE kept_{table} AS SELECT * FROM {table}")).await;
    }
    let last = app.count("SELECT max(seq) FROM audit_entries WHERE tenant_id IS NOT NULL").await;
    let middle =
        app.count("SELECT seq FROM audit_entries WHERE tenant_id IS NOT NULL AND chain_seq = 5").await;
    for change in [
        "action = 'tool.read'",
        "actor_name = 'somebody else'",
        "actor_kind = 'operator'",
        "actor_id = NULL",
        "subject_kind = 'x'",
        "subject_id = 'x'",
        "after = '{}'",
        "after = coalesce(after, '') || ' '",
        "before = '{}'",
        "reason = 'because'",
        "at = at + 1",
        "salt = NULL",
        "hash = salt",
        "tenant_id = NULL",
        "chain_seq = 1000000",
        "chain_seq = NULL",
    ] {
        for seq in [middle, last] {
            is_noticed(&app, &format!("UPDATE audit_entries SET {change} WHERE seq = {seq}")).await;
        }
    }
    for seq in [middle, last] {
        is_noticed(&app, &format!("DELETE FROM audit_entries WHERE seq = {seq}")).await;
    }
    is_noticed(&app, &format!("DELETE FROM audit_entries WHERE seq > {middle}")).await;
    is_noticed(&app, "DELETE FROM audit_entries").await;
    let swap = "CASE chain_seq WHEN 5 THEN -6 ELSE -5 END";
    let two = "tenant_id IS NOT NULL AND chain_seq IN (5, 6)";
    let swapped = format!(
        "UPDATE audit_entries SET chain_seq = {swap} WHERE {two}; \
         UPDATE audit_entries SET chain_seq = -chain_seq WHERE chain_seq < 0"
    );
    is_noticed(&app, &swapped).await;
    for change in
        ["seq = seq + 1", "seq = seq - 1", "hash = (SELECT hash FROM audit_entries WHERE chain_seq = 5)"]
    {
        is_noticed(&app, &format!("UPDATE audit_heads SET {change}")).await;
    }
    is_noticed(&app, "DELETE FROM audit_heads").await;
    let other = "hash = (SELECT hash FROM audit_entries WHERE chain_seq = 5)";
    is_noticed(&app, &format!("UPDATE audit_checkpoints SET {other}")).await;
    is_noticed(&app, "UPDATE audit_checkpoints SET at = at + 1").await;
    // With the tail go the head's memory of it; the signature remembers.
    let rewound = format!(
        "DELETE FROM audit_entries WHERE seq = {last}; \
         UPDATE audit_heads SET seq = seq - 1, hash = (SELECT e.hash FROM audit_entries e WHERE \
         e.tenant_id = audit_heads.chain AND e.chain_seq = audit_heads.seq - 1) \
         WHERE chain = (SELECT tenant_id FROM kept_audit_entries WHERE seq = {last})"
    );
    is_noticed(&app, &rewound).await;
}

#[tokio::test]
async fn b4_an_export_can_be_verified_elsewhere() {
    let (app, owner) = workshop().await;
    a_mix_of_calls(&owner).await;
    app.tenant("Outra", "outra").await;
    let stranger = app.backend("outra", TenantRole::Owner).await;
    stranger.post(201, "/agents", json!({ "name": "deles" })).await;
    signed(&app).await;
    let auditor = app.backend(TENANT, TenantRole::Auditor).await;
    let answer = auditor.send(Method::GET, "/audit/export", None).await;
    assert_eq!(
        (answer.status().as_u16(), &answer.headers()["content-type"]),
        (200, &"application/jsonl".parse().unwrap())
    );
    let text = answer.text().await.unwrap();
    assert!(!text.contains("deles"), "one tenant's record, and no other's");
    let keys = [engine::audit::signer(&vault()).public_key()];
    let verify = |text: &str| {
        let reader = ledger::export::Reader::new(text.as_bytes()).map_err(|error| error.to_string())?;
        ledger::verify_file(reader, Some(&keys)).map_err(|error| error.to_string())
    };
    let report = verify(&text).unwrap();
    assert_eq!((report.chains.len(), report.trust), (1, ledger::Trust::GivenKeys));
    assert!(report.chains[0].entries > 25);
    assert!(verify(&text.replacen("porque sim", "porque não", 1)).is_err());
    let lines: Vec<&str> = text.lines().collect();
    let cut = lines[..lines.len() - 3].join("\n");
    assert!(verify(&cut).is_err(), "a tail that was signed is missed");
}

#[tokio::test]
async fn b4_entries_are_read_newest_first_by_what_people_look_for() {
    let (app, owner) = workshop().await;
    a_mix_of_calls(&owner).await;
    app.tenant("Outra", "outra").await;
    let stranger = app.backend("outra", TenantRole::Owner).await;
    stranger.post(201, "/agents", json!({ "name": "deles" })).await;
    let auditor = app.backend(TENANT, TenantRole::Auditor).await;

    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = auditor.get(&format!("/audit?limit=7{cursor}")).await;
        let rows = page["data"].as_array().unwrap().clone();
        assert!(rows.len() <= 7);
        seen.extend(rows);
        match page["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    let numbers: Vec<i64> = seen.iter().map(|entry| entry["seq"].as_i64().unwrap()).collect();
    let expected: Vec<i64> =
        (1..=auditor.get("/audit/chain").await["entries"].as_i64().unwrap()).rev().collect();
    assert_eq!(numbers, expected, "each once, the newest first");
    assert!(!json!(seen).to_string().contains("deles"), "one tenant's record, and no other's");

    let tools = auditor.get("/audit?subject_kind=tool&limit=200").await;
    let tools = tools["data"].as_array().unwrap();
    assert!(!tools.is_empty() && tools.iter().all(|entry| entry["subject_kind"] == "tool"));
    let changed = tools.iter().find(|entry| entry["action"] == "tool.update").unwrap();
    let about = auditor.get(&format!("/audit?subject_id={}", changed["subject_id"].as_str().unwrap())).await;
    assert!(about["data"].as_array().unwrap().len() >= 3, "made, changed, removed");
    owner.put("/settings/limits", json!({ "confirmation_lifetime_seconds": 900 })).await;
    let limits = auditor.get("/audit?action=limits.update").await;
    let lifetime = |when: &str| limits["data"][0][when]["confirmation_lifetime_seconds"].clone();
    assert_eq!((lifetime("before"), lifetime("after")), (json!(3600), json!(900)));
    let calls = auditor.get("/audit?subject_kind=execution&limit=200").await;
    assert!(calls["data"].as_array().unwrap().len() > 20);
    assert_eq!(auditor.get("/audit?action=tool.update").await["data"].as_array().unwrap().len(), 1);
    let actor = changed["actor_name"].as_str().unwrap().to_uppercase();
    assert!(!auditor.get(&format!("/audit?actor={actor}")).await["data"].as_array().unwrap().is_empty());
    for nobody in ["/audit?actor=%25", "/audit?actor=ninguem", "/audit?subject_kind=nothing"] {
        assert_eq!(auditor.get(nobody).await["data"], json!([]), "{nobody}");
    }
    let (code, wrong) = auditor.refused(Method::GET, "/audit?cursor=x", None).await;
    assert_eq!((code, wrong.as_str()), (422, "validation_failed"));
}

#[tokio::test]
async fn b4_a_span_of_time_is_found_in_a_long_chain() {
    let (app, owner) = workshop().await;
    a_mix_of_calls(&owner).await;
    // A second for each entry, so that the span has known ends.
    app.change(
        "UPDATE audit_entries SET at = 1700000000000000 + chain_seq * 1000000 WHERE tenant_id IS NOT NULL",
    )
    .await;
    let auditor = app.backend(TENANT, TenantRole::Auditor).await;
    let found = |answer: serde_json::Value| -> Vec<i64> {
        answer["data"].as_array().unwrap().iter().map(|entry| entry["seq"].as_i64().unwrap()).collect()
    };
    // 1700000000 is 2023-11-14T22:13:20Z.
    let span = auditor.get("/audit?from=2023-11-14T22:13:25Z&to=2023-11-14T22:13:29Z").await;
    assert_eq!(found(span), [8, 7, 6, 5]);
    assert_eq!(found(auditor.get("/audit?to=2023-11-14T22:13:22Z").await), [1]);
    assert_eq!(found(auditor.get("/audit?from=2023-11-15T00:00:00Z&limit=1").await).len(), 1, "made since");
}

#[tokio::test]
async fn b4_the_chain_is_checked_on_demand() {
    let (app, owner) = workshop().await;
    let auditor = app.backend(TENANT, TenantRole::Auditor).await;
    a_mix_of_calls(&owner).await;
    signed(&app).await;
    let chain = auditor.get("/audit/chain").await;
    assert_eq!(chain["uncovered"], 0);
    assert_eq!(chain["last_checkpoint"]["seq"], chain["entries"]);
    let answer = auditor.expect(200, Method::POST, "/audit/verify", None).await;
    assert_eq!((&answer["holds"], &answer["entries"]), (&json!(true), &chain["entries"]));
    app.change("UPDATE audit_entries SET reason = 'because' WHERE tenant_id IS NOT NULL AND chain_seq = 5")
        .await;
    let answer = auditor.expect(200, Method::POST, "/audit/verify", None).await;
    assert_eq!((&answer["holds"], &answer["fault_seq"]), (&json!(false), &json!(5)));
    assert!(answer["fault"].as_str().unwrap().contains("changed"));
}

/// A row of the history that fits.
fn one_call(which: &str) -> String {
    format!("(SELECT id FROM executions WHERE {which} LIMIT 1)")
}

#[tokio::test]
async fn b4_a_tenant_without_its_chain_is_noticed() {
    let (app, owner) = workshop().await;
    a_mix_of_calls(&owner).await;
    signed(&app).await;
    assert!(holds(&app).await.is_ok());
    let tenant = "(SELECT id FROM tenants WHERE slug = 'padaria-central')";
    let everything = format!(
        "DELETE FROM audit_entries WHERE tenant_id = {tenant}; DELETE FROM audit_heads WHERE chain = {tenant}; \
         DELETE FROM audit_checkpoints WHERE chain = {tenant}"
    );
    app.change(&everything).await;
    assert!(holds(&app).await.unwrap_err().contains("the whole chain is gone"));
    let auditor = app.backend(TENANT, TenantRole::Auditor).await;
    app.change(&everything).await;
    let answer = auditor.expect(200, Method::POST, "/audit/verify", None).await;
    assert_eq!((&answer["holds"], &answer["fault_seq"]), (&json!(false), &json!(0)));
}

#[tokio::test]
async fn b4_a_history_that_was_changed_is_noticed_and_the_call_named() {
    let (app, owner) = workshop().await;
    a_mix_of_calls(&owner).await;
    let ask = || pending(&owner, "createTask", "medrosa", json!({ "title": "x" }));
    let cancelled = ask().await["execution_id"].as_str().unwrap().to_owned();
    owner.expect(200, Method::POST, &format!("/executions/{cancelled}/cancel"), None).await;
    let waiting = ask().await["execution_id"].as_str().unwrap().to_owned();
    let auditor = app.backend(TENANT, TenantRole::Auditor).await;
    let verify = || auditor.expect(200, Method::POST, "/audit/verify", None);
    let whole = verify().await;
    let ended = app.count("SELECT count(*) FROM executions WHERE status <> 'pending'").await;
    assert_eq!((&whole["holds"], &whole["calls"]), (&json!(true), &json!(ended)), "{whole}");
    assert_eq!(whole["missing_calls"], 0);

    app.change("CREATE TABLE kept AS SELECT * FROM executions").await;
    let success = one_call("status = 'success' AND result IS NOT NULL");
    let oldest = "(SELECT id FROM executions ORDER BY id LIMIT 1)";
    for tampering in [
        format!("UPDATE executions SET status = 'error' WHERE id = {success}"),
        format!("UPDATE executions SET status = 'pending' WHERE id = {success}"),
        format!("UPDATE executions SET result = '{{}}' WHERE id = {success}"),
        format!("UPDATE executions SET result = NULL WHERE id = {success}"),
        format!("UPDATE executions SET params = '{{\"title\":\"y\"}}' WHERE id = {success}"),
        format!("UPDATE executions SET test_mode = NOT test_mode WHERE id = {success}"),
        format!("UPDATE executions SET tool_name = 'deleteDeal' WHERE id = {success}"),
        format!("UPDATE executions SET actor_name = 'somebody else' WHERE id = {success}"),
        format!("UPDATE executions SET actor_id = NULL WHERE id = {success}"),
        format!("UPDATE executions SET actor_kind = 'operator' WHERE id = {success}"),
        format!("UPDATE executions SET conversation_id = 'another' WHERE id = {success}"),
        format!("UPDATE executions SET executed_at = executed_at - 1 WHERE id = {success}"),
        format!("UPDATE executions SET started_at = started_at - 1 WHERE id = {success}"),
        format!("UPDATE executions SET finished_at = finished_at + 1 WHERE id = {success}"),
        format!("UPDATE executions SET truncated = NOT truncated WHERE id = {success}"),
        format!("UPDATE executions SET log = '[\"fine\"]' WHERE id = {success}"),
        format!("UPDATE executions SET circumstances = NULL WHERE id = {success}"),
        "UPDATE executions SET error_message = 'It was fine.' WHERE status = 'error'".to_owned(),
        "UPDATE executions SET error_message = 'It was fine.' WHERE status = 'refused'".to_owned(),
        "UPDATE executions SET finished_at = finished_at + 1 WHERE status = 'cancelled'".to_owned(),
        "UPDATE executions SET actor_name = 'somebody else' WHERE status = 'pending'".to_owned(),
        "UPDATE executions SET status = 'success' WHERE status IN ('refused', 'cancelled')".to_owned(),
        "UPDATE executions SET status = 'success' WHERE status = 'pending'".to_owned(),
        "UPDATE executions SET params = '{}' WHERE status = 'pending'".to_owned(),
        format!("DELETE FROM executions WHERE id = {} AND id <> {oldest}", one_call("status = 'error'")),
        "DELETE FROM executions WHERE id = (SELECT id FROM executions WHERE status <> 'pending' ORDER BY id DESC LIMIT 1)"
            .to_owned(),
        "DELETE FROM executions".to_owned(),
    ] {
        app.change(&tampering).await;
        let found = verify().await;
        assert_eq!(found["holds"], false, "not noticed: {tampering}");
        assert!(found["fault"].as_str().unwrap().contains("the call 0"), "{tampering}: {found}");
        app.change("DELETE FROM executions").await;
        app.change("INSERT INTO executions SELECT * FROM kept").await;
        assert_eq!(verify().await["holds"], true, "{tampering} was undone");
    }
    app.change(&format!(
        "UPDATE executions SET status = 'success' WHERE id = {}",
        one_call("status = 'pending'")
    ))
    .await;
    let found = verify().await["fault"].as_str().unwrap().to_owned();
    assert!(found.contains(&waiting), "{found}");
    app.change(
        "UPDATE executions SET status = 'pending' WHERE id IN (SELECT id FROM kept WHERE status = 'pending')",
    )
    .await;

    // The history may lose its oldest calls: that is told, and no fault.
    app.change(&format!("DELETE FROM executions WHERE id = {oldest}")).await;
    let shorter = verify().await;
    assert_eq!((&shorter["holds"], &shorter["missing_calls"]), (&json!(true), &json!(1)), "{shorter}");

    // A call that nobody made has no entry: one of another tenant is put among these.
    app.tenant("Outra", "outra").await;
    let stranger = app.backend("outra", TenantRole::Owner).await;
    agent(&stranger, "deles", &["createTask"], "never").await;
    assert_eq!(stranger.call("createTask", "deles", json!({ "title": "x" })).await.status(), 200);
    let tenant = |slug: &str| format!("(SELECT id FROM tenants WHERE slug = '{slug}')");
    let moved = format!(
        "UPDATE executions SET tenant_id = {} WHERE tenant_id = {}",
        tenant("padaria-central"),
        tenant("outra")
    );
    app.change(&moved).await;
    let found = verify().await;
    assert_eq!(found["holds"], false, "{found}");
    assert!(found["fault"].as_str().unwrap().ends_with("the record tells of: 1"), "{found}");
    // What is really called meanwhile does not make up for it.
    for _ in 0..5 {
        let calls = (0..8).map(|_| owner.call("createTask", "vendas", json!({ "title": "x" })));
        let (found, _) = tokio::join!(verify(), futures::future::join_all(calls));
        assert!(found["fault"].as_str().unwrap().ends_with("the record tells of: 1"), "{found}");
    }
}

/// Who said yes to what, and when, is on the record: the questions are compared with it as the calls are.
#[tokio::test]
async fn b4_a_question_that_was_changed_is_noticed_and_named() {
    let (app, owner) = workshop().await;
    a_mix_of_calls(&owner).await;
    let ask = || pending(&owner, "createTask", "medrosa", json!({ "title": "x" }));
    let cancelled = ask().await["execution_id"].as_str().unwrap().to_owned();
    owner.expect(200, Method::POST, &format!("/executions/{cancelled}/cancel"), None).await;
    let expired = ask().await["confirmation_id"].as_str().unwrap().to_owned();
    let tool = format!("/tools/{}", built_in(&owner, "createTask").await);
    owner.put(&tool, json!({ "requires_confirmation": true })).await;
    owner.expect(409, Method::POST, &format!("/confirmations/{expired}/approve"), Some(json!({}))).await;
    ask().await;
    let auditor = app.backend(TENANT, TenantRole::Auditor).await;
    let verify = || auditor.expect(200, Method::POST, "/audit/verify", None);
    assert_eq!(verify().await["holds"], true);
    assert_eq!(app.count("SELECT count(*) FROM confirmations").await, 5);

    app.change("CREATE TABLE kept AS SELECT * FROM confirmations").await;
    let decided = "status = 'approved'";
    let cancelled = "note = 'The call was cancelled.'";
    let waiting = "status = 'pending'";
    let updates = [
        ("decided_by = 'somebody else'", decided),
        ("decided_at = decided_at - 1", decided),
        ("note = 'of course'", decided),
        ("requested_by = 'somebody else'", decided),
        ("second_person = NOT second_person", decided),
        ("params = '{}'", decided),
        ("edited_params = '{}'", decided),
        ("plan = NULL", decided),
        ("reason = 'none'", decided),
        ("status = 'approved'", "status = 'refused'"),
        ("note = 'too dear'", "status = 'refused'"),
        ("decided_by = 'somebody'", "status = 'expired' AND note <> 'The call was cancelled.'"),
        ("decided_by = 'somebody'", cancelled),
        // Nobody decided it.
        ("status = 'refused'", waiting),
        // Whoever decides it would see, or be, something else than was asked for.
        ("plan = NULL", waiting),
        ("params = '{}'", waiting),
        ("second_person = NOT second_person", waiting),
        ("requested_by_id = NULL", waiting),
        ("expires_at = expires_at + 1", waiting),
    ];
    let updates = updates.map(|(change, of)| format!("UPDATE confirmations SET {change} WHERE {of}"));
    let deleted = [decided, "status = 'refused'", cancelled, waiting];
    let deletions = deleted.map(|of| format!("DELETE FROM confirmations WHERE {of}"));
    for tampering in updates.into_iter().chain(deletions) {
        app.change(&tampering).await;
        let found = verify().await;
        assert_eq!(found["holds"], false, "not noticed: {tampering}");
        assert!(found["fault"].as_str().unwrap().contains("question"), "{tampering}: {found}");
        app.change("DELETE FROM confirmations").await;
        app.change("INSERT INTO confirmations SELECT * FROM kept").await;
        assert_eq!(verify().await["holds"], true, "{tampering} was undone");
    }
}

/// Each believes to know where the chain ends, and is wrong again and again.
#[tokio::test]
async fn b4_two_processes_that_add_to_one_chain_leave_it_whole() {
    const CALLS: usize = 160;
    let (app, owner) = workshop().await;
    let upstream = Upstream::start(|_| json_answer(json!({ "ok": true }))).await;
    owner.post(201, "/tools", webhook_tool("hook", &upstream.url)).await;
    agent(&owner, "vendas", &["hook", "createTask"], "never").await;
    let replica = app.replica().await;
    let there = replica.backend_of(owner.key.clone());
    let one = |n: usize| {
        let (backend, tool) =
            (if n.is_multiple_of(2) { &owner } else { &there }, ["createTask", "hook"][n / 2 % 2]);
        async move {
            // Somebody changes tools meanwhile: decisions are made anew, and the chain grows by other entries.
            if n.is_multiple_of(40) {
                let tool = webhook_tool(&format!("other{n}"), "https://example.com/");
                backend.post(201, "/tools", tool).await;
            }
            let answer = backend.call(tool, "vendas", json!({ "title": "x" })).await;
            assert_eq!(answer.status(), 200);
            answer.json::<serde_json::Value>().await.unwrap()["execution_id"].as_str().unwrap().to_owned()
        }
    };
    let ids: Vec<String> = stream::iter((0..CALLS).map(one)).buffer_unordered(32).collect().await;

    assert_eq!(upstream.asked().len(), CALLS / 2);
    assert_eq!(app.count("SELECT count(*) FROM tasks").await, CALLS as i64 / 2);
    assert_eq!(app.count("SELECT count(*) FROM executions WHERE status = 'success'").await, CALLS as i64);
    let counted = "SELECT CAST(sum(executions) AS bigint) FROM tool_hours WHERE hour = 0";
    assert_eq!(app.count(counted).await, CALLS as i64, "each is counted once");
    holds(&app).await.unwrap();
    for id in ids {
        let found = owner.get(&format!("/audit?subject_kind=execution&subject_id={id}")).await;
        assert_eq!(
            found["data"].as_array().unwrap().len(),
            1,
            "each is found in the one entry that covers it"
        );
    }
}

/// What continues what was signed is signed, and stands for what was signed before it in the same hour; what does not never is.
#[tokio::test]
async fn b4_signatures_stay_few_and_a_rewritten_chain_gets_none() {
    let (app, owner) = workshop().await;
    app.tenant("Outra", "outra").await;
    let other = app.backend("outra", TenantRole::Owner).await;
    let grow = |backend: &Backend| {
        let backend = backend.clone();
        async move { backend.post(201, "/contacts", json!({ "name": "Ana" })).await }
    };
    for _ in 0..4 {
        grow(&owner).await;
        grow(&other).await;
        signed(&app).await;
    }
    let of = |slug: &str| format!("chain = (SELECT id FROM tenants WHERE slug = '{slug}')");
    let count = format!("SELECT count(*) FROM audit_checkpoints WHERE {}", of(TENANT));
    let before = app.count(&count).await;
    assert!(before <= 2, "{before}: one of this hour, and one of the last when it has just begun");

    // Whoever can write to the database says that the chain ends elsewhere.
    app.change(&format!("UPDATE audit_heads SET seq = seq + 1 WHERE {}", of(TENANT))).await;
    for _ in 0..2 {
        grow(&other).await;
        let open = format!(
            "SELECT count(*) FROM audit_heads h WHERE h.{} AND NOT EXISTS \
             (SELECT 1 FROM audit_checkpoints c WHERE c.chain = h.chain AND c.seq = h.seq)",
            of("outra")
        );
        until("the other chain is signed", || async { (app.count(&open).await == 0).then_some(()) }).await;
    }
    assert_eq!(app.count(&count).await, before, "no signature for it, and none was given up");
    app.change(&format!("UPDATE audit_heads SET seq = seq - 1 WHERE {}", of(TENANT))).await;
    grow(&owner).await;
    signed(&app).await;
}
