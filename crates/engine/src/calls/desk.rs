//! Where calls are handed in to be written. One task gathers those who wait at the same time into one commit (group
//! commit): a durable write costs a few milliseconds, and dozens share it.

use super::{
    batch::{self, Order, Placed},
    slots::Slots,
};
use domain::{ErrorCode, ExecutionId, ServiceError, ServiceResult};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};
use store::{Database, Moment, audit::NewEntry, executions::Execution, processes::Process};
use tokio::sync::{Notify, broadcast, mpsc, oneshot};

/// More than this in one transaction would make those in front wait for those behind.
const MOST_IN_ONE: usize = 256;
const QUEUE: usize = 4_096;

enum Handed {
    Order(Box<Order>, oneshot::Sender<ServiceResult<Placed>>),
    Note(Box<NewEntry>),
}

pub(crate) struct Desk {
    queue: mpsc::Sender<Handed>,
    pub(crate) process: Process,
    pub(crate) slots: Slots,
    running: Arc<Mutex<HashMap<ExecutionId, Arc<Notify>>>>,
    /// Tells those who wait that a call has ended.
    pub(crate) ended: broadcast::Sender<ExecutionId>,
}

impl Desk {
    pub(crate) fn start(db: &Database) -> Self {
        let (queue, handed) = mpsc::channel(QUEUE);
        let ended = broadcast::channel(1_024).0;
        tokio::spawn(write(db.clone(), handed, ended.clone()));
        let process = super::recovery::this_process();
        Self { queue, process, slots: Slots::default(), running: Arc::default(), ended }
    }

    /// Answers when it is durable.
    pub(crate) async fn submit(&self, order: Order) -> ServiceResult<Placed> {
        let (reply, answer) = oneshot::channel();
        let closed = || ServiceError::new(ErrorCode::Unavailable, "The server is stopping.");
        self.queue.send(Handed::Order(Box::new(order), reply)).await.map_err(|_| closed())?;
        answer.await.map_err(|_| closed())?
    }

    /// Written with the next commit; nobody waits. Under a flood some are dropped, and the log says so.
    pub(crate) fn note(&self, entry: NewEntry) {
        if self.queue.try_send(Handed::Note(Box::new(entry))).is_err() {
            tracing::warn!("a denied call was not recorded: too much is waiting to be written");
        }
    }

    /// Marks the row as this process' own, begun now.
    pub(crate) fn own(&self, row: &mut Execution) {
        row.process_id = Some(self.process.id);
        row.started_at = Some(Moment::now());
    }

    /// Held while the call runs: whoever cancels finds it here.
    pub(crate) fn watch(&self, id: ExecutionId) -> Ticket {
        let notify = Arc::new(Notify::new());
        self.running.lock().unwrap_or_else(PoisonError::into_inner).insert(id, Arc::clone(&notify));
        Ticket { id, notify, running: Arc::clone(&self.running) }
    }

    /// True when the call runs here; it ends as soon as it can be stopped.
    pub(crate) fn cancel(&self, id: ExecutionId) -> bool {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.get(&id).inspect(|notify| notify.notify_one()).is_some()
    }
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
        self.running.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.id);
    }
}

/// Runs as long as somebody can hand something in.
async fn write(db: Database, mut handed: mpsc::Receiver<Handed>, ended: broadcast::Sender<ExecutionId>) {
    let mut waiting = Vec::with_capacity(MOST_IN_ONE);
    while handed.recv_many(&mut waiting, MOST_IN_ONE).await > 0 {
        let (mut orders, mut replies, mut notes) = (Vec::new(), Vec::new(), Vec::new());
        for one in waiting.drain(..) {
            match one {
                Handed::Order(order, reply) => {
                    orders.push(*order);
                    replies.push(reply);
                }
                Handed::Note(entry) => notes.push(*entry),
            }
        }
        answer(batch::commit(&db, orders, notes).await, replies, &ended);
    }
}

fn answer(
    outcome: ServiceResult<Vec<Placed>>,
    replies: Vec<oneshot::Sender<ServiceResult<Placed>>>,
    ended: &broadcast::Sender<ExecutionId>,
) {
    match outcome {
        Ok(placed) => {
            for (placed, reply) in placed.into_iter().zip(replies) {
                if let Placed::Written(row) = &placed
                    && super::is_final(row)
                {
                    // Nobody may be waiting.
                    let _ = ended.send(ExecutionId(row.id));
                }
                let _ = reply.send(Ok(placed));
            }
        }
        Err(error) => replies.into_iter().for_each(|reply| {
            let _ = reply.send(Err(error.clone()));
        }),
    }
}
