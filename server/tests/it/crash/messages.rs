//! S21: the process is killed while scheduled messages are on their way, again and again. Each of them arrives under one
//! id, its own, however often it had to be sent; none is lost, and the record says of each once that it was sent.

use super::{all_rows, column, command, ids_by, ready, rounds};
use crate::{
    app::{fresh_database, raw_sql},
    cli::Serving,
    workshop::{Backend, Upstream, id, until},
};
use reqwest::Method;
use sea_orm::ConnectionTrait;
use serde_json::json;
use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
    time::Duration,
};
use tokio::sync::Semaphore;

/// Due at once, in each round.
const MESSAGES: usize = 12;
/// How many of them get an answer before the process is killed, round by round.
const ANSWERED: [usize; 5] = [6, 1, 11, 3, 9];
/// More answers than are ever asked for.
const ANY: usize = 1_000;

/// A receiver that answers as often as it is let.
struct Sink {
    upstream: Upstream,
    gate: Arc<Semaphore>,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s21_killed_with_messages_due_each_is_delivered_once() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let (database, _kept) = fresh_database().await;
    let make = |arguments: &[&str]| command(data, &database, arguments);
    make(&["tenant", "create", "--name", "Queda", "--slug", "queda"]);
    let key = make(&["api-key", "create", "--name", "k", "--tenant", "queda", "--role", "owner"]);
    let (upstream, gate) = Upstream::held().await;
    let sink = Sink { upstream, gate };
    let (mut planned, mut left, mut contact) = (HashSet::new(), Vec::new(), String::new());
    for round in 0..rounds() {
        let mut serving = ready(data, &database).await;
        let owner = Backend::at(&serving.url, Some(key.clone()));
        if round == 0 {
            contact = set_up(&owner, &sink).await;
        }
        sink.take_all(&owner, &left).await;
        left = plan(&owner, &contact, round).await;
        planned.extend(left.iter().cloned());
        kill_in_the_middle(&mut serving, &sink, &database, round).await;
    }
    let serving = ready(data, &database).await;
    let owner = Backend::at(&serving.url, Some(key));
    sink.take_all(&owner, &left).await;
    check(&owner, &database, &planned, &sink.upstream).await;
    drop(serving);
    make(&["audit", "verify"]);
}

/// The channel that leads to the sink, and somebody to write to.
async fn set_up(owner: &Backend, sink: &Sink) -> String {
    let channel = json!({ "url": sink.upstream.url });
    owner.expect(201, Method::PUT, "/channels/webhook", Some(channel)).await;
    id(&owner.post(201, "/contacts", json!({ "name": "Ana", "phone": "+5511900000001" })).await)
}

/// `make_due` brings the moment, for all of them at once.
async fn plan(owner: &Backend, contact: &str, round: usize) -> Vec<String> {
    let at = domain::Timestamp::from(store::Moment::now().plus(time::Duration::hours(1)));
    let mut all = Vec::new();
    for number in 0..MESSAGES {
        let text = format!("{round}-{number}");
        let body = json!({ "contact_id": contact, "channel": "web", "text": text, "send_at": at });
        all.push(id(&owner.post(201, "/scheduled-messages", body).await));
    }
    all
}

async fn make_due(database: &str) {
    let sql = raw_sql(database).await;
    let due = "UPDATE scheduled_messages SET send_at = 1 WHERE status = 'scheduled'";
    sql.execute_unprepared(due).await.unwrap();
    sql.close().await.unwrap();
}

/// Kills it once the answers of this round are used up: what was answered last is hardly recorded yet, others are taken
/// and not sent. In every second round one more has arrived by then, and gets no answer.
async fn kill_in_the_middle(serving: &mut Serving, sink: &Sink, database: &str, round: usize) {
    let answered = ANSWERED[round % ANSWERED.len()];
    let wanted = sink.upstream.asked().len() + answered + (round + 1) % 2;
    sink.gate.add_permits(answered);
    make_due(database).await;
    let in_the_middle = async {
        while sink.gate.available_permits() > 0 || sink.upstream.asked().len() < wanted {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), in_the_middle).await.expect("messages leave");
    serving.child.kill().unwrap();
    serving.child.wait().unwrap();
}

impl Sink {
    /// Answers everybody until these were sent, and nobody from then on.
    async fn take_all(&self, owner: &Backend, messages: &[String]) {
        self.gate.add_permits(ANY);
        for message in messages {
            until("sent", || async {
                let row = owner.get(&format!("/scheduled-messages/{message}")).await;
                assert_ne!(row["status"], "failed", "{row}");
                (row["status"] == "sent").then_some(())
            })
            .await;
        }
        self.gate.forget_permits(ANY);
    }
}

async fn check(owner: &Backend, database: &str, planned: &HashSet<String>, sink: &Upstream) {
    let rows = all_rows(owner, "/scheduled-messages?status=sent").await;
    assert_eq!(&rows.iter().map(id).collect::<HashSet<_>>(), planned, "every one was sent");
    let own: HashMap<String, HashSet<String>> =
        planned.iter().map(|id| (id.clone(), HashSet::from([id.clone()]))).collect();
    assert_eq!(ids_by(sink, |body| &body["message_id"]), own, "each under its own id, and under no other");
    let mut arrived = HashMap::<String, Vec<Vec<u8>>>::new();
    for asked in sink.asked() {
        assert_eq!(asked.headers["idempotency-key"], asked.headers["webhook-id"]);
        let id = asked.headers["webhook-id"].to_str().unwrap().to_owned();
        arrived.entry(id).or_default().push(asked.body);
    }
    for row in &rows {
        let (bodies, attempts) = (&arrived[&id(row)], row["attempts"].as_u64().unwrap());
        assert!(bodies.iter().all(|body| *body == bodies[0]), "the same on every attempt: {row}");
        assert!(attempts <= 2, "one kill costs one attempt at most: {row}");
        assert!(bodies.len() as u64 <= attempts, "nothing leaves that was not taken first: {row}");
    }
    let repeated = sink.asked().len() - planned.len();
    assert!(repeated >= rounds().div_ceil(2), "what got no answer was sent again: {repeated}");
    let query = "SELECT subject_id FROM audit_entries \
        WHERE action = 'scheduled_message.deliver' AND after LIKE '%\"sent\"%'";
    let recorded = column(database, query).await;
    assert_eq!(recorded.len(), planned.len(), "its end is recorded once");
    assert_eq!(&recorded.into_iter().collect::<HashSet<_>>(), planned);
}
