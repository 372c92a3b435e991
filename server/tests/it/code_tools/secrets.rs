//! The secrets of an organisation: named by tools, used by scripts, seen by nobody.

use super::{code_tool, failure, with, workshop};
use crate::{
    app::on_postgres,
    cli::{Serving, alcada},
    workshop::{Upstream, json_answer},
};
use domain::TenantRole;
use reqwest::{Client, Method};
use sea_orm::{ConnectionTrait, DbBackend, Statement};
use serde_json::{Value, json};
use std::path::Path;

const CANARY: &str = "canario-muito-secreto-4711";

#[tokio::test]
async fn s9_a_secret_can_be_named_in_its_own_tenant_only() {
    let (app, owner) = workshop().await;
    let made = owner.expect(201, Method::PUT, "/secrets/API_KEY", Some(json!({ "value": CANARY }))).await;
    assert_eq!((&made["name"], &made["used_by"]), (&json!("API_KEY"), &json!([])), "{made}");
    app.tenant("Outra", "outra").await;
    let stranger = app.backend("outra", TenantRole::Owner).await;
    let body = with(code_tool("deles", "export default () => 1"), "secret_names", json!(["API_KEY"]));
    let found = stranger.invalid(Method::POST, "/tools", body).await;
    assert_eq!(
        found,
        [("secret_names".to_owned(), "unknown".to_owned())],
        "another tenant's is no secret here"
    );
    owner.put("/secrets/API_KEY", json!({ "value": "outro-valor" })).await;
    owner.expect(204, Method::DELETE, "/secrets/API_KEY", None).await;
    assert_eq!(owner.refused(Method::GET, "/secrets/API_KEY", None).await, (404, "not_found".into()));
}

#[tokio::test]
async fn bad_names_and_values_are_refused() {
    let (_app, owner) = workshop().await;
    let cases = [
        ("1A", json!("valor"), ("name", "invalid")),
        ("A-B", json!("valor"), ("name", "invalid")),
        ("__proto__", json!("valor"), ("name", "reserved")),
        ("A", json!(""), ("value", "required")),
        ("A", json!("abc"), ("value", "too_short")),
        ("A", json!("abc\u{0}d"), ("value", "invalid")),
        ("A", json!("x".repeat(8_193)), ("value", "too_long")),
        ("A", json!(7), ("value", "invalid")),
    ];
    for (name, value, (field, code)) in cases {
        let path = format!("/secrets/{name}");
        let found = owner.invalid(Method::PUT, &path, json!({ "value": value })).await;
        assert_eq!(found, [(field.to_owned(), code.to_owned())], "{name} {value}");
    }
    let long = format!("/secrets/{}", "x".repeat(65));
    let found = owner.invalid(Method::PUT, &long, json!({ "value": CANARY })).await;
    assert_eq!(found, [("name".to_owned(), "too_long".to_owned())]);
    assert_eq!(owner.get("/secrets").await["data"], json!([]));
}

#[tokio::test]
async fn t16_a_script_gets_the_secrets_it_names_and_no_other() {
    let (_app, owner) = workshop().await;
    let upstream = Upstream::start(|_| json_answer(json!({ "eco": CANARY }))).await;
    for name in ["API_KEY", "OTHER"] {
        owner.expect(201, Method::PUT, &format!("/secrets/{name}"), Some(json!({ "value": CANARY }))).await;
    }
    let host = upstream.url.trim_start_matches("http://").trim_end_matches("/hook").to_owned();
    let code = "export default async (p, ctx) => {
        const answer = await ctx.fetch(p.url, { headers: { authorization: ctx.secrets.API_KEY } });
        return { names: Object.keys(ctx.secrets), eco: (await answer.json()).eco };
    }";
    let body = with(code_tool("usa", code), "secret_names", json!(["API_KEY", "API_KEY"]));
    let tool = owner.make(with(body, "fetch_hosts", json!([host]))).await;
    let answer = owner.execute(&tool, json!({ "params": { "url": upstream.url } })).await;
    assert_eq!(answer["result"]["names"], json!(["API_KEY"]), "{answer}");
    assert!(!answer.to_string().contains(CANARY), "{answer}");
    assert_eq!(upstream.asked()[0].headers["authorization"], CANARY);
    assert_eq!(owner.get("/secrets/API_KEY").await["used_by"], json!(["usa"]));
    owner.expect(204, Method::DELETE, "/secrets/API_KEY", None).await;
    let without = owner.execute(&tool, json!({ "params": { "url": upstream.url } })).await;
    let (code, message) = failure(&without);
    assert!(code == "secret_missing" && message.contains("API_KEY"), "{without}");
    let renamed = owner.put(&format!("/tools/{tool}"), json!({ "display_name": "Outro nome" })).await;
    assert_eq!(renamed["version"], 2, "what a change does not touch is not judged anew");
}

/// Every text and every blob of every row.
async fn everything(database: &str) -> String {
    let sql = crate::app::raw_sql(database).await;
    let backend = if on_postgres() { DbBackend::Postgres } else { DbBackend::Sqlite };
    let mut all = String::new();
    let tables = if on_postgres() {
        "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'"
    } else {
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    };
    for table in sql.query_all_raw(Statement::from_string(backend, tables)).await.unwrap() {
        let name: String = table.try_get("", "name").unwrap();
        let text = if on_postgres() {
            format!("SELECT row_to_json(t)::text AS row FROM \"{name}\" t")
        } else {
            let columns = format!("SELECT name FROM pragma_table_info('{name}')");
            let columns = sql.query_all_raw(Statement::from_string(backend, columns)).await.unwrap();
            let columns: Vec<String> = columns
                .iter()
                .map(|column| {
                    format!("coalesce(quote(\"{}\"), '')", column.try_get::<String>("", "name").unwrap())
                })
                .collect();
            format!("SELECT {} AS row FROM \"{name}\"", columns.join(" || ' ' || "))
        };
        for row in sql.query_all_raw(Statement::from_string(backend, text)).await.unwrap() {
            all += &row.try_get::<String>("", "row").unwrap();
            all.push('\n');
        }
    }
    sql.close().await.unwrap();
    all
}

/// As bytes are shown by either database.
fn in_hex(text: &str) -> String {
    text.bytes().map(|byte| format!("{byte:02x}")).collect()
}

fn command(data: &Path, database: &str, arguments: &[&str]) -> String {
    let output = alcada(data).env("DATABASE_URL", database).args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// S16, with the binary itself: not in the database, not in the log, not in the audit log, not in an answer.
#[tokio::test]
async fn s16_the_value_of_a_secret_is_nowhere() {
    let folder = tempfile::tempdir().unwrap();
    let (data, (database, _kept)) = (folder.path(), crate::app::fresh_database().await);
    command(data, &database, &["tenant", "create", "--name", "Cofre", "--slug", "cofre"]);
    let key = ["api-key", "create", "--name", "k", "--tenant", "cofre", "--role", "owner"];
    let key = command(data, &database, &key);
    let mut serving =
        Serving::start(alcada(data).env("DATABASE_URL", &database).env("ALCADA_LOG", "trace,sqlx=info"));
    serving.until_ready().await;
    let (api, client) = (format!("{}/api/v1", serving.url), Client::new());
    let send = |method: Method, path: String, body: Value| {
        let request = client.request(method, format!("{api}{path}")).bearer_auth(&key).json(&body);
        async move { request.send().await.unwrap().text().await.unwrap() }
    };
    let mut answers = send(Method::PUT, "/secrets/API_KEY".into(), json!({ "value": CANARY })).await;
    let codes = [
        "export default (p, ctx) => { ctx.log('vale', ctx.secrets.API_KEY); return [ctx.secrets, 'x' + ctx.secrets.API_KEY] }",
        "export default (p, ctx) => { throw new Error('falhou com ' + ctx.secrets.API_KEY) }",
    ];
    for (number, code) in codes.into_iter().enumerate() {
        let body = with(code_tool(&format!("usa{number}"), code), "secret_names", json!(["API_KEY"]));
        let made = send(Method::POST, "/tools".into(), body).await;
        let tool = serde_json::from_str::<Value>(&made).unwrap()["id"].as_str().unwrap().to_owned();
        let called =
            send(Method::POST, format!("/tools/{tool}/execute"), json!({ "params": {}, "test_mode": true }))
                .await;
        assert!(called.contains("***"), "{called}");
        answers += &made;
        answers += &called;
    }
    for path in ["/executions", "/secrets", "/tools", "/audit/export"] {
        answers += &send(Method::GET, path.into(), json!({})).await;
    }
    let log = serving.stopped();
    let kept = everything(&database).await;
    assert!(kept.contains("secret.create") && kept.contains("API_KEY"), "the record names it");
    for (place, text) in [("answers", &answers), ("log", &log), ("database", &kept.to_lowercase())] {
        for form in [CANARY.to_owned(), in_hex(CANARY)] {
            assert!(!text.contains(&form), "in the {place}");
        }
    }
}

/// What was kept while a tool had no address was given for another one.
#[tokio::test]
async fn s16_a_detour_over_code_takes_no_header_to_another_address() {
    let (_app, owner) = workshop().await;
    let mut body = crate::workshop::webhook_tool("hook", "https://hooks.example.org/x");
    body["webhook_headers"] = json!({ "authorization": "Bearer c4n4ry" });
    let path = format!("/tools/{}", owner.make(body).await);
    let away = json!({ "execution_type": "code", "code": "export default () => 1", "webhook_url": null, "timeout_ms": 5_000 });
    owner.put(&path, away).await;
    let back = |headers: Value| {
        json!({ "execution_type": "webhook", "code": null, "webhook_url": "https://other.example.org/x",
            "webhook_headers": headers })
    };
    let found = owner.invalid(Method::PUT, &path, back(json!({ "authorization": "***" }))).await;
    assert_eq!(found, [("webhook_headers".to_owned(), "needed_anew".to_owned())]);
    owner.put(&path, back(json!({}))).await;
}
