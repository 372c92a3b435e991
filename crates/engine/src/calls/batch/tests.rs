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
    Order { row, step, epoch: None, key: None }
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
