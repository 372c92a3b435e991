//! Where calls are handed in to be written. One task gathers those who wait at the same time into one commit (group
//! commit): a durable write costs a few milliseconds, and dozens share it.

use super::{
    batch::{Order, Placed, Writer},
    denials::Denials,
    slots::Slots,
};
use domain::{ErrorCode, ExecutionId, ServiceError, ServiceResult};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use store::{Database, Moment, audit::NewEntry, executions::Execution, processes::Process};
use tokio::sync::{Notify, broadcast, mpsc, oneshot};

/// More than this in one transaction would make those in front wait for those behind.
const MOST_IN_ONE: usize = 256;
const QUEUE: usize = 4_096;
/// A commit costs the same for one call and for a hundred. When many were written together and fewer are there now, the
/// others are on their way: they are waited for, once and for so long.
const A_MOMENT: Duration = Duration::from_micros(300);
/// Where no more come together, nobody waits for anybody.
const FEW: usize = 4;

enum Handed {
    Order(Box<Order>, oneshot::Sender<ServiceResult<Placed>>),
    Note(Box<NewEntry>, oneshot::Sender<ServiceResult<()>>),
}

pub(crate) struct Desk {
    queue: mpsc::Sender<Handed>,
    /// For calls that only begin: on PostgreSQL they are written beside the others.
    beginnings: mpsc::Sender<Handed>,
    pub(crate) process: Process,
    pub(crate) slots: Slots,
    pub(crate) denials: Denials,
    running: Arc<Mutex<HashMap<ExecutionId, Arc<Notify>>>>,
    /// Tells those who wait that a call has ended.
    pub(crate) ended: broadcast::Sender<ExecutionId>,
}

impl Desk {
    pub(crate) fn start(db: &Database) -> Self {
        let ended = broadcast::channel(1_024).0;
        let queue = open(db, "calls", &ended);
        let beginnings = match db.writes_beside_each_other() {
            true => open(db, "beginnings", &ended),
            false => queue.clone(),
        };
        let process = super::recovery::this_process();
        let (slots, denials, running) = Default::default();
        Self { queue, beginnings, process, slots, denials, running, ended }
    }

    /// Answers when it is durable.
    pub(crate) async fn submit(&self, order: Box<Order>) -> ServiceResult<Placed> {
        let queue = if order.only_begins() { &self.beginnings } else { &self.queue };
        hand_in(queue, |reply| Handed::Order(order, reply)).await
    }

    /// An entry of the audit log without a call. Answers when it is durable.
    pub(crate) async fn note(&self, entry: NewEntry) -> ServiceResult<()> {
        hand_in(&self.queue, |reply| Handed::Note(Box::new(entry), reply)).await
    }

    /// Marks the row as this process' own, begun now.
    pub(crate) fn own(&self, row: &mut Execution) {
        row.process_id = Some(self.process.id);
        row.started_at = Some(Moment::now());
    }

    /// Held from before the call is written until its end is: whoever cancels finds it here, and a row without one has
    /// nobody who will close it.
    pub(crate) fn watch(&self, id: ExecutionId) -> Ticket {
        let notify = Arc::new(Notify::new());
        self.running.lock().unwrap_or_else(PoisonError::into_inner).insert(id, Arc::clone(&notify));
        Ticket { id, notify, running: Arc::clone(&self.running) }
    }

    /// When the call runs here it ends as soon as it can be stopped.
    pub(crate) fn cancel(&self, id: ExecutionId) {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(notify) = running.get(&id) {
            notify.notify_one();
        }
    }

    /// What this process has begun, or is about to begin, and not yet closed.
    pub(crate) fn running(&self) -> Vec<ExecutionId> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner).keys().copied().collect()
    }
}

async fn hand_in<T>(
    queue: &mpsc::Sender<Handed>,
    with: impl FnOnce(oneshot::Sender<ServiceResult<T>>) -> Handed,
) -> ServiceResult<T> {
    let (reply, answer) = oneshot::channel();
    let closed = || ServiceError::new(ErrorCode::Unavailable, "The server is stopping.");
    queue.send(with(reply)).await.map_err(|_| closed())?;
    answer.await.map_err(|_| closed())?
}

pub(crate) struct Ticket {
    id: ExecutionId,
    notify: Arc<Notify>,
    running: Arc<Mutex<HashMap<ExecutionId, Arc<Notify>>>>,
}

impl Ticket {
    pub(crate) async fn cancelled(&self) {
        self.notify.notified().await;
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        // Somebody else may have taken the call over.
        if running.get(&self.id).is_some_and(|other| Arc::ptr_eq(other, &self.notify)) {
            running.remove(&self.id);
        }
    }
}

fn open(db: &Database, name: &str, ended: &broadcast::Sender<ExecutionId>) -> mpsc::Sender<Handed> {
    let (queue, handed) = mpsc::channel(QUEUE);
    let (db, told) = (db.clone(), ended.clone());
    store::on_own_thread(name, || async move {
        match db.for_one_writer().await {
            Ok(db) => write(db, handed, told).await,
            Err(error) => tracing::error!(%error, "calls cannot be written"),
        }
    });
    queue
}

/// Blocks the thread, which is the writer's own: tokio counts time in milliseconds.
fn await_others(handed: &mut mpsc::Receiver<Handed>, waiting: &mut Vec<Handed>) {
    std::thread::sleep(A_MOMENT);
    while waiting.len() < MOST_IN_ONE
        && let Ok(one) = handed.try_recv()
    {
        waiting.push(one);
    }
}

/// Runs as long as somebody can hand something in.
async fn write(db: Database, mut handed: mpsc::Receiver<Handed>, ended: broadcast::Sender<ExecutionId>) {
    let mut writer = Writer::new(db);
    let mut waiting = Vec::with_capacity(MOST_IN_ONE);
    let mut last = 0;
    while handed.recv_many(&mut waiting, MOST_IN_ONE).await > 0 {
        if last > FEW && waiting.len() < last {
            await_others(&mut handed, &mut waiting);
        }
        last = waiting.len();
        let (mut orders, mut notes) = (Vec::with_capacity(waiting.len()), Vec::new());
        for one in waiting.drain(..) {
            match one {
                Handed::Order(order, reply) => orders.push((*order, reply)),
                Handed::Note(entry, reply) => notes.push((*entry, reply)),
            }
        }
        orders.sort_by(|(one, _), (other, _)| one.place().cmp(&other.place()));
        let (orders, callers): (_, Vec<_>) = orders.into_iter().unzip();
        let (notes, refused): (_, Vec<_>) = notes.into_iter().unzip();
        let committed = writer.commit(orders, notes).await;
        answer(committed.placed, callers, &ended);
        for (noted, reply) in committed.noted.into_iter().zip(refused) {
            // Whoever hung up does not mind.
            let _ = reply.send(noted);
        }
    }
}

fn answer(
    outcomes: Vec<ServiceResult<Placed>>,
    replies: Vec<oneshot::Sender<ServiceResult<Placed>>>,
    ended: &broadcast::Sender<ExecutionId>,
) {
    for (outcome, reply) in outcomes.into_iter().zip(replies) {
        if let Ok(Placed::Written(row)) = &outcome
            && super::is_final(row)
        {
            // Nobody may be waiting.
            let _ = ended.send(ExecutionId(row.id));
        }
        let _ = reply.send(outcome);
    }
}
