//! The limits of one process: the default, and what is left while Redis is away.

use crate::{
    Limit, Purpose, Wait,
    pace::{Pace, micros},
};
use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};

type Clock = Box<dyn Fn() -> Duration + Send + Sync>;
type Key = (String, Limit);

/// However many keys there are, no more than this are remembered.
const MOST: usize = 100_000;

pub(crate) struct InProcess {
    clock: Clock,
    /// When each key will be free of debt.
    debts: Mutex<HashMap<Key, u64>>,
}

impl InProcess {
    pub(crate) fn new(clock: Clock) -> Self {
        Self { clock, debts: Mutex::default() }
    }

    pub(crate) fn ask(&self, wanted: &[Key], purpose: Purpose) -> Result<(), Wait> {
        let mut debts = self.debts.lock().unwrap_or_else(PoisonError::into_inner);
        // Asked for under the lock, so that it does not go back between two calls.
        let now = micros((self.clock)());
        let after = charge_all(&mut debts, wanted, now)?;
        if purpose == Purpose::Look {
            return Ok(());
        }
        make_room(&mut debts, now);
        for (key, after) in wanted.iter().zip(after) {
            match debts.get_mut(key) {
                Some(free_at) => *free_at = after,
                None => drop(debts.insert(key.clone(), after)),
            }
        }
        Ok(())
    }
}

fn charge_all(debts: &mut HashMap<Key, u64>, wanted: &[Key], now: u64) -> Result<Vec<u64>, Wait> {
    let mut after = Vec::with_capacity(wanted.len());
    let mut longest = None;
    for key in wanted {
        let pace = Pace::of(key.1);
        let debt = debts.get_mut(key).map(|free_at| {
            *free_at = pace.bounded(*free_at, now);
            *free_at
        });
        match pace.charge(debt.unwrap_or(now), now) {
            Ok(free_at) => after.push(free_at),
            Err(wait) if longest.is_none_or(|(_, longest)| wait > longest) => longest = Some((key, wait)),
            Err(_) => {}
        }
    }
    match longest {
        None => Ok(after),
        Some((key, wait)) => Err(Wait { key: key.0.clone(), retry_after: Duration::from_micros(wait) }),
    }
}

/// Forgets who has no debt any more; and when that is not half of them, those who will be free soonest.
fn make_room(debts: &mut HashMap<Key, u64>, now: u64) {
    if debts.len() < MOST {
        return;
    }
    debts.retain(|_, free_at| *free_at > now);
    let mut excess = debts.len().saturating_sub(MOST / 2);
    if excess == 0 {
        return;
    }
    let mut moments: Vec<u64> = debts.values().copied().collect();
    let last_to_go = *moments.select_nth_unstable(excess - 1).1;
    debts.retain(|_, free_at| {
        let goes = *free_at <= last_to_go && excess > 0;
        excess -= usize::from(goes);
        !goes
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    };

    fn with_clock() -> (Arc<AtomicU64>, InProcess) {
        let seconds = Arc::new(AtomicU64::new(0));
        let clock = seconds.clone();
        (seconds, InProcess::new(Box::new(move || Duration::from_secs(clock.load(Ordering::Relaxed)))))
    }

    fn take(limits: &InProcess, wanted: &[Key]) -> Result<(), Wait> {
        limits.ask(wanted, Purpose::Take)
    }

    fn key(name: String, window: u64) -> [Key; 1] {
        [(name, Limit { count: 1, window: Duration::from_secs(window) })]
    }

    #[test]
    fn t17_a_million_keys_do_not_stay_in_memory() {
        let (seconds, limits) = with_clock();
        let patient = key("patient".to_owned(), 86_400);
        take(&limits, &patient).unwrap();
        for number in 0..1_000_000_u64 {
            seconds.store(number / 100_000, Ordering::Relaxed);
            take(&limits, &key(format!("tenant {number}"), 3600)).unwrap();
            assert!(limits.debts.lock().unwrap().len() <= MOST);
        }
        assert!(limits.debts.lock().unwrap().capacity() <= 4 * MOST);
        assert!(take(&limits, &patient).is_err(), "the largest debt is not forgotten");
    }

    #[test]
    fn t17_who_has_no_debt_is_forgotten_first() {
        let (seconds, limits) = with_clock();
        (0..MOST as u64 * 3 / 4)
            .for_each(|number| take(&limits, &key(format!("short {number}"), 1)).unwrap());
        (0..MOST as u64 / 4).for_each(|number| take(&limits, &key(format!("long {number}"), 60)).unwrap());
        seconds.store(2, Ordering::Relaxed);
        take(&limits, &key("one more".to_owned(), 60)).unwrap();
        let debts = limits.debts.lock().unwrap();
        assert_eq!(debts.len(), MOST / 4 + 1);
        assert!(debts.keys().all(|(name, _)| !name.starts_with("short")));
    }
}
