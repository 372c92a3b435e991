//! People are forgotten, and the chain verifies all the same.

use crate::sample::{ANA, assert_fault, chain, check, checkpoint, other, texts};
use ledger::{Content, Digests, Hash, Recorded, Salt, Wrong};

type Change = fn(&mut Digests);

const CHANGES: &[Change] = &[
    |digests| digests.actor_name = other(digests.actor_name),
    |digests| digests.before = digests.before.map(other),
    |digests| digests.before = None,
    |digests| digests.after = digests.after.map(other),
    |digests| digests.after = None,
    |digests| digests.reason = digests.reason.map(other),
    |digests| digests.reason = None,
    |digests| std::mem::swap(&mut digests.before, &mut digests.after),
];

fn erased() -> Vec<Recorded> {
    let mut log = chain(ANA, 3);
    log[1].entry.erase();
    log
}

fn digests(recorded: &mut Recorded) -> &mut Digests {
    match &mut recorded.entry.content {
        Content::Erased(digests) => digests,
        Content::Kept(_) => panic!("the texts are still there"),
    }
}

#[test]
fn b4_erased_content_still_verifies() {
    let checkpoint = checkpoint(&chain(ANA, 3)[2]);
    let report = check(&erased(), &[checkpoint]).unwrap();
    assert_eq!((report.chains[0].entries, report.chains[0].erased, report.chains[0].uncovered), (3, 1, 0));

    let mut twice = erased();
    twice[1].entry.erase();
    assert_eq!(twice, erased());
}

#[test]
fn b4_nothing_of_the_texts_is_left() {
    let json = serde_json::to_string(&erased()[1]).unwrap();
    let original = &mut chain(ANA, 3)[1];
    let salt = texts(original).salt.to_string();
    for gone in ["Conceição", "enabled", "too loud", salt.as_str()] {
        assert!(!json.contains(gone), "{gone}");
    }
}

#[test]
fn s19_a_changed_digest_is_detected() {
    for change in CHANGES {
        let mut log = erased();
        change(digests(&mut log[1]));
        assert_fault(check(&log, &[]), ANA, 2, Wrong::Changed);
    }
}

#[test]
fn s19_other_texts_cannot_take_the_place_of_erased_ones() {
    let mut log = chain(ANA, 3);
    let forged = texts(&mut log[1]).clone();
    log[1].entry.erase();
    log[1].entry.content = Content::Kept(ledger::Texts { actor_name: "Bia".to_owned(), ..forged });
    assert_fault(check(&log, &[]), ANA, 2, Wrong::Changed);
}

#[test]
fn b4_equal_texts_have_different_digests() {
    let mut log = chain(ANA, 1);
    let texts = texts(&mut log[0]);
    texts.after = texts.before.clone();
    texts.reason = texts.before.clone();
    let one = texts.digests();
    texts.salt = Salt::random();
    let two = texts.digests();
    let mut all: Vec<Hash> =
        [one, two].into_iter().flat_map(|d| [d.before, d.after, d.reason]).flatten().collect();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 6);
    assert_ne!(Salt::random(), Salt::random());
}
