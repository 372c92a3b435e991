use super::*;
use domain::execution::ConfirmationStatus;
use futures::FutureExt;
use store::Epoch;

async fn commit(db: &Database, orders: Vec<Order>, notes: Vec<NewEntry>) -> Vec<ServiceResult<Placed>> {
    Writer::new(db.for_one_writer().await.unwrap()).commit(orders, notes).await.placed
}

/// A file, because calls are written over a connection of their own.
struct Kept {
    db: Database,
    _folder: tempfile::TempDir,
}

impl std::ops::Deref for Kept {
    type Target = Database;

    fn deref(&self) -> &Database {
        &self.db
    }
}

async fn database() -> Kept {
    let folder = tempfile::tempdir().unwrap();
    let db = Database::connect(&format!("sqlite://{}/calls.db", folder.path().display())).await.unwrap();
    db.migrate().await.unwrap();
    Kept { db, _folder: folder }
}

fn row(status: ExecutionStatus) -> Execution {
    Execution {
        id: Uuid::now_v7(),
        tenant_id: Uuid::now_v7(),
        tool_id: Uuid::now_v7(),
        tool_name: "hook".to_owned(),
        tool_version: 1,
        agent_id: None,
        conversation_id: None,
        actor_kind: "operator".to_owned(),
        actor_id: None,
        actor_name: "operator".to_owned(),
        status: status.as_str().to_owned(),
        params: "{}".to_owned(),
        sealed_params: None,
        result: None,
        error_code: None,
        error_message: None,
        truncated: false,
        test_mode: false,
        execution_time_ms: Some(1),
        confirmation_id: None,
        process_id: None,
        executed_at: Moment::now(),
        started_at: Some(Moment::now()),
        finished_at: None,
        log: None,
        circumstances: None,
        audit_seq: None,
    }
}

fn order(row: Execution, step: Step) -> Order {
    Order { row: Box::new(row), step, basis: None, key: None }
}

fn question(of: &Execution, id: Uuid) -> Step {
    Step::Ask(Box::new(Confirmation {
        id,
        tenant_id: of.tenant_id,
        execution_id: of.id,
        tool_id: of.tool_id,
        tool_name: of.tool_name.clone(),
        agent_id: None,
        status: ConfirmationStatus::Pending.as_str().to_owned(),
        binding: String::new(),
        params: "{}".to_owned(),
        edited_params: None,
        plan: None,
        reason: String::new(),
        requested_by_kind: "operator".to_owned(),
        requested_by_id: None,
        requested_by: "operator".to_owned(),
        second_person: false,
        decided_by: None,
        decided_at: None,
        note: None,
        expires_at: Moment::now(),
        created_at: Moment::now(),
    }))
}

fn end(of: &Execution, status: ExecutionStatus) -> Order {
    order(Execution { status: status.as_str().to_owned(), ..of.clone() }, Step::Update)
}

#[tokio::test]
async fn s21_what_the_database_refuses_of_one_fails_nobody_else() {
    let db = database().await;
    let same = Uuid::now_v7();
    let waits = || row(ExecutionStatus::Pending);
    let (first, second) = (waits(), waits());
    let orders = vec![
        order(row(ExecutionStatus::Success), Step::Write),
        order(first.clone(), question(&first, same)),
        order(second.clone(), question(&second, same)),
        order(row(ExecutionStatus::Success), Step::Write),
    ];
    let calls: Vec<(Uuid, Uuid)> = orders.iter().map(|order| (order.row.tenant_id, order.row.id)).collect();
    let placed = commit(&db, orders, Vec::new()).await;
    let is_written: Vec<bool> = placed.iter().map(|one| matches!(one, Ok(Placed::Written(_)))).collect();
    assert_eq!(is_written, [true, true, false, true]);
    let rows = store::executions::hold_open(&db.begin().await.unwrap(), &calls).await.unwrap();
    assert_eq!(rows, [vec![], vec![calls[1].1]], "the one that was refused left nothing behind");
}

/// Two believe that the call is theirs to end: the first one's word stands, and is the only record.
#[tokio::test]
async fn s21_a_call_ends_once() {
    let db = database().await;
    let call = row(ExecutionStatus::Running);
    let tenant = Some(TenantId(call.tenant_id));
    commit(&db, vec![order(call.clone(), Step::Write)], Vec::new()).await;
    let both = vec![end(&call, ExecutionStatus::Success), end(&call, ExecutionStatus::Unknown)];
    let placed = commit(&db, both, Vec::new()).await;
    assert!(matches!(placed[..], [Ok(Placed::Written(_)), Ok(Placed::Ended)]));
    let late = commit(&db, vec![end(&call, ExecutionStatus::Error)], Vec::new()).await;
    assert!(matches!(late[..], [Ok(Placed::Ended)]));
    let tx = db.begin().await.unwrap();
    let entries = store::audit::entries_after(&tx, tenant, 0, 10).await.unwrap();
    assert_eq!(entries.len(), 1);
    let kept = store::executions::find(&tx, TenantId(call.tenant_id), domain::ExecutionId(call.id)).await;
    assert_eq!(kept.unwrap().unwrap().status, "success");
}

fn by(name: &str, tenant: Uuid) -> Order {
    let done = row(ExecutionStatus::Success);
    order(Execution { tenant_id: tenant, actor_name: name.to_owned(), ..done }, Step::Write)
}

/// One link of the chain covers the calls of one caller; every call knows which.
#[tokio::test]
async fn b4_calls_of_one_caller_in_one_commit_share_an_entry() {
    let db = database().await;
    let tenant = Uuid::now_v7();
    let waits =
        Execution { tenant_id: tenant, actor_name: "ana".to_owned(), ..row(ExecutionStatus::Pending) };
    let asked = order(waits.clone(), question(&waits, Uuid::now_v7()));
    let orders = vec![by("ana", tenant), by("bia", tenant), by("ana", tenant), asked];
    let placed = commit(&db, orders, Vec::new()).await;
    let places: Vec<Option<i64>> = placed.iter().map(|one| place_of(one.as_ref().ok())).collect();
    assert_eq!(places, [Some(1), Some(2), Some(1), Some(3)], "one that waits has an entry of its own");

    let tx = db.begin().await.unwrap();
    let entries = store::audit::entries_after(&tx, Some(TenantId(tenant)), 0, 10).await.unwrap();
    let after = |at: usize| match &entries[at].entry.content {
        ledger::Content::Kept(texts) => {
            serde_json::from_str::<serde_json::Value>(texts.after.as_ref().unwrap()).unwrap()
        }
        ledger::Content::Erased(_) => panic!("nothing was erased"),
    };
    assert_eq!(entries.len(), 3);
    assert_eq!(after(0)["calls"].as_array().unwrap().len(), 2);
    assert_eq!(after(0)["calls"][1]["execution_id"], row_of(&placed[2]).id.to_string());
    assert_eq!(after(1)["status"], "success", "alone, it is said as ever");
    let mut verifier = ledger::Verifier::new(&[]);
    entries.iter().for_each(|entry| verifier.entry(entry).unwrap());
}

fn row_of(placed: &ServiceResult<Placed>) -> &Execution {
    match placed {
        Ok(Placed::Written(row)) => row,
        _ => panic!("it was not written"),
    }
}

fn place_of(placed: Option<&Placed>) -> Option<i64> {
    match placed {
        Some(Placed::Written(row)) => row.audit_seq,
        _ => None,
    }
}

fn of(tenant: Uuid, status: ExecutionStatus) -> Execution {
    Execution { tenant_id: tenant, ..row(status) }
}

/// A call that was decided now.
async fn decided(db: &Database, row: Execution) -> Order {
    let now = store::epochs::hold(&db.begin().await.unwrap()).await.unwrap();
    let basis = Basis { tools: now.tools, rights: Some(now.rights) };
    Order { basis: Some(basis), ..order(row, Step::Write) }
}

/// A writer that has written to the chain of this tenant.
async fn writer(db: &Database, tenant: Uuid) -> Writer {
    let mut writer = Writer::new(db.for_one_writer().await.unwrap());
    let first = decided(db, of(tenant, ExecutionStatus::Success)).await;
    let placed = writer.commit(vec![first], Vec::new()).await.placed;
    assert!(matches!(placed[..], [Ok(Placed::Written(_))]));
    writer
}

/// How long the chain of this tenant is; every link of it holds.
async fn length_of_chain(db: &Database, tenant: Uuid) -> usize {
    let tx = db.begin().await.unwrap();
    let entries = store::audit::entries_after(&tx, Some(TenantId(tenant)), 0, 100).await.unwrap();
    let mut verifier = ledger::Verifier::new(&[]);
    entries.iter().for_each(|entry| verifier.entry(entry).unwrap());
    entries.len()
}

#[tokio::test]
async fn b4_where_a_chain_ends_is_remembered_and_never_taken_for_granted() {
    let db = database().await;
    let tenant = Uuid::now_v7();
    let mut ours = writer(&db, tenant).await;
    let done = || of(tenant, ExecutionStatus::Success);
    let placed = ours.at_once(vec![decided(&db, done()).await], &[]).await;
    assert!(placed.is_ok(), "nothing had to be asked");

    let mut theirs = writer(&db, tenant).await;
    let next = decided(&db, done()).await;
    assert!(ours.at_once(vec![next.clone()], &[]).await.is_err(), "somebody else has added an entry");
    let placed = ours.commit(vec![next], Vec::new()).await.placed;
    assert_eq!(place_of(placed[0].as_ref().ok()), Some(4));
    let placed = theirs.commit(vec![decided(&db, done()).await], Vec::new()).await.placed;
    assert_eq!(place_of(placed[0].as_ref().ok()), Some(5), "and so have we");
    assert_eq!(length_of_chain(&db, tenant).await, 5);
}

#[tokio::test]
async fn s23_what_was_decided_before_a_change_does_not_begin_at_once_either() {
    let db = database().await;
    let tenant = Uuid::now_v7();
    let mut writer = writer(&db, tenant).await;
    for (tools, rights) in [(1, 0), (0, 1)] {
        let mut late = decided(&db, of(tenant, ExecutionStatus::Running)).await;
        let id = domain::ExecutionId(late.row.id);
        let now = late.basis.unwrap();
        let was = |epoch: Epoch, back| Epoch(epoch.0 - back);
        late.basis =
            Some(Basis { tools: was(now.tools, tools), rights: now.rights.map(|now| was(now, rights)) });
        writer.hope = Hope::default();
        let placed = writer.commit(vec![late], Vec::new()).await.placed;
        assert!(matches!(placed[..], [Ok(Placed::Stale)]));
        let kept = store::executions::find(&db.begin().await.unwrap(), TenantId(tenant), id).await.unwrap();
        assert_eq!(kept, None);
    }
}

#[tokio::test]
async fn s21_a_call_that_began_at_once_ends_once() {
    let db = database().await;
    let tenant = Uuid::now_v7();
    let mut writer = writer(&db, tenant).await;
    let call = of(tenant, ExecutionStatus::Running);
    assert!(writer.at_once(vec![decided(&db, call.clone()).await], &[]).await.is_ok());
    let ends = vec![end(&call, ExecutionStatus::Success), end(&call, ExecutionStatus::Unknown)];
    let placed = writer.commit(ends, Vec::new()).await.placed;
    assert!(matches!(placed[..], [Ok(Placed::Written(_)), Ok(Placed::Ended)]));
    writer.hope = Hope::default();
    let again = writer.at_once(vec![end(&call, ExecutionStatus::Error)], &[]).await;
    assert!(again.is_err(), "nothing is written over an end");
    let (tx, id) = (db.begin().await.unwrap(), domain::ExecutionId(call.id));
    let kept = store::executions::find(&tx, TenantId(tenant), id).await.unwrap().unwrap();
    drop(tx);
    assert_eq!((kept.status.as_str(), kept.audit_seq), ("success", Some(2)));
    assert_eq!(length_of_chain(&db, tenant).await, 2);
}

/// Group commit: one that is being written keeps the writer busy, and all who come meanwhile share the next commit.
#[tokio::test]
async fn b4_calls_that_wait_at_the_same_time_share_one_commit() {
    const MANY: usize = 30;
    let db = database().await;
    let (desk, tenant) = (crate::calls::Desk::start(&db), Uuid::now_v7());
    // On SQLite nobody else writes until this is over.
    let busy = db.begin().await.unwrap();
    let done = || Box::new(order(of(tenant, ExecutionStatus::Success), Step::Write));
    let mut all = std::pin::pin!(futures::future::join_all((0..MANY).map(|_| desk.submit(done()))));
    assert!(all.as_mut().now_or_never().is_none(), "all of them are handed in, and wait");
    drop(busy);
    let placed = all.await;
    let places: HashSet<Option<i64>> = placed.iter().map(|one| place_of(one.as_ref().ok())).collect();
    assert!(!places.contains(&None), "each is written");
    assert!(places.len() <= 2, "one commit of those who came first, and one of the others: {places:?}");
    assert_eq!(length_of_chain(&db, tenant).await, places.len());
}

async fn history(db: &Database, tenant: Uuid) -> Vec<(Uuid, String)> {
    let page = domain::Page { limit: 10, before: None };
    let rows =
        store::executions::list(db.reader(), TenantId(tenant), &Default::default(), page).await.unwrap();
    rows.into_iter().map(|row| (row.id, row.status)).collect()
}

/// A call that runs is an intent, one that has ended is history: whoever looks sees it once, whichever way it was written.
#[tokio::test]
async fn s21_a_call_is_seen_once_while_it_runs_and_once_when_it_is_over() {
    let db = database().await;
    let tenant = Uuid::now_v7();
    for is_hopeful in [true, false] {
        let mut writer = writer(&db, tenant).await;
        let call = of(tenant, ExecutionStatus::Running);
        let steps = [
            (decided(&db, call.clone()).await, "running"),
            (end(&call, ExecutionStatus::Running), "running"),
            (end(&call, ExecutionStatus::Success), "success"),
        ];
        for (order, status) in steps {
            if !is_hopeful {
                writer.hope.lose();
            }
            assert!(matches!(
                writer.commit(vec![order], Vec::new()).await.placed[..],
                [Ok(Placed::Written(_))]
            ));
            assert_eq!(history(&db, tenant).await[0], (call.id, status.to_owned()));
        }
    }
    assert_eq!(history(&db, tenant).await.len(), 4, "with the first one of each writer");
}

/// An older version wrote calls that run into the history. One that is taken over stays there, and is never in two places.
#[tokio::test]
async fn s21_a_call_that_an_older_version_began_is_taken_over_where_it_is() {
    let db = database().await;
    let call = row(ExecutionStatus::Pending);
    let asked = order(call.clone(), question(&call, Uuid::now_v7()));
    commit(&db, vec![asked], Vec::new()).await;
    // As it wrote it: running, and never asked about.
    for status in [ExecutionStatus::Running, ExecutionStatus::Success] {
        let placed = commit(&db, vec![end(&call, status)], Vec::new()).await;
        assert!(matches!(placed[..], [Ok(Placed::Written(_))]));
        assert_eq!(history(&db, call.tenant_id).await, [(call.id, status.as_str().to_owned())]);
    }
}

#[tokio::test]
async fn s21_one_that_cannot_be_written_at_once_fails_nobody_else() {
    let db = database().await;
    let tenant = Uuid::now_v7();
    let mut writer = writer(&db, tenant).await;
    let twice = decided(&db, of(tenant, ExecutionStatus::Success)).await;
    assert!(matches!(
        writer.commit(vec![twice.clone()], Vec::new()).await.placed[..],
        [Ok(Placed::Written(_))]
    ));
    let other = decided(&db, of(tenant, ExecutionStatus::Success)).await;
    let placed = writer.commit(vec![twice, other.clone()], Vec::new()).await.placed;
    assert!(matches!(placed[1], Ok(Placed::Written(_))), "the neighbour of a call that is there already");
    let id = domain::ExecutionId(other.row.id);
    let kept = store::executions::find(&db.begin().await.unwrap(), TenantId(tenant), id).await.unwrap();
    assert_eq!(kept.unwrap().status, "success");
    assert!(length_of_chain(&db, tenant).await >= 3);
}

#[test]
fn b4_whoever_is_often_wrong_tries_less_often() {
    let mut hope = Hope::default();
    assert!(hope.is_left());
    let mut pauses = Vec::new();
    for _ in 0..12 {
        hope.lose();
        assert!(!hope.is_left());
        pauses.push(hope.pause.as_millis());
    }
    assert_eq!(pauses[..4], [100, 200, 400, 800]);
    assert_eq!(pauses[11], 60_000);
}

/// Two processes that approve the same questions must not wait for each other.
#[test]
fn s20_what_two_processes_may_want_has_one_order() {
    let [first, second] = [1, 2].map(|n| ConfirmationId(Uuid::from_u128(n)));
    let ruling = || {
        std::sync::Arc::new(Ruling {
            status: ConfirmationStatus::Approved,
            actor: Actor::Operator,
            by: String::new(),
            note: None,
            edited_params: None,
        })
    };
    let approve =
        |id| order(row(ExecutionStatus::Pending), Step::Approve(id, ruling(), Box::new(Step::Write)));
    let key = |text: &str| {
        let key = Key { tenant: TenantId(Uuid::nil()), actor: Uuid::nil(), key: text.to_owned() };
        let used = Used { request_hash: String::new(), execution: domain::ExecutionId(Uuid::nil()) };
        Order { key: Some((key, used)), ..order(row(ExecutionStatus::Success), Step::Write) }
    };
    let ended = order(row(ExecutionStatus::Success), Step::Update);
    let all = [key("a"), key("b"), approve(first), approve(second), ended];
    assert!(all.is_sorted_by_key(Order::place));
    assert!(all.iter().zip(&all[1..]).all(|(one, next)| one.place() < next.place()));
}
