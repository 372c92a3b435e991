//! Entries changed, removed, added and moved, with and without hashes computed anew.

use crate::sample::{
    ANA, BIA, assert_fault, chain, check, entry, last_checkpoints, link, log, other, relink, texts,
};
use ledger::{Content, Entry, Head, LinkError, Recorded, Salt, Texts, Wrong};
use uuid::Uuid;

type Change = (&'static str, fn(&mut Recorded));

/// Changes that leave the entry in its place. Every field of an entry has at least one.
const CHANGES: &[Change] = &[
    ("id", |r| r.entry.id = Uuid::from_u128(9)),
    ("at", |r| r.entry.at += 1),
    ("actor_kind", |r| r.entry.actor_kind.push('s')),
    ("actor_id", |r| r.entry.actor_id = Some(Uuid::nil())),
    ("no actor_id", |r| r.entry.actor_id = None),
    ("action", |r| r.entry.action.push('!')),
    ("subject_kind", |r| r.entry.subject_kind.clear()),
    ("subject_id", |r| r.entry.subject_id.insert(0, ' ')),
    ("a letter moved between two fields", |r| {
        let letter = r.entry.action.pop().unwrap();
        r.entry.subject_kind.insert(0, letter);
    }),
    ("salt", |r| texts(r).salt = Salt([0xff; 16])),
    ("actor_name", |r| texts(r).actor_name = "Conceicao".to_owned()),
    ("before, the same JSON with other spaces", |r| {
        texts(r).before = Some("{\"enabled\":true}".to_owned());
    }),
    ("before empty", |r| texts(r).before = Some(String::new())),
    ("no before", |r| texts(r).before = None),
    ("after", |r| texts(r).after = Some("{\"enabled\":true}".to_owned())),
    ("no after", |r| texts(r).after = None),
    ("before and after swapped", |r| {
        let Texts { before, after, .. } = texts(r);
        std::mem::swap(before, after);
    }),
    ("reason", |r| texts(r).reason = Some("too Loud".to_owned())),
    ("reason empty", |r| texts(r).reason = Some(String::new())),
    ("no reason", |r| texts(r).reason = None),
    ("hash", |r| r.hash = other(r.hash)),
];

/// Does not compile when an entry has a field that the list above may not know.
#[allow(dead_code)]
fn every_field_is_in_the_list(Recorded { entry, hash: _ }: Recorded) {
    let Entry { tenant: _, seq: _, id: _, at: _, actor_kind: _, actor_id: _, .. } = entry;
    let Entry { action: _, subject_kind: _, subject_id: _, content, .. } = entry;
    if let Content::Kept(texts) = content {
        let Texts { salt: _, actor_name: _, before: _, after: _, reason: _ } = texts;
    }
}

#[test]
fn s19_every_changed_field_of_every_entry_is_detected() {
    let log = log(4);
    for place in 0..log.len() {
        for (name, change) in CHANGES {
            let mut tampered = log.clone();
            change(&mut tampered[place]);
            assert_ne!(tampered, log, "{name}");
            let Entry { tenant, seq, .. } = log[place].entry;
            assert_fault(check(&tampered, &[]), tenant, seq, Wrong::Changed);
        }
    }
}

#[test]
fn s19_a_changed_entry_with_a_new_hash_breaks_the_next_link() {
    let mut log = chain(ANA, 4);
    log[1].entry.at += 1;
    log[1].hash = Head { tenant: ANA, seq: 1, hash: log[0].hash }.link(&log[1].entry).unwrap().hash;
    assert_fault(check(&log, &[]), ANA, 3, Wrong::Changed);
}

#[test]
fn s19_every_changed_number_and_tenant_is_detected() {
    let log = log(4);
    let checkpoints = last_checkpoints(&log);
    for place in 0..log.len() {
        for seq in (-1..=6).chain([i64::MIN, i64::MAX]).filter(|seq| *seq != log[place].entry.seq) {
            let mut tampered = log.clone();
            tampered[place].entry.seq = seq;
            assert!(check(&tampered, &checkpoints).is_err(), "{place} as {seq}");
        }
        for tenant in
            [None, ANA, BIA, Some(Uuid::nil())].into_iter().filter(|t| *t != log[place].entry.tenant)
        {
            let mut tampered = log.clone();
            tampered[place].entry.tenant = tenant;
            assert!(check(&tampered, &checkpoints).is_err(), "{place} to {tenant:?}");
        }
    }
}

#[test]
fn s19_a_removed_entry_is_missing() {
    let log = chain(ANA, 5);
    for place in 0..4 {
        let mut tampered = log.clone();
        let removed = tampered.remove(place);
        assert_fault(check(&tampered, &[]), ANA, removed.entry.seq, Wrong::Missing);
    }
}

#[test]
fn s19_a_fault_names_the_chain_and_the_entry() {
    let mut log = log(2);
    log.remove(1);
    let fault = check(&log, &[]).unwrap_err();
    assert_eq!(fault.to_string(), "chain of the platform, entry 1: it is missing");
    log.remove(0);
    let fault = check(&log, &[]).unwrap_err().to_string();
    assert_eq!(fault, "chain of tenant 00000000-0000-0000-0000-00000000000a, entry 1: it is missing");
}

#[test]
fn s19_an_inserted_entry_is_detected() {
    let log = chain(ANA, 3);
    let mut forged = entry(ANA, 2);
    forged.action = "global_tool.read".to_owned();
    let forged = link([log[0].entry.clone(), forged]).remove(1);

    let mut before = log.clone();
    before.insert(1, forged.clone());
    assert_fault(check(&before, &[]), ANA, 2, Wrong::Inserted);

    let mut renumbered = before;
    renumbered[2].entry.seq = 3;
    renumbered[3].entry.seq = 4;
    assert_fault(check(&renumbered, &[]), ANA, 3, Wrong::Changed);

    let mut after = log;
    after.insert(2, forged);
    assert_fault(check(&after, &[]), ANA, 2, Wrong::Inserted);
}

#[test]
fn s19_swapped_and_repeated_entries_are_detected() {
    let log = chain(ANA, 5);
    for one in 0..5 {
        for two in one + 1..5 {
            let mut swapped = log.clone();
            swapped.swap(one, two);
            assert_fault(check(&swapped, &[]), ANA, log[one].entry.seq, Wrong::Order);
        }
        for place in one + 1..=5 {
            let mut repeated = log.clone();
            repeated.insert(place, log[one].clone());
            assert_fault(check(&repeated, &[]), ANA, log[one].entry.seq, Wrong::Inserted);
        }
    }
}

#[test]
fn s19_an_entry_moved_to_another_tenant_is_detected() {
    let mut log = chain(ANA, 3);
    log.extend(chain(BIA, 2));
    let checkpoints = last_checkpoints(&log);
    // It fits exactly behind the other chain's end.
    let mut moved = log.remove(2);
    moved.entry.tenant = BIA;
    log.push(moved);
    assert_fault(check(&log, &[]), BIA, 3, Wrong::Changed);
    assert_fault(check(&relink(log), &checkpoints), ANA, 3, Wrong::CutOff);
}

#[test]
fn s19_whole_chains_cannot_change_places() {
    let mut log = chain(ANA, 3);
    log.extend(chain(BIA, 3));
    for recorded in &mut log {
        recorded.entry.tenant = if recorded.entry.tenant == ANA { BIA } else { ANA };
    }
    assert_fault(check(&log, &[]), BIA, 1, Wrong::Changed);
}

#[test]
fn b4_a_link_refuses_what_does_not_follow() {
    let head = Head::start(ANA).link(&entry(ANA, 1)).unwrap();
    assert_eq!(head.link(&entry(BIA, 2)), Err(LinkError::OtherChain));
    assert_eq!(head.link(&entry(None, 2)), Err(LinkError::OtherChain));
    for found in [1, 3] {
        assert_eq!(head.link(&entry(ANA, found)), Err(LinkError::OutOfSequence { head: 1, found }));
    }
    let full = Head { seq: i64::MAX, ..head };
    assert!(full.link(&entry(ANA, 1)).is_err());
}

#[test]
fn b4_chains_may_be_mixed_or_one_after_the_other() {
    let mixed = log(4);
    let mut grouped = mixed.clone();
    grouped.sort_by_key(|recorded| recorded.entry.tenant);
    assert_ne!(mixed, grouped);
    let checkpoints = last_checkpoints(&mixed);
    let report = check(&mixed, &checkpoints).unwrap();
    assert_eq!(check(&grouped, &checkpoints), Ok(report.clone()));
    let chains: Vec<_> = report.chains.iter().map(|chain| (chain.head.tenant, chain.entries)).collect();
    assert_eq!(chains, [(None, 4), (ANA, 4), (BIA, 4)]);
}
