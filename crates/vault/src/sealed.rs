//! The layout of a sealed value: version (1 byte), key id (8), nonce (24), text and tag.

use std::ops::Deref;
use uuid::Uuid;

const VERSION: u8 = 1;

pub(crate) type KeyId = [u8; 8];

/// Says which key opens it, without saying anything about that key.
pub(crate) struct Header {
    pub(crate) key: KeyId,
    pub(crate) nonce: [u8; 24],
}

impl Header {
    pub(crate) fn split(sealed: &[u8]) -> Option<(Self, &[u8])> {
        let (version, rest) = sealed.split_first()?;
        let (key, rest) = rest.split_first_chunk()?;
        let (nonce, text) = rest.split_first_chunk()?;
        (*version == VERSION).then_some((Self { key: *key, nonce: *nonce }, text))
    }
}

/// Safe to store, and of no use to whoever lacks the key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sealed(Vec<u8>);

impl Sealed {
    pub(crate) fn join(header: &Header, text: &[u8]) -> Self {
        Self([&[VERSION][..], &header.key, &header.nonce, text].concat())
    }

    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

impl Deref for Sealed {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

/// Lengths in front of everything that varies, so that no two lists of arguments give the same bytes.
pub(crate) fn associated_data(key: &KeyId, purpose: &str, owner: &[Uuid]) -> Vec<u8> {
    let mut data = vec![VERSION];
    data.extend_from_slice(key);
    data.extend_from_slice(&(purpose.len() as u64).to_le_bytes());
    data.extend_from_slice(purpose.as_bytes());
    data.extend_from_slice(&(owner.len() as u64).to_le_bytes());
    owner.iter().for_each(|id| data.extend_from_slice(id.as_bytes()));
    data
}
