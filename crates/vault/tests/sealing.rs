//! What is sealed opens where it belongs, and nowhere else.

#![allow(clippy::unwrap_used)]

use uuid::Uuid;
use vault::{MasterKey, Vault, VaultError};

const SECRET: &[u8] = b"a token of somebody else's system";

fn key(byte: u8) -> MasterKey {
    MasterKey::parse(&format!("{byte:02x}").repeat(32)).unwrap()
}

fn vault() -> Vault {
    Vault::new(key(7), vec![])
}

fn ids() -> [Uuid; 2] {
    [Uuid::from_u128(1), Uuid::from_u128(2)]
}

#[test]
fn t12_what_is_sealed_opens_again() {
    let clone = vault().clone();
    for plaintext in [&b""[..], SECRET, &[0; 100_000]] {
        let sealed = vault().seal("token", &ids(), plaintext);
        assert_eq!(clone.open("token", &ids(), &sealed).unwrap(), plaintext);
    }
}

#[test]
fn s16_a_sealed_value_shows_nothing_and_is_never_the_same_twice() {
    let (one, two) = (vault().seal("token", &ids(), SECRET), vault().seal("token", &ids(), SECRET));
    assert_ne!(one, two);
    assert!(!one.windows(8).any(|part| SECRET.windows(8).any(|secret| part == secret)));
}

#[test]
fn s16_another_tenant_row_or_purpose_does_not_open_it() {
    let [tenant, row] = ids();
    let other = Uuid::from_u128(3);
    let sealed = vault().seal("token", &[tenant, row], SECRET);
    let owners: [&[Uuid]; 6] =
        [&[other, row], &[tenant, other], &[row, tenant], &[tenant], &[], &[tenant, row, row]];
    for owner in owners {
        assert_eq!(vault().open("token", owner, &sealed), Err(VaultError::Refused), "{owner:?}");
    }
    for purpose in ["", "toke", "tokens", "Token"] {
        assert_eq!(vault().open(purpose, &[tenant, row], &sealed), Err(VaultError::Refused), "{purpose}");
    }
}

/// Bytes of the purpose never count as bytes of an id.
#[test]
fn s16_purpose_and_owner_do_not_run_into_each_other() {
    let [tenant, row] = [*b"tenant-tenant-te", *b"row-row-row-row-"].map(Uuid::from_bytes);
    let sealed = vault().seal("token", &[tenant, row], SECRET);
    assert_eq!(vault().open("tokentenant-tenant-te", &[row], &sealed), Err(VaultError::Refused));
}

#[test]
fn t12_every_flipped_bit_is_noticed() {
    let sealed = vault().seal("token", &ids(), SECRET).into_bytes();
    for bit in 0..sealed.len() * 8 {
        let mut altered = sealed.clone();
        altered[bit / 8] ^= 1 << (bit % 8);
        assert!(vault().open("token", &ids(), &altered).is_err(), "bit {bit}");
    }
}

#[test]
fn t12_what_is_cut_short_or_longer_is_noticed() {
    let mut sealed = vault().seal("token", &ids(), SECRET).into_bytes();
    for length in 0..sealed.len() {
        assert!(vault().open("token", &ids(), &sealed[..length]).is_err(), "{length} bytes");
    }
    sealed.push(0);
    assert_eq!(vault().open("token", &ids(), &sealed), Err(VaultError::Refused));
}

#[test]
fn t12_after_a_rotation_old_values_open_and_new_ones_use_the_new_key() {
    let old = vault().seal("token", &ids(), SECRET);
    let rotated = Vault::new(key(8), vec![key(6), key(7)]);
    assert_eq!(rotated.open("token", &ids(), &old).unwrap(), SECRET);
    assert!(vault().is_current(&old) && !rotated.is_current(&old));

    let new = rotated.seal("token", &ids(), SECRET);
    assert!(rotated.is_current(&new));
    assert_eq!(vault().open("token", &ids(), &new), Err(VaultError::UnknownKey));
    assert_eq!(Vault::new(key(8), vec![]).open("token", &ids(), &new).unwrap(), SECRET);
    assert!(!rotated.is_current(b"") && !rotated.is_current(b"something else"));
}

#[test]
fn s16_a_fingerprint_is_the_same_for_the_same_and_no_help_to_who_guesses() {
    let of = |vault: &Vault, purpose: &str, text: &[u8]| vault.fingerprint(purpose, text);
    let one = of(&vault(), "binding", b"1234");
    assert_eq!(one, of(&vault(), "binding", b"1234"));
    assert_eq!(one.len(), 64);
    let others = [
        of(&vault(), "binding", b"1235"),
        of(&vault(), "request", b"1234"),
        of(&Vault::new(key(8), vec![]), "binding", b"1234"),
    ];
    assert!(!others.contains(&one), "{others:?}");
}

/// Made with another implementation of HKDF: the derivation must never change, or nothing opens any more.
#[test]
fn t12_derived_keys_stay_the_same() {
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let seed = vault().signing_seed("audit");
    assert_eq!(hex(&seed), "7009072d307508a2d48f473ddb11d7f33b7f8208f1d50caf9bfb85c71568cf0d");
    assert_eq!(hex(&vault().seal("token", &ids(), SECRET)[..9]), "0149ecbdbbb3849564");
    assert_ne!(seed, vault().signing_seed("other"));
    assert_ne!(seed, Vault::new(key(8), vec![]).signing_seed("audit"));
}

/// Sealed once and written down: the layout must stay readable.
#[test]
fn t12_a_value_sealed_long_ago_opens() {
    let hex = concat!(
        "0149ecbdbbb3849564655c702881097a61ad23ea2928b6b168a81d09c455817a3c",
        "c6d0073b5cbcb2c0010a0cfe1e397bfab6db2b06"
    );
    let bytes: Vec<u8> =
        (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect();
    assert_eq!(vault().open("token", &ids(), &bytes).unwrap(), b"kept");
}

#[test]
fn s16_debug_shows_nothing() {
    assert_eq!(format!("{:?}", vault()), "Vault { .. }");
    assert_eq!(format!("{:?}", key(7)), "MasterKey { .. }");
}
