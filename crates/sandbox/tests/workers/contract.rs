//! T16: what a script is given, and what comes back.

use crate::support::{Echo, TENANT, run, sandbox, script, value};
use sandbox::{FaultKind, Finished};
use serde_json::json;
use std::sync::Arc;

fn fault(finished: Finished) -> (FaultKind, String, Option<u32>, Option<u32>) {
    let fault = finished.result.expect_err("a fault");
    (fault.kind, fault.message, fault.line, fault.column)
}

#[tokio::test]
async fn t16_a_function_gets_params_and_context() {
    let sandbox = sandbox().await;
    let code = "export default (params, ctx) => ({ params, id: ctx.executionId, agent: ctx.agentId,
        conversation: ctx.conversationId, test: ctx.testMode, keys: Object.keys(ctx).sort() })";
    let expected = json!({
        "params": {"a": 1}, "id": "e-1", "agent": "a-1", "conversation": null, "test": true,
        "keys": ["agentId", "conversationId", "executionId", "fetch", "log", "secrets", "testMode"],
    });
    assert_eq!(value(&sandbox, code).await, expected);
}

#[tokio::test]
async fn t16_async_functions_and_top_level_await_work() {
    let sandbox = sandbox().await;
    let code = "const two = await Promise.resolve(2);
        export default async ({ a }) => { await null; return a + two; }";
    assert_eq!(value(&sandbox, code).await, json!(3));
}

#[tokio::test]
async fn t16_results_are_json() {
    let sandbox = sandbox().await;
    for (code, expected) in [
        ("() => undefined", json!(null)),
        ("() => {}", json!(null)),
        ("() => NaN", json!(null)),
        ("() => new Date(0)", json!("1970-01-01T00:00:00.000Z")),
        ("() => [undefined, () => 1]", json!([null, null])),
        ("() => '😀'.slice(0, 1) + 'x'", json!("\u{fffd}x")),
        ("() => 9007199254740993", json!(9_007_199_254_740_992_u64)),
        ("() => ({ toJSON: () => undefined })", json!(null)),
        ("() => new Proxy({ a: 1 }, {})", json!({"a": 1})),
    ] {
        let code = format!("export default {code}");
        assert_eq!(value(&sandbox, &code).await, expected, "{code}");
    }
}

#[tokio::test]
async fn t16_what_is_not_json_is_a_clear_fault() {
    let sandbox = sandbox().await;
    for (code, expected) in [
        ("() => 10n", "BigInt"),
        ("() => { const a = {}; a.a = a; return a }", "circular"),
        ("() => ({ get a() { throw new Error('never read me') } })", "never read me"),
        ("() => ({ toJSON() { throw new Error('no json') } })", "no json"),
        ("() => () => 1", "function"),
        ("() => Symbol('x')", "symbol"),
        ("() => { let a = []; for (let i = 0; i < 500; i++) a = [a]; return a }", "deep"),
    ] {
        let (kind, message, ..) = fault(run(&sandbox, &format!("export default {code}")).await);
        assert_eq!(kind, FaultKind::BadResult, "{code}: {message}");
        assert!(message.contains(expected), "{code}: {message}");
    }
}

#[tokio::test]
async fn t16_errors_have_the_line_and_column_of_the_authors_code() {
    let sandbox = sandbox().await;
    let thrown =
        "// one\nfunction inner() {\n  throw new TypeError('oh no');\n}\nexport default () => inner();";
    let (kind, message, line, column) = fault(run(&sandbox, thrown).await);
    assert_eq!((kind, message.as_str(), line), (FaultKind::Thrown, "TypeError: oh no", Some(3)));
    assert!(column.is_some_and(|column| (3..=22).contains(&column)), "{column:?}");
    let rejected = "export default async () => {\n  await null;\n  null.x;\n};";
    assert_eq!(fault(run(&sandbox, rejected).await).2, Some(3));
    let syntax = "export default () => {\n  let a = ;\n};";
    let (kind, _, line, column) = fault(run(&sandbox, syntax).await);
    assert_eq!((kind, line), (FaultKind::Syntax, Some(2)));
    assert!(column.is_some_and(|column| (9..=12).contains(&column)), "{column:?}");
    let fetched = "export default async (p, ctx) => {\n  await ctx.fetch('https://refused');\n};";
    let (kind, message, line, _) = fault(run(&sandbox, fetched).await);
    assert_eq!((kind, line), (FaultKind::Thrown, Some(2)));
    assert_eq!(message, "Error: this host is not one of the tool's");
}

#[tokio::test]
async fn t16_whatever_is_thrown_has_a_message() {
    let sandbox = sandbox().await;
    for (thrown, expected) in [
        ("'text'", "text"),
        ("null", "null"),
        ("undefined", "undefined"),
        ("42", "42"),
        ("10n", "10"),
        ("Symbol('s')", "Symbol(s)"),
        ("({ code: 7 })", "{\"code\":7}"),
        ("({ get message() { throw 1 } })", "[cannot be shown]"),
        ("new Proxy({}, { get() { throw 1 } })", "[cannot be shown]"),
        ("Object.create(null)", "{}"),
        ("(() => 1)", "() => 1"),
    ] {
        let (kind, message, ..) =
            fault(run(&sandbox, &format!("export default () => {{ throw {thrown} }}")).await);
        assert_eq!((kind, message.as_str()), (FaultKind::Thrown, expected), "{thrown}");
    }
}

#[tokio::test]
async fn t16_the_log_is_kept_and_capped() {
    let sandbox = sandbox().await;
    let code =
        "export default (p, ctx) => { ctx.log('a', 1, { b: [2] }, null, undefined, 3n, new Error('e'));
        ctx.log(); throw new Error('after') }";
    let finished = run(&sandbox, code).await;
    assert_eq!(finished.log, ["a 1 {\"b\":[2]} null undefined 3 Error: e", ""]);
    assert!(!finished.log_cut && !finished.truncated);
    let mut long = script(
        "export default (p, ctx) => { for (let i = 0; i < 1e5; i++) ctx.log('0123456789'); return 1 }",
    );
    long.limits.log_bytes = 95;
    let finished = sandbox.run(TENANT, long, Arc::new(Echo::default())).await;
    assert_eq!(finished.result, Ok(json!(1)));
    assert!(finished.log_cut && finished.truncated);
    let kept: usize = finished.log.iter().map(String::len).sum();
    assert!((80..=95).contains(&kept), "{kept}");
}

#[tokio::test]
async fn t16_fetch_is_carried_out_by_the_server() {
    let sandbox = sandbox().await;
    let outside = Arc::new(Echo::default());
    let code = "export default async (p, ctx) => {
        const one = await ctx.fetch('https://a.test/x', { method: 'POST', headers: { 'X-A': 'b', n: 1 }, body: '{}' });
        const [two, three] = await Promise.all([ctx.fetch('https://b.test'), ctx.fetch('https://c.test')]);
        const refused = await ctx.fetch('https://refused').catch((e) => e.message);
        return { status: one.status, ok: one.ok, type: one.headers.get('content-TYPE'), none: one.headers.get('nope'),
            text: await one.text(), two: (await two.json()).url, three: (await three.json()).method, refused };
    }";
    let finished = sandbox.run(TENANT, script(code), outside.clone()).await;
    let expected = json!({
        "status": 201, "ok": true, "type": "application/json", "none": null,
        "text": "{\"body\":\"{}\",\"method\":\"POST\",\"url\":\"https://a.test/x\"}",
        "two": "https://b.test", "three": "GET", "refused": "this host is not one of the tool's",
    });
    assert_eq!(finished.result, Ok(expected));
    let asked = outside.asked.lock().unwrap();
    assert_eq!(asked[0].headers, [("X-A".to_owned(), "b".to_owned()), ("n".to_owned(), "1".to_owned())]);
    assert_eq!(asked.len(), 4);
}

#[tokio::test]
async fn t16_fetches_are_counted() {
    let sandbox = sandbox().await;
    let outside = Arc::new(Echo::default());
    let mut greedy =
        script("export default async (p, ctx) => { for (;;) await ctx.fetch('https://a.test') }");
    greedy.limits.fetches = 3;
    let finished = sandbox.run(TENANT, greedy, outside.clone()).await;
    let (kind, message, line, _) = fault(finished);
    assert_eq!((kind, line), (FaultKind::Thrown, Some(1)));
    assert!(message.contains("all the requests"), "{message}");
    assert_eq!(outside.asked.lock().unwrap().len(), 3);
}

#[tokio::test]
async fn s16_secrets_are_given_and_masked() {
    let sandbox = sandbox().await;
    let code = "export default (p, ctx) => { ctx.log('key', ctx.secrets.API_KEY);
        if (!Object.isFrozen(ctx.secrets) || !Object.isFrozen(ctx)) throw new Error('not frozen');
        return { length: ctx.secrets.API_KEY.length, k: 'Bearer ' + ctx.secrets.API_KEY } }";
    let finished = run(&sandbox, code).await;
    assert_eq!(finished.result, Ok(json!({"length": 13, "k": "Bearer ***"})));
    assert_eq!(finished.log, ["key ***"]);
    let thrown = "export default (p, ctx) => { throw new Error('x'.repeat(2040) + ctx.secrets.API_KEY) }";
    let finished = run(&sandbox, thrown).await;
    assert!(finished.truncated);
    let (_, message, ..) = fault(finished);
    assert!(!message.contains("canary") && message.ends_with("*…"), "{}", &message[2030..]);
}

#[tokio::test]
async fn t16_no_import_no_timers_no_process() {
    let sandbox = sandbox().await;
    let (kind, message, ..) = fault(run(&sandbox, "import fs from 'fs';\nexport default () => 1").await);
    assert_eq!(kind, FaultKind::Syntax, "{message}");
    let dynamic = "export default async () => (await import('fs')).default";
    assert_eq!(fault(run(&sandbox, dynamic).await).0, FaultKind::Thrown);
    let code = "export default () => ['setTimeout', 'setInterval', 'process', 'require', 'Deno', 'fetch', 'os', 'std',
        'performance', 'scriptArgs', 'print', 'console', 'Worker'].filter((name) => name in globalThis)";
    assert_eq!(value(&sandbox, code).await, json!([]));
}

#[tokio::test]
async fn t16_a_promise_that_nothing_settles_ends_at_once() {
    let sandbox = sandbox().await;
    let forever = "export default () => new Promise(() => {})";
    assert_eq!(fault(run(&sandbox, forever).await).0, FaultKind::NeverSettled);
    let module = "await new Promise(() => {}); export default () => 1";
    assert_eq!(fault(run(&sandbox, module).await).0, FaultKind::NeverSettled);
}

#[tokio::test]
async fn t16_saving_is_checked_without_calling() {
    let sandbox = sandbox().await;
    assert_eq!(sandbox.check("export default () => { throw new Error('not called') }").await, Ok(()));
    let fault = sandbox.check("export default () =>\n  {{").await.expect_err("no module");
    assert_eq!((fault.kind, fault.line), (FaultKind::Syntax, Some(2)));
    for code in ["", "export const a = 1", "export default 1", "export default {}"] {
        let checked = sandbox.check(code).await.map_err(|fault| fault.kind);
        assert_eq!(checked, Err(FaultKind::NoFunction), "{code}");
    }
}

#[tokio::test]
async fn t16_random_numbers_are_not_shared_between_calls() {
    let sandbox = sandbox().await;
    let code = "export default () => [Math.random(), Math.random()]";
    let (one, two) = (value(&sandbox, code).await, value(&sandbox, code).await);
    assert_ne!(one, two);
    assert_ne!(one[0], one[1]);
}
