//! What a verification found.

use crate::{chain::Head, checkpoint::Checkpoint, key::KeyId};
use serde::Serialize;
use std::fmt;
use uuid::Uuid;

/// Nothing is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    pub trust: Trust,
    /// The platform's first, then by tenant.
    pub chains: Vec<ChainReport>,
}

/// Where the keys came from that the checkpoints were checked with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Trust {
    /// From whoever asked for the verification.
    GivenKeys,
    /// From the file itself. It proves that the file is consistent, not who wrote it: a forger would have put a key
    /// of their own there.
    KeysOfTheFile,
}

impl fmt::Display for Trust {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::GivenKeys => "checked with the keys that were given",
            Self::KeysOfTheFile => {
                "checked with the keys in the file itself: it is consistent, but anybody may have made it"
            }
        })
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChainReport {
    /// The tenant, the last entry's number and its hash.
    pub head: Head,
    pub entries: u64,
    /// Of these, the ones whose texts are gone.
    pub erased: u64,
    pub last_checkpoint: Option<Checkpoint>,
    /// How many entries at the end no checkpoint covers. Those may have been changed, removed or made up.
    pub uncovered: u64,
}

impl ChainReport {
    /// `chain of tenant …`, or of the platform.
    pub fn name(&self) -> String {
        ChainName(self.head.tenant).to_string()
    }
}

/// The first thing that is wrong, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}, entry {seq}: {wrong}", ChainName(*.tenant))]
pub struct Fault {
    pub tenant: Option<Uuid>,
    pub seq: i64,
    pub wrong: Wrong,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Wrong {
    #[error("it was changed, or its hash was, or what stood before it was")]
    Changed,
    #[error("it is missing")]
    Missing,
    #[error("it comes after later entries")]
    Order,
    #[error("another entry with this number was inserted")]
    Inserted,
    #[error("the chain was computed anew: a signed checkpoint has another hash")]
    Rewritten,
    #[error("the chain ends before it, but a signed checkpoint says that it was there")]
    CutOff,
    #[error("a checkpoint is forged: key {0} did not sign it")]
    Forged(KeyId),
    #[error("a checkpoint is signed with key {0}, which is not trusted")]
    UnknownKey(KeyId),
    #[error("a checkpoint comes too late in the input to be compared with it")]
    LateCheckpoint,
    #[error("no signature reaches it: an export is signed up to its last entry")]
    Unsigned,
    #[error("the whole chain is gone, and its tenant is still there")]
    NoChain,
    #[error("the call {0} is in the history, but not as this entry tells it")]
    OtherCall(Uuid),
    #[error("the call {0} is gone from the history, though older ones are there or none is")]
    LostCall(Uuid),
    #[error("ended calls in the history beyond those that the record tells of: {0}")]
    UntoldCalls(u64),
    #[error("the question {0} to a person is kept, but not as this entry tells it")]
    OtherQuestion(Uuid),
    #[error("the question {0} to a person is gone, though its call is in the history")]
    LostQuestion(Uuid),
    #[error("decided questions beyond those that the record tells of: {0}")]
    UntoldQuestions(u64),
}

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum Unverified<E> {
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The entries could not be read.
    #[error(transparent)]
    Unreadable(E),
}

struct ChainName(Option<Uuid>);

impl fmt::Display for ChainName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            None => f.write_str("chain of the platform"),
            Some(tenant) => write!(f, "chain of tenant {tenant}"),
        }
    }
}
