//! The file that an auditor takes home.

use crate::sample::{ANA, assert_fault, chain, checkpoint, keys, last_checkpoints, log, signer, texts};
use ledger::export::{LONGEST_LINE, Problem, ReadError, Reader, WriteError, Writer};
use ledger::verify_file;
use ledger::{Checkpoint, Fault, Head, Line, PublicKey, Recorded, Report, Signer, Trust, Unverified, Wrong};

fn export(log: &[Recorded], checkpoints: &[Checkpoint], keys: &[PublicKey]) -> String {
    let mut writer = Writer::new(Vec::new(), keys, 1_800_000_000_000_000).unwrap();
    checkpoints.iter().for_each(|checkpoint| writer.checkpoint(checkpoint).unwrap());
    log.iter().for_each(|recorded| writer.entry(recorded).unwrap());
    String::from_utf8(writer.finish().unwrap()).unwrap()
}

/// One entry with texts, one without, and a checkpoint.
fn sample() -> String {
    let mut log = chain(ANA, 2);
    log[0].entry.erase();
    export(&log, &last_checkpoints(&log), &keys())
}

fn check(file: &[u8], trusted: Option<&[PublicKey]>) -> Result<Report, Unverified<ReadError>> {
    verify_file(Reader::new(file).map_err(Unverified::Unreadable)?, trusted)
}

fn fault(checked: Result<Report, Unverified<ReadError>>) -> Result<Report, Fault> {
    checked.map_err(|error| match error {
        Unverified::Fault(fault) => fault,
        Unverified::Unreadable(error) => panic!("{error}"),
    })
}

#[track_caller]
fn unreadable(checked: Result<Report, Unverified<ReadError>>) -> ReadError {
    match checked {
        Err(Unverified::Unreadable(error)) => error,
        other => panic!("{other:?}"),
    }
}

#[test]
fn b4_what_was_written_is_read_and_verifies() {
    let mut log = log(2);
    texts(&mut log[1]).reason = Some("\u{0}\n\"\u{2028}ção".to_owned());
    log[0].entry.erase();
    let checkpoints = last_checkpoints(&log);
    let file = export(&log, &checkpoints, &keys());
    assert!(file.starts_with("{\"format\":\"alcada-audit/1\",\"public_keys\":[\""));

    let reader = Reader::new(file.as_bytes()).unwrap();
    assert_eq!(reader.header().exported_at, 1_800_000_000_000_000);
    let written = checkpoints.into_iter().map(Line::Checkpoint).chain(log.into_iter().map(Line::Entry));
    let read: Vec<Line> = reader.map(Result::unwrap).collect();
    assert_eq!(read, written.collect::<Vec<_>>());
    assert_eq!(check(sample().as_bytes(), Some(&keys())).unwrap().chains.len(), 1);
}

#[test]
fn s19_keys_of_the_file_prove_consistency_only() {
    let log = chain(ANA, 2);
    let forger = Signer::from_seed([8; 32]);
    let signed = forger.sign(&Head { tenant: ANA, seq: 2, hash: log[1].hash }, 1);
    let file = export(&log, &[signed], &[forger.public_key()]);

    let believed = check(file.as_bytes(), None).unwrap();
    assert_eq!(believed.trust, Trust::KeysOfTheFile);
    assert!(believed.trust.to_string().contains("anybody may have made it"));
    let known = fault(check(file.as_bytes(), Some(&keys())));
    assert_fault(known, ANA, 2, Wrong::UnknownKey(forger.key_id()));
    let good = export(&log, &[checkpoint(&log[1])], &[]);
    assert_eq!(check(good.as_bytes(), Some(&keys())).unwrap().trust, Trust::GivenKeys);
    assert_fault(fault(check(good.as_bytes(), None)), ANA, 2, Wrong::UnknownKey(signer().key_id()));
}

#[test]
fn s19_a_file_cut_short_is_noticed_wherever_it_was_cut() {
    let file = sample();
    let header = file.find('\n').unwrap();
    for end in (0..file.len() - 1).step_by(3).chain([header - 1, file.len() - 2]) {
        assert!(check(&file.as_bytes()[..end], Some(&keys())).is_err(), "{end}");
    }
}

/// The hashes need no key: whoever takes the signatures out can compute the rest anew.
#[test]
fn s19_a_file_that_is_not_signed_to_its_end_is_refused() {
    let log = chain(ANA, 4);
    for (checkpoints, first) in [(vec![], 1), (vec![checkpoint(&log[1])], 3)] {
        let file = export(&log, &checkpoints, &keys());
        assert_fault(fault(check(file.as_bytes(), Some(&keys()))), ANA, first, Wrong::Unsigned);
    }
    let header = export(&[], &[], &keys());
    assert!(matches!(unreadable(check(header.as_bytes(), None)).problem, Problem::NoEntries));
}

#[test]
fn s19_no_changed_byte_goes_unnoticed_or_matters() {
    let file = sample();
    let report = check(file.as_bytes(), Some(&keys())).unwrap();
    for (place, flip) in (0..file.len()).zip([1, 32, 2].into_iter().cycle()) {
        let mut damaged = file.clone().into_bytes();
        damaged[place] ^= flip;
        if let Ok(found) = check(&damaged, Some(&keys())) {
            assert_eq!(found, report, "byte {place}");
        }
    }
}

#[test]
fn b4_a_damaged_line_is_an_error_with_its_number() {
    let file = sample();
    for line in 0..file.lines().count() {
        let spoiled = |text: &str| {
            let mut lines: Vec<&str> = file.lines().collect();
            lines[line] = text;
            unreadable(check((lines.join("\n") + "\n").as_bytes(), Some(&keys())))
        };
        for text in ["", "{}", "null", "{\"kind\":\"entry\"}", "{\"kind\":\"other\"}", "\u{feff}{}"] {
            let error = spoiled(text);
            assert_eq!(error.line, line as u64 + 1, "{text}");
            assert!(matches!(error.problem, Problem::Damaged(_)), "{error}");
        }
    }
    let mut not_text = file.into_bytes();
    let place = not_text.iter().position(|byte| *byte == b'\n').unwrap() + 20;
    not_text[place] = 0xff;
    assert_eq!(unreadable(check(&not_text, Some(&keys()))).line, 2);
}

#[test]
fn b4_unknown_fields_and_formats_are_refused() {
    let file = sample();
    for object in
        ["{\"kind\":\"entry\"", "{\"kind\":\"checkpoint\"", "\"entry\":{", "\"erased\":{", "\"kept\":{"]
    {
        assert!(file.contains(object), "{object}");
        let comma = if object.ends_with('{') { "" } else { "," };
        let extra = if object.ends_with('{') { "\"x\":1," } else { "\"x\":1" };
        let error =
            unreadable(check(file.replacen(object, &format!("{object}{comma}{extra}"), 1).as_bytes(), None));
        assert!(error.to_string().contains("unknown field `x`"), "{error}");
    }
    let header = file.replacen("{\"format\"", "{\"x\":1,\"format\"", 1);
    assert!(unreadable(check(header.as_bytes(), None)).to_string().contains("unknown field `x`"));
    let newer = file.replacen("alcada-audit/1", "alcada-audit/2", 1);
    assert!(unreadable(check(newer.as_bytes(), None)).to_string().contains("alcada-audit/2"));
    let twice = file.replacen("\"at\":", "\"at\":1,\"at\":", 1);
    assert!(unreadable(check(twice.as_bytes(), None)).to_string().contains("duplicate field"));
    assert!(matches!(unreadable(check(b"", None)).problem, Problem::NoHeader));
}

#[test]
fn b4_long_lines_are_neither_read_nor_written() {
    let mut long = chain(ANA, 1).remove(0);
    texts(&mut long).reason = Some(String::new());
    let rest = export(std::slice::from_ref(&long), &[], &[]).lines().nth(1).unwrap().len() + 1;
    let mut write = |length: usize| {
        texts(&mut long).reason = Some("x".repeat(length - rest));
        Writer::new(Vec::new(), &[], 0).unwrap().entry(&long)
    };
    assert!(write(LONGEST_LINE).is_ok());
    assert!(matches!(write(LONGEST_LINE + 1), Err(WriteError::TooLong)));

    let header = export(&[], &[], &[]);
    let endless = format!("{header}{}", " ".repeat(2 * LONGEST_LINE));
    let mut reader = Reader::new(endless.as_bytes()).unwrap();
    let error = reader.next().unwrap().unwrap_err();
    assert_eq!(error.line, 2);
    assert!(matches!(error.problem, Problem::TooLong));
    assert!(reader.next().is_none(), "it ends after the first error");
}
