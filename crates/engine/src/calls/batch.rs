//! One commit for everybody who waits: claims, effects, records, statistics and audit entries of many calls in one
//! transaction, each kind in one statement.

mod at_once;
mod record;

use super::is_final;
use crate::{audit::digest, calls::internal::InternalCall, confirmations::events};
use ability::Actor;
use at_once::Hope;
use crm::tools::Unwritten;
use domain::{
    AgentId, ConfirmationId, ErrorCode, ServiceError, ServiceResult, TenantId, ToolEffect, ToolId,
    execution::ExecutionStatus,
};
use record::{Record, covered};
use serde_json::json;
use std::collections::{HashMap, HashSet};
use store::{
    Database, Moment, Signal, StoreError, StoreResult, WriteTx,
    audit::{Author, Entry, Linked, NewEntry, RememberedHeads},
    calls::Calls,
    confirmations::{Confirmation, Ruling},
    crm::tasks::NewTask,
    epochs::{Basis, Held},
    executions::Execution,
    idempotency::{Key, Used},
    statistics::{Additions, Ended},
};
use uuid::Uuid;

/// Times that a lock on the epochs is waited for.
const LONGEST_CHANGE: u32 = 30;
/// Orders of one tenant in one batch that wait for a lock.
const MOST_WAITS: u32 = 3;

/// What is to be written about one call.
#[derive(Clone)]
pub(crate) struct Order {
    pub row: Box<Execution>,
    pub step: Step,
    /// What the decision was made by. Nothing: it is not a beginning.
    pub basis: Option<Basis>,
    pub key: Option<(Key, Used)>,
}

impl Order {
    /// Where it stands in its batch; otherwise they stay as they came. Calls that begin come before those that end (see
    /// `at_once.rs`). What two processes may both want, questions and keys, is taken in the same order by both: nobody
    /// waits in a circle.
    pub(super) fn place(&self) -> (bool, Option<ConfirmationId>, Option<&Key>) {
        let question = match &self.step {
            Step::Approve(id, ..) => Some(*id),
            _ => None,
        };
        (matches!(self.step, Step::Update), question, self.key.as_ref().map(|(key, _)| key))
    }

    /// Nothing is to be written but that a call runs. No chain of the audit log and no count is touched: such orders get in
    /// the way of no others.
    pub(super) fn only_begins(&self) -> bool {
        let runs = self.row.status == ExecutionStatus::Running.as_str();
        runs && matches!(self.step, Step::Write) && self.key.is_none()
    }
}

#[derive(Clone)]
pub(crate) enum Step {
    /// The row as it is: an intent, or an end.
    Write,
    /// What came of a call that runs; nothing when it has ended already.
    Update,
    /// The row as it is, and what an internal tool that has run adds.
    Add(Unwritten),
    /// An internal tool's effect and its record together.
    Effect(InternalCall),
    /// The call waits for a person.
    Ask(Box<Confirmation>),
    /// A person said yes; then the step.
    Approve(ConfirmationId, std::sync::Arc<Ruling>, Box<Step>),
}

impl Step {
    fn has_effect(&self) -> bool {
        match self {
            Self::Effect(_) => true,
            Self::Approve(_, _, then) => then.has_effect(),
            Self::Write | Self::Add(_) | Self::Update | Self::Ask(_) => false,
        }
    }

    fn adds(&self) -> &[NewTask] {
        if let Self::Add(unwritten) = self { unwritten.tasks() } else { &[] }
    }
}

/// How effects are undone when their tool fails.
pub(crate) enum Care {
    /// Not alone: with everything else of the transaction. What they add may be written together.
    Hopeful(Unwritten),
    Savepoints,
}

/// What came of an order.
pub(crate) enum Placed {
    Written(Box<Execution>),
    /// Tools have changed since the decision.
    Stale,
    /// The key was used before.
    Used(Used),
    /// The question was decided, or its time is over.
    Decided,
    /// Somebody else closed the call before: their record stands.
    Ended,
}

/// What came of orders and notes, in the order in which they were given.
#[derive(Default)]
pub(super) struct Committed {
    pub placed: Vec<ServiceResult<Placed>>,
    pub noted: Vec<ServiceResult<()>>,
}

impl Committed {
    /// All of them, or none.
    fn together(placed: ServiceResult<Vec<Placed>>, (orders, notes): (usize, usize)) -> Self {
        match placed {
            Ok(placed) => Self { placed: placed.into_iter().map(Ok).collect(), noted: vec![Ok(()); notes] },
            Err(error) => Self {
                placed: (0..orders).map(|_| Err(error.clone())).collect(),
                noted: vec![Err(error); notes],
            },
        }
    }
}

/// Writes what is handed in, one batch after the other.
pub(super) struct Writer {
    db: Database,
    heads: RememberedHeads,
    hope: Hope,
}

impl Writer {
    pub(super) fn new(db: Database) -> Self {
        Self { db, heads: RememberedHeads::default(), hope: Hope::default() }
    }

    /// One transaction for all. When the database refuses what one of them brings, or somebody else holds what one of them
    /// needs, each gets one of its own: nobody fails because of a neighbour.
    pub(super) async fn commit(&mut self, orders: Vec<Order>, notes: Vec<NewEntry>) -> Committed {
        let all = (orders.len(), notes.len());
        let orders = match self.at_once(orders, &notes).await {
            Ok(placed) => return Committed::together(placed, all),
            Err(orders) => orders,
        };
        let error = match self.together(&orders, &notes).await {
            Ok(placed) => return Committed::together(Ok(placed), all),
            Err(error) => error,
        };
        let is_alone = all.0 + all.1 <= 1;
        if error.code == ErrorCode::Unavailable || (is_alone && error.code != ErrorCode::Busy) {
            return Committed::together(Err(error), all);
        }
        self.one_by_one(&orders, notes, &error).await
    }

    /// Whoever waits for a lock that is not given up holds up everybody behind them: after a few of a tenant, its others are
    /// not tried.
    async fn one_by_one(
        &mut self,
        orders: &[Order],
        notes: Vec<NewEntry>,
        error: &ServiceError,
    ) -> Committed {
        let (mut done, mut waits) = (Committed::default(), Waits::default());
        for note in notes {
            let tenant = note.tenant().map(|tenant| tenant.0);
            let noted = match waits.too_many(tenant) {
                Some(error) => Err(error),
                None => self.together(&[], &[note]).await.map(drop),
            };
            waits.note(tenant, noted.as_ref().err());
            done.noted.push(noted);
        }
        for order in orders {
            let tenant = Some(order.row.tenant_id);
            let placed = match waits.too_many(tenant) {
                Some(error) => Err(error),
                None => self.together(std::slice::from_ref(order), &[]).await,
            };
            waits.note(tenant, placed.as_ref().err());
            done.placed.push(placed.and_then(|mut placed| placed.pop().ok_or_else(|| error.clone())));
        }
        done
    }

    /// Everything or nothing.
    ///
    /// A savepoint around each effect would cost two more statements for every call, and is needed only when a tool fails
    /// after it has begun to write. So effects first run without; when one fails, everything is undone and done
    /// again with savepoints.
    async fn together(&mut self, orders: &[Order], notes: &[NewEntry]) -> ServiceResult<Vec<Placed>> {
        let has_effects = orders.iter().any(|order| order.step.has_effect());
        let hopeful = Care::Hopeful(Unwritten::default());
        if has_effects && let Some(placed) = self.attempt(orders, notes, hopeful).await? {
            return Ok(placed);
        }
        Ok(self.attempt(orders, notes, Care::Savepoints).await?.unwrap_or_default())
    }

    /// Nothing, when an effect failed without a savepoint to go back to: nothing was written then.
    async fn attempt(
        &mut self,
        orders: &[Order],
        notes: &[NewEntry],
        care: Care,
    ) -> ServiceResult<Option<Vec<Placed>>> {
        let (tx, now) = self.begun(orders.iter().any(|order| order.basis.is_some())).await?;
        let mut written = Written::new(notes.to_vec(), care);
        let [intents, in_history] = open_among(&tx, orders).await?;
        written.open = intents.union(&in_history).copied().collect();
        written.in_history = in_history;
        let mut places = Vec::with_capacity(orders.len());
        for order in orders {
            places.push(written.place(&tx, order, now).await?);
            if written.has_failed {
                return Ok(None);
            }
        }
        let (rows, linked, signals) = written.write(&tx).await?;
        self.db.commit(tx, &signals).await?;
        self.heads.learn(&linked);
        Ok(Some(placed(places, rows)))
    }
}

impl Writer {
    /// Whoever changes tools holds the epochs until they are done, and every call waits for them: not for one second only.
    async fn begun(&self, holds_epochs: bool) -> StoreResult<(WriteTx, Option<Held>)> {
        let mut left = LONGEST_CHANGE;
        loop {
            let tx = self.db.begin().await?;
            if !holds_epochs {
                return Ok((tx, None));
            }
            match store::epochs::hold(&tx).await {
                Ok(now) => return Ok((tx, Some(now))),
                Err(StoreError::Busy(_)) if left > 0 => left -= 1,
                Err(error) => return Err(error),
            }
        }
    }
}

/// Who was waited for in vain, by tenant.
#[derive(Default)]
struct Waits(HashMap<Option<Uuid>, (u32, ServiceError)>);

impl Waits {
    fn too_many(&self, tenant: Option<Uuid>) -> Option<ServiceError> {
        self.0.get(&tenant).filter(|(count, _)| *count >= MOST_WAITS).map(|(_, error)| error.clone())
    }

    fn note(&mut self, tenant: Option<Uuid>, error: Option<&ServiceError>) {
        if let Some(error) = error.filter(|error| error.code == ErrorCode::Busy) {
            self.0.entry(tenant).or_insert_with(|| (0, error.clone())).0 += 1;
        }
    }
}

/// What became of an order while it was placed: one more row, or none.
enum Place {
    Row,
    None(Placed),
}

fn placed(places: Vec<Place>, rows: Vec<Execution>) -> Vec<Placed> {
    let mut rows = rows.into_iter();
    let placed = |place| match place {
        Place::None(placed) => Some(placed),
        Place::Row => rows.next().map(|row| Placed::Written(Box::new(row))),
    };
    places.into_iter().filter_map(placed).collect()
}

/// Those that are to be updated and have not ended: intents, and rows of the history.
async fn open_among(tx: &WriteTx, orders: &[Order]) -> StoreResult<[HashSet<Uuid>; 2]> {
    let updates = orders.iter().filter(|order| matches!(order.step, Step::Update));
    let calls: Vec<(Uuid, Uuid)> = updates.map(|order| (order.row.tenant_id, order.row.id)).collect();
    if calls.is_empty() {
        return Ok(Default::default());
    }
    Ok(store::executions::hold_open(tx, &calls).await?.map(|ids| ids.into_iter().collect()))
}

struct Written {
    open: HashSet<Uuid>,
    in_history: HashSet<Uuid>,
    rows: Vec<Execution>,
    questions: Vec<Confirmation>,
    added: Unwritten,
    notes: Vec<NewEntry>,
    counts: Additions,
    events: Vec<(TenantId, serde_json::Value)>,
    signals: Vec<Signal>,
    care: Care,
    /// An effect failed, and there is no savepoint to go back to.
    has_failed: bool,
}

impl Written {
    fn new(notes: Vec<NewEntry>, care: Care) -> Self {
        Self {
            open: HashSet::new(),
            in_history: HashSet::new(),
            rows: Vec::new(),
            questions: Vec::new(),
            added: Unwritten::default(),
            notes,
            counts: Additions::default(),
            events: Vec::new(),
            signals: Vec::new(),
            care,
            has_failed: false,
        }
    }

    async fn place(&mut self, tx: &WriteTx, order: &Order, now: Option<Held>) -> StoreResult<Place> {
        if order.basis.zip(now).is_some_and(|(basis, now)| !basis.is_still_so(now)) {
            return Ok(Place::None(Placed::Stale));
        }
        if let Some((key, wanted)) = &order.key
            && let Some(used) = store::idempotency::take(tx, key, wanted).await?
        {
            return Ok(Place::None(Placed::Used(used)));
        }
        self.step(tx, Execution::clone(&order.row), &order.step).await
    }

    async fn step(&mut self, tx: &WriteTx, mut row: Execution, step: &Step) -> StoreResult<Place> {
        match step {
            Step::Write => {}
            Step::Update if self.open.remove(&row.id) => {}
            Step::Update => return Ok(Place::None(Placed::Ended)),
            Step::Add(unwritten) => self.added.add(unwritten),
            Step::Effect(call) => {
                call.run(tx, &mut row, &mut self.care).await?;
                let failed = row.status != ExecutionStatus::Success.as_str();
                self.has_failed |= failed && matches!(self.care, Care::Hopeful(_));
                if call.effect() == ToolEffect::Message {
                    self.signals.push(Signal::Deliveries);
                }
            }
            Step::Ask(question) => {
                self.signals.push(Signal::Confirmations(TenantId(row.tenant_id)));
                self.events.push(events::created(question, &row)?);
                self.questions.push(Confirmation::clone(question));
            }
            Step::Approve(id, ruling, then) => {
                let tenant = TenantId(row.tenant_id);
                let Some(approved) = store::confirmations::decide(tx, tenant, *id, ruling).await? else {
                    return Ok(Place::None(Placed::Decided));
                };
                self.signals.push(Signal::Confirmations(tenant));
                self.notes.push(approval(&approved, ruling));
                self.events.push(events::decided(tx, approved).await?);
                return Box::pin(self.step(tx, row, then)).await;
            }
        }
        count(&mut self.counts, &row);
        self.rows.push(row);
        Ok(Place::Row)
    }

    /// The rows as they were written, where the audit log ends now, and what is to be told.
    async fn write(mut self, tx: &WriteTx) -> StoreResult<(Vec<Execution>, Linked, Vec<Signal>)> {
        if let Care::Hopeful(unwritten) = &self.care {
            self.added.add(unwritten);
        }
        let record = Record::of(self.notes, &self.rows.iter().collect::<Vec<_>>(), &self.questions)?;
        store::confirmations::insert_all(tx, self.questions).await?;
        store::outbox::insert_all(tx, self.events).await?;
        let linked = store::audit::link_all(tx, record.entries).await?;
        covered(&record.shared, &linked).for_each(|(at, place)| self.rows[at].audit_seq = Some(place));
        let tasks = self.added.tasks().iter().collect();
        let (rows, counts, in_history) = (self.rows.iter().collect(), self.counts, self.in_history);
        let calls = Calls { tasks, rows, counts, linked, in_history };
        store::calls::write(tx, &calls).await?;
        let linked = calls.linked;
        self.signals.dedup();
        Ok((self.rows, linked, self.signals))
    }
}

fn count(counts: &mut Additions, row: &Execution) {
    if !is_final(row) || row.started_at.is_none() {
        return;
    }
    // That somebody stopped a call says nothing against the tool.
    let fine = [ExecutionStatus::Success, ExecutionStatus::Cancelled];
    let is_error = fine.iter().all(|status| row.status != status.as_str());
    counts.add(Ended {
        tenant: TenantId(row.tenant_id),
        tool: ToolId(row.tool_id),
        agent: row.agent_id.map(AgentId),
        is_error,
        milliseconds: row.execution_time_ms,
        at: row.finished_at.unwrap_or_else(Moment::now),
    });
}

fn approval(approved: &Confirmation, ruling: &Ruling) -> NewEntry {
    let after = json!({
        "execution_id": approved.execution_id,
        "status": approved.status,
        "decided_by": approved.decided_by,
        "was_edited": approved.edited_params.is_some(),
        "question_sha256": digest::of_question(approved),
    });
    let entry = Entry {
        tenant: Some(TenantId(approved.tenant_id)),
        action: "confirmation.decide",
        subject_kind: "confirmation",
        subject_id: approved.id.to_string(),
        before: None,
        after: Some(after),
        reason: ruling.note.clone(),
    };
    NewEntry::new(Author { actor: ruling.actor, name: &ruling.by }, entry)
}

pub(crate) fn actor_of(row: &Execution) -> Actor {
    match (row.actor_kind.as_str(), row.actor_id) {
        ("user", Some(id)) => Actor::User(domain::UserId(id)),
        ("api_key", Some(id)) => Actor::ApiKey(domain::ApiKeyId(id)),
        _ => Actor::Operator,
    }
}

#[cfg(test)]
mod tests;
