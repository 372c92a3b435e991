//! Who is next. At most so many scripts at once, at most so many of one tenant, and tenants that wait take turns:
//! somebody with a thousand calls does not make somebody with one wait for all of them.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, PoisonError},
};
use tokio::sync::oneshot;

pub(super) struct Gate {
    most: usize,
    most_of_one: usize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    running: usize,
    tenants: HashMap<u128, Tenant>,
    /// Tenants somebody waits for, the next first.
    turns: VecDeque<u128>,
}

#[derive(Default)]
struct Tenant {
    running: usize,
    waiting: VecDeque<oneshot::Sender<Place>>,
}

/// The right to run one script, until it is dropped.
pub(super) struct Place {
    gate: Arc<Gate>,
    tenant: u128,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.gate.leave(self.tenant);
    }
}

impl Gate {
    pub(super) fn new(most: usize, most_of_one: usize) -> Arc<Self> {
        Arc::new(Self { most: most.max(1), most_of_one: most_of_one.max(1), state: Mutex::default() })
    }

    /// Dropping the future gives the turn up.
    pub(super) async fn enter(self: &Arc<Self>, tenant: u128) -> Option<Place> {
        let (sender, receiver) = oneshot::channel();
        self.with(|state| {
            let of = state.tenants.entry(tenant).or_default();
            if of.waiting.is_empty() {
                state.turns.push_back(tenant);
            }
            of.waiting.push_back(sender);
        });
        self.admit();
        receiver.await.ok()
    }

    /// Those who run, and those who wait.
    pub(super) fn counts(&self) -> (usize, usize) {
        self.with(|state| {
            let waiting = state.tenants.values().map(|tenant| tenant.waiting.len()).sum();
            (state.running, waiting)
        })
    }

    fn leave(self: &Arc<Self>, tenant: u128) {
        self.with(|state| {
            state.running = state.running.saturating_sub(1);
            if let Some(of) = state.tenants.get_mut(&tenant) {
                of.running = of.running.saturating_sub(1);
                if of.running == 0 && of.waiting.is_empty() {
                    state.tenants.remove(&tenant);
                }
            }
        });
        self.admit();
    }

    /// A place that nobody wants any more is given back when it is dropped, which admits the next.
    fn admit(self: &Arc<Self>) {
        while let Some((tenant, sender)) = self.with(|state| state.next(self.most, self.most_of_one)) {
            let _given_up = sender.send(Place { gate: Arc::clone(self), tenant });
        }
    }

    fn with<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl State {
    fn next(&mut self, most: usize, most_of_one: usize) -> Option<(u128, oneshot::Sender<Place>)> {
        if self.running >= most {
            return None;
        }
        let may = |tenant: &u128| self.tenants.get(tenant).is_some_and(|of| of.running < most_of_one);
        let turn = self.turns.iter().position(may)?;
        let tenant = self.turns.remove(turn)?;
        let of = self.tenants.get_mut(&tenant)?;
        let sender = of.waiting.pop_front()?;
        of.running += 1;
        self.running += 1;
        if !of.waiting.is_empty() {
            self.turns.push_back(tenant);
        }
        Some((tenant, sender))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::{FutureExt, future::BoxFuture};

    fn wait(gate: &Arc<Gate>, tenant: u128) -> BoxFuture<'static, Option<Place>> {
        let gate = Arc::clone(gate);
        let mut waiting = async move { gate.enter(tenant).await }.boxed();
        match (&mut waiting).now_or_never() {
            Some(place) => async move { place }.boxed(),
            None => waiting,
        }
    }

    #[test]
    fn s3_tenants_take_turns() {
        let gate = Gate::new(1, 1);
        let mut first = wait(&gate, 1).now_or_never().flatten();
        let mut waiting: Vec<_> = [1, 1, 1, 2, 3, 2].map(|tenant| (tenant, wait(&gate, tenant))).into();
        let mut order = Vec::new();
        while !waiting.is_empty() {
            drop(first.take());
            let at = waiting.iter_mut().position(|(_, waiting)| {
                first = waiting.now_or_never().flatten();
                first.is_some()
            });
            order.push(waiting.remove(at.expect("somebody is next")).0);
        }
        assert_eq!(order, [1, 2, 3, 1, 2, 1]);
    }

    #[test]
    fn s3_one_tenant_cannot_take_all_places() {
        let gate = Gate::new(3, 2);
        let places: Vec<_> = [1, 1, 1].map(|tenant| wait(&gate, tenant)).into();
        let admitted = places.into_iter().filter_map(|mut place| (&mut place).now_or_never().flatten());
        let admitted: Vec<_> = admitted.collect();
        assert_eq!(admitted.len(), 2);
        assert!(wait(&gate, 2).now_or_never().flatten().is_some());
    }

    #[test]
    fn who_gives_up_waiting_does_not_keep_the_place() {
        let gate = Gate::new(1, 1);
        let first = wait(&gate, 1).now_or_never().flatten();
        drop(wait(&gate, 2));
        let mut third = wait(&gate, 3);
        drop(first);
        let third = (&mut third).now_or_never().flatten();
        assert!(third.is_some());
        drop(third);
        assert_eq!(gate.counts(), (0, 0));
        assert!(gate.with(|state| state.tenants.is_empty()));
    }
}
