//! Verification without the database: entries and checkpoints stream past, and only the head of each chain and the
//! checkpoints that are still ahead are kept.

use crate::{
    chain::{Head, LinkError, Recorded},
    checkpoint::Checkpoint,
    key::{KeyId, PublicKey},
    report::{ChainReport, Fault, Report, Trust, Unverified, Wrong},
};
use serde::Deserialize;
use std::collections::BTreeMap;
use uuid::Uuid;

/// One line of an export.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Line {
    Entry(Recorded),
    Checkpoint(Checkpoint),
}

/// Checks every entry and every checkpoint. Within a chain the entries come in the order of their numbers; the
/// chains may be mixed.
pub fn verify<E>(
    entries: impl IntoIterator<Item = Result<Recorded, E>>,
    checkpoints: impl IntoIterator<Item = Checkpoint>,
    trusted_keys: &[PublicKey],
) -> Result<Report, Unverified<E>> {
    let checkpoints = checkpoints.into_iter().map(|checkpoint| Ok(Line::Checkpoint(checkpoint)));
    let entries = entries.into_iter().map(|entry| entry.map(Line::Entry));
    let mut verifier = Verifier::new(trusted_keys);
    verifier.read(checkpoints.chain(entries))?;
    Ok(verifier.finish(Trust::GivenKeys)?)
}

/// The verification step by step, for whoever has checkpoints from several places.
pub struct Verifier {
    keys: BTreeMap<KeyId, PublicKey>,
    chains: BTreeMap<Option<Uuid>, Chain>,
}

struct Chain {
    head: Head,
    erased: u64,
    last_checkpoint: Option<Checkpoint>,
    ahead: BTreeMap<i64, Vec<Checkpoint>>,
}

impl Verifier {
    pub fn new(trusted_keys: &[PublicKey]) -> Self {
        let keys = trusted_keys.iter().map(|key| (key.id(), *key)).collect();
        Self { keys, chains: BTreeMap::new() }
    }

    /// After an error the verifier is of no more use.
    pub fn read<E>(&mut self, lines: impl IntoIterator<Item = Result<Line, E>>) -> Result<(), Unverified<E>> {
        let mut lines = lines.into_iter();
        while let Some(line) = lines.next() {
            let checked = match line.map_err(Unverified::Unreadable)? {
                Line::Entry(recorded) => self.entry(&recorded),
                Line::Checkpoint(checkpoint) => self.checkpoint(checkpoint),
            };
            if let Err(fault) = checked {
                return Err(missing_or_late(fault, lines).into());
            }
        }
        Ok(())
    }

    pub fn entry(&mut self, recorded: &Recorded) -> Result<(), Fault> {
        self.chain(recorded.entry.tenant).entry(recorded)
    }

    /// At the latest before the entry that follows the one it names.
    pub fn checkpoint(&mut self, checkpoint: Checkpoint) -> Result<(), Fault> {
        let Checkpoint { tenant, seq, key_id, .. } = checkpoint;
        let fault = |wrong| Fault { tenant, seq, wrong };
        let key = self.keys.get(&key_id).ok_or(fault(Wrong::UnknownKey(key_id)))?;
        if !checkpoint.is_signed_by(key) {
            return Err(fault(Wrong::Forged(key_id)));
        }
        self.chain(tenant).checkpoint(checkpoint)
    }

    /// `trust` says where the keys came from.
    pub fn finish(self, trust: Trust) -> Result<Report, Fault> {
        let chains = self.chains.into_values().map(Chain::finish).collect::<Result<_, _>>()?;
        Ok(Report { trust, chains })
    }

    fn chain(&mut self, tenant: Option<Uuid>) -> &mut Chain {
        self.chains.entry(tenant).or_insert_with(|| Chain::new(tenant))
    }
}

impl Chain {
    fn new(tenant: Option<Uuid>) -> Self {
        Self { head: Head::start(tenant), erased: 0, last_checkpoint: None, ahead: BTreeMap::new() }
    }

    fn entry(&mut self, recorded: &Recorded) -> Result<(), Fault> {
        let head = self.head.link(&recorded.entry).map_err(|error| self.misplaced(error))?;
        if head.hash != recorded.hash {
            return Err(self.fault(head.seq, Wrong::Changed));
        }
        self.head = head;
        self.erased += u64::from(recorded.entry.content.is_erased());
        let reached = self.ahead.remove(&head.seq).unwrap_or_default();
        reached.into_iter().try_for_each(|checkpoint| self.compare(checkpoint))
    }

    fn misplaced(&self, error: LinkError) -> Fault {
        match error {
            LinkError::OutOfSequence { head, found } if found > head => self.fault(head + 1, Wrong::Missing),
            LinkError::OutOfSequence { found, .. } => self.fault(found, Wrong::Inserted),
            LinkError::OtherChain => self.fault(self.head.seq, Wrong::Inserted),
        }
    }

    fn checkpoint(&mut self, checkpoint: Checkpoint) -> Result<(), Fault> {
        if checkpoint.seq > self.head.seq {
            self.ahead.entry(checkpoint.seq).or_default().push(checkpoint);
            return Ok(());
        }
        if checkpoint.seq < self.head.seq {
            return Err(self.fault(checkpoint.seq, Wrong::LateCheckpoint));
        }
        self.compare(checkpoint)
    }

    /// `checkpoint` names the head.
    fn compare(&mut self, checkpoint: Checkpoint) -> Result<(), Fault> {
        if checkpoint.hash != self.head.hash {
            return Err(self.fault(checkpoint.seq, Wrong::Rewritten));
        }
        self.last_checkpoint = Some(checkpoint);
        Ok(())
    }

    fn finish(self) -> Result<ChainReport, Fault> {
        if let Some(&promised) = self.ahead.keys().next_back() {
            return Err(self.fault(promised, Wrong::CutOff));
        }
        let covered = self.last_checkpoint.map_or(0, |checkpoint| checkpoint.seq);
        Ok(ChainReport {
            head: self.head,
            entries: self.head.seq.unsigned_abs(),
            erased: self.erased,
            last_checkpoint: self.last_checkpoint,
            uncovered: self.head.seq.abs_diff(covered),
        })
    }

    fn fault(&self, seq: i64, wrong: Wrong) -> Fault {
        Fault { tenant: self.head.tenant, seq, wrong }
    }
}

/// A missing entry that comes after all was not removed: the order is wrong.
fn missing_or_late<E>(fault: Fault, rest: impl Iterator<Item = Result<Line, E>>) -> Fault {
    let is_it = |line: &Line| match line {
        Line::Entry(Recorded { entry, .. }) => entry.tenant == fault.tenant && entry.seq == fault.seq,
        Line::Checkpoint(_) => false,
    };
    if fault.wrong == Wrong::Missing && rest.map_while(Result::ok).any(|line| is_it(&line)) {
        return Fault { wrong: Wrong::Order, ..fault };
    }
    fault
}
