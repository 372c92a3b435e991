//! Denied calls on the record. Whoever asks for the same again and again gets the same no each time, and would fill the record
//! with it: beyond the first hundred of a minute, repetitions are counted, and one entry at its end says how many there were.

use super::Found;
use crate::{Engine, gate::Decision};
use ability::{Actor, Caller};
use domain::{AgentId, ServiceResult, TenantId, ToolId};
use serde_json::{Value, json};
use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use store::audit::{Author, Entry, NewEntry};
use tokio::time::Instant;

/// Each with an entry of its own.
const FIRST: u64 = 100;
const WINDOW: Duration = Duration::from_secs(60);
/// Beyond so many different ones, each has its entry again.
const MOST: usize = 10_000;

/// The same no to the same question of the same caller.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Question {
    tenant: Option<TenantId>,
    actor: Actor,
    agent: Option<AgentId>,
    tool: ToolId,
    rule: &'static str,
}

#[derive(Clone, Debug)]
struct Window {
    since: Instant,
    count: u64,
    /// For the entry at its end.
    name: String,
    after: Value,
    reason: String,
}

impl Window {
    fn is_over(&self, now: Instant) -> bool {
        now - self.since >= WINDOW
    }

    /// What has no entry yet.
    fn repeated(&self) -> Option<u64> {
        self.count.checked_sub(FIRST).filter(|count| *count > 0)
    }
}

#[derive(Default)]
pub(crate) struct Denials(Mutex<HashMap<Question, Window>>);

impl Denials {
    fn known(&self) -> MutexGuard<'_, HashMap<Question, Window>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether this one gets an entry of its own.
    fn is_noted(&self, question: Question, now: Instant, window: impl FnOnce() -> Window) -> bool {
        let mut known = self.known();
        // One that is over keeps counting until its sum is on the record.
        let is_over = |window: &Window| window.is_over(now) && window.repeated().is_none();
        if known.get(&question).is_some_and(is_over) {
            known.remove(&question);
        }
        if known.len() >= MOST && !known.contains_key(&question) {
            return true;
        }
        let window = known.entry(question).or_insert_with(window);
        window.count += 1;
        window.count <= FIRST
    }

    /// Its sum could not be written: the next round tries again.
    fn put_back(&self, question: Question, window: Window) {
        let mut known = self.known();
        let again = known.entry(question).or_insert_with(|| Window { count: FIRST, ..window.clone() });
        again.count += window.count - FIRST;
    }

    /// Those whose minute is over, or all when the process stops.
    fn ended(&self, now: Instant, is_last: bool) -> Vec<(Question, Window)> {
        self.known().extract_if(|_, window| is_last || window.is_over(now)).collect()
    }
}

impl Engine {
    /// On the record before it is answered, like everything else.
    pub(crate) async fn note_denial(
        &self,
        caller: &Caller,
        found: &Found,
        decision: &Decision,
    ) -> ServiceResult<()> {
        if !decision.is_kept() {
            return Ok(());
        }
        let agent = found.agent.as_ref();
        let after = json!({
            "tool": found.tool.tool.definition.name,
            "agent": agent.map(|agent| &agent.slug),
            "code": decision.code,
            "rule": decision.rule,
        });
        let question = Question {
            tenant: caller.tenant,
            actor: caller.actor,
            agent: agent.map(|agent| agent.id),
            tool: found.tool.tool.id,
            rule: decision.rule,
        };
        let (now, reason) = (Instant::now(), decision.reason.to_string());
        let entry = entry(&question, after.clone(), reason.clone());
        let window = || Window { since: now, count: 0, name: caller.name.clone(), after, reason };
        match self.calls.denials.is_noted(question, now, window) {
            true => self.calls.note(NewEntry::new(caller.into(), entry)).await,
            false => Ok(()),
        }
    }

    /// Repetitions of the minutes that are over; of all, when this process stops.
    pub(super) async fn note_repeated_denials(&self, is_last: bool) {
        for (question, window) in self.calls.denials.ended(Instant::now(), is_last) {
            let Some(repeated) = window.repeated() else { continue };
            let author = Author { actor: question.actor, name: &window.name };
            let mut after = window.after.clone();
            after["repeated"] = repeated.into();
            let entry = entry(&question, after, window.reason.clone());
            if let Err(error) = self.calls.note(NewEntry::new(author, entry)).await {
                tracing::warn!(%error, repeated, "how often a call was denied is not on the record yet");
                self.calls.denials.put_back(question, window);
            }
        }
    }
}

fn entry(question: &Question, after: Value, reason: String) -> Entry<'static> {
    Entry {
        tenant: question.tenant,
        action: "execution.deny",
        subject_kind: "tool",
        subject_id: question.tool.to_string(),
        before: None,
        after: Some(after),
        reason: Some(reason),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn b4_repeated_denials_are_counted_and_none_is_lost() {
        let (denials, start) = (Denials::default(), Instant::now());
        let tenant = Some(TenantId::new());
        let question =
            |rule| Question { tenant, actor: Actor::Operator, agent: None, tool: ToolId::new(), rule };
        let (flood, other) = (question("assignment"), question("ability"));
        let window = || Window {
            since: start,
            count: 0,
            name: "x".to_owned(),
            after: json!({}),
            reason: String::new(),
        };
        let at = |question: &Question, seconds| {
            denials.is_noted(question.clone(), start + Duration::from_secs(seconds), window)
        };
        let noted = (0..1_000).filter(|_| at(&flood, 1)).count();
        assert_eq!(noted, 100);
        assert!(at(&other, 1), "another question has its own entry");
        assert!(denials.ended(start + Duration::from_secs(59), false).is_empty());
        assert!(!at(&flood, 70), "it is over, and still counted until it is on the record");
        let ended = denials.ended(start + Duration::from_secs(71), false);
        let sums: Vec<_> = ended.iter().filter_map(|(_, window)| window.repeated()).collect();
        assert_eq!((ended.len(), sums), (2, vec![901]));
        for (question, window) in ended.into_iter().filter(|(_, window)| window.repeated().is_some()) {
            denials.put_back(question, window);
        }
        let again = denials.ended(start + Duration::from_secs(71), false);
        assert_eq!(again.iter().map(|(_, window)| window.repeated()).collect::<Vec<_>>(), [Some(901)]);
        assert!(at(&flood, 72), "the next minute begins anew");
        assert_eq!(denials.ended(start, true).len(), 1, "a stop does not wait for the minute");
    }
}
