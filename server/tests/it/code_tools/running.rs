//! What comes of a call: results, faults, limits, cancellation, confirmation.

use super::{code_tool, failure, until, with, workshop};
use crate::workshop::{agent, pending};
use domain::TenantRole;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const LOOP: &str = "export default () => { while (true) {} }";

#[tokio::test]
async fn t16_a_script_gets_its_arguments_and_context_and_answers() {
    let (app, owner) = workshop().await;
    let code = "export default async (params, ctx) => {
        ctx.log('soma de', params.itens.length, { n: 1 });
        const { executionId, agentId, conversationId, testMode } = ctx;
        return { soma: params.itens.reduce((a, b) => a + b, 0), executionId, agentId, conversationId, testMode };
    }";
    owner.make(code_tool("soma", code)).await;
    let vendas = agent(&owner, "vendas", &["soma"], "never").await;
    let answer: Value =
        owner.call("soma", "vendas", json!({ "itens": [1, 2, 39] })).await.json().await.unwrap();
    let id = answer["execution_id"].as_str().unwrap();
    let expected = json!({
        "soma": 42, "executionId": id, "agentId": vendas, "conversationId": "c1", "testMode": false
    });
    assert_eq!((&answer["status"], &answer["result"]), (&json!("success"), &expected), "{answer}");
    assert_eq!(answer["log"], Value::Null, "only a test shows it to the caller");
    let row = owner.get(&format!("/executions/{id}")).await;
    assert_eq!(row["log"], json!(["soma de 3 {\"n\":1}"]), "{row}");
    assert_eq!(row["output_result"]["soma"], 42);
    let listed = &owner.get("/executions").await["data"][0];
    assert_eq!((&listed["id"], &listed["log"]), (&json!(id), &Value::Null), "lists stay short");
    assert_eq!(app.count("SELECT count(*) FROM audit_entries WHERE action = 'execution.record'").await, 1);
}

#[tokio::test]
async fn t7_test_mode_is_told_and_shows_the_log() {
    let (_app, owner) = workshop().await;
    let code = "export default (p, ctx) => { ctx.log('x'.repeat(100_000)); return ctx.testMode }";
    let tool = owner.make(code_tool("teste", code)).await;
    let answer = owner.execute(&tool, json!({ "test_mode": true })).await;
    assert_eq!((&answer["result"], &answer["truncated"]), (&json!(true), &json!(true)), "{answer}");
    let kept = answer["log"][0].as_str().unwrap().len();
    assert!((16_000..=16_384).contains(&kept), "{kept}");
    let row = owner.get(&format!("/executions/{}", answer["execution_id"].as_str().unwrap())).await;
    assert_eq!(row["test_mode"], true);
}

#[tokio::test]
async fn t16_what_a_script_does_wrong_has_a_stable_code_and_a_place() {
    let (_app, owner) = workshop().await;
    let cases = [
        (
            "export default () => {\n  throw new TypeError('sem preço');\n}",
            "thrown",
            "TypeError: sem preço (line 2,",
        ),
        ("export default async () => {\n\n  await null; nothing.at.all }", "thrown", "(line 3, column"),
        ("export default () => { throw 'texto' }", "thrown", "texto"),
        ("export default () => { throw new Error('a\\0b') }", "thrown", "a\u{fffd}b"),
        ("export default () => 10n", "bad_result", ""),
        ("export default () => { const a = {}; a.a = a; return a }", "bad_result", ""),
        ("export default () => ({ get a() { throw new Error('lido') } })", "", "lido"),
        ("export default () => new Promise(() => {})", "never_settled", ""),
        ("export default () => 'x'.repeat(200_000)", "output", "102400"),
        (
            "export default () => { const a = []; while (true) a.push('x'.repeat(1e6) + a.length) }",
            "memory",
            "memory",
        ),
    ];
    for (number, (code, kind, message)) in cases.into_iter().enumerate() {
        let answer = owner.run_code(&format!("ruim{number}"), code).await;
        let found = failure(&answer);
        assert!(kind.is_empty() || found.0 == kind, "{code}: {found:?}");
        assert!(found.1.contains(message), "{code}: {found:?}");
    }
    let nothing = owner.run_code("nada", "export default () => undefined").await;
    assert_eq!((&nothing["status"], &nothing["result"]), (&json!("success"), &Value::Null), "{nothing}");
}

#[tokio::test]
async fn s3_an_endless_loop_ends_at_its_deadline() {
    let (_app, owner) = workshop().await;
    let loops = [
        LOOP,
        "export default async () => { for (;;) await null }",
        "export default () => /^(a+)+$/.test('a'.repeat(60) + 'b')",
        "export default () => Array.prototype.indexOf.call({ length: 2 ** 32 - 1 }, 1)",
    ];
    for (number, code) in loops.into_iter().enumerate() {
        let tool =
            owner.make(with(code_tool(&format!("volta{number}"), code), "timeout_ms", json!(500))).await;
        let answer = owner.execute(&tool, json!({})).await;
        assert_eq!(failure(&answer).0, "timeout", "{code}");
        let took = answer["execution_time_ms"].as_u64().unwrap();
        assert!(
            (500..10_000).contains(&took),
            "its own time, not the 20 s that the operator allows: {code}: {took} ms"
        );
    }
}

#[tokio::test]
async fn x4_a_cancelled_call_ends_at_once_and_frees_its_worker() {
    let (app, owner) = workshop().await;
    let tool = owner.make(code_tool("volta", LOOP)).await;
    let call = owner.begin(&tool);
    let running = owner.until_running(1).await;
    until("it runs", || async { (app.services.engine.code_metrics()?.running == 1).then_some(()) }).await;
    let started = Instant::now();
    let cancelled = owner.stop(&running[0]).await;
    assert_eq!(cancelled["status"], "cancelled", "{cancelled}");
    assert_eq!(call.await.unwrap()["status"], "cancelled");
    assert!(started.elapsed() < Duration::from_secs(5), "it would have run for twenty seconds");
    let metrics = app.services.engine.code_metrics().unwrap();
    assert_eq!((metrics.running, metrics.cancelled), (0, 1));
    assert_eq!(owner.run_code("depois", "export default () => 1").await["result"], 1);
}

#[tokio::test]
async fn s3_the_loops_of_one_tenant_do_not_stop_another() {
    let (app, owner) = workshop().await;
    let tool = owner.make(code_tool("volta", LOOP)).await;
    let calls: Vec<_> = (0..8).map(|_| owner.begin(&tool)).collect();
    let running = owner.until_running(8).await;
    until("they run", || async { (app.services.engine.code_metrics()?.running == 8).then_some(()) }).await;
    app.tenant("Outra", "outra").await;
    let other = app.backend("outra", TenantRole::Owner).await;
    let answer = other.run_code("conta", "export default () => 6 * 7").await;
    assert_eq!(answer["result"], 42, "{answer}");
    assert_eq!(app.services.engine.code_metrics().unwrap().running, 8, "the loops are still there");
    for execution in running {
        owner.stop(&execution).await;
    }
    for call in calls {
        assert_eq!(call.await.unwrap()["status"], "cancelled");
    }
}

#[tokio::test]
async fn x5_code_is_dangerous_unless_it_only_reads() {
    let (_app, owner) = workshop().await;
    let code = "export default (p, ctx) => ({ eco: p.texto, agente: ctx.agentId !== null })";
    let hosts = json!(["api.example.org"]);
    owner.make(with(code_tool("escreve", code), "fetch_hosts", hosts.clone())).await;
    owner.make(with(code_tool("consulta", code), "effect", json!("read"))).await;
    agent(&owner, "vendas", &["escreve", "consulta"], "dangerous").await;
    let read = owner.call("consulta", "vendas", json!({ "texto": "oi" })).await;
    assert_eq!(read.status(), 200);
    let asked = pending(&owner, "escreve", "vendas", json!({ "texto": "oi", "senha": "abacate9" })).await;
    let path = format!("/confirmations/{}", asked["confirmation_id"].as_str().unwrap());
    let question = owner.get(&path).await;
    assert_eq!(question["plan"]["fetch_hosts"], hosts);
    assert_eq!(question["plan"]["summary"], "escreve, version 1");
    assert_eq!(question["plan"]["params"], json!({ "texto": "oi", "senha": "***" }), "{question}");
    let decided =
        owner.post(200, &format!("{path}/approve"), json!({ "params": { "texto": "tchau" } })).await;
    let result = json!({ "eco": "tchau", "agente": true });
    assert_eq!(decided["execution"]["result"], result, "{decided}");
}

/// S21: at whatever moment the caller goes away, what began is ended, and what is ended is recorded.
#[tokio::test]
async fn s21_callers_who_hang_up_leave_nothing_running() {
    let (app, owner) = workshop().await;
    let tool = owner.make(code_tool("rapida", "export default () => 1")).await;
    let path = format!("/tools/{tool}/execute");
    for step in 0_u64.. {
        let call = owner.send(reqwest::Method::POST, &path, Some(json!({})));
        let wait = Duration::from_micros(500 * step + 25 * step.saturating_sub(60).pow(2));
        // At least sixty moments, and up to the one at which a caller stays to the end: on this machine, that is all
        // of them.
        if tokio::time::timeout(wait, call).await.is_ok() && step >= 60 {
            break;
        }
    }
    assert!(app.count("SELECT count(*) FROM executions").await > 0);
    until("nothing runs", || async { owner.running().await.is_empty().then_some(()) }).await;
}

/// A database that keeps no zero in a text keeps these all the same.
#[tokio::test]
async fn t16_texts_with_zeros_are_kept() {
    let (_app, owner) = workshop().await;
    let code = "export default (p, ctx) => { ctx.log('a\\0b'); return { ['c\\0']: '\\0' } }";
    let answer = owner.run_code("zeros", code).await;
    assert_eq!(answer["result"], json!({ "c\u{0}": "\u{0}" }), "{answer}");
    let row = owner.get(&format!("/executions/{}", answer["execution_id"].as_str().unwrap())).await;
    assert_eq!(row["log"], json!(["a\u{0}b"]), "{row}");
}

#[tokio::test]
async fn s16_secrets_among_the_arguments_are_masked_in_log_and_error() {
    let (_app, owner) = workshop().await;
    let code =
        "export default (p, ctx) => { ctx.log('com ' + p.senha); throw new Error('errada: ' + p.senha) }";
    let tool = owner.make(code_tool("entra", code)).await;
    let body = json!({ "params": { "senha": "abacate-9" }, "test_mode": true });
    let answer = owner.execute(&tool, body).await;
    assert_eq!(answer["log"], json!(["com ***"]), "{answer}");
    assert!(!answer.to_string().contains("abacate"), "{answer}");
}
