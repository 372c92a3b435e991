//! The one secret that everything sealed hangs on. It is never used itself: each use derives its own key from it.

use base64::{
    Engine, alphabet,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use hkdf::Hkdf;
use sha2::Sha256;
use std::{fmt, io, path::PathBuf};
use zeroize::Zeroizing;

pub(crate) const LENGTH: usize = 32;

#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    #[error("the master key has to be 32 bytes, written in base64 or as 64 hexadecimal digits")]
    NotAKey,
    #[error("a master key has 32 bytes, but the length of {} is {length}; put the right file back", path.display())]
    WrongLength { path: PathBuf, length: u64 },
    #[error("{} can be read by others; run: chmod 600 {}", path.display(), path.display())]
    OpenToOthers { path: PathBuf },
    #[error("{}: {source}", path.display())]
    File { path: PathBuf, source: io::Error },
}

/// Wiped from memory when it is dropped.
pub struct MasterKey(Zeroizing<[u8; LENGTH]>);

impl MasterKey {
    pub fn random() -> Self {
        Self(Zeroizing::new(rand::random()))
    }

    /// As in a setting: base64 of either alphabet, padded or not, or hexadecimal digits.
    pub fn parse(text: &str) -> Result<Self, KeyError> {
        let text = text.trim();
        let bytes = if text.len() == 2 * LENGTH { from_hex(text) } else { from_base64(text) };
        Self::from_bytes(&Zeroizing::new(bytes.ok_or(KeyError::NotAKey)?)).ok_or(KeyError::NotAKey)
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(|bytes| Self(Zeroizing::new(bytes)))
    }

    pub(crate) fn as_bytes(&self) -> &[u8; LENGTH] {
        &self.0
    }

    /// Keys for different uses and labels tell nothing about each other. The use has no slash in it.
    pub(crate) fn derive(&self, usage: &str, label: &str) -> Zeroizing<[u8; 32]> {
        let mut key = Zeroizing::new([0; 32]);
        let info = format!("alcada/v1/{usage}/{label}");
        // HKDF refuses more than 8160 bytes only; a test compares with keys made elsewhere.
        let _ = Hkdf::<Sha256>::new(None, self.as_bytes()).expand(info.as_bytes(), &mut *key);
        key
    }
}

impl fmt::Debug for MasterKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MasterKey").finish_non_exhaustive()
    }
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    text.as_bytes().chunks_exact(2).map(|pair| Some(digit(pair[0])? << 4 | digit(pair[1])?)).collect()
}

fn from_base64(text: &str) -> Option<Vec<u8>> {
    let config = GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    let alphabets = [alphabet::STANDARD, alphabet::URL_SAFE];
    alphabets.iter().find_map(|alphabet| GeneralPurpose::new(alphabet, config).decode(text).ok())
}
