//! B4, S19: the record is a chain, and whoever changes it behind the product's back is found out.

use crate::{
    app::{TestApp, vault},
    workshop::{Backend, Callers, TENANT, Upstream, agent, id, json_answer, pending, webhook_tool, workshop},
};
use domain::TenantRole;
use reqwest::Method;
use serde_json::json;
use std::time::Duration;

async fn holds(app: &TestApp) -> Result<u64, String> {
    let report = engine::audit::verify(&app.services.db, &vault(), None).await;
    report
        .map(|report| report.chains.iter().map(|chain| chain.entries).sum())
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
    let many = (0..20).map(|n| owner.call("createTask", "vendas", json!({ "title": format!("{n}") })));
    for answer in futures::future::join_all(many).await {
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
    let until = tokio::time::Instant::now() + Duration::from_secs(20);
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
async fn s5_who_may_read_the_record() {
    let (app, owner) = workshop().await;
    agent(&owner, "vendas", &[], "never").await;
    Callers::of(&app, "vendas").await.assert_allowed("owner auditor", Method::GET, "/audit/export").await;
}
