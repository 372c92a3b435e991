//! The audit log as a hash chain, so that whoever can write to the database still cannot rewrite the past unseen.
//!
//! Each tenant has a chain of its own, and the platform has one. Every entry's hash covers the entry and the hash
//! before it ([`Head::link`]). The hashes need no secret, so an attacker could compute a whole chain anew: signed
//! [`Checkpoint`]s prevent it. What lies behind the last checkpoint is not protected yet, and a report says how much
//! that is. Who can also delete checkpoints can cut the tail off unseen, unless somebody elsewhere has kept a
//! checkpoint: that is what an export is good for. It is signed when it is made, up to its last entry.
//!
//! No database and no clock here: the store keeps entries, this crate says what their hashes are.
//!
//! # Erasure
//!
//! People may ask to be forgotten, and the chain must verify all the same. So the texts that may tell about people
//! (the actor's name, before, after, the reason) enter the hash only through digests, and [`Entry::erase`] leaves
//! the digests behind. A name can be guessed from a plain digest; hence 16 random bytes of [`Salt`] per entry, kept
//! beside the texts and erased with them. As the four texts share it, an entry is erased as a whole: the salt that
//! stays for one text would give away the others. The ids, the action and the subject stay: put nothing personal
//! into them.

mod chain;
mod checkpoint;
mod encode;
mod entry;
pub mod export;
mod hex;
mod key;
mod report;
mod verify;

pub use chain::{Head, LinkError, Recorded};
pub use checkpoint::{Checkpoint, Signer};
pub use encode::Hash;
pub use entry::{Content, Digests, Entry, Salt, Texts};
pub use export::verify_file;
pub use hex::NotHex;
pub use key::{KeyId, NotAKey, PublicKey, Signature};
pub use report::{ChainReport, Fault, Report, Trust, Unverified, Wrong};
pub use verify::{Line, Verifier, verify};
