//! The master key as a setting and as a file.

#![allow(clippy::unwrap_used)]

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::Path,
    sync::{Arc, Barrier},
    thread,
};
use vault::{KeyError, MasterKey, Vault};

/// Keys cannot be compared, but what comes from them can.
fn fingerprint(key: MasterKey) -> [u8; 32] {
    Vault::new(key, vec![]).signing_seed("test")
}

fn parsed(text: &str) -> Option<[u8; 32]> {
    MasterKey::parse(text).ok().map(fingerprint)
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn t12_a_key_is_read_in_every_usual_spelling() {
    let hex = parsed(&"fb".repeat(32));
    assert!(hex.is_some());
    for same in [
        &"FB".repeat(32),
        &format!(" {}\n", "fb".repeat(32)),
        "+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/s=",
        "+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/s",
        "-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_s=",
        "-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_s",
    ] {
        assert_eq!(parsed(same), hex, "{same}");
    }
}

#[test]
fn s16_a_wrong_key_is_refused_and_not_repeated() {
    let long = "fb".repeat(33);
    let not_hex = "xy".repeat(32);
    let not_ascii = "é".repeat(32);
    for wrong in ["", "correct horse", "+/v7", &long, &not_hex, &not_ascii] {
        let error = MasterKey::parse(wrong).unwrap_err();
        let message = format!("{error} {error:?}");
        assert!(wrong.is_empty() || !message.contains(wrong), "{message}");
    }
}

#[test]
fn t12_the_file_is_made_once_and_for_its_owner_only() {
    let folder = tempfile::tempdir().unwrap();
    let first = fingerprint(MasterKey::load_or_create(folder.path()).unwrap());
    let file = fs::metadata(folder.path().join("master.key")).unwrap();
    assert_eq!((file.len(), file.permissions().mode() & 0o777), (32, 0o600));
    assert_eq!(fingerprint(MasterKey::load_or_create(folder.path()).unwrap()), first);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left behind");
}

#[test]
fn t12_all_who_start_at_once_get_the_same_key() {
    for _ in 0..20 {
        let folder = tempfile::tempdir().unwrap();
        let start = Arc::new(Barrier::new(8));
        let starters: Vec<_> = (0..8)
            .map(|_| {
                let (start, path) = (start.clone(), folder.path().to_owned());
                thread::spawn(move || {
                    start.wait();
                    fingerprint(MasterKey::load_or_create(&path).unwrap())
                })
            })
            .collect();
        let keys: Vec<_> = starters.into_iter().map(|starter| starter.join().unwrap()).collect();
        assert!(keys.iter().all(|key| *key == keys[0]));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}

#[test]
fn s16_a_file_that_others_can_read_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    MasterKey::load_or_create(folder.path()).unwrap();
    let path = folder.path().join("master.key");
    for mode in [0o640, 0o604, 0o620, 0o644] {
        set_mode(&path, mode);
        let error = MasterKey::load_or_create(folder.path()).unwrap_err();
        assert!(matches!(error, KeyError::OpenToOthers { .. }));
        assert!(error.to_string().contains("chmod 600"), "{error}");
    }
    set_mode(&path, 0o400);
    assert!(MasterKey::load_or_create(folder.path()).is_ok());
}

#[test]
fn t12_a_file_of_another_length_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("master.key");
    for length in [0, 31, 33] {
        fs::write(&path, vec![1; length]).unwrap();
        set_mode(&path, 0o600);
        let error = MasterKey::load_or_create(folder.path()).unwrap_err();
        assert!(matches!(error, KeyError::WrongLength { .. }), "{error}");
        assert_eq!(fs::read(&path).unwrap(), vec![1; length]);
    }
}

#[test]
fn t12_a_folder_that_is_not_there_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let error = MasterKey::load_or_create(&folder.path().join("missing")).unwrap_err();
    assert!(matches!(error, KeyError::File { .. }));
}
