//! Checkpoints: the installation's signature under the head of a chain. An attacker without the key can compute
//! hashes, but not these.

use crate::{
    chain::Head,
    encode::{Encoder, Hash, Purpose},
    key::{KeyId, PublicKey, Signature},
};
use ed25519_dalek::{Signer as _, SigningKey};
use serde::{Deserialize, Serialize};
use std::fmt;
use uuid::Uuid;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checkpoint {
    pub tenant: Option<Uuid>,
    /// The chain reached this entry …
    pub seq: i64,
    /// … with this hash.
    pub hash: Hash,
    /// Microseconds since 1970.
    pub at: i64,
    pub key_id: KeyId,
    pub signature: Signature,
}

impl Checkpoint {
    pub fn is_signed_by(&self, key: &PublicKey) -> bool {
        key.id() == self.key_id && key.has_signed(&self.message().0, &self.signature)
    }

    /// What is signed: a hash over everything but the signature.
    fn message(&self) -> Hash {
        let mut encoder = Encoder::new(Purpose::Checkpoint);
        encoder.uuid(self.tenant).number(self.seq).bytes(&self.hash.0).number(self.at).bytes(&self.key_id.0);
        encoder.hash()
    }
}

/// Holds the private key, and wipes it from memory when dropped.
pub struct Signer {
    key: SigningKey,
    id: KeyId,
}

impl Signer {
    /// The seed is the private key: 32 random bytes.
    pub fn from_seed(seed: [u8; 32]) -> Self {
        let key = SigningKey::from_bytes(&seed);
        let id = PublicKey::from(key.verifying_key()).id();
        Self { key, id }
    }

    pub fn public_key(&self) -> PublicKey {
        self.key.verifying_key().into()
    }

    pub fn key_id(&self) -> KeyId {
        self.id
    }

    pub fn sign(&self, head: &Head, at: i64) -> Checkpoint {
        let Head { tenant, seq, hash } = *head;
        let unsigned = Checkpoint { tenant, seq, hash, at, key_id: self.id, signature: Signature([0; 64]) };
        let signature = Signature(self.key.sign(&unsigned.message().0).to_bytes());
        Checkpoint { signature, ..unsigned }
    }
}

impl fmt::Debug for Signer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Signer({})", self.id)
    }
}
