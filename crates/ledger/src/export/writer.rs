//! Writes an export.

use super::{Format, Header, LONGEST_LINE};
use crate::{chain::Recorded, checkpoint::Checkpoint, key::PublicKey};
use serde::Serialize;
use std::io::{self, Write};

#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("the line would be longer than {LONGEST_LINE} bytes")]
    TooLong,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum LineRef<'a> {
    Entry(&'a Recorded),
    Checkpoint(&'a Checkpoint),
}

/// Hands on whole lines, each in one piece.
pub struct Writer<W: Write> {
    out: W,
    line: Vec<u8>,
}

impl<W: Write> Writer<W> {
    /// Begins with the header.
    pub fn new(out: W, public_keys: &[PublicKey], exported_at: i64) -> Result<Self, WriteError> {
        let mut writer = Self { out, line: Vec::new() };
        writer.line(&Header { format: Format::V1, public_keys: public_keys.to_vec(), exported_at })?;
        Ok(writer)
    }

    /// Goes on with an export that has its header already.
    pub fn further(out: W) -> Self {
        Self { out, line: Vec::new() }
    }

    pub fn entry(&mut self, recorded: &Recorded) -> Result<(), WriteError> {
        self.line(&LineRef::Entry(recorded))
    }

    pub fn checkpoint(&mut self, checkpoint: &Checkpoint) -> Result<(), WriteError> {
        self.line(&LineRef::Checkpoint(checkpoint))
    }

    /// Without this the last lines may be lost in a buffer of `W`.
    pub fn finish(mut self) -> Result<W, WriteError> {
        self.out.flush()?;
        Ok(self.out)
    }

    fn line(&mut self, value: &impl Serialize) -> Result<(), WriteError> {
        self.line.clear();
        serde_json::to_writer(&mut self.line, value).map_err(io::Error::from)?;
        self.line.push(b'\n');
        if self.line.len() > LONGEST_LINE {
            return Err(WriteError::TooLong);
        }
        Ok(self.out.write_all(&self.line)?)
    }
}
