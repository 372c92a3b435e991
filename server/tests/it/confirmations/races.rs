//! S20: whoever is first decides, alone.

use super::{decide, execution, question};
use crate::workshop::{Backend, Upstream, agent, json_answer, pending, webhook_tool, workshop};
use futures::{StreamExt, stream};
use serde_json::{Value, json};

/// More connections than this are not opened at once.
const AT_ONCE: usize = 200;

/// So many, every other one against it, who take turns at the given doors: the verb of the one who won.
async fn race_at(doors: &[&Backend], asked: &Value, racers: usize) -> &'static str {
    let all = (0..racers).map(|n| async move {
        let verb = if n % 2 == 0 { "approve" } else { "refuse" };
        // Both verbs at both of two doors, and neither always first.
        let door = doors[n / 2 % doors.len()];
        loop {
            let answer = decide(door, verb, asked, json!({})).await;
            // The queue was too long, and nothing was decided: whoever hears that asks again.
            if answer.status() != 503 {
                break (verb, answer);
            }
        }
    });
    let mut winners = Vec::new();
    let mut answers = stream::iter(all).buffer_unordered(AT_ONCE);
    while let Some((verb, answer)) = answers.next().await {
        match answer.status().as_u16() {
            200 => winners.push(verb),
            _ => assert_eq!(crate::app::problem(answer).await, (409, "already_decided".to_owned())),
        }
    }
    assert_eq!(winners.len(), 1, "{winners:?}");
    winners[0]
}

/// A thousand on one confirmation, at two processes on one database.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s20_a_thousand_racers_one_winner_one_effect() {
    let (app, owner) = workshop().await;
    agent(&owner, "vendas", &["createTask"], "always").await;
    let replica = app.replica().await;
    let there = replica.backend_of(owner.key.clone());
    let asked = pending(&owner, "createTask", "vendas", json!({ "title": "x" })).await;
    let winner = race_at(&[&owner, &there], &asked, 1_000).await;
    let tasks = app.count("SELECT count(*) FROM tasks").await;
    assert_eq!(tasks, i64::from(winner == "approve"));
    let (row, question) = (execution(&owner, &asked).await, question(&owner, &asked).await);
    let wanted = if winner == "approve" { ("success", "approved") } else { ("refused", "refused") };
    assert_eq!((&row["status"], &question["status"]), (&json!(wanted.0), &json!(wanted.1)));
    let decisions = "SELECT count(*) FROM audit_entries WHERE action = 'confirmation.decide'";
    assert_eq!(app.count(decisions).await, 1);
}

/// Four racers each, at two processes on one database, many races at a time.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s20_a_thousand_races_have_one_winner_each() {
    const RACES: usize = 1_000;
    let (app, owner) = workshop().await;
    agent(&owner, "vendas", &["createTask"], "always").await;
    let replica = app.replica().await;
    let there = replica.backend_of(owner.key.clone());
    let one = |number: usize| {
        let (owner, there) = (&owner, &there);
        async move {
            let asked = pending(owner, "createTask", "vendas", json!({ "title": number.to_string() })).await;
            race_at(&[owner, there], &asked, 4).await
        }
    };
    let verbs: Vec<_> = stream::iter((0..RACES).map(one)).buffer_unordered(32).collect().await;
    assert_eq!(verbs.len(), RACES);
    let approved = verbs.iter().filter(|verb| **verb == "approve").count() as i64;
    let refused = RACES as i64 - approved;
    assert!(approved > 0 && refused > 0, "both sides win some: {approved} and {refused}");
    assert_eq!(app.count("SELECT count(*) FROM tasks").await, approved);
    assert_eq!(app.count("SELECT count(DISTINCT title) FROM tasks").await, approved);
    assert_eq!(app.count("SELECT count(*) FROM executions WHERE status = 'success'").await, approved);
    assert_eq!(app.count("SELECT count(*) FROM executions WHERE status = 'refused'").await, refused);
    let decisions = "SELECT count(*) FROM audit_entries WHERE action = 'confirmation.decide'";
    assert_eq!(app.count(decisions).await, RACES as i64, "each decision is recorded once");
}

/// Two processes, one database.
#[tokio::test]
async fn s20_racers_at_two_processes_reach_the_upstream_once() {
    let (app, owner) = workshop().await;
    let upstream = Upstream::start(|_| json_answer(json!(1))).await;
    owner.post(201, "/tools", webhook_tool("hook", &upstream.url)).await;
    agent(&owner, "vendas", &["hook"], "always").await;
    let replica = app.replica().await;
    let there = replica.backend_of(owner.key.clone());
    for round in 1..=10 {
        let asked = pending(&owner, "hook", "vendas", json!({ "title": "x" })).await;
        let all =
            (0..6).map(|n| decide(if n % 2 == 0 { &owner } else { &there }, "approve", &asked, json!({})));
        let answers = futures::future::join_all(all).await;
        let winners = answers.iter().filter(|answer| answer.status() == 200).count();
        let losers = answers.iter().filter(|answer| answer.status() == 409).count();
        assert_eq!((winners, losers, upstream.asked().len()), (1, 5, round));
    }
}
