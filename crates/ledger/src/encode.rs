//! What exactly goes into a hash. Texts carry their length and options a mark, so that no two values share an
//! encoding; and each purpose has its own opening, so that a hash for one is never good for another.
//!
//! This is the format of the chain: it must never change, or old chains no longer verify.

use sha2::{Digest, Sha256};
use uuid::Uuid;

crate::hex::hex_bytes!(
    /// SHA-256.
    Hash,
    32
);

const FORMAT: &[u8; 15] = b"alcada-audit/1 ";

#[derive(Clone, Copy)]
pub(crate) enum Purpose {
    Start = 1,
    Entry = 2,
    ActorName = 3,
    Before = 4,
    After = 5,
    Reason = 6,
    Checkpoint = 7,
    KeyId = 8,
}

/// Feeds the hash piece by piece: nothing is put together in memory first.
pub(crate) struct Encoder(Sha256);

impl Encoder {
    pub(crate) fn new(purpose: Purpose) -> Self {
        let mut encoder = Self(Sha256::new());
        encoder.bytes(FORMAT).bytes(&[purpose as u8]);
        encoder
    }

    /// The length is part of the type, so it need not be written.
    pub(crate) fn bytes<const N: usize>(&mut self, bytes: &[u8; N]) -> &mut Self {
        self.0.update(bytes);
        self
    }

    pub(crate) fn number(&mut self, number: i64) -> &mut Self {
        self.bytes(&number.to_be_bytes())
    }

    pub(crate) fn text(&mut self, text: &str) -> &mut Self {
        self.0.update((text.len() as u64).to_be_bytes());
        self.0.update(text);
        self
    }

    pub(crate) fn option<const N: usize>(&mut self, bytes: Option<&[u8; N]>) -> &mut Self {
        match bytes {
            None => self.bytes(&[0]),
            Some(bytes) => self.bytes(&[1]).bytes(bytes),
        }
    }

    pub(crate) fn uuid(&mut self, id: Option<Uuid>) -> &mut Self {
        self.option(id.as_ref().map(Uuid::as_bytes))
    }

    pub(crate) fn hash(self) -> Hash {
        Hash(self.0.finalize().into())
    }
}
