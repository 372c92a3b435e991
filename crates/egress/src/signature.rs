//! Standard Webhooks: what we send is signed, what we receive is checked (S18).
//! <https://www.standardwebhooks.com>
//!
//! A signature proves who sent a message and that it is recent. That it was not seen before is for the receiver to
//! remember, by its id, for as long as [`TOLERANCE`].

use base64::{Engine, prelude::BASE64_STANDARD};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use std::fmt;
use subtle::{Choice, ConstantTimeEq};

pub const ID: &str = "webhook-id";
pub const TIMESTAMP: &str = "webhook-timestamp";
pub const SIGNATURE: &str = "webhook-signature";

/// In seconds, to both sides.
pub const TOLERANCE: u64 = 5 * 60;

const PREFIX: &str = "whsec_";
const VERSION: &str = "v1";
const SHORTEST: usize = 24;
/// What HMAC-SHA256 takes without hashing it first; also the longest of the standard.
const BLOCK: usize = 64;

#[derive(Clone)]
pub struct Secret {
    /// 24 to 64 bytes.
    key: Vec<u8>,
}

#[derive(Clone, Copy, Debug, thiserror::Error, PartialEq, Eq)]
#[error("a secret is whsec_ and 24 to 64 bytes in base64")]
pub struct SecretError;

#[derive(Clone, Copy, Debug, thiserror::Error, PartialEq, Eq)]
pub enum SignatureError {
    #[error("the message is too old, or of the future")]
    NotNow,
    #[error("the signature does not fit the message")]
    Wrong,
}

impl Secret {
    pub fn generate() -> Self {
        Self { key: rand::random::<[u8; 32]>().to_vec() }
    }

    pub fn parse(text: &str) -> Result<Self, SecretError> {
        let encoded = text.strip_prefix(PREFIX).ok_or(SecretError)?;
        let key = BASE64_STANDARD.decode(encoded).map_err(|_| SecretError)?;
        if (SHORTEST..=BLOCK).contains(&key.len()) { Ok(Self { key }) } else { Err(SecretError) }
    }

    /// The secret itself: to show it once, or to seal it.
    pub fn expose(&self) -> String {
        format!("{PREFIX}{}", BASE64_STANDARD.encode(&self.key))
    }

    fn mac(&self, id: &str, timestamp: i64, body: &[u8]) -> [u8; 32] {
        // HMAC fills a short key up with zeros; done here, no length is wrong.
        let mut block = [0; BLOCK];
        block[..self.key.len()].copy_from_slice(&self.key);
        let mut mac = Hmac::<Sha256>::new(&block.into());
        mac.update(format!("{id}.{timestamp}.").as_bytes());
        mac.update(body);
        mac.finalize().into_bytes().into()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// The value of the header; with two secrets while one replaces the other.
pub fn sign(secrets: &[&Secret], id: &str, timestamp: i64, body: &[u8]) -> String {
    let one =
        |secret: &&Secret| format!("{VERSION},{}", BASE64_STANDARD.encode(secret.mac(id, timestamp, body)));
    secrets.iter().map(one).collect::<Vec<_>>().join(" ")
}

/// Any of the secrets may fit any of the signatures. All are compared, each in constant time.
pub fn verify(
    secrets: &[&Secret],
    id: &str,
    timestamp: i64,
    signature: &str,
    body: &[u8],
    now: i64,
) -> Result<(), SignatureError> {
    // With a dot in it, the end of the id could be read as the timestamp, and the timestamp as a part of the body.
    if id.is_empty() || id.contains('.') {
        return Err(SignatureError::Wrong);
    }
    if now.abs_diff(timestamp) > TOLERANCE {
        return Err(SignatureError::NotNow);
    }
    let expected: Vec<_> = secrets.iter().map(|secret| secret.mac(id, timestamp, body)).collect();
    let fits = |found: Vec<u8>| expected.iter().fold(Choice::from(0), |any, mac| any | found.ct_eq(&mac[..]));
    let any = given(signature).map(fits).fold(Choice::from(0), |any, one| any | one);
    if any.into() { Ok(()) } else { Err(SignatureError::Wrong) }
}

/// Other versions may stand beside ours; they are not for us.
fn given(signature: &str) -> impl Iterator<Item = Vec<u8>> {
    let parts = signature.split(' ').filter_map(|part| part.split_once(','));
    parts.filter(|(version, _)| *version == VERSION).filter_map(|(_, text)| BASE64_STANDARD.decode(text).ok())
}
