use super::*;

async fn database() -> Database {
    let db = Database::connect("sqlite::memory:").await.unwrap();
    db.migrate().await.unwrap();
    db
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
    Order { row, step, basis: None, key: None }
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
    assert_eq!(rows, [calls[1].1], "the one that was refused left nothing behind");
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
