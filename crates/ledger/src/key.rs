//! The keys that checkpoints are signed with, as everybody may see them.

use crate::{
    encode::{Encoder, Purpose},
    hex::{self, NotHex},
};
use ed25519_dalek::VerifyingKey;
use std::{fmt, str::FromStr};

crate::hex::hex_bytes!(
    /// Names a public key; made from it.
    KeyId,
    8
);

crate::hex::hex_bytes!(
    /// Ed25519.
    Signature,
    64
);

/// Ed25519; as text, 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PublicKey(VerifyingKey);

crate::hex::as_text!(PublicKey);

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAKey {
    #[error(transparent)]
    Digits(#[from] NotHex),
    #[error("these bytes are not a public key")]
    Bytes,
}

impl PublicKey {
    /// Refuses weak keys: almost any signature would be good for them.
    pub fn from_bytes(bytes: &[u8; 32]) -> Result<Self, NotAKey> {
        let key = VerifyingKey::from_bytes(bytes).map_err(|_| NotAKey::Bytes)?;
        if key.is_weak() { Err(NotAKey::Bytes) } else { Ok(Self(key)) }
    }

    pub fn as_bytes(&self) -> &[u8; 32] {
        self.0.as_bytes()
    }

    pub fn id(&self) -> KeyId {
        let mut encoder = Encoder::new(Purpose::KeyId);
        encoder.bytes(self.as_bytes());
        let [a, b, c, d, e, f, g, h, ..] = encoder.hash().0;
        KeyId([a, b, c, d, e, f, g, h])
    }

    pub(crate) fn has_signed(&self, message: &[u8], signature: &Signature) -> bool {
        self.0.verify_strict(message, &ed25519_dalek::Signature::from_bytes(&signature.0)).is_ok()
    }
}

impl From<VerifyingKey> for PublicKey {
    fn from(key: VerifyingKey) -> Self {
        Self(key)
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        hex::write(self.as_bytes(), f)
    }
}

impl FromStr for PublicKey {
    type Err = NotAKey;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::from_bytes(&hex::parse(text)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weak_and_impossible_keys_are_refused() {
        let neutral = "01".to_owned() + &"00".repeat(31);
        assert_eq!(neutral.parse::<PublicKey>(), Err(NotAKey::Bytes));
        let not_on_the_curve = "02".to_owned() + &"00".repeat(31);
        assert_eq!(not_on_the_curve.parse::<PublicKey>(), Err(NotAKey::Bytes));
        assert!(matches!("ab".parse::<PublicKey>(), Err(NotAKey::Digits(_))));
    }
}
