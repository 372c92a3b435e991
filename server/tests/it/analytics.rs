//! T18: how often, how fast, how well: by tool, and hour by hour.

use crate::workshop::{Backend, Upstream, agent, id, json_answer, webhook_tool, workshop};
use axum::{
    body::Body,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use domain::TenantRole;
use reqwest::Method;
use serde_json::{Value, json};
use std::convert::Infallible;
use store::statistics::SPANS;

/// Of these, 95% are one less than all: the 95th percentile is another call than the 99th.
const CALLS: usize = 20;
/// How long the call takes that gets no answer.
const TIME_LIMIT_MS: i64 = 500;

/// The third call fails at once. The fifth gets a body that never ends: the time limit of the tool does.
fn reply(count: usize) -> Response {
    match count {
        3 => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        5 => {
            Body::from_stream(futures::stream::pending::<Result<&'static str, Infallible>>()).into_response()
        }
        _ => json_answer(json!({ "ok": true })),
    }
}

/// A tool at that address; its id.
async fn hook(owner: &Backend, upstream: &Upstream) -> String {
    id(&owner.post(201, "/tools", webhook_tool("hook", &upstream.url)).await)
}

async fn call(owner: &Backend, tool: &str) -> Value {
    owner.post(200, &format!("/tools/{tool}/execute"), json!({ "params": { "title": "x" } })).await
}

/// What the statistics of all time say about the tool.
async fn counted(owner: &Backend, tool: &str) -> Value {
    let all = owner.get("/analytics/tools").await;
    let found = all["data"].as_array().unwrap().iter().find(|row| row["tool_id"] == tool).cloned();
    found.unwrap_or_else(|| panic!("{tool} is not in {all}"))
}

/// The calls of the tool, newest first.
async fn history(owner: &Backend, tool: &str) -> Vec<Value> {
    let rows = owner.get(&format!("/tools/{tool}/executions?limit=200")).await;
    rows["data"].as_array().unwrap().clone()
}

/// What the calls took, the shortest first.
fn times(history: &[Value]) -> Vec<i64> {
    let mut times: Vec<i64> = history.iter().map(|row| row["execution_time_ms"].as_i64().unwrap()).collect();
    times.sort_unstable();
    times
}

/// Single times are not kept, only how many fell into which span: a percentile is told to within the span of the call
/// that it is about.
fn assert_percentile(told: &Value, share: f64, times: &[i64]) {
    let told = told.as_f64().unwrap();
    let rank = (share * times.len() as f64).ceil() as usize;
    let exact = times[rank - 1];
    let span = SPANS.partition_point(|end| *end < exact);
    let least = span.checked_sub(1).map_or(0, |before| SPANS[before] + 1);
    let most = SPANS.get(span).map_or(f64::INFINITY, |end| *end as f64);
    assert!((least as f64..=most).contains(&told), "{share}: {told}, but it was {exact} of {times:?}");
}

#[tokio::test]
async fn t18_counts_means_and_percentiles_are_those_of_the_calls_in_the_history() {
    let (app, owner) = workshop().await;
    let upstream = Upstream::start(reply).await;
    let tool = hook(&owner, &upstream).await;
    owner.put(&format!("/tools/{tool}"), json!({ "timeout_ms": TIME_LIMIT_MS })).await;
    let none = counted(&owner, &tool).await;
    assert_eq!((&none["executions"], &none["last_executed_at"]), (&json!(0), &Value::Null));

    let took = call(&owner, &tool).await["execution_time_ms"].as_f64();
    let first = counted(&owner, &tool).await;
    for figure in ["mean_ms", "p50_ms", "p95_ms", "p99_ms"] {
        assert_eq!(first[figure].as_f64(), took, "{figure} of one call is that call: {first}");
    }

    for _ in 1..CALLS {
        call(&owner, &tool).await;
    }
    let history = history(&owner, &tool).await;
    let times = times(&history);
    assert_eq!(times.len(), CALLS);
    assert!(times[CALLS - 1] > TIME_LIMIT_MS / 2, "one was slow: {times:?}");
    let failed = history.iter().filter(|row| row["status"] == "error").count();
    assert!(failed >= 2, "one was answered 500, and one not at all");

    let all = counted(&owner, &tool).await;
    assert_eq!((&all["executions"], &all["errors"]), (&json!(CALLS), &json!(failed)), "{all}");
    let close = |told: &Value, exact: f64| (told.as_f64().unwrap() - exact).abs() < 0.01;
    assert!(close(&all["error_rate"], failed as f64 / CALLS as f64), "{all}");
    // The sum of all times is kept: the mean is exact, but for its third decimal.
    assert!(close(&all["mean_ms"], times.iter().sum::<i64>() as f64 / CALLS as f64), "{all} {times:?}");
    for (figure, share) in [("p50_ms", 0.5), ("p95_ms", 0.95), ("p99_ms", 0.99)] {
        assert_percentile(&all[figure], share, &times);
    }

    let shown = owner.get(&format!("/tools/{tool}")).await;
    assert_eq!(shown["avg_execution_time_ms"], all["mean_ms"]);
    assert_eq!((&shown["execution_count"], &shown["error_count"]), (&all["executions"], &all["errors"]));
    assert_eq!(shown["last_executed_at"], history[0]["finished_at"], "when the newest ended");
    assert_eq!(all["last_executed_at"], shown["last_executed_at"]);

    app.tenant("Outra", "outra").await;
    let theirs = app.backend("outra", TenantRole::Owner).await.get("/analytics/tools").await;
    let theirs = theirs["data"].as_array().unwrap();
    assert!(!theirs.is_empty() && theirs.iter().all(|row| row["executions"] == 0), "s9: {theirs:?}");
}

/// Executions and errors of each hour.
fn by_hour(hours: &Value) -> Vec<(i64, i64)> {
    let number = |hour: &Value, name: &str| hour[name].as_i64().unwrap();
    let rows = hours["data"].as_array().unwrap().iter();
    rows.map(|hour| (number(hour, "executions"), number(hour, "errors"))).collect()
}

#[tokio::test]
async fn t18_hours_are_told_apart_and_a_span_of_time_leaves_the_others_out() {
    let (app, owner) = workshop().await;
    let upstream = Upstream::start(|count| match count {
        1 => json_answer(json!({ "ok": true })),
        _ => StatusCode::BAD_GATEWAY.into_response(),
    })
    .await;
    let tool = hook(&owner, &upstream).await;
    call(&owner, &tool).await;
    // One call is in one hour, whatever the clock says by now. Under the hour 0 is the sum of all.
    app.change("UPDATE tool_hours SET hour = hour - 1 WHERE hour > 0").await;
    call(&owner, &tool).await;

    let hours = owner.get("/analytics/hours").await;
    assert_eq!(by_hour(&hours), [(1, 0), (1, 1)], "oldest first: {hours}");
    let start = |at: usize| hours["data"][at]["hour"].as_str().unwrap();
    let (earlier, later) = (start(0), start(1));
    assert!(earlier < later, "{hours}");
    let other = id(&owner.get("/tools?q=createTask").await["data"][0]);
    for (query, wanted) in [
        (format!("from={later}"), vec![(1, 1)]),
        (format!("to={earlier}"), vec![(1, 0)]),
        (format!("from={earlier}&to={later}"), vec![(1, 0), (1, 1)]),
        (format!("tool_id={tool}"), vec![(1, 0), (1, 1)]),
        (format!("tool_id={tool}&from={later}"), vec![(1, 1)]),
        (format!("tool_id={other}"), vec![]),
    ] {
        assert_eq!(by_hour(&owner.get(&format!("/analytics/hours?{query}")).await), wanted, "{query}");
    }
    let all = counted(&owner, &tool).await;
    assert_eq!((&all["executions"], &all["errors"]), (&json!(2), &json!(1)), "since the beginning");
}

/// Name and calls of each tool, in the order of the answer.
fn by_tool(tools: &Value) -> Vec<(&str, i64)> {
    let rows = tools["data"].as_array().unwrap().iter();
    rows.map(|row| (row["tool_name"].as_str().unwrap(), row["executions"].as_i64().unwrap())).collect()
}

#[tokio::test]
async fn t18_tools_are_told_within_a_span_of_time_the_busiest_first() {
    let (app, owner) = workshop().await;
    let upstream = Upstream::start(|_| json_answer(json!({ "ok": true }))).await;
    let tool = hook(&owner, &upstream).await;
    let task = id(&owner.get("/tools?q=createTask").await["data"][0]);
    call(&owner, &tool).await;
    app.change("UPDATE tool_hours SET hour = hour - 1 WHERE hour > 0").await;
    for again in [&task, &tool, &tool] {
        call(&owner, again).await;
    }

    let hours = owner.get("/analytics/hours").await;
    let start = |at: usize| hours["data"][at]["hour"].as_str().unwrap();
    let (earlier, later) = (start(0), start(1));
    for (query, wanted) in [
        (format!("to={earlier}"), vec![("hook", 1)]),
        (format!("from={later}"), vec![("hook", 2), ("createTask", 1)]),
        (format!("from={earlier}"), vec![("hook", 3), ("createTask", 1)]),
    ] {
        assert_eq!(by_tool(&owner.get(&format!("/analytics/tools?{query}")).await), wanted, "{query}");
    }
    let everything = owner.get("/analytics/tools").await;
    assert!(by_tool(&everything).iter().any(|(_, calls)| *calls == 0), "without a span every tool is there");

    let reversed = format!("/analytics/tools?from={later}&to={earlier}");
    let refused = owner.refused(Method::GET, &reversed, None).await;
    assert_eq!(refused, (422, "validation_failed".to_owned()));
    app.tenant("Outra", "outra").await;
    let stranger = app.backend("outra", TenantRole::Owner).await;
    let theirs = stranger.get(&format!("/analytics/tools?from={earlier}")).await;
    assert!(by_tool(&theirs).is_empty(), "s9: {theirs}");
}

/// Everything that is counted, as the API shows it.
async fn figures(owner: &Backend, tool: &str) -> Vec<Value> {
    let tool = format!("/tools/{tool}");
    let mut all = Vec::new();
    for path in ["/analytics/tools", "/analytics/hours", "/analytics/agents", &tool] {
        all.push(owner.get(path).await);
    }
    all
}

#[tokio::test]
async fn t18_counts_stay_when_the_history_is_deleted() {
    let (app, owner) = workshop().await;
    let upstream = Upstream::start(|count| match count {
        2 => StatusCode::BAD_GATEWAY.into_response(),
        _ => json_answer(json!({ "ok": true })),
    })
    .await;
    let tool = hook(&owner, &upstream).await;
    agent(&owner, "vendas", &["hook"], "never").await;
    let call = || owner.call("hook", "vendas", json!({ "title": "x" }));
    for _ in 0..3 {
        assert_eq!(call().await.status(), 200);
    }
    let before = figures(&owner, &tool).await;
    let (counts, agents) = (counted(&owner, &tool).await, &before[2]["data"][0]);
    assert_eq!((&counts["executions"], &counts["errors"]), (&json!(3), &json!(1)));
    assert_eq!((&agents["executions"], &agents["errors"]), (&json!(3), &json!(1)));

    app.change("DELETE FROM executions").await;
    assert_eq!(owner.get("/executions").await["data"], json!([]), "the history is gone");
    assert_eq!(figures(&owner, &tool).await, before, "nothing of it was made by reading the history");
    assert_eq!(call().await.status(), 200);
    assert_eq!(counted(&owner, &tool).await["executions"], 4, "and it goes on from there");
}
