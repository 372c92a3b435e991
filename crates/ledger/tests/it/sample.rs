//! Small chains to tamper with.

use ledger::{Checkpoint, Content, Entry, Fault, Hash, Head, PublicKey, Recorded, Report, Salt, Signer};
use ledger::{Texts, Unverified, Wrong, verify};
use std::{collections::BTreeMap, convert::Infallible};
use uuid::Uuid;

pub const ANA: Option<Uuid> = Some(Uuid::from_u128(0xa));
pub const BIA: Option<Uuid> = Some(Uuid::from_u128(0xb));

pub fn signer() -> Signer {
    Signer::from_seed([7; 32])
}

pub fn keys() -> [PublicKey; 1] {
    [signer().public_key()]
}

pub fn entry(tenant: Option<Uuid>, seq: i64) -> Entry {
    let number = u8::try_from(seq).unwrap();
    Entry {
        tenant,
        seq,
        id: Uuid::from_u128(tenant.map_or(0, |tenant| tenant.as_u128()) << 8 | u128::from(number)),
        at: 1_800_000_000_000_000 + seq,
        actor_kind: "user".to_owned(),
        actor_id: Some(Uuid::from_u128(0xf00)),
        action: "global_tool.switch".to_owned(),
        subject_kind: "global_tool".to_owned(),
        subject_id: format!("tool-{seq}"),
        content: Content::Kept(Texts {
            salt: Salt([number; 16]),
            actor_name: "Conceição".to_owned(),
            before: Some("{\"enabled\": true}".to_owned()),
            after: Some("{\"enabled\":false}".to_owned()),
            reason: Some("too loud".to_owned()),
        }),
    }
}

pub fn texts(recorded: &mut Recorded) -> &mut Texts {
    match &mut recorded.entry.content {
        Content::Kept(texts) => texts,
        Content::Erased(_) => panic!("the texts are erased"),
    }
}

/// Links entries of any chains, in their order, as the store would.
pub fn link(entries: impl IntoIterator<Item = Entry>) -> Vec<Recorded> {
    let mut heads = BTreeMap::new();
    let link = |entry: Entry| {
        let head = heads.entry(entry.tenant).or_insert_with(|| Head::start(entry.tenant));
        *head = head.link(&entry).unwrap();
        Recorded { hash: head.hash, entry }
    };
    entries.into_iter().map(link).collect()
}

/// What an attacker without the key can do: number and link everything anew.
pub fn relink(log: Vec<Recorded>) -> Vec<Recorded> {
    let mut last = BTreeMap::new();
    link(log.into_iter().map(|Recorded { mut entry, .. }| {
        let seq = last.entry(entry.tenant).or_insert(0);
        *seq += 1;
        entry.seq = *seq;
        entry
    }))
}

/// `each` entries in three chains, mixed.
pub fn log(each: i64) -> Vec<Recorded> {
    link((1..=each).flat_map(|seq| [ANA, None, BIA].map(|tenant| entry(tenant, seq))))
}

pub fn chain(tenant: Option<Uuid>, length: i64) -> Vec<Recorded> {
    link((1..=length).map(|seq| entry(tenant, seq)))
}

pub fn checkpoint(recorded: &Recorded) -> Checkpoint {
    let Entry { tenant, seq, at, .. } = recorded.entry;
    signer().sign(&Head { tenant, seq, hash: recorded.hash }, at + 1)
}

/// A checkpoint for the last entry of every chain.
pub fn last_checkpoints(log: &[Recorded]) -> Vec<Checkpoint> {
    let last: BTreeMap<_, _> = log.iter().map(|recorded| (recorded.entry.tenant, recorded)).collect();
    last.into_values().map(checkpoint).collect()
}

pub fn check(log: &[Recorded], checkpoints: &[Checkpoint]) -> Result<Report, Fault> {
    let entries = log.iter().cloned().map(Ok::<_, Infallible>);
    verify(entries, checkpoints.iter().copied(), &keys()).map_err(|error| match error {
        Unverified::Fault(fault) => fault,
        Unverified::Unreadable(never) => match never {},
    })
}

#[track_caller]
pub fn assert_fault(checked: Result<Report, Fault>, tenant: Option<Uuid>, seq: i64, wrong: Wrong) {
    assert_eq!(checked, Err(Fault { tenant, seq, wrong }));
}

pub fn other(hash: Hash) -> Hash {
    let mut bytes = hash.0;
    bytes[31] ^= 1;
    Hash(bytes)
}
