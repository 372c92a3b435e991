//! Random secrets and the hashes that stand for them in the database.
//!
//! These secrets have 128 bits or more, so a plain hash is enough: nobody can guess their way back.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use sha2::{Digest, Sha256};

/// 256 random bits, fit for an address.
pub fn random_token() -> String {
    BASE64_URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>())
}

/// A code that a person reads in a log and types: `K7QM-2XBD-…`, 80 bits, no letters that look alike.
pub fn random_code() -> String {
    const LETTERS: &[u8; 32] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
    let letters = rand::random::<[u8; 16]>().map(|byte| char::from(LETTERS[usize::from(byte % 32)]));
    letters.chunks(4).map(|four| four.iter().collect::<String>()).collect::<Vec<_>>().join("-")
}

pub fn hash(secret: &str) -> String {
    Sha256::digest(secret.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_readable_and_differ() {
        let (one, two) = (random_code(), random_code());
        assert_ne!(one, two);
        assert_eq!(one.len(), 19);
        assert!(one.chars().all(|c| c == '-' || c.is_ascii_uppercase() || c.is_ascii_digit()));
    }
}
