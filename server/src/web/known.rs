//! Answers that are kept while the database has not changed: who a visitor is, and pages as they were rendered.
//!
//! Nothing here can be stale: each entry carries the number that was asked for before anything was read, and is used
//! only while a new question gets the same number. Identities go by the epoch of rights; pages show anything, and
//! go by the version of the whole database, which only SQLite has.

use ability::Caller;
use axum::body::Bytes;
use domain::{Language, Theme, account::Me};
use std::{sync::Arc, time::Duration};
use store::{Epoch, Fresh, Version};

/// Keys and sessions also expire by the clock.
const LONGEST: Duration = Duration::from_secs(10);

/// Who somebody is, by the hash of their session's secret or of their key.
#[derive(Clone)]
pub struct Identified {
    pub me: Option<Me>,
    pub caller: Caller,
}

/// Whose page it is, and which.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct PageKey {
    pub session_hash: Option<String>,
    pub address: String,
    pub language: Language,
    pub theme: Theme,
    pub zone: Option<String>,
}

/// The bytes between the places where the nonce stands.
#[derive(Clone)]
pub struct KeptPage(Arc<[Bytes]>);

impl KeptPage {
    /// Nothing, when the page does not name its nonce: then it is not a page of ours.
    pub fn cut(html: &str, nonce: &str) -> Option<Self> {
        let pieces: Vec<Bytes> =
            html.split(nonce).map(|piece| Bytes::copy_from_slice(piece.as_bytes())).collect();
        (pieces.len() > 1).then(|| Self(pieces.into()))
    }

    /// The page with a nonce of its own.
    pub fn with_nonce(&self, nonce: &str) -> Vec<u8> {
        self.0.join(nonce.as_bytes())
    }
}

pub struct Known {
    pub identities: Fresh<Epoch, String, Identified>,
    pub pages: Fresh<Version, PageKey, KeptPage>,
}

impl Default for Known {
    fn default() -> Self {
        Self { identities: Fresh::new(10_000, LONGEST), pages: Fresh::new(200, LONGEST) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kept_page_gets_a_new_nonce_everywhere() {
        let page = KeptPage::cut("<script nonce=\"AAA\"></script><link nonce=\"AAA\">", "AAA").unwrap();
        assert_eq!(page.with_nonce("BBB"), b"<script nonce=\"BBB\"></script><link nonce=\"BBB\">");
        assert!(KeptPage::cut("<p>no nonce</p>", "AAA").is_none());
    }
}
