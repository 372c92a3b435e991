//! Any chains, any edits: a log verifies and is covered if, and only if, every chain is what was written.

use crate::sample::{ANA, BIA, check, last_checkpoints, link, relink};
use ledger::{Content, Entry, Hash, Recorded, Salt, Texts};
use proptest::{collection::vec, option, prelude::*, sample::Index};
use std::collections::BTreeMap;
use uuid::Uuid;

#[derive(Clone, Debug)]
enum Edit {
    Remove(Index),
    Repeat(Index, Index),
    Swap(Index, Index),
    Erase(Index),
    Move(Index, Option<Uuid>),
    Replace(Index, Entry),
    Text(Index, Texts),
    Hash(Index, [u8; 32]),
    /// Number and link everything anew.
    Relink,
}

fn tenant() -> impl Strategy<Value = Option<Uuid>> {
    prop_oneof![Just(None), Just(ANA), Just(BIA)]
}

fn uuid() -> impl Strategy<Value = Uuid> {
    any::<u128>().prop_map(Uuid::from_u128)
}

fn texts() -> impl Strategy<Value = Texts> {
    let text = || option::of(any::<String>());
    (any::<[u8; 16]>(), any::<String>(), text(), text(), text()).prop_map(
        |(salt, actor_name, before, after, reason)| Texts {
            salt: Salt(salt),
            actor_name,
            before,
            after,
            reason,
        },
    )
}

fn entry() -> impl Strategy<Value = Entry> {
    let ids = (tenant(), uuid(), option::of(uuid()), any::<i64>());
    let words = ["[a-z]{0,3}", "[a-z]{0,3}", "[a-z]{0,3}", "[a-z]{0,3}"];
    (ids, words, texts()).prop_map(|((tenant, id, actor_id, at), words, texts)| {
        let [actor_kind, action, subject_kind, subject_id] = words;
        let content = Content::Kept(texts);
        Entry { tenant, seq: 0, id, at, actor_kind, actor_id, action, subject_kind, subject_id, content }
    })
}

fn log() -> impl Strategy<Value = Vec<Recorded>> {
    vec(entry(), 1..12).prop_map(|entries| {
        let unlinked = entries.into_iter().map(|entry| Recorded { entry, hash: Hash([0; 32]) });
        relink(unlinked.collect())
    })
}

fn edit() -> impl Strategy<Value = Edit> {
    let place = any::<Index>;
    prop_oneof![
        place().prop_map(Edit::Remove),
        (place(), place()).prop_map(|(from, to)| Edit::Repeat(from, to)),
        (place(), place()).prop_map(|(one, two)| Edit::Swap(one, two)),
        place().prop_map(Edit::Erase),
        (place(), tenant()).prop_map(|(place, tenant)| Edit::Move(place, tenant)),
        (place(), entry()).prop_map(|(place, entry)| Edit::Replace(place, entry)),
        (place(), texts()).prop_map(|(place, texts)| Edit::Text(place, texts)),
        (place(), any::<[u8; 32]>()).prop_map(|(place, hash)| Edit::Hash(place, hash)),
        Just(Edit::Relink),
    ]
}

fn apply(log: &mut Vec<Recorded>, edit: Edit) {
    let length = log.len();
    if length == 0 {
        return;
    }
    match edit {
        Edit::Remove(place) => drop(log.remove(place.index(length))),
        Edit::Repeat(from, to) => log.insert(to.index(length), log[from.index(length)].clone()),
        Edit::Swap(one, two) => log.swap(one.index(length), two.index(length)),
        Edit::Erase(place) => log[place.index(length)].entry.erase(),
        Edit::Move(place, tenant) => log[place.index(length)].entry.tenant = tenant,
        Edit::Replace(place, entry) => {
            let old = &mut log[place.index(length)].entry;
            *old = Entry { seq: old.seq, tenant: old.tenant, ..entry };
        }
        Edit::Text(place, texts) => log[place.index(length)].entry.content = Content::Kept(texts),
        Edit::Hash(place, hash) => log[place.index(length)].hash = Hash(hash),
        Edit::Relink => *log = relink(std::mem::take(log)),
    }
}

/// What must stay as it was: each chain, where erased texts are as good as texts.
fn essence(log: &[Recorded]) -> BTreeMap<Option<Uuid>, Vec<Recorded>> {
    let mut chains: BTreeMap<_, Vec<Recorded>> = BTreeMap::new();
    for mut recorded in log.iter().cloned() {
        recorded.entry.erase();
        chains.entry(recorded.entry.tenant).or_default().push(recorded);
    }
    chains
}

proptest! {
    #[test]
    fn s19_a_log_verifies_exactly_when_it_is_unchanged(log in log(), edits in vec(edit(), 0..4)) {
        let checkpoints = last_checkpoints(&log);
        let mut edited = log.clone();
        edits.into_iter().for_each(|edit| apply(&mut edited, edit));
        // What was added at the end, with good hashes, is not covered by a checkpoint.
        let covered = check(&edited, &checkpoints)
            .is_ok_and(|report| report.chains.iter().all(|chain| chain.uncovered == 0));
        prop_assert_eq!(covered, essence(&edited) == essence(&log));
    }

    #[test]
    fn s19_one_checkpoint_anywhere_protects_what_lies_before_it(
        log in log(),
        place: Index,
        edits in vec(edit(), 1..3),
    ) {
        let signed = &log[place.index(log.len())];
        let checkpoint = crate::sample::checkpoint(signed);
        let before = |log: &[Recorded]| {
            let mut chain = essence(log).remove(&signed.entry.tenant).unwrap_or_default();
            chain.retain(|recorded| recorded.entry.seq <= signed.entry.seq);
            chain
        };
        let mut edited = log.clone();
        edits.into_iter().for_each(|edit| apply(&mut edited, edit));
        let edited = relink(edited);
        prop_assert_eq!(check(&edited, &[checkpoint]).is_ok(), before(&edited) == before(&log));
    }

    #[test]
    fn b4_entries_survive_json(entry in entry()) {
        let recorded = link([Entry { seq: 1, ..entry }]).remove(0);
        let json = serde_json::to_string(&recorded).unwrap();
        prop_assert_eq!(serde_json::from_str::<Recorded>(&json).unwrap(), recorded);
    }
}
