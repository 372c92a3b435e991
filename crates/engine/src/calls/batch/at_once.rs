//! The way of nearly every call. It begins or ends, and nothing has to be asked of the database first: what is relied on is
//! remembered, and checked by the statement that writes. On PostgreSQL that is one way there and back instead of five.
//!
//! When something is not as remembered, nothing is written, and the orders go the long way (`batch.rs`).

use super::{
    Order, Placed, Step, Writer, count,
    record::{Record, covered},
};
use crate::calls::is_final;
use domain::ServiceResult;
use std::time::{Duration, Instant};
use store::{
    StoreError, StoreResult, audit::NewEntry, calls::Calls, epochs::Basis, executions::Execution,
    statistics::Additions,
};

/// What orders of this kind have in common.
struct Plain {
    basis: Option<Basis>,
    /// How many begin: these stand first.
    new: usize,
}

impl Writer {
    /// The orders again, when they need more than this or something is not as remembered.
    pub(super) async fn at_once(
        &mut self,
        mut orders: Vec<Order>,
        notes: &[NewEntry],
    ) -> Result<ServiceResult<Vec<Placed>>, Vec<Order>> {
        let Some(plain) = plain(&orders).filter(|_| self.hope.is_left()) else { return Err(orders) };
        match self.write_plain(&plain, &mut orders, notes).await {
            Ok(true) => Ok(Ok(orders.into_iter().map(|order| Placed::Written(order.row)).collect())),
            Err(StoreError::Unavailable(cause)) => Ok(Err(StoreError::Unavailable(cause).into())),
            // What it was becomes an error again on the long way, of the order that it belongs to.
            _ => Err(orders),
        }
    }

    async fn write_plain(
        &mut self,
        plain: &Plain,
        orders: &mut [Order],
        notes: &[NewEntry],
    ) -> StoreResult<bool> {
        let rows: Vec<&Execution> = orders.iter().map(|order| &*order.row).collect();
        let record = Record::of(notes.to_vec(), &rows, &[])?;
        let Some(linked) = self.heads.link(record.entries)? else { return Ok(false) };
        covered(&record.shared, &linked).for_each(|(at, place)| orders[at].row.audit_seq = Some(place));
        let mut counts = Additions::default();
        orders.iter().for_each(|order| count(&mut counts, &order.row));
        let tasks = orders.iter().flat_map(|order| order.step.adds()).collect();
        let rows = orders.iter().map(|order| &*order.row).collect();
        let calls = Calls { tasks, rows, counts, linked, ..Default::default() };
        let done = store::calls::commit(&self.db, &calls, plain.new, plain.basis).await;
        if matches!(done, Ok(true)) {
            self.heads.learn(&calls.linked);
        } else {
            self.heads.forget();
            self.hope.lose();
        }
        done
    }
}

/// Nothing, when there is another order among them.
fn plain(orders: &[Order]) -> Option<Plain> {
    let is_end = |order: &Order| matches!(order.step, Step::Update);
    let new = orders.iter().position(is_end).unwrap_or(orders.len());
    let (begin, end) = orders.split_at(new);
    let mut basis: Option<Basis> = None;
    for order in begin {
        let is_plain = matches!(order.step, Step::Write | Step::Add(_)) && order.key.is_none();
        let own = order.basis.filter(|_| is_plain)?;
        basis = Some(basis.map_or(Some(own), |basis| basis.and(own))?);
    }
    // Others have no intent, or keep it.
    let had_intent = |order: &Order| is_final(&order.row) && order.row.confirmation_id.is_none();
    end.iter().all(|order| is_end(order) && had_intent(order)).then_some(Plain { basis, new })
}

/// Where several processes add to one chain, each is disappointed often: then it tries less often.
pub(super) struct Hope {
    again: Instant,
    pub(super) pause: Duration,
}

const SHORTEST: Duration = Duration::from_millis(100);
const LONGEST: Duration = Duration::from_secs(60);
/// Whoever was right for so many times the last pause begins with the shortest again.
const LONG_ENOUGH: u32 = 20;

impl Default for Hope {
    fn default() -> Self {
        Self { again: Instant::now(), pause: Duration::ZERO }
    }
}

impl Hope {
    pub(super) fn is_left(&self) -> bool {
        Instant::now() >= self.again
    }

    pub(super) fn lose(&mut self) {
        let was_right_for_long = self.again.elapsed() > self.pause * LONG_ENOUGH;
        self.pause = if was_right_for_long { SHORTEST } else { (self.pause * 2).clamp(SHORTEST, LONGEST) };
        self.again = Instant::now() + self.pause;
    }
}
