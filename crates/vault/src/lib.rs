//! Encryption at rest: what other people's systems trust us with (tokens, client secrets) is sealed before it reaches
//! the database, and bound to its tenant and its row. A copy of the database opens nothing without the master key, and
//! a sealed value that is moved to another row, tenant or column does not open there.

mod key_file;
mod master_key;
mod sealed;

pub use master_key::{KeyError, MasterKey};
pub use sealed::Sealed;

use chacha20poly1305::{
    KeyInit, XChaCha20Poly1305,
    aead::{Aead, Payload},
};
use hmac::{Hmac, Mac};
use sealed::{Header, KeyId};
use sha2::Sha256;
use std::{fmt, sync::Arc};
use uuid::Uuid;
use zeroize::Zeroizing;

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum VaultError {
    #[error("this is not a sealed value, or a newer version sealed it")]
    NotSealed,
    #[error("sealed with a master key that is not here; give it back as a previous key")]
    UnknownKey,
    #[error("a sealed value was altered, or belongs elsewhere")]
    Refused,
}

/// Cheap to clone. Seals with the current key, and opens with any that it was given.
#[derive(Clone)]
pub struct Vault {
    keys: Arc<Keys>,
}

struct Keys {
    master: MasterKey,
    current: SealingKey,
    previous: Vec<SealingKey>,
}

struct SealingKey {
    id: KeyId,
    cipher: XChaCha20Poly1305,
}

impl SealingKey {
    fn of(master: &MasterKey) -> Self {
        let [a, b, c, d, e, f, g, h, ..] = *master.derive("id", "");
        let cipher = XChaCha20Poly1305::new((&*master.derive("seal", "")).into());
        Self { id: [a, b, c, d, e, f, g, h], cipher }
    }
}

impl Vault {
    pub fn new(current: MasterKey, previous: Vec<MasterKey>) -> Self {
        let keys = Keys {
            current: SealingKey::of(&current),
            previous: previous.iter().map(SealingKey::of).collect(),
            master: current,
        };
        Self { keys: Arc::new(keys) }
    }

    /// `purpose` names the column, `owner` the tenant and the row: it opens with exactly these again, in this order.
    pub fn seal(&self, purpose: &str, owner: &[Uuid], plaintext: &[u8]) -> Sealed {
        let key = &self.keys.current;
        let header = Header { key: key.id, nonce: rand::random() };
        let aad = sealed::associated_data(&key.id, purpose, owner);
        // Refused from 256 GiB on only; an empty text in its place opens for nobody, and shows nothing.
        let text = key.cipher.encrypt(&header.nonce.into(), Payload { msg: plaintext, aad: &aad });
        Sealed::join(&header, &text.unwrap_or_default())
    }

    pub fn open(&self, purpose: &str, owner: &[Uuid], sealed: &[u8]) -> Result<Vec<u8>, VaultError> {
        let (header, text) = Header::split(sealed).ok_or(VaultError::NotSealed)?;
        let key = self.key(&header.key).ok_or(VaultError::UnknownKey)?;
        let aad = sealed::associated_data(&key.id, purpose, owner);
        let payload = Payload { msg: text, aad: &aad };
        key.cipher.decrypt(&header.nonce.into(), payload).map_err(|_| VaultError::Refused)
    }

    /// False for what should be opened and sealed again, before its key is taken away.
    pub fn is_current(&self, sealed: &[u8]) -> bool {
        Header::split(sealed).is_some_and(|(header, _)| header.key == self.keys.current.id)
    }

    /// The seed of a signing key, always the same for a label. It comes from the current master key: after a rotation
    /// it is another, so whoever checks old signatures has to have kept the public key.
    pub fn signing_seed(&self, label: &str) -> [u8; 32] {
        *self.keys.master.derive("sign", label)
    }

    /// Tells whether a text is the same again, to whoever has the master key: without it, not even a short one is guessed.
    pub fn fingerprint(&self, purpose: &str, text: &[u8]) -> String {
        // HMAC fills a short key up with zeros; done here, no length is wrong.
        let mut block = Zeroizing::new([0; 64]);
        block[..32].copy_from_slice(&*self.keys.master.derive("fingerprint", purpose));
        let mut mac = Hmac::<Sha256>::new((&*block).into());
        mac.update(text);
        mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn key(&self, id: &KeyId) -> Option<&SealingKey> {
        let mut all = std::iter::once(&self.keys.current).chain(&self.keys.previous);
        all.find(|key| key.id == *id)
    }
}

impl fmt::Debug for Vault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Vault").finish_non_exhaustive()
    }
}
