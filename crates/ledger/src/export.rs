//! An audit log as a file: JSON lines, so that an auditor can read it with any tool and check it with ours.
//!
//! The first line says what the file is and which keys have signed; then comes a line for every entry and every
//! checkpoint. A checkpoint stands before the entry that follows the one it names. Best all of them stand before the
//! entries: then a file that was cut short is noticed. The last one names the last entry, and is made for the export: a
//! file from which checkpoints were taken is not signed to its end, and hashes alone prove nothing.

mod reader;
mod writer;

pub use reader::{Problem, ReadError, Reader};
pub use writer::{WriteError, Writer};

use crate::{
    key::PublicKey,
    report::{ChainReport, Fault, Report, Trust, Unverified, Wrong},
    verify::Verifier,
};
use serde::{Deserialize, Serialize};
use std::io::BufRead;

/// A line with its end. Longer ones are neither written nor read, so that no file can fill the memory.
pub const LONGEST_LINE: usize = 4 * 1024 * 1024;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Format {
    #[serde(rename = "alcada-audit/1")]
    V1,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    pub format: Format,
    /// Without keys from elsewhere these only prove that the file is consistent.
    pub public_keys: Vec<PublicKey>,
    /// Microseconds since 1970.
    pub exported_at: i64,
}

/// Checks a whole file, which has to be signed to its end. Keys that are given replace those of the file.
pub fn verify_file<R: BufRead>(
    reader: Reader<R>,
    trusted_keys: Option<&[PublicKey]>,
) -> Result<Report, Unverified<ReadError>> {
    let (keys, trust) = match trusted_keys {
        Some(keys) => (keys, Trust::GivenKeys),
        None => (reader.header().public_keys.as_slice(), Trust::KeysOfTheFile),
    };
    let mut verifier = Verifier::new(keys);
    verifier.read(reader)?;
    let report = verifier.finish(trust)?;
    if report.chains.is_empty() {
        return Err(Unverified::Unreadable(ReadError { line: 1, problem: Problem::NoEntries }));
    }
    match report.chains.iter().find(|chain| chain.uncovered > 0) {
        Some(ChainReport { head, last_checkpoint, .. }) => {
            let signed = last_checkpoint.map_or(0, |checkpoint| checkpoint.seq);
            Err(Fault { tenant: head.tenant, seq: signed + 1, wrong: Wrong::Unsigned }.into())
        }
        None => Ok(report),
    }
}
