//! Entries as earlier versions wrote them say less: what they do say is compared, and nothing that was true then is a
//! fault now.

use super::*;
use ledger::{Entry, Salt, Texts};
use serde_json::{Value, json};
use store::{Database, Moment};

fn entry(seq: i64, action: &str, subject: Uuid, after: Option<Value>) -> Recorded {
    let texts = Texts {
        salt: Salt([0; 16]),
        actor_name: "Bia".to_owned(),
        before: None,
        after: after.map(|after| after.to_string()),
        reason: None,
    };
    let entry = Entry {
        tenant: None,
        seq,
        id: Uuid::now_v7(),
        at: 0,
        actor_kind: "operator".to_owned(),
        actor_id: None,
        action: action.to_owned(),
        subject_kind: String::new(),
        subject_id: subject.to_string(),
        content: Content::Kept(texts),
    };
    Recorded { entry, hash: Hash([0; 32]) }
}

fn question(tenant: TenantId, status: ConfirmationStatus) -> Confirmation {
    Confirmation {
        id: Uuid::now_v7(),
        tenant_id: tenant.0,
        execution_id: Uuid::now_v7(),
        tool_id: Uuid::now_v7(),
        tool_name: "hook".to_owned(),
        agent_id: None,
        status: status.as_str().to_owned(),
        binding: String::new(),
        params: "{}".to_owned(),
        edited_params: None,
        plan: None,
        reason: String::new(),
        requested_by_kind: "operator".to_owned(),
        requested_by_id: None,
        requested_by: "operator".to_owned(),
        second_person: false,
        decided_by: Some("Bia".to_owned()),
        decided_at: Some(Moment::now()),
        note: None,
        expires_at: Moment::now(),
        created_at: Moment::now(),
    }
}

/// What is found when these are the entries and those the rows; the calls are not in the history any more.
struct Scene {
    tenant: TenantId,
    asked: Vec<(Uuid, i64, Asked)>,
    entries: Vec<Recorded>,
    rows: Vec<Confirmation>,
}

impl Scene {
    fn of(tenant: TenantId, rows: Vec<Confirmation>, entries: Vec<Recorded>) -> Self {
        Self { tenant, asked: Vec::new(), entries, rows }
    }

    async fn found(&self) -> Result<(), Wrong> {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}/questions.db", folder.path().display());
        let db = Database::connect(&url).await.unwrap();
        db.migrate().await.unwrap();
        let tx = db.begin().await.unwrap();
        store::confirmations::insert_all(&tx, self.rows.clone()).await.unwrap();
        db.commit(tx, &[]).await.unwrap();
        self.look(db.reader()).await.map_err(|error| match error {
            Unverified::Fault(fault) => fault.wrong,
            other => panic!("{other:?}"),
        })
    }

    async fn look(&self, conn: &impl ConnectionTrait) -> Checked<()> {
        let is_over = |row: &&Confirmation| row.status != ConfirmationStatus::Pending.as_str();
        let decided = self.rows.iter().filter(is_over).count() as u64;
        let mut questions = Questions::of(self.tenant, Beside { seq: 100, ended: 0, decided });
        for (call, seq, asked) in &self.asked {
            questions.ask(*call, *seq, *asked);
        }
        self.entries.iter().for_each(|entry| questions.hear(entry));
        questions.compare(conn).await?;
        if let Some(fault) = questions.unsettled(conn).await? {
            return Err(Unverified::Fault(fault));
        }
        questions.finish(100)
    }
}

fn tenant() -> TenantId {
    TenantId(Uuid::now_v7())
}

#[tokio::test]
async fn b4_a_question_of_today_that_an_older_process_cancelled_holds() {
    let tenant = tenant();
    let row = question(tenant, ConfirmationStatus::Expired);
    let asked = Asked { confirmation_id: row.id, asked_sha256: digest::of_asked(&row) };
    let cancelled = entry(2, "execution.cancel", row.execution_id, None);
    let mut scene = Scene::of(tenant, vec![row.clone()], vec![cancelled]);
    scene.asked = vec![(row.execution_id, 1, asked)];
    assert_eq!(scene.found().await, Ok(()));
    scene.rows[0].status = ConfirmationStatus::Approved.as_str().to_owned();
    assert_eq!(scene.found().await, Err(Wrong::OtherQuestion(row.id)));
    scene.rows[0] = Confirmation { plan: Some("{}".to_owned()), ..row.clone() };
    assert_eq!(scene.found().await, Err(Wrong::OtherQuestion(row.id)), "not what was asked");
}

#[tokio::test]
async fn b4_what_older_entries_say_in_words_is_compared() {
    let tenant = tenant();
    let row = question(tenant, ConfirmationStatus::Approved);
    let after = json!({ "execution_id": row.execution_id, "status": "approved", "decided_by": "Bia" });
    let decided = entry(1, "confirmation.decide", row.id, Some(after));
    let mut scene = Scene::of(tenant, vec![row.clone()], vec![decided]);
    assert_eq!(scene.found().await, Ok(()));
    let others = [
        Confirmation { status: "refused".to_owned(), ..row.clone() },
        Confirmation { status: "pending".to_owned(), ..row.clone() },
        Confirmation { decided_by: Some("Caio".to_owned()), ..row.clone() },
    ];
    for other in others {
        scene.rows[0] = other.clone();
        assert_eq!(scene.found().await, Err(Wrong::OtherQuestion(row.id)), "{other:?}");
    }
    let over = question(tenant, ConfirmationStatus::Expired);
    let after = json!({ "execution_id": over.execution_id });
    let expired = entry(1, "confirmation.expire", over.id, Some(after));
    let mut scene = Scene::of(tenant, vec![over.clone()], vec![expired]);
    assert_eq!(scene.found().await, Ok(()));
    scene.rows[0].status = "approved".to_owned();
    assert_eq!(scene.found().await, Err(Wrong::OtherQuestion(over.id)));
}

/// Two who cancelled at once each had an entry.
#[tokio::test]
async fn b4_an_old_cancellation_counts_once_also_when_its_call_is_gone() {
    let tenant = tenant();
    let row = question(tenant, ConfirmationStatus::Expired);
    let cancel = |seq| entry(seq, "execution.cancel", row.execution_id, None);
    let mut scene = Scene::of(tenant, vec![row.clone()], vec![cancel(1), cancel(2)]);
    assert_eq!(scene.found().await, Ok(()));
    scene.rows.push(question(tenant, ConfirmationStatus::Approved));
    assert_eq!(scene.found().await, Err(Wrong::UntoldQuestions(1)), "nobody told of that one");
}

/// It had run out of time in that moment, and both had an entry.
#[tokio::test]
async fn b4_a_cancellation_behind_the_end_of_a_question_counts_nothing() {
    let tenant = tenant();
    let row = question(tenant, ConfirmationStatus::Expired);
    let expired = entry(1, "confirmation.expire", row.id, Some(json!({ "execution_id": row.execution_id })));
    let cancelled = entry(2, "execution.cancel", row.execution_id, None);
    let untold = question(tenant, ConfirmationStatus::Approved);
    let scene = Scene::of(tenant, vec![row, untold], vec![expired, cancelled]);
    assert_eq!(scene.found().await, Err(Wrong::UntoldQuestions(1)));
}

/// B5: what was erased may have told of anything; nothing is called a fault for it.
#[tokio::test]
async fn b4_b5_an_erased_decision_is_no_fault() {
    let tenant = tenant();
    let row = question(tenant, ConfirmationStatus::Approved);
    let asked = Asked { confirmation_id: row.id, asked_sha256: digest::of_asked(&row) };
    let mut decided = entry(2, "confirmation.decide", row.id, Some(json!({})));
    decided.entry.erase();
    let cancelled = entry(3, "execution.cancel", row.execution_id, None);
    let mut scene = Scene::of(tenant, vec![row.clone()], vec![decided, cancelled]);
    scene.asked = vec![(row.execution_id, 1, asked)];
    assert_eq!(scene.found().await, Ok(()));
}
