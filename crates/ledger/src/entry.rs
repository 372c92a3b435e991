//! What an entry says, and what is left of it when its texts are erased.

use crate::encode::{Encoder, Hash, Purpose};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

crate::hex::hex_bytes!(
    /// Keeps erased texts from being guessed by their digests. Never used twice.
    Salt,
    16
);

impl Salt {
    pub fn random() -> Self {
        Self(rand::random())
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Whose chain it is in; the platform's without.
    pub tenant: Option<Uuid>,
    /// 1, 2, 3 … within its chain.
    pub seq: i64,
    pub id: Uuid,
    /// Microseconds since 1970.
    pub at: i64,
    pub actor_kind: String,
    pub actor_id: Option<Uuid>,
    pub action: String,
    pub subject_kind: String,
    pub subject_id: String,
    pub content: Content,
}

impl Entry {
    /// Forgets the texts and their salt. The entry's hash stays what it was.
    pub fn erase(&mut self) {
        self.content = Content::Erased(self.content.digests());
    }
}

/// The part of an entry that may tell about people: all of it is there, or none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Content {
    Kept(Texts),
    Erased(Digests),
}

/// Kept byte for byte: JSON is never read and written anew.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Texts {
    pub salt: Salt,
    pub actor_name: String,
    pub before: Option<String>,
    pub after: Option<String>,
    pub reason: Option<String>,
}

/// A text that was not there has no digest either.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Digests {
    pub actor_name: Hash,
    pub before: Option<Hash>,
    pub after: Option<Hash>,
    pub reason: Option<Hash>,
}

impl Content {
    pub fn digests(&self) -> Digests {
        match self {
            Self::Kept(texts) => texts.digests(),
            Self::Erased(digests) => *digests,
        }
    }

    pub fn is_erased(&self) -> bool {
        matches!(self, Self::Erased(_))
    }
}

impl Texts {
    pub fn digests(&self) -> Digests {
        let digest = |purpose, text: &str| {
            let mut encoder = Encoder::new(purpose);
            encoder.bytes(&self.salt.0).text(text);
            encoder.hash()
        };
        Digests {
            actor_name: digest(Purpose::ActorName, &self.actor_name),
            before: self.before.as_deref().map(|text| digest(Purpose::Before, text)),
            after: self.after.as_deref().map(|text| digest(Purpose::After, text)),
            reason: self.reason.as_deref().map(|text| digest(Purpose::Reason, text)),
        }
    }
}
