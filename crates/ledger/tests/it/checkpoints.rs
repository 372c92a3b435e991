//! What signatures add: chains computed anew and tails cut off are noticed.

use crate::sample::{
    ANA, BIA, assert_fault, chain, check, checkpoint, keys, last_checkpoints, log, other, relink, signer,
};
use ledger::{Checkpoint, Head, Line, Recorded, Report, Signature, Signer, Trust, Verifier, Wrong};
use std::convert::Infallible;

#[test]
fn s19_a_chain_computed_anew_without_the_key_is_detected() {
    let log = chain(ANA, 5);
    let checkpoints = [checkpoint(&log[2])];
    for place in 0..3 {
        let mut tampered = log.clone();
        tampered[place].entry.subject_id.push('x');
        let tampered = relink(tampered);
        assert!(check(&tampered, &[]).is_ok(), "hashes alone need no secret");
        assert_fault(check(&tampered, &checkpoints), ANA, 3, Wrong::Rewritten);

        let mut shortened = log.clone();
        shortened.remove(place);
        assert_fault(check(&relink(shortened), &checkpoints), ANA, 3, Wrong::Rewritten);
    }
}

#[test]
fn s19_a_tail_cut_off_is_detected_by_a_later_checkpoint() {
    let log = log(5);
    let checkpoints = last_checkpoints(&log);
    for left in 0..log.len() {
        let fault = check(&log[..left], &checkpoints).unwrap_err();
        assert_eq!((fault.seq, fault.wrong), (5, Wrong::CutOff), "{left} left");
    }
}

#[test]
fn s19_the_report_says_how_much_no_checkpoint_covers() {
    let log = chain(ANA, 5);
    let checkpoints = [checkpoint(&log[1]), checkpoint(&log[2])];
    let report = check(&log[..4], &checkpoints).unwrap();
    let found = &report.chains[0];
    assert_eq!((found.entries, found.head.seq, found.uncovered, found.erased), (4, 4, 1, 0));
    assert_eq!((found.head.hash, found.last_checkpoint), (log[3].hash, Some(checkpoints[1])));
    assert_eq!(report.trust, Trust::GivenKeys);

    let without = check(&log, &[]).unwrap();
    assert_eq!((without.chains[0].uncovered, without.chains[0].last_checkpoint), (5, None));
}

#[test]
fn s19_a_checkpoint_by_another_key_is_refused() {
    let log = chain(ANA, 2);
    let head = Head { tenant: ANA, seq: 2, hash: log[1].hash };
    let stranger = Signer::from_seed([8; 32]);
    let signed = stranger.sign(&head, 1);
    assert_fault(check(&log, &[signed]), ANA, 2, Wrong::UnknownKey(stranger.key_id()));

    let disguised = Checkpoint { key_id: signer().key_id(), ..signed };
    assert_fault(check(&log, &[disguised]), ANA, 2, Wrong::Forged(signer().key_id()));
}

#[test]
fn s19_every_changed_field_of_a_checkpoint_is_detected() {
    let log = chain(ANA, 3);
    let good = checkpoint(&log[1]);
    let Checkpoint { tenant: _, seq, hash, at, key_id: _, signature } = good;
    let mut flipped = signature.0;
    flipped[0] ^= 1;
    let stranger = Signer::from_seed([8; 32]).key_id();
    let forged = [
        Checkpoint { tenant: BIA, ..good },
        Checkpoint { tenant: None, ..good },
        Checkpoint { seq: seq + 1, ..good },
        Checkpoint { seq: seq + 1, hash: log[2].hash, ..good },
        Checkpoint { hash: other(hash), ..good },
        Checkpoint { at: at + 1, ..good },
        Checkpoint { signature: Signature(flipped), ..good },
    ];
    assert!(check(&log, &[good]).is_ok());
    for checkpoint in forged {
        assert_eq!(check(&log, &[checkpoint]).unwrap_err().wrong, Wrong::Forged(good.key_id));
    }
    let renamed = Checkpoint { key_id: stranger, ..good };
    assert_eq!(check(&log, &[renamed]).unwrap_err().wrong, Wrong::UnknownKey(stranger));
}

#[test]
fn s19_a_signature_is_good_for_its_own_chain_only() {
    let log = log(2);
    let of_ana = checkpoint(&log[0]);
    assert_eq!(of_ana.tenant, ANA);
    assert!(!Checkpoint { tenant: BIA, ..of_ana }.is_signed_by(&keys()[0]));
}

#[test]
fn b4_an_empty_chain_can_have_a_checkpoint() {
    let start = signer().sign(&Head::start(ANA), 1);
    let report = check(&[], &[start]).unwrap();
    assert_eq!((report.chains[0].entries, report.chains[0].last_checkpoint), (0, Some(start)));
    let wrong = Head { hash: other(Head::start(ANA).hash), ..Head::start(ANA) };
    assert_fault(check(&[], &[signer().sign(&wrong, 1)]), ANA, 0, Wrong::Rewritten);
}

#[test]
fn b4_keys_can_be_replaced() {
    let log = chain(ANA, 2);
    let newer = Signer::from_seed([9; 32]);
    let second = newer.sign(&Head { tenant: ANA, seq: 2, hash: log[1].hash }, 5);
    let entries = log.iter().cloned().map(Ok::<_, Infallible>);
    let both = [signer().public_key(), newer.public_key()];
    let report = ledger::verify(entries, [checkpoint(&log[0]), second], &both).unwrap();
    assert_eq!(report.chains[0].last_checkpoint, Some(second));
}

#[test]
fn b4_a_checkpoint_may_come_with_its_entry_but_not_later() {
    let log = chain(ANA, 2);
    let read = |order: [Line; 3]| -> Result<Report, ledger::Fault> {
        let mut verifier = Verifier::new(&keys());
        for line in order {
            match line {
                Line::Entry(recorded) => verifier.entry(&recorded)?,
                Line::Checkpoint(checkpoint) => verifier.checkpoint(checkpoint)?,
            }
        }
        verifier.finish(Trust::GivenKeys)
    };
    let entry = |place: usize| -> Line { Line::Entry(Recorded::clone(&log[place])) };
    let signed = || Line::Checkpoint(checkpoint(&log[0]));
    assert!(read([signed(), entry(0), entry(1)]).is_ok());
    assert!(read([entry(0), signed(), entry(1)]).is_ok());
    assert_fault(read([entry(0), entry(1), signed()]), ANA, 1, Wrong::LateCheckpoint);
}
